//! Sums of a batch: by how much a row changes, whatever it holds.
//!
//! Some counters begin anew with a day or an hour. Whether the batch goes on counting where the row stopped, only the
//! row can tell; so such a counter comes with the day or hour it is about, and with whether another one lay between.

use domain::ledger::play::{ActivityState, Drawing, Taking};
use domain::lottery::chain::Receipt;
use domain::lottery::random::ClientValue;
use domain::player_number::PlayerNumber;
use domain::time::{HOUR_MS, MINUTE_MS, Timestamp};

/// Hours since 1970.
pub(in super::super) fn hour(at: Timestamp) -> i64 {
    at.0.div_euclid(HOUR_MS)
}

/// Minutes since 1970.
pub(in super::super) fn minute(at: Timestamp) -> i64 {
    at.0.div_euclid(MINUTE_MS)
}

/// What was drawn in a minute, and how much of it was won.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct MinuteSum {
    pub draws: u32,
    pub wins: u32,
}

/// A sum since a day or an hour began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Since {
    /// Which day or hour.
    pub when: i64,
    pub sum: u64,
    /// Another one came before it in the batch: what the row holds is over in any case.
    pub anew: bool,
}

impl Since {
    fn add(before: Option<Self>, when: i64, more: u64) -> Self {
        match before {
            Some(same) if same.when == when => Self { sum: same.sum.saturating_add(more), ..same },
            other => Self { when, sum: more, anew: other.is_some() },
        }
    }
}

/// What a round gained, and what was set.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct RoundChange {
    pub state: Option<ActivityState>,
    pub chain: Option<Receipt>,
    pub spent_minor: u64,
    pub spent_day: Option<Since>,
    pub points: u64,
    pub draws: i64,
    /// Those whose first ticket it was.
    pub players: i64,
    /// Those whose first win it was: known when the players are written.
    pub winners: i64,
    pub wins: i64,
}

impl RoundChange {
    pub fn drew(&mut self, drawing: &Drawing) {
        self.chain = Some(drawing.receipt);
        self.wins += i64::from(drawing.won());
        if !drawing.given.is_empty() {
            let cost_minor = drawing.cost_minor();
            self.spent_minor = self.spent_minor.saturating_add(cost_minor);
            self.points = self.points.saturating_add(drawing.points);
            self.spent_day = Some(Since::add(self.spent_day, i64::from(drawing.taking.day), cost_minor));
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct PrizeChange {
    pub withdrawn: Option<bool>,
    pub given: u64,
    pub in_hour: Option<Since>,
}

impl PrizeChange {
    pub fn gave(&mut self, hour: i64, units: u32) {
        self.given += u64::from(units);
        self.in_hour = Some(Since::add(self.in_hour, hour, u64::from(units)));
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct HourSum {
    pub draws: i64,
    pub cost_minor: u64,
    pub points: u64,
}

impl HourSum {
    pub fn add(&mut self, cost_minor: u64, points: u64) {
        self.draws += 1;
        self.cost_minor = self.cost_minor.saturating_add(cost_minor);
        self.points = self.points.saturating_add(points);
    }
}

/// What one player used, was granted and won, on one day; day 0 leaves the day as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Used {
    pub day: u32,
    pub bonus: i64,
    pub common: i64,
    pub draws: i64,
    /// What it is now, where it changed.
    pub misses: Option<u32>,
    pub won: u32,
    /// The event that made the last ticket; 0 without one.
    pub last_seq: u64,
    /// None without a ticket.
    pub seat: Option<PlayerNumber>,
    pub client: Option<ClientValue>,
}

impl Used {
    pub fn of(seq: u64, taking: &Taking) -> Self {
        let (count, bonus) = (i64::from(taking.draws.count()), i64::from(taking.bonus));
        let common = count - bonus;
        let (day, seat) = (taking.day, Some(taking.seat));
        Self { day, bonus: -bonus, common, draws: count, last_seq: seq, seat, ..Self::default() }
    }

    pub fn drawn(seq: u64, drawing: &Drawing) -> Self {
        let (misses, won, client) = (Some(drawing.misses), drawing.won(), drawing.client);
        Self { misses, won, client, ..Self::of(seq, &drawing.taking) }
    }

    /// And then more, on the same day.
    pub fn add(&mut self, more: Self) {
        self.day = self.day.max(more.day);
        self.bonus += more.bonus;
        self.common += more.common;
        self.draws += more.draws;
        self.misses = more.misses.or(self.misses);
        self.won += more.won;
        self.last_seq = self.last_seq.max(more.last_seq);
        self.seat = self.seat.or(more.seat);
        self.client = self.client.or(more.client);
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    /// Units given in hours, one after the other, and what is left to tell the row.
    #[test]
    fn a_counter_that_begins_anew() {
        for (gave, when, sum, anew) in [
            (vec![(7, 1)], 7, 1, false),
            (vec![(7, 1), (7, 2)], 7, 3, false),
            (vec![(7, 1), (8, 2), (8, 2)], 8, 4, true),
            (vec![(7, 1), (8, 2), (7, 4)], 7, 4, true),
        ] {
            let mut changed = PrizeChange::default();
            gave.iter().for_each(|(hour, units)| changed.gave(*hour, *units));
            assert_eq!(changed.in_hour, Some(Since { when, sum, anew }), "{gave:?}");
        }
    }
}
