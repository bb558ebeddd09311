//! What may happen to an account. Deciding reads; [`PointsAccount::fold`] writes.
//!
//! Whatever is due expires before anything else happens, in a row of its own: nobody spends what is past its time,
//! however late the job is that takes it away.

use super::{AMOUNT_MAX, Amount, BALANCE_MAX, Entry, EntryKind, LotChange, NEVER, PointsAccount};
use crate::Rejection;
use crate::rejection::{FieldProblem, MissingThing};
use crate::time::Timestamp;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Points that expire at a moment, or [`NEVER`].
    Credit { amount: Amount, expires: Timestamp },
    /// Of what expires first. Refused whole when there is less.
    Spend { amount: Amount },
    /// Takes a row back. May leave the balance below zero: later credits pay that first.
    Reverse { n: i64 },
}

impl Move {
    /// So many points more, or less when it is below zero.
    pub fn adjust(field: &str, points: i64, expires: Timestamp) -> Result<Self, Rejection> {
        if points == 0 {
            return Err(Rejection::invalid(field, FieldProblem::NOT_ZERO));
        }
        let range =
            || Rejection::invalid(field, FieldProblem::OutOfRange { min: -AMOUNT_MAX, max: AMOUNT_MAX });
        let amount = points.checked_abs().and_then(Amount::new).ok_or_else(range)?;
        Ok(if points < 0 { Self::Spend { amount } } else { Self::Credit { amount, expires } })
    }

    /// Whether a row is what came of the same request: when it was asked, and so when its points expire, may differ.
    pub fn is_of(&self, entry: &Entry) -> bool {
        match self {
            Move::Credit { amount, .. } => entry.kind == EntryKind::Credit && entry.delta == amount.get(),
            Move::Spend { amount } => entry.kind == EntryKind::Spend && entry.delta == -amount.get(),
            Move::Reverse { n } => entry.reverses == Some(*n),
        }
    }
}

/// The row that a reversal is about; of a spending with its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub entry: Entry,
    /// Another row has taken it back.
    pub reversed: bool,
}

