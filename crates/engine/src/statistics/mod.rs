//! Statistics: how many visitors and people came, how many came again, and how far they got in a campaign.
//!
//! What no row tells of is counted in memory as it happens, and united with the rows of its day once a minute and at a stop: a
//! request waits for no write. A process that is killed loses what was counted since; nothing is counted twice, because adding
//! the same again changes nothing.

mod counter;
mod days;
mod flush_job;
mod funnel;
mod queries;
mod visits;

pub use counter::VisitCounter;
pub(crate) use flush_job::STATISTICS;
pub use flush_job::flush;
pub use funnel::{CampaignFunnel, FunnelCount, campaign_funnel};
pub use queries::{
    Cohort, DayFigures, DaysReport, RangeFigures, RetentionReport, statistics_days, statistics_range,
    statistics_retention,
};
pub use visits::{Visit, VisitingBrowser, issue_visitor, visit_count};
