//! An account: its balance, and the lots of which it is made.
//!
//! Points that expire at the same moment are one lot, whichever rows brought them. So an account has as many lots as its
//! policy has days, and not one per credit.

use std::collections::BTreeMap;

use super::{Entry, EntryKind, NEVER};
use crate::time::Timestamp;

/// Points that expire together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lot {
    pub left: i64,
    /// What expired of them unused. A credit that is reversed later takes this first: it is gone already.
    pub lapsed: i64,
}

/// What somebody has. A credit asks for `balance`, `rows` and `next` only, so an account that is credited and has
/// nothing due may come without its lots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointsAccount {
    /// The sum of all rows; below zero after a reversal of what was spent.
    pub balance: i64,
    /// The number of the newest row.
    pub rows: i64,
    /// When the first of the lots expires; [`NEVER`] when none does.
    pub next: Timestamp,
    pub lots: BTreeMap<Timestamp, Lot>,
}

impl Default for PointsAccount {
    fn default() -> Self {
        Self { balance: 0, rows: 0, next: NEVER, lots: BTreeMap::new() }
    }
}

impl PointsAccount {
    /// Something is past its time and not yet taken off the balance.
    pub fn is_due(&self, at: Timestamp) -> bool {
        self.next <= at && self.next != NEVER
    }

    /// Points past their time.
    pub fn due(&self, at: Timestamp) -> i64 {
        if !self.is_due(at) {
            return 0;
        }
        self.lots.range(..=at).map(|(_, lot)| lot.left).sum()
    }

    /// The balance as it is at a moment, whether or not what is due was taken off it.
    pub fn balance_at(&self, at: Timestamp) -> i64 {
        self.balance - self.due(at)
    }

    /// What expires next: when, and how much.
    pub fn expiring(&self, at: Timestamp) -> Option<(Timestamp, i64)> {
        let mut later = self.lots.iter().filter(|(expires, lot)| **expires > at && lot.left > 0);
        later.next().filter(|(expires, _)| **expires != NEVER).map(|(expires, lot)| (*expires, lot.left))
    }

    /// Carries a row out, and judges nothing.
    pub fn fold(&mut self, entry: &Entry) {
        self.balance = entry.balance;
        self.rows = entry.n;
        for part in &entry.parts {
            let lot = self.lots.entry(part.expires).or_default();
            lot.left += part.left;
            lot.lapsed += part.lapsed;
            if *lot == Lot::default() {
                self.lots.remove(&part.expires);
            }
        }
        self.next = match entry.kind {
            // The other lots may not be here.
            EntryKind::Credit => entry.parts.iter().map(|part| part.expires).fold(self.next, Timestamp::min),
            EntryKind::Spend | EntryKind::Reverse | EntryKind::Expire => {
                self.lots.iter().find(|(_, lot)| lot.left > 0).map_or(NEVER, |(expires, _)| *expires)
            }
        };
    }
}
