//! Block lists (黑名单): who gets an activity's consolation and nothing else.

use async_trait::async_trait;
use domain::ids::{ActivityId, UserId};
use domain::page::{Page, PageRequest};
use domain::time::Timestamp;

use super::{Actor, Signed};
use crate::failure::Outcome;

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
    pub signed: Signed,
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
    pub signed: Signed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedRow {
    pub user: UserId,
    pub external_id: Option<String>,
    pub reason: String,
    pub added_by: Actor,
    pub added_at: Timestamp,
}

#[async_trait]
pub trait BlockLists: Send + Sync {
    /// Answers in the order of the names.
    async fn block_list_add(&self, step: BlockListAdd) -> Outcome<Vec<BlockFate>>;
    /// Answers whether the user was on the list.
    async fn block_list_remove(&self, step: BlockListRemove) -> Outcome<bool>;
    /// The newest accounts first.
    async fn block_list_page(&self, activity: ActivityId, page: PageRequest) -> Outcome<Page<BlockedRow>>;
    /// The whole list, in the order of ids, and how often it was changed: both of one moment.
    async fn block_list_load(&self, activity: ActivityId) -> Outcome<(u64, Vec<UserId>)>;
}
