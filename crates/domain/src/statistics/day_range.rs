//! The days that a question about statistics is about: both ends included, and never too many.

use crate::Rejection;
use crate::civil_date::CivilDate;
use crate::rejection::FieldProblem;

/// Days of one answer.
pub const RANGE_DAYS_MAX: u32 = 366;

/// The days of an answer that nobody asked for a range of.
const RANGE_DAYS: u32 = 28;

/// Days of the calendar, from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayRange {
    from: CivilDate,
    to: CivilDate,
}

impl DayRange {
    /// From what was asked for: the last day is today unless told, and the first one four weeks before it.
    pub fn parse(from: Option<&str>, to: Option<&str>, today: CivilDate) -> Result<Self, Rejection> {
        let to = to.map(|text| parse_day("to", text)).transpose()?.unwrap_or(today);
        let from = from.map(|text| parse_day("from", text)).transpose()?.unwrap_or(to.minus(RANGE_DAYS - 1));
        if to < from {
            let problem = FieldProblem::Expected {
                en: "a day that is not before `from`",
                zh: "不早于 `from` 的日期",
            };
            return Err(Rejection::invalid("to", problem));
        }
        if to.days() - from.days() >= i64::from(RANGE_DAYS_MAX) {
            let problem = FieldProblem::Expected { en: "at most 366 days", zh: "最多 366 天" };
            return Err(Rejection::invalid("from", problem));
        }
        Ok(Self { from, to })
    }

    pub const fn from(self) -> CivilDate {
        self.from
    }

    pub const fn to(self) -> CivilDate {
        self.to
    }

    /// Each day, in order.
    pub fn days(self) -> impl Iterator<Item = CivilDate> {
        (self.from.days()..=self.to.days()).filter_map(CivilDate::from_days)
    }
}

fn parse_day(field: &str, text: &str) -> Result<CivilDate, Rejection> {
    let problem =
        FieldProblem::Expected { en: "a day such as 2026-11-18", zh: "类似 2026-11-18 的日期" };
    CivilDate::parse(text).ok_or_else(|| Rejection::invalid(field, problem))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was asked for, and the days of the answer or the field that is wrong.
    #[test]
    fn a_range_has_two_ends_and_a_bound() {
        let today = CivilDate::parse("2026-11-18").unwrap();
        for (from, to, expected) in [
            (None, None, Ok(("2026-10-22", "2026-11-18", 28))),
            (Some("2026-11-18"), None, Ok(("2026-11-18", "2026-11-18", 1))),
            (None, Some("2026-01-28"), Ok(("2026-01-01", "2026-01-28", 28))),
            (Some("2024-01-01"), Some("2024-12-31"), Ok(("2024-01-01", "2024-12-31", 366))),
            (Some("2024-01-01"), Some("2025-01-01"), Err("from")),
            (Some("2026-11-19"), None, Err("to")),
            (Some("2026-11-02"), Some("2026-11-01"), Err("to")),
            (Some("yesterday"), None, Err("from")),
            (None, Some("2026-02-30"), Err("to")),
            (Some(""), None, Err("from")),
        ] {
            let got = DayRange::parse(from, to, today);
            let days = got
                .as_ref()
                .map(|range| (range.from().to_string(), range.to().to_string(), range.days().count()));
            let expected = expected.map(|(from, to, days)| (from.to_owned(), to.to_owned(), days));
            let field = |rejection: &Rejection| rejection.field().map(str::to_owned);
            assert_eq!(
                days.map_err(field),
                expected.map_err(|field| Some(field.to_owned())),
                "{from:?} {to:?}"
            );
        }
    }
}
