//! Statistics: how many came, without knowing who.
//!
//! | module | decides |
//! | --- | --- |
//! | [`distinct`] | how many different visitors there were: exactly up to a bound, an estimate of a fixed size above it |
//! | [`people`] | which people of a day were active, by dense numbers, so that days can be united and compared exactly |
//! | [`visitor`] | what a visitor's cookie says, and the keyed hashes that are counted |
//! | [`day_range`] | the days that a question is about |
//! | [`funnel`] | the steps of a campaign, from those who saw it to those who got something |
//! | [`retention`] | after how many days people are looked for again, and whether that day is over |

pub mod day_range;
pub mod distinct;
pub mod funnel;
pub mod people;
pub mod retention;
pub mod visitor;

pub use day_range::{DayRange, RANGE_DAYS_MAX};
pub use distinct::{DistinctCount, EXACT_MAX};
pub use funnel::{CountedStep, FunnelStep};
pub use people::{PEOPLE_CHUNK, PeopleChunk, place_of};
pub use retention::{RETENTION_DAYS, is_day_over};
pub use visitor::{VISITOR_RANDOM_BYTES, VisitorKey};
