//! When a receiver is given up: after three days of nothing but failures.

use crate::time::{DAY_MS, Timestamp};

/// Failing for so long.
pub const OFF_AFTER_MS: i64 = 3 * DAY_MS;
/// And so often: one failure and then silence tells nothing.
pub const FAILURES_MIN: u32 = 10;

/// How a receiver has done since it last took something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReceiverHealth {
    pub failing_since: Option<Timestamp>,
    pub failures: u32,
}

impl ReceiverHealth {
    /// After so many attempts that ended at `now`. One that succeeded is enough.
    #[must_use]
    pub fn after(self, succeeded: usize, failed: usize, now: Timestamp) -> Self {
        match (succeeded, failed) {
            (0, 0) => self,
            (0, failed) => Self {
                failing_since: Some(self.failing_since.unwrap_or(now)),
                failures: self.failures.saturating_add(u32::try_from(failed).unwrap_or(u32::MAX)),
            },
            (_, _) => Self::default(),
        }
    }

    pub fn gives_up(self, now: Timestamp) -> bool {
        self.failures >= FAILURES_MIN
            && self.failing_since.is_some_and(|since| now.since_ms(since) >= OFF_AFTER_MS)
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn three_days_of_nothing_but_failures() {
        const END: i64 = OFF_AFTER_MS;
        // Each attempt: when, succeeded, failed.
        for (attempts, over) in [
            (&[(0, 0, 10), (END, 0, 1)][..], true),
            (&[(0, 0, 10), (END - 1, 0, 1)], false),
            (&[(0, 0, 9), (END, 0, 1)], true),
            (&[(0, 0, 8), (END, 0, 1)], false),
            (&[(0, 0, 100), (1, 1, 5), (END, 0, 100)], false),
            (&[(0, 0, 100), (1, 1, 0), (2, 0, 10), (END + 2, 0, 1)], true),
            (&[(0, 0, 100), (END, 1, 99)], false),
            (&[(0, 5, 0), (END, 0, 0)], false),
        ] {
            let health =
                attempts.iter().fold(ReceiverHealth::default(), |health, (at, succeeded, failed)| {
                    health.after(*succeeded, *failed, Timestamp(*at))
                });
            let now = attempts.last().map_or(0, |(at, ..)| *at);
            assert_eq!(health.gives_up(Timestamp(now)), over, "{attempts:?}");
        }
    }
}
