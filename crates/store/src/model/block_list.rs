//! Block lists (黑名单): who gets an activity's consolation and nothing else.

use domain::ids::{ActivityId, UserId};
use domain::time::Timestamp;

use super::{Actor, AuditStamp};

/// Users on the list of one activity.
pub const BLOCK_LIST_MAX: u32 = 200_000;
/// Users in one import.
pub const BLOCK_IMPORT_MAX: usize = 5_000;

/// How an import names a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockName {
    User(UserId),
    /// The company's own id.
    External(String),
    /// What can be nobody's name.
    Nobody,
}

#[derive(Clone, Debug)]
pub struct BlockListAdd {
    pub activity: ActivityId,
    pub names: Vec<BlockName>,
    pub signed: AuditStamp,
}

/// What became of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockFate {
    Added,
    /// On the list before; its reason stays.
    Already,
    /// Named earlier in the same import.
    Repeated,
    Unknown,
}

#[derive(Clone, Debug)]
pub struct BlockListRemove {
    pub activity: ActivityId,
    pub user: UserId,
    pub signed: AuditStamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedRow {
    pub user: UserId,
    pub external_id: Option<String>,
    pub reason: String,
    pub added_by: Actor,
    pub added_at: Timestamp,
}
