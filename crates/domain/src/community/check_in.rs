//! Checking in: once a day of the site's calendar, a streak of days, missed days that are made up for, milestones.
//!
//! Every day here is a date of the calendar ([`CivilDate`]), decided when somebody checks in: neither a moment nor a bit in a
//! month. So one day is one key, a streak goes on from month to month and from year to year, and a change of the site's zone
//! moves nothing that is kept (hole 57).

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::Rejection;
use crate::civil_date::CivilDate;

/// Days that a streak is counted back, at most: ten years.
pub const STREAK_MAX_DAYS: u32 = 3_660;
/// Milestones that a site may set.
pub const MILESTONES_MAX: usize = 20;
/// Points that a milestone or a made-up day may be worth.
pub const CHECK_IN_POINTS_MAX: i64 = 1_000_000;

/// What a site sets about checking in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckInTerms {
    /// What it costs to make up for a missed day.
    pub make_up_points: i64,
    /// So many days before today can be made up.
    pub make_up_days: u32,
    /// Days that one person may make up in a month.
    pub make_ups_monthly_max: u32,
    /// By rising days.
    pub milestones: Vec<Milestone>,
}

/// A streak of so many days is worth so many points, once per account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Milestone {
    pub days: u32,
    pub points: i64,
}

/// Written as `7 = 50`: seven days, fifty points.
impl FromStr for Milestone {
    type Err = MilestoneTextError;

    fn from_str(text: &str) -> Result<Self, MilestoneTextError> {
        let (days, points) = text.split_once('=').ok_or(MilestoneTextError)?;
        let days = days.trim().parse().map_err(|_| MilestoneTextError)?;
        let points = points.trim().parse().map_err(|_| MilestoneTextError)?;
        let is_sound = (1..=STREAK_MAX_DAYS).contains(&days) && (1..=CHECK_IN_POINTS_MAX).contains(&points);
        if is_sound { Ok(Self { days, points }) } else { Err(MilestoneTextError) }
    }
}

/// The text is no milestone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MilestoneTextError;

impl fmt::Display for MilestoneTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected days = points such as 7 = 50, {STREAK_MAX_DAYS} days and {CHECK_IN_POINTS_MAX} points at most"
        )
    }
}

impl std::error::Error for MilestoneTextError {}

/// Consecutive days up to today, or up to yesterday while today is still open.
pub fn streak(checked: &BTreeSet<CivilDate>, today: CivilDate) -> u32 {
    let end = if checked.contains(&today) { today } else { today.minus(1) };
    let run = (0..STREAK_MAX_DAYS).take_while(|back| checked.contains(&end.minus(*back)));
    u32::try_from(run.count()).unwrap_or(STREAK_MAX_DAYS)
}

/// Who makes up for a day, and what is known of them.
#[derive(Clone, Copy, Debug)]
pub struct MakeUpFacts {
    pub today: CivilDate,
    /// The day of signing up, or of coming back after a deletion.
    pub since: CivilDate,
    /// Days that were made up for in the month of today, whatever month they are in themselves.
    pub made_up_this_month: u32,
}

/// Passes a missed day that can be made up now.
pub fn check_make_up(day: CivilDate, terms: &CheckInTerms, facts: &MakeUpFacts) -> Result<(), Rejection> {
    let first = facts.today.minus(terms.make_up_days).max(facts.since);
    if day < first || day >= facts.today {
        return Err(Rejection::MakeUpDay { days: terms.make_up_days });
    }
    if facts.made_up_this_month >= terms.make_ups_monthly_max {
        return Err(Rejection::MakeUpsSpent { max: terms.make_ups_monthly_max });
    }
    Ok(())
}

/// The missed days that can be made up now, oldest first.
pub fn days_to_make_up(
    checked: &BTreeSet<CivilDate>,
    terms: &CheckInTerms,
    facts: &MakeUpFacts,
) -> Vec<CivilDate> {
    let days = (1..=terms.make_up_days).rev().map(|back| facts.today.minus(back));
    days.filter(|day| !checked.contains(day) && check_make_up(*day, terms, facts).is_ok()).collect()
}

