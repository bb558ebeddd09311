//! Points: postings to accounts, and what they have come to.

use async_trait::async_trait;
use domain::Rejection;
use domain::access::Alone;
use domain::ids::UserId;
use domain::page::{Page, PageRequest};
use domain::points::{Account, Entry, Move};
use domain::time::Timestamp;

use super::{Fence, LaneFence, Message, Once, Signed};
use crate::failure::Outcome;

/// Postings in one transaction.
pub const POINTS_BATCH_MAX: usize = 5_000;

/// One change of one account, asked for under a key of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posting {
    pub user: UserId,
    pub asked: Move,
    /// What it comes of, such as `won:5`. The same key with the same request again changes nothing; with another
    /// request it is refused as `conflict`.
    pub key: String,
    /// For whoever reads the statement.
    pub reason: String,
    pub at: Timestamp,
}

/// The row that came of a posting, now or when it was first asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    pub n: i64,
    pub delta: i64,
    /// After the row.
    pub balance: i64,
    /// It was there before.
    pub replayed: bool,
}

/// What messages of a lane give, with the messages: one posting each, in their order.
#[derive(Clone, Debug)]
pub struct PointsGive {
    pub fence: LaneFence,
    pub messages: Vec<Message>,
    pub postings: Vec<Posting>,
    pub now: Timestamp,
}

/// What staff do to an account: a posting with an audit line.
#[derive(Clone, Debug)]
pub struct PointsAdjust {
    pub posting: Posting,
    /// How much of this they may do alone.
    pub alone: Alone,
    pub once: Option<Once>,
    pub signed: Signed,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ByHand {
    Posted(Posted),
    /// It is more than one person may do in a day, or was asked of a second person before: nothing was posted.
    NeedsASecond,
}

/// A row of a statement, as it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointsRow {
    /// Without its parts.
    pub entry: Entry,
    pub key: String,
    pub reason: String,
    pub at: Timestamp,
    /// The row that took this one back.
    pub reversed_by: Option<i64>,
}

#[async_trait]
pub trait Points: Send + Sync {
    /// Each is carried out or refused for itself, in order, all in one transaction.
    async fn points_post(&self, postings: Vec<Posting>) -> Outcome<Vec<Result<Posted, Rejection>>>;
    /// The same, and every message whose posting was carried out is done, in the same transaction.
    async fn points_give(&self, step: PointsGive) -> Outcome<Vec<Result<Posted, Rejection>>>;
    async fn points_adjust(&self, step: PointsAdjust) -> Outcome<ByHand>;
    /// An account that nothing was ever posted to is empty.
    async fn points_of(&self, user: UserId) -> Outcome<Account>;
    /// The newest rows first.
    async fn points_statement(&self, user: UserId, page: PageRequest) -> Outcome<Page<PointsRow>>;
    /// Takes what is past its time off a bounded number of accounts; answers off how many.
    async fn points_expire(&self, fence: Fence, now: Timestamp, limit: u32) -> Outcome<u64>;
}
