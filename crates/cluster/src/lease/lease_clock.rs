//! A clock that only counts, and goes on while the machine sleeps.
//!
//! The system's counting clock may stand still during sleep; its wall clock goes on, and may be set. This one follows the
//! counting clock and adds whatever the wall clock gained beside it at once. So it may count too much, when the wall clock
//! is set forward, and a lease ends early. It never counts too little.

use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime};

/// What two reads of the clocks may differ by without anything having happened.
const NOISE_MS: i64 = 20;

#[derive(Debug)]
pub struct LeaseClock {
    started: (Instant, SystemTime),
    gained: Mutex<GainedTime>,
}

/// What the wall clock gained beside the counting clock.
#[derive(Clone, Copy, Debug, Default)]
struct GainedTime {
    /// By how much the wall clock was ahead at the last look; below zero, behind.
    ahead_ms: i64,
    gained_ms: u64,
}

impl GainedTime {
    /// Takes a look in: how much either clock counted. Answers how much this clock says.
    fn look(&mut self, counted_ms: u64, wall_ms: i64) -> u64 {
        let ahead_ms = wall_ms - i64::try_from(counted_ms).unwrap_or(i64::MAX);
        let moved_ms = ahead_ms - self.ahead_ms;
        if moved_ms.abs() > NOISE_MS {
            self.ahead_ms = ahead_ms;
            self.gained_ms += u64::try_from(moved_ms).unwrap_or(0);
        }
        counted_ms + self.gained_ms
    }
}

impl Default for LeaseClock {
    fn default() -> Self {
        Self { started: (Instant::now(), SystemTime::now()), gained: Mutex::default() }
    }
}

impl LeaseClock {
    /// Milliseconds since this clock was made, at least.
    pub fn now_ms(&self) -> u64 {
        // Under the lock: looks come in the order of time.
        let mut gained = self.gained.lock().unwrap_or_else(PoisonError::into_inner);
        let counted = u64::try_from(self.started.0.elapsed().as_millis()).unwrap_or(u64::MAX);
        let wall = match SystemTime::now().duration_since(self.started.1) {
            Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |ms| -ms),
        };
        gained.look(counted, wall)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks as (counted, wall, what the clock says).
    #[test]
    fn sleep_counts_and_a_clock_set_back_takes_nothing_away() {
        for looks in [
            vec![(0, 0, 0), (100, 100, 100), (200, 205, 200), (300, 295, 300)],
            // Asleep for a minute.
            vec![(100, 100, 100), (150, 60_150, 60_150), (250, 60_250, 60_250)],
            // Set back by an hour, and awake for a while.
            vec![(100, 100, 100), (200, -3_599_800, 200), (300, -3_599_700, 300)],
            // Set back, and then asleep.
            vec![(100, 100, 100), (200, -9_800, 200), (300, 50_300, 60_300)],
            // Set forward: too much, never too little.
            vec![(100, 100, 100), (200, 3_600_200, 3_600_200)],
            // A clock that gains slowly.
            vec![(1_000, 1_015, 1_000), (2_000, 2_030, 2_030), (3_000, 3_045, 3_030)],
        ] {
            let mut gained = GainedTime::default();
            for (counted, wall, expected) in looks.clone() {
                assert_eq!(gained.look(counted, wall), expected, "{looks:?} at {counted}");
            }
        }
    }

    #[test]
    fn it_goes_on() {
        let clock = LeaseClock::default();
        let first = clock.now_ms();
        assert!(clock.now_ms() >= first);
    }
}
