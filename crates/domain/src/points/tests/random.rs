//! Random lives of an account, each replayed from one number: the statement adds up whatever happens.

use std::collections::{BTreeMap, HashSet};

use super::super::{Amount, Entry, EntryKind, Lot, Move, NEVER, PointsAccount, Target};
use crate::time::Timestamp;

const LIVES: u64 = 400;
const STEPS: u64 = 120;

/// A small generator of its own, so that a life is a function of its number.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        i64::try_from((mixed ^ (mixed >> 31)) % bound.unsigned_abs()).unwrap()
    }
}

#[derive(Default)]
struct Life {
    account: PointsAccount,
    rows: Vec<Entry>,
    /// Which steps were carried out, to know that the dice reach all of them.
    seen: BTreeMap<&'static str, u32>,
}

impl Life {
    fn step(&mut self, dice: &mut Dice, at: Timestamp) {
        let expires = [at + 1 + dice.below(60), at + 10, NEVER][usize::try_from(dice.below(3)).unwrap()];
        let amount = Amount::new(1 + dice.below(40)).unwrap();
        let n = 1 + dice.below(i64::try_from(self.rows.len()).unwrap() + 1);
        let asked = match dice.below(10) {
            0..=3 => Move::Credit { amount, expires },
            4..=6 => Move::Spend { amount },
            7..=8 => Move::Reverse { n },
            _ => return self.carry_out(&self.account.expire(at).into_iter().collect::<Vec<_>>(), at),
        };
        let target = self.target(&asked);
        match self.account.decide(&asked, target.as_ref(), at) {
            Ok(entries) => {
                assert!(asked.is_of(entries.last().unwrap()));
                self.carry_out(&entries, at);
            }
            Err(rejection) => *self.seen.entry(rejection.code()).or_default() += 1,
        }
    }

    fn target(&self, asked: &Move) -> Option<Target> {
        let Move::Reverse { n } = asked else { return None };
        let entry = self.rows.iter().find(|row| row.n == *n)?.clone();
        Some(Target { entry, reversed: self.rows.iter().any(|row| row.reverses == Some(*n)) })
    }

    fn carry_out(&mut self, entries: &[Entry], at: Timestamp) {
        for entry in entries {
            let before = self.account.clone();
            self.account.fold(entry);
            self.holds(&before, entry, at);
            self.rows.push(entry.clone());
            *self.seen.entry(entry.kind.name()).or_default() += 1;
        }
    }

    fn holds(&self, before: &PointsAccount, entry: &Entry, at: Timestamp) {
        let account = &self.account;
        let left: i64 = account.lots.values().map(|lot| lot.left).sum();
        assert_eq!(
            left,
            account.balance.max(0),
            "the lots add up to the balance, or nothing is left: {entry:?}"
        );
        assert!(account.lots.values().all(|lot| lot.left >= 0 && lot.lapsed >= 0 && *lot != Lot::default()));
        assert!(entry.parts.is_sorted_by(|a, b| a.expires < b.expires), "one part per lot: {entry:?}");
        let first = account.lots.iter().find(|(_, lot)| lot.left > 0).map_or(NEVER, |(expires, _)| *expires);
        assert_eq!(account.next, first);
        match entry.kind {
            EntryKind::Spend => {
                assert!(account.balance >= 0, "spending never leads into debt");
                assert!(entry.parts.iter().all(|part| part.expires > at), "nobody spends what has expired");
            }
            EntryKind::Expire => {
                assert_eq!(entry.delta, -before.due(at), "no more than is left, and all of it");
            }
            EntryKind::Credit | EntryKind::Reverse => {}
        }
        assert!(account.lots.iter().all(|(expires, lot)| lot.lapsed == 0 || *expires <= at));
    }

    /// What the whole statement must say.
    fn adds_up(&self) {
        let mut balance = 0;
        let mut reversed = HashSet::new();
        for (n, row) in (1..).zip(&self.rows) {
            balance += row.delta;
            assert_eq!((row.n, row.balance), (n, balance));
            assert!(row.reverses.is_none_or(|target| target < n && reversed.insert(target)));
        }
        assert_eq!(self.account.balance, balance);
        let sum = |kind: EntryKind| {
            self.rows.iter().filter(|row| row.kind == kind).map(|row| row.delta).sum::<i64>()
        };
        assert!(-sum(EntryKind::Expire) <= sum(EntryKind::Credit), "no more expires than was ever given");
    }
}

#[test]
fn the_statement_adds_up_whatever_happens() {
    let mut seen = BTreeMap::new();
    for number in 0..LIVES {
        let mut dice = Dice(number);
        let (mut life, mut at) = (Life::default(), Timestamp(0));
        for _ in 0..STEPS {
            at = at + dice.below(6);
            life.step(&mut dice, at);
        }
        life.adds_up();
        for (name, count) in life.seen {
            *seen.entry(name).or_insert(0) += count;
        }
    }
    for name in ["credit", "spend", "reverse", "expire", "points_short", "points_reversed", "points_final"] {
        assert!(seen.get(name).is_some_and(|count| *count > 100), "{name}: {seen:?}");
    }
}

/// The same rows in the same order make the same account: nothing but the rows counts.
#[test]
fn an_account_is_what_its_rows_say() {
    let (mut life, mut dice) = (Life::default(), Dice(7));
    for at in 0..500 {
        life.step(&mut dice, Timestamp(at));
    }
    let mut again = PointsAccount::default();
    for row in &life.rows {
        again.fold(row);
    }
    assert_eq!(again, life.account);
}
