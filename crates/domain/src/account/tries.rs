//! Guessing: how long somebody waits after tries at a password or a code that were wrong.
//!
//! Tries are counted for one guesser at one account: an address, or a device its owner has used before. So whoever
//! guesses slows down only themselves, and the owner's right password is judged wherever the owner is.
//!
//! A try is counted when it begins and forgotten when it was right: many at the same moment are no way around the wait.

use crate::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, Timestamp};

/// The first wait; each further wrong try doubles it.
pub const TRY_WAIT_FIRST_MS: i64 = SECOND_MS;
/// No wait is longer.
pub const TRY_WAIT_MAX_MS: i64 = 15 * MINUTE_MS;
/// Tries are forgotten when there was none for so long.
pub const TRY_MEMORY_MS: i64 = 24 * HOUR_MS;

/// A device is known for so long after the last sign-in from it.
pub const DEVICE_LIFE_MS: i64 = 400 * DAY_MS;

/// Tries of one guesser at one account since the last that was right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailedTries {
    pub count: u32,
    pub last: Timestamp,
    /// The next one is judged from then on.
    pub until: Timestamp,
}

impl FailedTries {
    pub fn is_forgotten(&self, now: Timestamp) -> bool {
        now.since_ms(self.last) >= TRY_MEMORY_MS
    }
}

/// Counts a try that begins now. `Err` is how long to wait, in milliseconds; that try is not judged and costs nothing.
pub fn begin_try(free: u32, known: Option<FailedTries>, now: Timestamp) -> Result<FailedTries, i64> {
    let known = known.filter(|known| !known.is_forgotten(now));
    if let Some(known) = known {
        // A clock that jumped back must not lock anybody out for longer than the longest wait.
        let left = known.until.since_ms(now).min(TRY_WAIT_MAX_MS);
        if left > 0 {
            return Err(left);
        }
    }
    let count = known.map_or(0, |known| known.count).saturating_add(1);
    Ok(FailedTries { count, last: now, until: now + wait_ms(free, count) })
}

fn wait_ms(free: u32, count: u32) -> i64 {
    let Some(beyond) = count.checked_sub(free.max(1)) else { return 0 };
    TRY_WAIT_FIRST_MS.checked_shl(beyond.min(20)).map_or(TRY_WAIT_MAX_MS, |wait| wait.min(TRY_WAIT_MAX_MS))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One row per try: when it comes, in seconds, and how long the guesser is told to wait instead, in seconds.
    #[test]
    fn waits_grow_and_end() {
        let t0 = Timestamp(1_000_000);
        let mut known = None;
        for (row, (at_s, wait_s)) in [
            (0, None),
            (0, None),
            (0, None),
            (0, Some(1)),
            (1, None),
            (1, Some(2)),
            (2, Some(1)),
            (3, None),
            (3, Some(4)),
            (7, None),
            (7, Some(8)),
            (7 + 86_400, None),
            (7 + 86_400, None),
        ]
        .into_iter()
        .enumerate()
        {
            let tried = begin_try(3, known, t0 + at_s * SECOND_MS);
            assert_eq!(tried.err().map(|wait| wait / SECOND_MS), wait_s, "row {row}");
            known = tried.ok().or(known);
        }
    }

    #[test]
    fn no_wait_is_longer_than_the_longest() {
        let now = Timestamp(10 * TRY_MEMORY_MS);
        for count in [5, 14, 15, 16, 100, u32::MAX - 1, u32::MAX] {
            let known = FailedTries { count, last: now, until: now };
            let tried = begin_try(5, Some(known), now).unwrap();
            assert!(tried.until.since_ms(now) <= TRY_WAIT_MAX_MS, "{count}");
        }
        let ahead = FailedTries { count: 9, last: now, until: now + 10 * TRY_MEMORY_MS };
        assert_eq!(begin_try(5, Some(ahead), now), Err(TRY_WAIT_MAX_MS), "after a clock that was ahead");
    }
}
