//! Sales beside what they share with every activity, and reminders.

use async_trait::async_trait;
use domain::ids::{ActivityId, UserId};
use domain::page::{Page, PageRequest};
use domain::time::Timestamp;

use super::{ActivityRow, Fence, Made, NewSecret, Once, Signed};
use crate::failure::Outcome;

/// A later end, as a version of its own that is in place at once.
#[derive(Clone, Debug)]
pub struct SaleExtend {
    pub id: ActivityId,
    pub until: Timestamp,
    /// Every version has one, whether or not anything is drawn from it.
    pub secret: NewSecret,
    pub once: Option<Once>,
    pub signed: Signed,
}

/// Somebody wants to hear of a start.
#[derive(Clone, Copy, Debug)]
pub struct ReminderSet {
    pub activity: ActivityId,
    pub user: UserId,
    /// Reminders of one person at most.
    pub max: u32,
    pub now: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReminderRow {
    pub activity: ActivityRow,
    pub made: Timestamp,
    /// Whether they were told of the start as it is now.
    pub told: bool,
}

/// Those whose activity starts after now and before `before`, and who have not been told of that start.
#[derive(Clone, Debug)]
pub struct RemindersTell {
    pub fence: Fence,
    pub now: Timestamp,
    pub before: Timestamp,
    pub limit: u32,
    /// The first of as many ids as there may be events.
    pub ids: Vec<i64>,
}

#[async_trait]
pub trait Sales: Send + Sync {
    /// Whatever was approved at some time, the newest first.
    async fn sale_list(&self, page: PageRequest) -> Outcome<Page<ActivityRow>>;
    async fn sale_extend(&self, step: SaleExtend) -> Outcome<Made>;

    /// Again is the same.
    async fn reminder_set(&self, step: ReminderSet) -> Outcome<()>;
    /// Answers whether there was one.
    async fn reminder_drop(&self, activity: ActivityId, user: UserId) -> Outcome<bool>;
    /// By activity, the newest first.
    async fn reminder_list(&self, user: UserId, page: PageRequest) -> Outcome<Page<ReminderRow>>;
    /// Tells of starts, each person once of each; answers how many were told.
    async fn reminders_tell(&self, step: RemindersTell) -> Outcome<u32>;
}
