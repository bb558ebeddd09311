//! What came of attempts, by sale and hour, since this process began.
//!
//! A "no" is written nowhere, so nobody could count it later: it is counted here, for those who watch a sale, and gone with
//! the process. Orders are in the database, and counted there.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::ids::ActivityId;
use domain::time::{HOUR_MS, Timestamp};

/// Hours of one sale that are kept, the newest.
const HOURS_MAX: usize = 168;
/// Sales that are counted at once; beyond it the one that nobody tried for the longest goes.
const SALES_MAX: usize = 1_000;

/// Attempts at one sale with their answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecidedCounts {
    pub ordered: u64,
    pub refused: u64,
}

/// One hour of one sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptHour {
    /// Hours since 1970.
    pub hour: i64,
    pub decided: DecidedCounts,
}

/// What is known of the attempts at one sale.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttemptCounts {
    pub came: u64,
    pub decided: DecidedCounts,
    /// The oldest first.
    pub hours: VecDeque<AttemptHour>,
}

impl AttemptCounts {
    /// How many have no answer yet.
    pub fn waiting(&self) -> u64 {
        self.came.saturating_sub(self.decided.ordered + self.decided.refused)
    }
}

#[derive(Debug, Default)]
pub(crate) struct AttemptCounters(Mutex<HashMap<ActivityId, AttemptCounts>>);

impl AttemptCounters {
    /// Somebody tries.
    pub fn came(&self, sale: ActivityId) {
        counts(&mut self.lock(), sale).came += 1;
    }

    /// And has their answer, perhaps before it was counted that they try.
    pub fn decided(&self, sale: ActivityId, ordered: bool, now: Timestamp) {
        let mut sales = self.lock();
        let counts = counts(&mut sales, sale);
        let hour = now.0.div_euclid(HOUR_MS);
        // A clock that goes back finds the hour it is in already there.
        if counts.hours.back().is_none_or(|last| last.hour < hour) {
            counts.hours.push_back(AttemptHour { hour, decided: DecidedCounts::default() });
            if counts.hours.len() > HOURS_MAX {
                counts.hours.pop_front();
            }
        }
        let of_hour = counts.hours.back_mut().map(|hour| &mut hour.decided);
        for decided in [Some(&mut counts.decided), of_hour].into_iter().flatten() {
            if ordered { decided.ordered += 1 } else { decided.refused += 1 }
        }
    }

    pub fn of(&self, sale: ActivityId) -> AttemptCounts {
        self.lock().get(&sale).cloned().unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ActivityId, AttemptCounts>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Those of a sale; another makes room where there is none.
fn counts(sales: &mut HashMap<ActivityId, AttemptCounts>, sale: ActivityId) -> &mut AttemptCounts {
    if sales.len() >= SALES_MAX && !sales.contains_key(&sale) {
        let last = |counts: &AttemptCounts| counts.hours.back().map_or(i64::MIN, |hour| hour.hour);
        let oldest = sales.iter().min_by_key(|(_, counts)| last(counts)).map(|(sale, _)| *sale);
        oldest.map(|oldest| sales.remove(&oldest));
    }
    sales.entry(sale).or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEA: ActivityId = ActivityId(7);

    #[test]
    fn answers_are_counted_in_their_hour() {
        let tally = AttemptCounters::default();
        for (hour, ordered) in [(10, true), (10, false), (12, false), (11, true), (12, true)] {
            tally.came(TEA);
            assert_eq!(tally.of(TEA).waiting(), 1);
            tally.decided(TEA, ordered, Timestamp(hour * HOUR_MS + 5));
        }
        tally.came(ActivityId(8));
        let counts = tally.of(TEA);
        assert_eq!(
            (counts.came, counts.decided, counts.waiting()),
            (5, DecidedCounts { ordered: 3, refused: 2 }, 0)
        );
        let hours: Vec<_> = counts.hours.iter().map(|hour| (hour.hour, hour.decided)).collect();
        let decided = |ordered, refused| DecidedCounts { ordered, refused };
        assert_eq!(hours, [(10, decided(1, 1)), (12, decided(2, 1))]);
        assert_eq!(tally.of(ActivityId(9)), AttemptCounts::default());
    }

    #[test]
    fn it_keeps_so_many_hours_and_sales() {
        let tally = AttemptCounters::default();
        for hour in 0..300 {
            tally.came(TEA);
            tally.decided(TEA, true, Timestamp(hour * HOUR_MS));
        }
        let counts = tally.of(TEA);
        assert_eq!((counts.hours.len(), counts.decided.ordered), (HOURS_MAX, 300));
        assert_eq!(counts.hours.back().map(|hour| hour.hour), Some(299));
        for sale in 0..2_000 {
            tally.came(ActivityId(1_000 + sale));
        }
        assert_eq!(tally.lock().len(), SALES_MAX);
        assert_eq!(tally.of(TEA).came, 300, "the one that was tried last stays");
    }
}
