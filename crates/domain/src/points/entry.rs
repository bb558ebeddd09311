//! A row of a statement. Rows are added and never changed: a reversal is a row of its own.

use super::NEVER;
use crate::time::Timestamp;

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Credit,
    Spend,
    Reverse,
    Expire,
}

impl Kind {
    pub const ALL: [Kind; 4] = [Self::Credit, Self::Spend, Self::Reverse, Self::Expire];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Credit => "credit",
            Self::Spend => "spend",
            Self::Reverse => "reverse",
            Self::Expire => "expire",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == text)
    }
}

/// What a row changed in one lot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub expires: Timestamp,
    pub left: i64,
    pub lapsed: i64,
}

impl Part {
    pub(super) fn of(expires: Timestamp, left: i64) -> Self {
        Self { expires, left, lapsed: 0 }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Counted per account from 1, without a gap.
    pub n: i64,
    pub kind: Kind,
    pub delta: i64,
    /// After this row.
    pub balance: i64,
    /// The row that this one takes back.
    pub reverses: Option<i64>,
    /// Of a credit: when its points expire. [`NEVER`] for every other row.
    pub expires: Timestamp,
    /// In the order of their expiry.
    pub parts: Vec<Part>,
}

impl Entry {
    /// When the points of this row expire, if they do.
    pub fn expires_at(&self) -> Option<Timestamp> {
        (self.expires != NEVER).then_some(self.expires)
    }
}
