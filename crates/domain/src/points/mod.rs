//! Points: what somebody has, when it expires, and the statement that says why.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `account` | the account: balance, lots by expiry, what can be spent at a moment |
//! | `entry` | a row of the statement, and what it changed in which lot |
//! | `decide` | credit, spend, reverse and expire: each answers the rows that follow, or why not |
//! | `expiry` | the policy: never, after so many days, at the end of a year |
//!
//! What always holds: the rows' deltas add up to the balance; while the balance is not below zero the lots add up to it,
//! and below zero there are none; a row is reversed once; what has expired is spent by nobody.
//!
//! Deliberately absent: keys and reasons, which the store keeps beside each row, and the calendar, which needs a time
//! zone and is asked in the engine.

mod account;
mod decide;
mod entry;
mod expiry;
#[cfg(test)]
mod tests;

pub use account::{Lot, PointsAccount};
pub use decide::{Move, Target};
pub use entry::{Entry, EntryKind, LotChange};
pub use expiry::{Expiry, NotAnExpiry};

use crate::Rejection;
use crate::rejection::FieldProblem;
use crate::time::Timestamp;

/// Points that one row may move.
pub const AMOUNT_MAX: i64 = 1_000_000_000;
/// Points that one account may hold, or owe.
pub const BALANCE_MAX: i64 = 1_000_000_000_000_000;

/// When points expire that never do. It is later than every moment, so lots sort by it like by any other.
pub const NEVER: Timestamp = Timestamp(i64::MAX);

/// The key of the row that takes row `n` back: one, whoever asked for it.
pub fn reversal_key(n: i64) -> String {
    format!("reverse:{n}")
}

/// How many points move: at least one, at most [`AMOUNT_MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount(i64);

impl Amount {
    pub fn parse(field: &str, points: i64) -> Result<Self, Rejection> {
        let problem = FieldProblem::OutOfRange { min: 1, max: AMOUNT_MAX };
        Self::new(points).ok_or_else(|| Rejection::invalid(field, problem))
    }

    pub fn new(points: i64) -> Option<Self> {
        (1..=AMOUNT_MAX).contains(&points).then_some(Self(points))
    }

    pub fn get(self) -> i64 {
        self.0
    }
}
