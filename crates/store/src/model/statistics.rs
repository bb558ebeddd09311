//! Statistics: what is added as it is counted, and what is read of days. Every answer is bounded by its range of days.

use domain::civil_date::CivilDate;
use domain::ids::{ActivityId, UserId};
use domain::statistics::{CountedStep, DayRange, DistinctCount, RETENTION_DAYS};
use domain::time::Timestamp;

use super::Fence;

/// Counts, or people, that one step adds at most.
pub const VISITS_ADDED_MAX: usize = 32;
pub const PEOPLE_ADDED_MAX: usize = 500;

/// What is counted where: a step of a round of an activity on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VisitPlace {
    pub subject: VisitSubject,
    pub step: CountedStep,
    pub day: CivilDate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VisitSubject {
    Site,
    Round(ActivityId, u32),
}

/// Unites counts with those that are kept. Whoever has no fence works while nobody else does.
#[derive(Clone, Debug)]
pub struct VisitsAdd {
    pub fence: Option<Fence>,
    pub counts: Vec<(VisitPlace, DistinctCount)>,
}

/// These people were active on a day.
#[derive(Clone, Debug)]
pub struct PeopleAdd {
    pub fence: Option<Fence>,
    pub day: CivilDate,
    pub people: Vec<UserId>,
}

/// The counts of a site's days, or of all days of a round or of all rounds.
#[derive(Clone, Copy, Debug)]
pub enum VisitsFind {
    Site(DayRange),
    Round(ActivityId, u32, CountedStep),
    Rounds(ActivityId, CountedStep),
}

/// People of one day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActiveDay {
    pub people: u64,
    /// Those among them who were active for the first time.
    pub new_people: u64,
}

/// Those who were new on a day, and how many of them were active so many days later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CohortRow {
    pub day: CivilDate,
    pub new_people: u64,
    pub again: [u64; RETENTION_DAYS.len()],
}

/// A day of the site with the moments at which it begins and ends.
#[derive(Clone, Copy, Debug)]
pub struct SiteDay {
    pub from: Timestamp,
    pub until: Timestamp,
}

/// What happened on a day, from the rows that tell of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DayTotals {
    /// Published that day, whatever became of them.
    pub posts: u64,
    pub draws: u64,
    /// Of sales.
    pub orders: u64,
    pub paid: u64,
}

/// The steps of a sale that its orders tell of: people, each once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuyerCounts {
    pub ordered: u64,
    pub paid: u64,
}
