//! Time as a value: integer milliseconds since 1970, never read from a clock in this crate.

use std::fmt;
use std::ops::{Add, Sub};

use serde::{Deserialize, Serialize};

pub const SECOND_MS: i64 = 1_000;
pub const MINUTE_MS: i64 = 60 * SECOND_MS;
pub const HOUR_MS: i64 = 60 * MINUTE_MS;
pub const DAY_MS: i64 = 24 * HOUR_MS;

/// A clock that is set back by no more than this was corrected, as clocks are: time stands still for that long, and nobody
/// has to know.
pub const CLOCK_SLACK_MS: i64 = 5 * SECOND_MS;

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

impl Timestamp {
    /// As RFC 3339 writes it, in UTC, to the second or to the millisecond where there is a fraction:
    /// `2026-11-15T08:00:00Z`.
    pub fn rfc3339(self) -> String {
        let (days, ms) = (self.0.div_euclid(DAY_MS), self.0.rem_euclid(DAY_MS));
        let (year, month, day) = civil(days);
        let (seconds, fraction) = (ms / SECOND_MS, ms % SECOND_MS);
        let clock = format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
        let fraction = if fraction == 0 { String::new() } else { format!(".{fraction:03}") };
        format!("{year:04}-{month:02}-{day:02}T{clock}{fraction}Z")
    }
}

/// The moment for people, to the minute: `2026-11-15 08:00 UTC`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, minutes) = (self.0.div_euclid(DAY_MS), self.0.rem_euclid(DAY_MS) / MINUTE_MS);
        let (year, month, day) = civil(days);
        write!(f, "{year:04}-{month:02}-{day:02} {:02}:{:02} UTC", minutes / 60, minutes % 60)
    }
}

/// Year, month and day of a day counted from 1970-01-01, by the calendar's own arithmetic: eras of 400 years, years that
/// begin in March so that the leap day is the last.
pub(crate) fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// The day of a date written as yyyymmdd, counted from 1970-01-01; nothing if the calendar has no such date.
pub fn days_of(yyyymmdd: u32) -> Option<i64> {
    let (year, month, day) =
        (i64::from(yyyymmdd / 10_000), i64::from(yyyymmdd / 100 % 100), i64::from(yyyymmdd % 100));
    // Months from March on, so that the leap day is the last: `civil` the other way round.
    let (era_year, from_march) = (year - i64::from(month <= 2), (month + 9).rem_euclid(12));
    let (era, year_of_era) = (era_year.div_euclid(400), era_year.rem_euclid(400));
    let day_of_year = (153 * from_march + 2) / 5 + day - 1;
    let days =
        era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468;
    (civil(days) == (year, month, day)).then_some(days)
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
    fn moments_for_people() {
        for (ms, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (-1, "1969-12-31 23:59 UTC"),
            (951_782_400_000, "2000-02-29 00:00 UTC"),
            (1_709_164_799_999, "2024-02-28 23:59 UTC"),
            (1_794_732_000_000, "2026-11-15 08:40 UTC"),
        ] {
            assert_eq!(Timestamp(ms).to_string(), text);
        }
    }

    #[test]
    fn moments_as_they_can_be_written_again() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_050, "2000-02-29T00:00:00.050Z"),
            (1_794_732_059_000, "2026-11-15T08:40:59Z"),
        ] {
            assert_eq!(Timestamp(ms).rfc3339(), text);
        }
    }

    #[test]
    fn dates_of_the_calendar() {
        for (date, days) in [
            (19_700_101, Some(0)),
            (19_691_231, Some(-1)),
            (20_000_229, Some(11_016)),
            (20_261_115, Some(20_772)),
            (20_260_229, None),
            (19_000_229, None),
            (20_260_431, None),
            (20_261_301, None),
            (20_260_001, None),
            (20_260_100, None),
            (0, None),
            (u32::MAX, None),
        ] {
            assert_eq!(days_of(date), days, "{date}");
        }
    }

    #[test]
    fn the_ends_saturate() {
        assert_eq!(Timestamp(i64::MAX) + 1, Timestamp(i64::MAX));
        assert_eq!(Timestamp(5).since_ms(Timestamp(9)), 0);
    }
}
