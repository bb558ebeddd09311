//! Retention: of those who first came on a day, how many came again some days later.

use crate::civil_date::CivilDate;

/// After how many days people are looked for again.
pub const RETENTION_DAYS: [u32; 3] = [1, 7, 30];

/// Whether the day so long after a first one is over, so that its figure does not change any more.
pub const fn is_day_over(first: CivilDate, after: u32, today: CivilDate) -> bool {
    first.days() + (after as i64) < today.days()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_over_when_the_next_one_begins() {
        let day = |text| CivilDate::parse(text).unwrap();
        for (first, after, today, expected) in [
            ("2026-11-01", 1, "2026-11-02", false),
            ("2026-11-01", 1, "2026-11-03", true),
            ("2026-11-01", 30, "2026-12-01", false),
            ("2026-11-01", 30, "2026-12-02", true),
            ("2026-11-01", 7, "2026-10-01", false),
        ] {
            assert_eq!(is_day_over(day(first), after, day(today)), expected, "{first} {after} {today}");
        }
    }
}
