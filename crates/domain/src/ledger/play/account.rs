//! How often a player may still draw: pure arithmetic.
//!
//! Everybody has the chances of the activity's limits: so many in all, per month and per day. What is granted on top
//! (for a purchase, a check-in, an invitation) is bound by none of them. The common ones go first, since they lapse.

use crate::time::Timestamp;

/// Chances that everybody has; zero per month or day is no such limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChanceLimits {
    pub total: u32,
    pub month: u32,
    pub day: u32,
}

/// A day in an activity's time zone, from its first moment to the first of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// As yyyymmdd.
    pub number: u32,
    pub from: Timestamp,
    pub until: Timestamp,
}

impl Day {
    pub fn contains(&self, at: Timestamp) -> bool {
        (self.from..self.until).contains(&at)
    }
}

crate::names! {
    /// Which limit leaves too little.
    pub enum ChancePeriod {
        Total = "total",
        Month = "month",
        Day = "day",
    }
}

/// One player in one round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Granted and not yet used.
    pub bonus: u32,
    /// Used of what everybody has: in all, in the last month played, on the last day played.
    pub used: u32,
    pub month_used: u32,
    pub day_used: u32,
    /// The last day played, as yyyymmdd; zero before the first.
    pub day: u32,
    /// Draws so far: the number of the next one.
    pub draws: u32,
    /// Draws on the last day played, however they were paid for.
    pub day_draws: u32,
    /// Draws without a prize since the last prize.
    pub misses: u32,
    /// Prizes won.
    pub won: u32,
}

impl Account {
    /// What is left of the common chances on this day, and which limit says so.
    /// Days never go back: a day before the last one played is that one.
    pub fn left(&self, limits: &ChanceLimits, day: u32) -> (u32, ChancePeriod) {
        let day = day.max(self.day);
        let month_used = if self.day / 100 == day / 100 { self.month_used } else { 0 };
        let day_used = if self.day == day { self.day_used } else { 0 };
        let of = |limit: u32, used: u32| if limit == 0 { u32::MAX } else { limit.saturating_sub(used) };
        let mut least = (limits.total.saturating_sub(self.used), ChancePeriod::Total);
        for (left, scope) in [
            (of(limits.month, month_used), ChancePeriod::Month),
            (of(limits.day, day_used), ChancePeriod::Day),
        ] {
            if left < least.0 {
                least = (left, scope);
            }
        }
        least
    }

    /// Draws on this day so far.
    pub fn draws_on(&self, day: u32) -> u32 {
        if self.day == day { self.day_draws } else { 0 }
    }

    /// How many of so many draws would be paid with granted chances; or what is left, and the limit that binds.
    pub fn bonus_for(&self, limits: &ChanceLimits, day: u32, draws: u32) -> Result<u32, (u32, ChancePeriod)> {
        let (left, scope) = self.left(limits, day);
        let bonus = draws.saturating_sub(left);
        if bonus <= self.bonus { Ok(bonus) } else { Err((left.saturating_add(self.bonus), scope)) }
    }

    /// After so many draws on a day, of which `bonus` were paid with granted chances.
    #[must_use]
    pub fn after(mut self, day: u32, draws: u32, bonus: u32) -> Self {
        if self.day / 100 != day / 100 {
            self.month_used = 0;
        }
        if self.day != day {
            self.day_used = 0;
            self.day_draws = 0;
        }
        let common = draws - bonus;
        self.bonus -= bonus;
        self.used += common;
        self.month_used += common;
        self.day_used += common;
        self.day = day;
        self.draws += draws;
        self.day_draws += draws;
        self
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    /// Draws on days, one after the other: `Ok(bonus)` or what was left and why.
    #[test]
    fn chances_by_total_month_and_day() {
        let limits = |total, month, day| ChanceLimits { total, month, day };
        let day = 20_240_131;
        for (name, limits, bonus, draws) in [
            (
                "no limit but the total",
                limits(3, 0, 0),
                0,
                vec![(day, 1, Ok(0)), (day, 2, Ok(0)), (day, 1, Err((0, ChancePeriod::Total)))],
            ),
            (
                "a day",
                limits(9, 0, 1),
                0,
                vec![(day, 1, Ok(0)), (day, 1, Err((0, ChancePeriod::Day))), (20_240_201, 1, Ok(0))],
            ),
            (
                "a month",
                limits(9, 2, 0),
                0,
                vec![(day, 2, Ok(0)), (day, 1, Err((0, ChancePeriod::Month))), (20_240_201, 2, Ok(0))],
            ),
            (
                "a year later it is another month",
                limits(9, 1, 0),
                0,
                vec![(day, 1, Ok(0)), (20_250_131, 1, Ok(0))],
            ),
            (
                "a leap day is a day",
                limits(9, 0, 1),
                0,
                vec![(20_240_228, 1, Ok(0)), (20_240_229, 1, Ok(0)), (20_240_301, 1, Ok(0))],
            ),
            (
                "granted ones go last and know no day",
                limits(9, 0, 1),
                2,
                vec![(day, 2, Ok(1)), (day, 1, Ok(1)), (day, 1, Err((0, ChancePeriod::Day)))],
            ),
            (
                "ten are all or nothing",
                limits(9, 0, 0),
                0,
                vec![(day, 10, Err((9, ChancePeriod::Total))), (day, 9, Ok(0))],
            ),
            ("ten with granted ones", limits(9, 0, 0), 1, vec![(day, 10, Ok(1))]),
            (
                "only granted ones",
                limits(0, 0, 0),
                1,
                vec![(day, 1, Ok(1)), (day, 1, Err((0, ChancePeriod::Total)))],
            ),
        ] {
            let mut account = Account { bonus, ..Account::default() };
            for (day, draws, expected) in draws {
                let got = account.bonus_for(&limits, day, draws);
                assert_eq!(got, expected, "{name}: {draws} on {day}");
                if let Ok(bonus) = got {
                    account = account.after(day, draws, bonus);
                }
            }
        }
    }

    #[test]
    fn a_day_ends_where_the_next_begins() {
        let day = Day { number: 20_240_101, from: Timestamp(100), until: Timestamp(200) };
        for (at, inside) in [(99, false), (100, true), (199, true), (200, false)] {
            assert_eq!(day.contains(Timestamp(at)), inside, "{at}");
        }
    }
}
