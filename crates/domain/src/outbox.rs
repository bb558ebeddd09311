//! When a message that could not be delivered is tried again.
//!
//! The wait doubles from a second up to an hour, and is spread by a fifth either way, so that those who failed together
//! do not come back together. The spread comes in as a number: nothing here is random.

use crate::time::{HOUR_MS, SECOND_MS};

/// Attempts before a message is moved to the dead letters.
pub const ATTEMPTS_MAX: u32 = 20;
/// Attempts that are kept for one message, the newest.
pub const ATTEMPTS_KEPT: u32 = 50;
/// Bytes of a message's body.
pub const BODY_MAX: usize = 64 * 1024;
/// Characters of what is kept of an error.
pub const ERROR_MAX: usize = 500;

/// A message in quarantine is due this much later, in milliseconds: some 142,000 years, which no clock reaches. Its own
/// moment is still in it.
pub const QUARANTINE_MS: i64 = 1 << 52;

const FIRST_MS: i64 = SECOND_MS;
const LONGEST_MS: i64 = HOUR_MS;
/// A wait is up to this part longer or shorter.
const SPREAD_PERCENT: i64 = 20;

/// Milliseconds until the next attempt after so many failed ones. `spread` is any number; all of its values are equally
/// likely for whoever draws it.
pub fn backoff_ms(failed: u32, spread: u32) -> i64 {
    let doublings = failed.saturating_sub(1).min(30);
    let wait = FIRST_MS.saturating_mul(1 << doublings).min(LONGEST_MS);
    let width = wait * SPREAD_PERCENT / 100;
    let shift = i64::from(spread) * (2 * width) / i64::from(u32::MAX) - width;
    wait + shift
}

/// Whether another attempt is made after so many failed ones.
pub fn is_last_attempt(failed: u32) -> bool {
    failed >= ATTEMPTS_MAX
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn the_wait_doubles_up_to_an_hour_and_is_spread_by_a_fifth() {
        for (failed, least, middle, most) in [
            (0, 800, 1_000, 1_200),
            (1, 800, 1_000, 1_200),
            (2, 1_600, 2_000, 2_400),
            (3, 3_200, 4_000, 4_800),
            (12, 1_638_400, 2_048_000, 2_457_600),
            (13, 2_880_000, 3_600_000, 4_320_000),
            (20, 2_880_000, 3_600_000, 4_320_000),
            (u32::MAX, 2_880_000, 3_600_000, 4_320_000),
        ] {
            let got = [0, u32::MAX / 2, u32::MAX].map(|spread| backoff_ms(failed, spread));
            assert_eq!([got[0], got[2]], [least, most], "{failed}");
            assert!((got[1] - middle).abs() <= 1, "{failed}: {}", got[1]);
        }
    }

    #[test]
    fn hole_48_a_poison_message_is_not_tried_for_ever() {
        for (failed, over) in [(0, false), (19, false), (20, true), (u32::MAX, true)] {
            assert_eq!(is_last_attempt(failed), over, "{failed}");
        }
    }
}