/// The milestones that a streak has come to and that were not reached before.
pub fn due_milestones(terms: &CheckInTerms, streak: u32, reached: &[u32]) -> Vec<Milestone> {
    let all = terms.milestones.iter().copied();
    all.filter(|milestone| milestone.days <= streak && !reached.contains(&milestone.days)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn date(text: &str) -> CivilDate {
        CivilDate::parse(text).unwrap()
    }

    fn dates(texts: &[&str]) -> BTreeSet<CivilDate> {
        texts.iter().map(|text| date(text)).collect()
    }

    fn terms() -> CheckInTerms {
        let milestones = vec![Milestone { days: 3, points: 10 }, Milestone { days: 7, points: 50 }];
        CheckInTerms { make_up_points: 50, make_up_days: 7, make_ups_monthly_max: 3, milestones }
    }

    #[test]
    fn a_streak_ends_today_or_yesterday() {
        for (checked, today, expected) in [
            (&[][..], "2026-11-18", 0),
            (&["2026-11-18"], "2026-11-18", 1),
            (&["2026-11-17"], "2026-11-18", 1),
            (&["2026-11-16"], "2026-11-18", 0),
            (&["2026-11-16", "2026-11-17"], "2026-11-18", 2),
            (&["2026-11-16", "2026-11-18"], "2026-11-18", 1),
            // Across months, years and a leap day.
            (&["2026-10-31", "2026-11-01"], "2026-11-01", 2),
            (&["2026-12-30", "2026-12-31", "2027-01-01"], "2027-01-02", 3),
            (&["2028-02-28", "2028-02-29", "2028-03-01"], "2028-03-01", 3),
            (&["2027-02-28", "2027-03-01"], "2027-03-01", 2),
            // The site moved to a zone in which it is still the day before.
            (&["2026-11-17", "2026-11-18"], "2026-11-17", 1),
        ] {
            assert_eq!(streak(&dates(checked), date(today)), expected, "{checked:?} on {today}");
        }
    }

    /// The calendar of the hole, as bits from the first of a month on: 1101101 is one streak of one day at its end, not five days.
    #[test]
    fn hole_57_a_streak_is_no_count_of_days() {
        let checked: BTreeSet<CivilDate> = "1101101"
            .chars()
            .zip(1..)
            .filter(|(bit, _)| *bit == '1')
            .map(|(_, day)| date(&format!("2026-11-{day:02}")))
            .collect();
        assert_eq!(checked.len(), 5);
        assert_eq!(streak(&checked, date("2026-11-07")), 1);
        assert_eq!(streak(&checked, date("2026-11-05")), 2);
        assert_eq!(streak(&checked, date("2026-11-02")), 2);
        // The same day is the same key, however often and whenever it is written.
        assert_eq!(dates(&["2026-11-01", "2026-11-01"]).len(), 1);
    }

    #[test]
    fn what_can_be_made_up() {
        for (day, today, since, made, expected) in [
            ("2026-11-17", "2026-11-18", "2026-01-01", 0, "ok"),
            ("2026-11-11", "2026-11-18", "2026-01-01", 2, "ok"),
            ("2026-11-10", "2026-11-18", "2026-01-01", 0, "make_up_day"),
            ("2026-11-18", "2026-11-18", "2026-01-01", 0, "make_up_day"),
            ("2026-11-19", "2026-11-18", "2026-01-01", 0, "make_up_day"),
            // Not before the account was made.
            ("2026-11-16", "2026-11-18", "2026-11-16", 0, "ok"),
            ("2026-11-15", "2026-11-18", "2026-11-16", 0, "make_up_day"),
            // Over the end of a month: what counts is when it was made up.
            ("2026-10-31", "2026-11-02", "2026-01-01", 2, "ok"),
            ("2026-10-31", "2026-11-02", "2026-01-01", 3, "make_ups_spent"),
        ] {
            let facts = MakeUpFacts { today: date(today), since: date(since), made_up_this_month: made };
            let said = check_make_up(date(day), &terms(), &facts).map_or_else(|no| no.code(), |()| "ok");
            assert_eq!(said, expected, "{day} on {today} since {since}, {made} made up");
        }
        let facts =
            MakeUpFacts { today: date("2026-11-18"), since: date("2026-11-14"), made_up_this_month: 0 };
        let open = days_to_make_up(&dates(&["2026-11-15", "2026-11-17"]), &terms(), &facts);
        assert_eq!(open, [date("2026-11-14"), date("2026-11-16")]);
        let spent = MakeUpFacts { made_up_this_month: 3, ..facts };
        assert!(days_to_make_up(&BTreeSet::new(), &terms(), &spent).is_empty());
    }

    #[test]
    fn a_milestone_is_due_once() {
        for (streak, reached, expected) in
            [(2, &[][..], &[][..]), (3, &[], &[3]), (9, &[], &[3, 7]), (9, &[3], &[7]), (9, &[3, 7], &[])]
        {
            let due: Vec<u32> =
                due_milestones(&terms(), streak, reached).iter().map(|milestone| milestone.days).collect();
            assert_eq!(due, expected, "{streak} {reached:?}");
        }
    }

    #[test]
    fn milestones_as_text() {
        assert_eq!("7 = 50".parse(), Ok(Milestone { days: 7, points: 50 }));
        for text in ["", "7", "7 =", "0 = 5", "7 = 0", "7 = -1", "7 = 1000001", "3661 = 1", "a = 1"] {
            assert_eq!(text.parse::<Milestone>(), Err(MilestoneTextError), "{text}");
        }
    }

    /// As it can be said most simply: go back a day at a time, by year, month and day.
    fn brute_force(checked: &BTreeSet<CivilDate>, today: CivilDate) -> u32 {
        let before = |(year, month, day): (i64, i64, i64)| match (month, day) {
            (1, 1) => (year - 1, 12, 31),
            (_, 1) => {
                let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
                let last = [31, 28 + i64::from(leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
                (year, month - 1, last[usize::try_from(month - 2).unwrap()])
            }
            _ => (year, month, day - 1),
        };
        let written: BTreeSet<(i64, i64, i64)> = checked
            .iter()
            .map(|date| (date.number() / 10_000, date.number() / 100 % 100, date.number() % 100))
            .collect();
        let number = today.number();
        let mut at = (number / 10_000, number / 100 % 100, number % 100);
        if !written.contains(&at) {
            at = before(at);
        }
        let mut days = 0;
        while written.contains(&at) {
            days += 1;
            at = before(at);
        }
        days
    }

    proptest! {
        #[test]
        fn a_streak_is_what_brute_force_counts(
            start in -5_000_i64..60_000,
            holes in prop::collection::btree_set(0_i64..500, 0..12),
            length in 0_i64..500,
            ahead in 0_i64..4,
        ) {
            let day = |n: i64| CivilDate::from_days(start + n).unwrap();
            let checked: BTreeSet<CivilDate> =
                (0..length).filter(|n| !holes.contains(n)).map(day).collect();
            let today = day(length - 1 + ahead);
            prop_assert_eq!(streak(&checked, today), brute_force(&checked, today));
        }
    }
}
