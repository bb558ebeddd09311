//! Whether the inputs of a chain were true, as far as the chain itself can tell.
//!
//! A replay shows that a draw follows from its inputs; this shows that the inputs follow from the draws before. A player's
//! numbers are dense, their counts go on where they ended, their client value never changes, nobody is given what a cap,
//! a schedule or a budget forbids, and nothing is said to be capped, unreleased or beyond a budget that is not. The day of
//! a record is one that somewhere on earth was the day of its moment, and it never goes back: no version changes the zone.
//!
//! A round whose rules changed has several chains, one per version, and what players and prizes came to goes on from one
//! to the next ([`History::next_version`]); a new round begins with nothing. Both are as in the ledger.
//!
//! What it cannot tell: how many units a pool had (restocks are not in the chain), what an operator withdrew, and who is
//! on the block list.

use std::collections::HashMap;
use std::fmt;

use super::deck::Deck;
use super::live::{Exclusion, ExclusionReason};
use super::random::ClientValue;
use super::record::Record;
use super::shelf::{PrizeUnits, Shelf, Spending, hour};
use super::strategy::PrizeId;
use crate::player_number::PlayerNumber;
use crate::time::{DAY_MS, Timestamp, days_of};

/// What is not true, at the first draw where it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("player {seat}, draw {n}: {what}")]
pub struct Untrue {
    pub seat: PlayerNumber,
    pub n: u32,
    pub what: Claim,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Records are in the order of time.
    Time,
    /// The day is a date of the calendar, at most one beside that of the moment in UTC, and not before the day of
    /// the record before.
    Day,
    /// A player's draws are numbered without a gap.
    Number,
    ClientValue,
    DrawsInAll,
    DrawsToday,
    Misses,
    /// A prize was given that a rule forbade.
    Given(Exclusion),
    /// A prize is said to be excluded for a reason that does not hold.
    Told(Exclusion),
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "its moment is before that of the record before",
            Self::Day => "its day is no date that fits its moment and the days of the records before",
            Self::Number => "its number is not the next one after the player's draws before",
            Self::ClientValue => "its client value is not that of the player's first record",
            Self::DrawsInAll => "its draws in all are not as many as the records before say",
            Self::DrawsToday => "its draws today are not as many as the records before say",
            Self::Misses => "its misses in a row are not as many as the records before say",
            Self::Given(Exclusion { prize, reason }) => {
                return write!(f, "prize {} was given, although {reason}", prize.number());
            }
            Self::Told(Exclusion { prize, reason }) => {
                return write!(f, "of prize {} it is said that {reason}, and it is not so", prize.number());
            }
        })
    }
}

#[derive(Clone, Debug)]
pub struct History {
    deck: Deck,
    shelf: Shelf,
    /// Of the last record, in days since 1970.
    day: i64,
    /// Prizes of earlier versions of the round that this one does not have: a later one may have them again.
    gone: HashMap<PrizeId, PrizeUnits>,
    players: HashMap<PlayerNumber, Past>,
}

/// What a player's records say so far.
#[derive(Clone, Debug)]
struct Past {
    client: ClientValue,
    next: u32,
    day: u32,
    today: u32,
    misses: u32,
    /// Of prizes with a cap.
    wins: Vec<(PrizeId, u32)>,
}

impl Past {
    fn won(&self, prize: PrizeId) -> u32 {
        self.wins.iter().find(|(won, _)| *won == prize).map_or(0, |(_, wins)| *wins)
    }

    fn win(&mut self, prize: PrizeId) {
        match self.wins.iter_mut().find(|(won, _)| *won == prize) {
            Some((_, wins)) => *wins += 1,
            None => self.wins.push((prize, 1)),
        }
    }
}

impl History {
    /// Before the first record of a round.
    pub fn new(deck: Deck) -> Self {
        let shelf = laid_out(&deck, Timestamp(i64::MIN), 0, Spending::default(), &HashMap::new());
        Self { deck, shelf, day: i64::MIN, gone: HashMap::new(), players: HashMap::new() }
    }

    /// The round goes on under another version: counters go on, whichever version they were made under.
    #[must_use]
    pub fn next_version(self, deck: Deck) -> Self {
        let Self { deck: before, shelf, day: last_day, mut gone, players } = self;
        gone.extend(before.strategy().prizes.iter().map(|prize| (prize.id, shelf.units(prize.id))));
        let (at, day) = (shelf.at(), shelf.day());
        let shelf = laid_out(&deck, at, day, shelf.spent(), &gone);
        gone.retain(|prize, _| deck.prize(*prize).is_none());
        Self { deck, shelf, day: last_day, gone, players }
    }

    /// Looks at the players of records that come next, and decides nothing. Players come in any order, and where each is
    /// kept is far from the one before; looked at many at a time, they are fetched while one waits for the first.
    pub fn look_ahead(&self, records: &[Record]) {
        let next = |record: &Record| self.players.get(&record.key.seat).map_or(0, |past| past.next);
        std::hint::black_box(records.iter().fold(0, |seen, record| seen ^ next(record)));
    }

