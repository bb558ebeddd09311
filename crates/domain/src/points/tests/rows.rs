//! Stories as rows: what is asked at which moment, what is said, and what the account is like afterwards.

use std::collections::BTreeMap;

use super::super::{AMOUNT_MAX, Amount, BALANCE_MAX, Entry, Move, NEVER, PointsAccount, Target};
use crate::time::Timestamp;

const FOREVER: i64 = i64::MAX;

fn amount(points: i64) -> Amount {
    Amount::new(points).unwrap()
}

fn credit(points: i64, expires: i64) -> Move {
    Move::Credit { amount: amount(points), expires: Timestamp(expires) }
}

fn spend(points: i64) -> Move {
    Move::Spend { amount: amount(points) }
}

fn reverse(n: i64) -> Move {
    Move::Reverse { n }
}

/// An account and its statement.
#[derive(Default)]
struct Book {
    account: PointsAccount,
    rows: Vec<Entry>,
}

impl Book {
    fn ask(&mut self, asked: &Move, at: i64) -> Result<Vec<Entry>, &'static str> {
        let target = match asked {
            Move::Reverse { n } => self.rows.iter().find(|row| row.n == *n).map(|row| Target {
                entry: row.clone(),
                reversed: self.rows.iter().any(|other| other.reverses == Some(*n)),
            }),
            Move::Credit { .. } | Move::Spend { .. } => None,
        };
        let entries = self
            .account
            .decide(asked, target.as_ref(), Timestamp(at))
            .map_err(|rejection| rejection.code())?;
        for entry in &entries {
            self.account.fold(entry);
            self.rows.push(entry.clone());
        }
        Ok(entries)
    }

    /// The lots that have something left, by expiry.
    fn lots(&self) -> BTreeMap<i64, i64> {
        let left = self.account.lots.iter().filter(|(_, lot)| lot.left > 0);
        left.map(|(expires, lot)| (expires.0, lot.left)).collect()
    }
}

