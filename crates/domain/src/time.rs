//! Time as a value: integer milliseconds since 1970, never read from a clock in this crate.

use std::ops::{Add, Sub};

use serde::{Deserialize, Serialize};

pub const SECOND_MS: i64 = 1_000;
pub const MINUTE_MS: i64 = 60 * SECOND_MS;
pub const HOUR_MS: i64 = 60 * MINUTE_MS;
pub const DAY_MS: i64 = 24 * HOUR_MS;

/// A moment, in milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Milliseconds from `earlier` to `self`, zero when `earlier` is later.
    pub fn since_ms(self, earlier: Timestamp) -> i64 {
        self.0.saturating_sub(earlier.0).max(0)
    }

    /// Whole seconds until `later`, rounded up, at least one: what a `Retry-After` may say.
    pub fn seconds_until(self, later: Timestamp) -> i64 {
        (later.0.saturating_sub(self.0)).div_ceil_positive(SECOND_MS).max(1)
    }
}

/// Milliseconds are added and taken away as plain integers; the ends saturate.
impl Add<i64> for Timestamp {
    type Output = Timestamp;
    fn add(self, ms: i64) -> Timestamp {
        Timestamp(self.0.saturating_add(ms))
    }
}

impl Sub<i64> for Timestamp {
    type Output = Timestamp;
    fn sub(self, ms: i64) -> Timestamp {
        Timestamp(self.0.saturating_sub(ms))
    }
}

trait DivCeilPositive {
    fn div_ceil_positive(self, by: i64) -> i64;
}

impl DivCeilPositive for i64 {
    fn div_ceil_positive(self, by: i64) -> i64 {
        if self <= 0 { 0 } else { (self - 1) / by + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_until_rounds_up_and_never_says_zero() {
        for (from, to, expected) in [(0, 1, 1), (0, 1_000, 1), (0, 1_001, 2), (5, 5, 1), (9_000, 0, 1)] {
            assert_eq!(Timestamp(from).seconds_until(Timestamp(to)), expected, "{from} -> {to}");
        }
    }

    #[test]
    fn the_ends_saturate() {
        assert_eq!(Timestamp(i64::MAX) + 1, Timestamp(i64::MAX));
        assert_eq!(Timestamp(5).since_ms(Timestamp(9)), 0);
    }
}
