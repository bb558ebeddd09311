//! The waiting rooms of sales, as far as they outlive a process: which numbers were given.

use std::ops::Range;

use async_trait::async_trait;
use domain::ids::ActivityId;

use crate::failure::Outcome;

#[async_trait]
pub trait Rooms: Send + Sync {
    /// So many numbers of a round, after all that were ever taken, for nobody else. What is taken and not used is lost, and
    /// does no harm; so asking again is harmless too.
    async fn numbers_take(&self, sale: ActivityId, round: u32, count: i64) -> Outcome<Range<i64>>;
}
