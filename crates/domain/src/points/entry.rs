//! A row of a statement. Rows are added and never changed: a reversal is a row of its own.

use super::NEVER;
use crate::time::Timestamp;

crate::names! {
    /// What a row is.
    pub enum EntryKind {
        Credit = "credit",
        Spend = "spend",
        Reverse = "reverse",
        Expire = "expire",
    }
}

/// What a row changed in one lot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LotChange {
    pub expires: Timestamp,
    pub left: i64,
    pub lapsed: i64,
}

impl LotChange {
    pub(super) fn of(expires: Timestamp, left: i64) -> Self {
        Self { expires, left, lapsed: 0 }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Counted per account from 1, without a gap.
    pub n: i64,
    pub kind: EntryKind,
    pub delta: i64,
    /// After this row.
    pub balance: i64,
    /// The row that this one takes back.
    pub reverses: Option<i64>,
    /// Of a credit: when its points expire. [`NEVER`] for every other row.
    pub expires: Timestamp,
    /// In the order of their expiry.
    pub parts: Vec<LotChange>,
}

impl Entry {
    /// When the points of this row expire, if they do.
    pub fn expires_at(&self) -> Option<Timestamp> {
        (self.expires != NEVER).then_some(self.expires)
    }
}
