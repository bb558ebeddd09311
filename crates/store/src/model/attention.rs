//! What needs an operator: counts for those who judge, and what was told to those outside.

use domain::attention::{AttentionItem, AttentionKind, LaneFact, PrizeFact, StockFact};
use domain::time::Timestamp;

/// Rows of stock that are looked at.
pub const LOW_STOCK_LISTED_MAX: u32 = 200;
/// Pools of codes that are looked at because of their threshold.
pub const LOW_POOLS_LISTED_MAX: u32 = 200;

/// What the database knows of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttentionCounts {
    /// By state, kind and pool, of what is not given: what waits for an operator, is ready, failed or has to be sent.
    pub prizes: Vec<PrizeFact>,
    /// Dead letters.
    pub lanes: Vec<LaneFact>,
    /// Named after the activity; at most [`LOW_STOCK_LISTED_MAX`].
    pub stock: Vec<StockFact>,
    pub staff_without_second_factor: u64,
    pub refunds_due: u64,
}

/// What was told to those outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttentionNote {
    pub kind: AttentionKind,
    pub subject: String,
    pub since: Timestamp,
}

/// What needs somebody now: news are told, and what is over is told too.
#[derive(Clone, Debug)]
pub struct AttentionTell {
    pub items: Vec<AttentionItem>,
    pub now: Timestamp,
}