    /// The next record of the chain, already replayed.
    pub fn follow(&mut self, record: &Record) -> Result<(), Untrue> {
        let key = &record.key;
        let untrue = |what| Untrue { seat: key.seat, n: key.n, what };
        if record.at < self.shelf.at() {
            return Err(untrue(Claim::Time));
        }
        self.day = day_of(record).filter(|day| *day >= self.day).ok_or(untrue(Claim::Day))?;
        if hour(record.at) != hour(self.shelf.at()) {
            self.gone.values_mut().for_each(|units| units.given_this_hour = 0);
        }
        self.shelf.advance(&self.deck, record.at, record.day);
        let past = self.players.entry(key.seat).or_insert_with(|| Past {
            client: key.client,
            next: 0,
            day: record.day,
            today: 0,
            misses: 0,
            wins: Vec::new(),
        });
        let today = if past.day == record.day { past.today } else { 0 };
        for (holds, claim) in [
            (past.next == key.n, Claim::Number),
            (past.client == key.client, Claim::ClientValue),
            (record.draws_in_all == key.n, Claim::DrawsInAll),
            (record.draws_today == today, Claim::DrawsToday),
            (record.misses == past.misses, Claim::Misses),
        ] {
            if !holds {
                return Err(untrue(claim));
            }
        }
        (past.day, past.today) = (record.day, today);
        for draw in &record.draws {
            let untrue = |what| Untrue { seat: key.seat, n: past.next, what };
            if let Some(lie) = draw.news.iter().find(|told| !is_true(&self.deck, &self.shelf, past, told)) {
                return Err(untrue(Claim::Told(*lie)));
            }
            if let Some(prize) = draw.drawn.prize.and_then(|id| self.deck.prize(id)) {
                let capped = prize.win_cap.is_some_and(|cap| past.won(prize.id) >= cap);
                let capped = capped.then_some(ExclusionReason::Capped);
                let beyond = draw.drawn.points > 0 && purse_is_low(&self.deck, &self.shelf);
                let purse = beyond.then_some(ExclusionReason::PointsBudget);
                if let Some(reason) = self.shelf.excluded(&self.deck, prize, 0, 0).or(capped).or(purse) {
                    return Err(untrue(Claim::Given(Exclusion { prize: prize.id, reason })));
                }
                if prize.win_cap.is_some() {
                    past.win(prize.id);
                }
            }
            self.shelf.give(&self.deck, &draw.drawn);
            past.misses = if draw.drawn.prize.is_some() { 0 } else { past.misses.saturating_add(1) };
            (past.next, past.today) = (past.next.wrapping_add(1), past.today.saturating_add(1));
        }
        Ok(())
    }
}

/// The record's day, if it can be that of its moment: zones lie up to fourteen hours beside UTC.
fn day_of(record: &Record) -> Option<i64> {
    let in_utc = record.at.0.div_euclid(DAY_MS);
    days_of(record.day).filter(|day| day.abs_diff(in_utc) <= 1)
}

/// The pools' units are not known here, so none is ever taken for exhausted.
fn laid_out(
    deck: &Deck,
    at: Timestamp,
    day: u32,
    spent: Spending,
    given: &HashMap<PrizeId, PrizeUnits>,
) -> Shelf {
    let units = |prize: PrizeId| {
        let given = given.get(&prize).copied().unwrap_or_default();
        PrizeUnits { left: u64::MAX, withdrawn: false, ..given }
    };
    Shelf::restore(deck, at, day, spent, units)
}

/// Whether a reason that was told holds, or cannot be known here.
fn is_true(deck: &Deck, shelf: &Shelf, past: &Past, told: &Exclusion) -> bool {
    let Some(prize) = deck.prize(told.prize) else { return false };
    match told.reason {
        ExclusionReason::Exhausted | ExclusionReason::Withdrawn | ExclusionReason::WithdrawnForUser => true,
        ExclusionReason::Unreleased
        | ExclusionReason::HourlyCap
        | ExclusionReason::BudgetTotal
        | ExclusionReason::BudgetDay => shelf.applies(told.reason, deck, prize, 0, 0),
        ExclusionReason::PointsBudget => purse_is_low(deck, shelf),
        ExclusionReason::Capped => prize.win_cap.is_some_and(|cap| past.won(prize.id) >= cap),
        ExclusionReason::Locked => false,
    }
}

/// Whether the fallback's points no longer cover the most of its range.
fn purse_is_low(deck: &Deck, shelf: &Shelf) -> bool {
    deck.strategy().fallback.is_some_and(|fallback| {
        fallback.budget_amount.saturating_sub(shelf.spent().fallback_points) < fallback.amount_max
    })
}
