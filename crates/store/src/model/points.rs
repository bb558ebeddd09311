//! Points: postings to accounts, and what they have come to.

use domain::access::DailyAllowance;
use domain::ids::UserId;
use domain::points::{Entry, Move};
use domain::time::Timestamp;

use super::{AuditStamp, LaneFence, Message, Once};

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
pub struct PostedEntry {
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
    pub alone: DailyAllowance,
    pub once: Option<Once>,
    pub signed: AuditStamp,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ByHand {
    Posted(PostedEntry),
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