/// When, what, the deltas that follow or the refusal, and the lots afterwards.
type Row = (i64, Move, Result<&'static [i64], &'static str>, &'static [(i64, i64)]);

fn check(story: &str, rows: &[Row]) {
    let mut book = Book::default();
    for (line, (at, asked, expected, lots)) in rows.iter().enumerate() {
        let said = book.ask(asked, *at);
        let deltas = said.map(|entries| entries.iter().map(|entry| entry.delta).collect::<Vec<_>>());
        assert_eq!(deltas, expected.map(<[i64]>::to_vec), "{story}, row {line}");
        assert_eq!(book.lots(), lots.iter().copied().collect(), "{story}, row {line}");
    }
}

#[test]
fn what_expires_first_is_spent_first() {
    check(
        "spending",
        &[
            (0, spend(1), Err("points_short"), &[]),
            (0, credit(5, FOREVER), Ok(&[5]), &[(FOREVER, 5)]),
            (0, credit(3, 90), Ok(&[3]), &[(90, 3), (FOREVER, 5)]),
            (0, credit(2, 50), Ok(&[2]), &[(50, 2), (90, 3), (FOREVER, 5)]),
            (1, credit(2, 50), Ok(&[2]), &[(50, 4), (90, 3), (FOREVER, 5)]),
            (2, spend(6), Ok(&[-6]), &[(90, 1), (FOREVER, 5)]),
            (2, spend(7), Err("points_short"), &[(90, 1), (FOREVER, 5)]),
            (2, spend(6), Ok(&[-6]), &[]),
        ],
    );
}

#[test]
fn what_is_past_its_time_goes_before_anything_else() {
    check(
        "expiry",
        &[
            (0, credit(4, 50), Ok(&[4]), &[(50, 4)]),
            (0, credit(3, 60), Ok(&[3]), &[(50, 4), (60, 3)]),
            (0, credit(2, 90), Ok(&[2]), &[(50, 4), (60, 3), (90, 2)]),
            // The last moment, and the first after it.
            (49, spend(1), Ok(&[-1]), &[(50, 3), (60, 3), (90, 2)]),
            (50, spend(6), Err("points_short"), &[(50, 3), (60, 3), (90, 2)]),
            (70, spend(1), Ok(&[-6, -1]), &[(90, 1)]),
            (90, credit(5, FOREVER), Ok(&[-1, 5]), &[(FOREVER, 5)]),
            (FOREVER - 1, spend(5), Ok(&[-5]), &[]),
        ],
    );
}

#[test]
fn a_credit_is_taken_back_once_and_first_from_its_own_lot() {
    check(
        "a credit taken back",
        &[
            (0, credit(5, 50), Ok(&[5]), &[(50, 5)]),
            (0, credit(3, 90), Ok(&[3]), &[(50, 5), (90, 3)]),
            (0, reverse(2), Ok(&[-3]), &[(50, 5)]),
            (0, reverse(2), Err("points_reversed"), &[(50, 5)]),
            (0, reverse(3), Err("points_final"), &[(50, 5)]),
            (0, reverse(9), Err("not_found"), &[(50, 5)]),
            (0, spend(4), Ok(&[-4]), &[(50, 1)]),
            (0, credit(2, 90), Ok(&[2]), &[(50, 1), (90, 2)]),
            // Its own lot has one left, another two, and two are owed.
            (0, reverse(1), Ok(&[-5]), &[]),
            (0, spend(1), Err("points_short"), &[]),
            // Which the next credit pays first.
            (0, credit(1, 90), Ok(&[1]), &[]),
            (0, credit(4, 90), Ok(&[4]), &[(90, 3)]),
        ],
    );
}

/// What expired unused is gone already: taking its credit back does not take it a second time.
#[test]
fn a_credit_that_has_lapsed_costs_nothing_to_take_back() {
    check(
        "a lapsed credit",
        &[
            (0, credit(5, 50), Ok(&[5]), &[(50, 5)]),
            (0, credit(9, 90), Ok(&[9]), &[(50, 5), (90, 9)]),
            (0, spend(2), Ok(&[-2]), &[(50, 3), (90, 9)]),
            (50, reverse(1), Ok(&[-3, -2]), &[(90, 7)]),
            (50, reverse(4), Err("points_final"), &[(90, 7)]),
            (99, reverse(2), Ok(&[-7, -2]), &[]),
        ],
    );
}

#[test]
fn a_spending_goes_back_to_where_it_came_from() {
    check(
        "a spending given back",
        &[
            (0, credit(2, 50), Ok(&[2]), &[(50, 2)]),
            (0, credit(5, 90), Ok(&[5]), &[(50, 2), (90, 5)]),
            (0, spend(4), Ok(&[-4]), &[(90, 3)]),
            (0, reverse(3), Ok(&[4]), &[(50, 2), (90, 5)]),
            (0, reverse(3), Err("points_reversed"), &[(50, 2), (90, 5)]),
            (0, spend(4), Ok(&[-4]), &[(90, 3)]),
            // Too late for a part of it: that expires with whatever comes next.
            (60, reverse(5), Ok(&[4]), &[(50, 2), (90, 5)]),
            (60, spend(6), Err("points_short"), &[(50, 2), (90, 5)]),
            (60, spend(5), Ok(&[-2, -5]), &[]),
        ],
    );
    check(
        "a spending given back to a debtor",
        &[
            (0, credit(9, 50), Ok(&[9]), &[(50, 9)]),
            (0, spend(7), Ok(&[-7]), &[(50, 2)]),
            (0, reverse(1), Ok(&[-9]), &[]),
            (0, reverse(2), Ok(&[7]), &[]),
            (0, credit(1, 50), Ok(&[1]), &[(50, 1)]),
        ],
    );
}

#[test]
fn amounts_and_balances_have_bounds() {
    for (points, there) in [(-1, false), (0, false), (1, true), (AMOUNT_MAX, true), (AMOUNT_MAX + 1, false)] {
        assert_eq!(Amount::new(points).is_some(), there, "{points}");
        assert_eq!(Amount::parse("amount", points).is_ok(), there, "{points}");
    }
    for (balance, asked, expected) in [
        (BALANCE_MAX - 1, credit(1, FOREVER), None),
        (BALANCE_MAX, credit(1, FOREVER), Some("points_out_of_range")),
        (-BALANCE_MAX, credit(1, FOREVER), None),
    ] {
        let account = PointsAccount { balance, rows: 7, next: NEVER, lots: BTreeMap::new() };
        let said = account.decide(&asked, None, Timestamp(0));
        assert_eq!(said.err().map(|rejection| rejection.code()), expected, "{balance}");
    }
}

/// What the account tells at a moment: balance, and what expires next.
#[test]
fn the_account_as_people_see_it() {
    let mut book = Book::default();
    for asked in [credit(2, 50), credit(3, 90), credit(4, FOREVER)] {
        book.ask(&asked, 0).unwrap();
    }
    for (at, balance, next) in [
        (0, 9, Some((50, 2))),
        (49, 9, Some((50, 2))),
        (50, 7, Some((90, 3))),
        (90, 4, None),
        (FOREVER - 1, 4, None),
    ] {
        let account = &book.account;
        assert_eq!(account.balance_at(Timestamp(at)), balance, "{at}");
        assert_eq!(account.expiring(Timestamp(at)).map(|(when, left)| (when.0, left)), next, "{at}");
        assert_eq!(account.is_due(Timestamp(at)), at >= 50, "{at}");
    }
}

/// A repetition is told from another request by what it asks, not by when its points would expire now.
#[test]
fn a_row_is_known_by_what_was_asked() {
    let mut book = Book::default();
    for asked in [credit(2, 50), spend(1), reverse(2)] {
        book.ask(&asked, 0).unwrap();
    }
    for (row, asked, same) in [
        (1, credit(2, 50), true),
        (1, credit(2, 60), true),
        (1, credit(3, 50), false),
        (1, spend(2), false),
        (2, spend(1), true),
        (2, spend(2), false),
        (3, reverse(2), true),
        (3, reverse(1), false),
        (3, credit(1, 50), false),
    ] {
        assert_eq!(asked.is_of(&book.rows[row - 1]), same, "row {row}: {asked:?}");
    }
}

/// Points asked for, and what that is.
#[test]
fn an_adjustment_is_a_credit_or_a_spending() {
    for (points, expected) in [
        (1, Some(credit(1, 7))),
        (-1, Some(spend(1))),
        (AMOUNT_MAX, Some(credit(AMOUNT_MAX, 7))),
        (0, None),
        (AMOUNT_MAX + 1, None),
        (-AMOUNT_MAX - 1, None),
        (i64::MIN, None),
    ] {
        assert_eq!(Move::adjust("points", points, Timestamp(7)).ok(), expected, "{points}");
    }
}
