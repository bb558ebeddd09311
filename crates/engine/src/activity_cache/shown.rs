//! What everybody may look at, as it is kept for a moment.

use domain::time::Timestamp;

use crate::activity_cache::Title;

/// Somebody who won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinnerTold {
    /// Masked.
    pub name: String,
    pub prize: Title,
    pub points: u64,
    pub at: Timestamp,
}

/// Somebody who won often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaderTold {
    /// Masked.
    pub name: String,
    pub won: u32,
}

/// Units of a sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    pub total: u64,
    /// Free.
    pub left: u64,
    /// Ordered and not paid.
    pub held: u64,
    pub sold: u64,
}
