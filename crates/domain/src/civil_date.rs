//! A day and a month of the calendar, in no time zone.
//!
//! A date is the number of days since 1970-01-01. What is kept as such a date never moves, whatever zone a site is in later.

use std::fmt;

use crate::time::{civil, days_of};

/// The years that can be written with four digits.
const YEARS: std::ops::RangeInclusive<i64> = 1..=9_999;

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CivilDate(i64);

impl CivilDate {
    /// So many days after 1970-01-01; nothing outside the years 1 to 9999.
    pub fn from_days(days: i64) -> Option<Self> {
        YEARS.contains(&civil(days).0).then_some(Self(days))
    }

    /// From yyyymmdd.
    pub fn from_number(yyyymmdd: i64) -> Option<Self> {
        Self::from_days(days_of(u32::try_from(yyyymmdd).ok()?)?)
    }

    /// From `2026-11-18`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits: String = text.split('-').collect();
        let date = digits.parse().ok().and_then(Self::from_number)?;
        (date.to_string() == text).then_some(date)
    }

    pub const fn days(self) -> i64 {
        self.0
    }

    /// As yyyymmdd.
    pub fn number(self) -> i64 {
        let (year, month, day) = civil(self.0);
        year * 10_000 + month * 100 + day
    }

    pub fn month(self) -> CivilMonth {
        let (year, month, _) = civil(self.0);
        CivilMonth { year, month }
    }

    /// So many days earlier.
    #[must_use]
    pub const fn minus(self, days: u32) -> Self {
        Self(self.0 - days as i64)
    }
}

/// As `2026-11-18`.
impl fmt::Display for CivilDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil(self.0);
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

/// A month of a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CivilMonth {
    year: i64,
    month: i64,
}

impl CivilMonth {
    /// From `2026-11`.
    pub fn parse(text: &str) -> Option<Self> {
        let month = CivilDate::parse(&format!("{text}-01"))?.month();
        (month.to_string() == text).then_some(month)
    }

    pub fn first(self) -> CivilDate {
        Self::day(self.year, self.month)
    }

    /// The first day of the month after it.
    pub fn end(self) -> CivilDate {
        if self.month == 12 { Self::day(self.year + 1, 1) } else { Self::day(self.year, self.month + 1) }
    }

    fn day(year: i64, month: i64) -> CivilDate {
        let number = u32::try_from(year * 10_000 + month * 100 + 1).ok();
        // Every month has a first day.
        CivilDate(number.and_then(days_of).unwrap_or(i64::MAX))
    }
}

/// As `2026-11`.
impl fmt::Display for CivilMonth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_as_text_as_number_and_as_days() {
        for (text, number, days) in [
            ("1970-01-01", 19_700_101, 0),
            ("2000-02-29", 20_000_229, 11_016),
            ("2026-11-15", 20_261_115, 20_772),
            ("0001-01-01", 10_101, -719_162),
            ("9999-12-31", 99_991_231, 2_932_896),
        ] {
            let date = CivilDate::parse(text).unwrap();
            assert_eq!((date.to_string().as_str(), date.number(), date.days()), (text, number, days));
            assert_eq!(
                (CivilDate::from_number(number), CivilDate::from_days(days)),
                (Some(date), Some(date))
            );
        }
        for text in
            ["", "2026-11", "2026-1-1", "20261115", "2026-02-29", "2026-11-15 ", "2026-1115", "-001-01-01"]
        {
            assert_eq!(CivilDate::parse(text), None, "{text}");
        }
        assert_eq!((CivilDate::from_days(-719_163), CivilDate::from_days(2_932_897)), (None, None));
        assert_eq!(CivilDate::from_number(-1), None);
    }

    #[test]
    fn months_begin_and_end() {
        for (text, first, end) in [
            ("2026-11", "2026-11-01", "2026-12-01"),
            ("2026-12", "2026-12-01", "2027-01-01"),
            ("2024-02", "2024-02-01", "2024-03-01"),
        ] {
            let month = CivilMonth::parse(text).unwrap();
            assert_eq!((month.first().to_string(), month.end().to_string()), (first.into(), end.into()));
            assert_eq!(month.end().minus(1).month(), month);
        }
        for text in ["", "2026", "2026-13", "2026-00", "2026-1", "2026-11-01", "0000-01"] {
            assert_eq!(CivilMonth::parse(text), None, "{text}");
        }
    }
}