/// What was asked for and is allowed.
#[derive(Clone, Copy, Debug)]
enum Deed<'a> {
    Credit(Amount, Timestamp),
    Spend(Amount),
    /// Of a credit.
    TakeBack(&'a Entry),
    /// Of a spending.
    GiveBack(&'a Entry),
}

impl PointsAccount {
    /// The rows that follow, the asked-for one last. Nothing follows from a refusal.
    pub fn decide(
        &self,
        asked: &Move,
        target: Option<&Target>,
        at: Timestamp,
    ) -> Result<Vec<Entry>, Rejection> {
        let deed = self.allow(asked, target, at)?;
        let Some(expired) = self.expire(at) else { return Ok(vec![self.carry_out(deed)]) };
        let mut after = self.clone();
        after.fold(&expired);
        let last = after.carry_out(deed);
        Ok(vec![expired, last])
    }

    /// The row by which everything goes that is past its time, if there is anything.
    pub fn expire(&self, at: Timestamp) -> Option<Entry> {
        let due = self.due(at);
        if due == 0 {
            return None;
        }
        let past = self.lots.range(..=at).filter(|(_, lot)| lot.left > 0);
        let parts = past
            .map(|(expires, lot)| LotChange { expires: *expires, left: -lot.left, lapsed: lot.left })
            .collect();
        Some(self.entry(EntryKind::Expire, -due, parts))
    }

    /// The row by which everything goes that is left, whenever it would have expired.
    pub fn forfeit(&self) -> Option<Entry> {
        let left: i64 = self.lots.values().map(|lot| lot.left).sum();
        if left == 0 {
            return None;
        }
        let parts = self.lots.iter().filter(|(_, lot)| lot.left > 0);
        let parts = parts
            .map(|(expires, lot)| LotChange { expires: *expires, left: -lot.left, lapsed: lot.left })
            .collect();
        Some(self.entry(EntryKind::Expire, -left, parts))
    }

    fn allow<'a>(
        &self,
        asked: &Move,
        target: Option<&'a Target>,
        at: Timestamp,
    ) -> Result<Deed<'a>, Rejection> {
        let balance = self.balance_at(at);
        let (deed, delta) = match asked {
            Move::Credit { amount, expires } => (Deed::Credit(*amount, *expires), amount.get()),
            Move::Spend { amount } if balance < amount.get() => {
                return Err(Rejection::PointsShort { has: balance.max(0), needs: amount.get() });
            }
            Move::Spend { amount } => (Deed::Spend(*amount), -amount.get()),
            Move::Reverse { .. } => {
                let Target { entry, reversed } =
                    target.ok_or(Rejection::NotFound { what: MissingThing::PointsRow })?;
                let deed = match entry.kind {
                    EntryKind::Credit => Deed::TakeBack(entry),
                    EntryKind::Spend => Deed::GiveBack(entry),
                    EntryKind::Reverse | EntryKind::Expire => {
                        return Err(Rejection::PointsFinal { n: entry.n });
                    }
                };
                if *reversed {
                    return Err(Rejection::PointsReversed { n: entry.n });
                }
                (deed, -entry.delta)
            }
        };
        if (balance + delta).abs() > BALANCE_MAX {
            return Err(Rejection::PointsOutOfRange { max: BALANCE_MAX });
        }
        Ok(deed)
    }

    fn carry_out(&self, deed: Deed<'_>) -> Entry {
        match deed {
            Deed::Credit(amount, expires) => {
                let parts = self.after_debt(&[(expires, amount.get())]);
                Entry { expires, ..self.entry(EntryKind::Credit, amount.get(), parts) }
            }
            Deed::Spend(amount) => {
                self.entry(EntryKind::Spend, -amount.get(), self.take(amount.get(), Vec::new()))
            }
            Deed::TakeBack(row) => self.take_back(row),
            Deed::GiveBack(row) => {
                let back: Vec<_> = row.parts.iter().map(|part| (part.expires, -part.left)).collect();
                let entry = self.entry(EntryKind::Reverse, -row.delta, self.after_debt(&back));
                Entry { reverses: Some(row.n), ..entry }
            }
        }
    }

    /// What has lapsed of the credit's own lot is gone already; the rest comes out of that lot, then out of what expires
    /// first, and what is still missing is owed.
    fn take_back(&self, row: &Entry) -> Entry {
        let lot = self.lots.get(&row.expires).copied().unwrap_or_default();
        let lapsed = lot.lapsed.min(row.delta);
        let own = lot.left.min(row.delta - lapsed);
        let first = LotChange { expires: row.expires, left: -own, lapsed: -lapsed };
        let parts = self.take(row.delta - lapsed - own, vec![first]);
        Entry { reverses: Some(row.n), ..self.entry(EntryKind::Reverse, lapsed - row.delta, parts) }
    }

    /// Takes what expires first, as far as it goes; `parts` is taken before.
    fn take(&self, amount: i64, mut parts: Vec<LotChange>) -> Vec<LotChange> {
        let mut missing = amount;
        for (expires, lot) in &self.lots {
            if missing == 0 {
                break;
            }
            if parts.iter().any(|part| part.expires == *expires) {
                continue;
            }
            let some = lot.left.min(missing);
            if some > 0 {
                parts.push(LotChange::of(*expires, -some));
                missing -= some;
            }
        }
        parts.retain(|part| part.left != 0 || part.lapsed != 0);
        parts.sort_by_key(|part| part.expires);
        parts
    }

    /// What is left for the lots once what is owed was paid, out of what expires first.
    fn after_debt(&self, given: &[(Timestamp, i64)]) -> Vec<LotChange> {
        let mut owed = (-self.balance).max(0);
        let rest = given.iter().map(|(expires, points)| {
            let paid = owed.min(*points);
            owed -= paid;
            LotChange::of(*expires, points - paid)
        });
        rest.filter(|part| part.left > 0).collect()
    }

    fn entry(&self, kind: EntryKind, delta: i64, parts: Vec<LotChange>) -> Entry {
        let (n, balance) = (self.rows + 1, self.balance + delta);
        Entry { n, kind, delta, balance, reverses: None, expires: NEVER, parts }
    }
}
