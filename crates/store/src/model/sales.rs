//! Sales beside what they share with every activity, and reminders.

use domain::ids::{ActivityId, UserId};
use domain::time::Timestamp;

use super::{ActivityRow, AuditStamp, Fence, NewSecret, Once};

/// A later end, as a version of its own that is in place at once.
#[derive(Clone, Debug)]
pub struct SaleExtend {
    pub id: ActivityId,
    pub until: Timestamp,
    /// Every version has one, whether or not anything is drawn from it.
    pub secret: NewSecret,
    pub once: Option<Once>,
    pub signed: AuditStamp,
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
