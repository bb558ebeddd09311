//! The figures that are judged.

use crate::fulfilment::{FulfilmentState, PrizeKind};
use crate::ids::{ActivityId, CodePoolId, WebhookId};
use crate::lottery::strategy::PrizeId;
use crate::time::Timestamp;

/// Everything that is looked at, at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttentionFacts {
    pub prizes: Vec<PrizeFact>,
    pub lanes: Vec<LaneFact>,
    /// Whether a webhook asks for coupons that are due.
    pub coupons_issued: bool,
    pub code_pools: Vec<PoolFact>,
    pub stock: Vec<StockFact>,
    pub webhooks: Vec<WebhookFact>,
    pub jobs: Vec<JobFact>,
    pub disks: Vec<DiskFact>,
    pub ledger: LedgerFact,
    pub staff_without_second_factor: u64,
    pub refunds_due: u64,
    /// Messages and pools of codes.
    pub quarantined: u64,
}

/// From when on something is worth a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttentionLimits {
    /// Free space on a disk.
    pub disk_free_min_bytes: u64,
    /// Events between the ledger and its rows.
    pub lag_max: u64,
    /// How long a prize may be on its way to what gives it.
    pub ready_max_ms: i64,
}

/// Prizes of one kind in one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrizeFact {
    pub state: FulfilmentState,
    pub kind: PrizeKind,
    pub pool: Option<CodePoolId>,
    pub count: u64,
    /// When the first of them came to it.
    pub oldest: Timestamp,
}

/// Dead letters of a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneFact {
    pub lane: String,
    pub count: u64,
    pub oldest: Timestamp,
}

/// A pool of redeem codes against what was promised from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolFact {
    pub id: CodePoolId,
    pub name: String,
    pub left: u64,
    /// Units that can still be won or bought, and prizes that wait for a code.
    pub promised: u64,
    pub is_low: bool,
    pub low_since: Option<Timestamp>,
}

/// A prize, or what a sale sells, that is nearly gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StockFact {
    pub activity: ActivityId,
    /// None of a sale.
    pub prize: Option<PrizeId>,
    pub name: String,
    pub left: u64,
    pub total: u64,
    pub since: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookFact {
    pub id: WebhookId,
    pub name: String,
    /// Since when it is off because it only failed.
    pub off_since: Option<Timestamp>,
    pub failing_since: Option<Timestamp>,
    pub failures: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobFact {
    pub name: String,
    pub paused: bool,
    /// When the last run began, if it failed.
    pub failed: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskFact {
    pub folder: String,
    pub free_bytes: u64,
    pub total_bytes: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LedgerFact {
    pub stopped: bool,
    pub lag: u64,
    pub differences: u64,
    pub behind_ms: u64,
}
