//! What everybody may look at, as it is kept for a moment.

use domain::time::Timestamp;

use crate::activity_cache::Title;

/// Somebody who won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinnerView {
    /// Masked.
    pub name: String,
    pub prize: Title,
    pub points: u64,
    pub at: Timestamp,
}

/// Somebody who won often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaderView {
    /// Masked.
    pub name: String,
    pub won: u32,
}

/// Units of a sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SaleUnits {
    pub total: u64,
    /// Free.
    pub left: u64,
    /// Ordered and not paid.
    pub held: u64,
    pub sold: u64,
}
