//! Checking in, once a day of the site's zone.

use std::sync::Arc;

use domain::Rejection;
use domain::civil_date::{CivilDate, CivilMonth};
use domain::community::check_in::{days_to_make_up, streak};
use domain::community::{CheckInTerms, MakeUpFacts};
use domain::ids::UserId;
use domain::rejection::FieldProblem;
use domain::time::Timestamp;
use store::model::{CheckIn, CheckInDay, CheckInMakeUp, CheckInsFind, CheckInsRow, CheckedDay};

use crate::failure::{Fault, Result};
use crate::world::{World, day_number};

/// A month of somebody's check-ins, and what counts today.
#[derive(Clone, Debug)]
pub struct CheckInCalendar {
    pub today: CivilDate,
    pub checked_in: bool,
    pub streak: u32,
    pub month: CivilMonth,
    pub days: Vec<CheckedDay>,
    /// From this day on somebody can have checked in.
    pub since: CivilDate,
    /// Missed days that can be made up now, oldest first.
    pub to_make_up: Vec<CivilDate>,
    /// Days that can still be made up this month.
    pub make_ups_left: u32,
    /// The days of milestones that were reached.
    pub reached: Vec<u32>,
    pub terms: Arc<CheckInTerms>,
}

/// The month as it is written (`2026-11`), or that of today.
pub async fn check_in_calendar(world: &World, user: UserId, month: Option<&str>) -> Result<CheckInCalendar> {
    let today = site_date(world, world.now())?;
    let month = match month {
        None => today.month(),
        Some(text) => CivilMonth::parse(text).ok_or_else(|| {
            let problem =
                FieldProblem::Expected { en: "a month such as 2026-11", zh: "类似 2026-11 的月份" };
            Rejection::invalid("month", problem)
        })?,
    };
    let row = world.db.check_ins_find(CheckInsFind { user, month, today }).await?;
    let since = row.sign_up.max(revived_on(world, user).await?);
    Ok(to_calendar(row, (month, today, since), Arc::clone(&world.settings.check_in)))
}

fn to_calendar(
    row: CheckInsRow,
    (month, today, since): (CivilMonth, CivilDate, CivilDate),
    terms: Arc<CheckInTerms>,
) -> CheckInCalendar {
    let facts = MakeUpFacts { today, since, made_up_this_month: row.made_up_this_month };
    CheckInCalendar {
        today,
        checked_in: row.recent.contains(&today),
        streak: streak(&row.recent, today),
        month,
        days: row.days,
        since,
        to_make_up: days_to_make_up(&row.recent, &terms, &facts),
        make_ups_left: terms.make_ups_monthly_max.saturating_sub(row.made_up_this_month),
        reached: row.reached,
        terms,
    }
}

/// Checks in for today. Again is the same; answers whether it was the first time.
pub async fn check_in(world: &World, user: UserId) -> Result<(bool, CheckInCalendar)> {
    let day = check_in_day(world)?;
    let is_first = world.db.check_in(CheckIn { user, day }).await?;
    Ok((is_first, check_in_calendar(world, user, None).await?))
}

/// Makes up for a missed day (`2026-11-17`), for points. Again is the same and costs nothing.
pub async fn check_in_make_up(world: &World, user: UserId, missed: &str) -> Result<CheckInCalendar> {
    let missed = CivilDate::parse(missed).ok_or_else(|| {
        let problem =
            FieldProblem::Expected { en: "a day such as 2026-11-18", zh: "类似 2026-11-18 的日期" };
        Rejection::invalid("day", problem)
    })?;
    let (day, revived) = (check_in_day(world)?, revived_on(world, user).await?);
    world.db.check_in_make_up(CheckInMakeUp { user, missed, revived, day }).await?;
    check_in_calendar(world, user, Some(&missed.month().to_string())).await
}

fn check_in_day(world: &World) -> Result<CheckInDay> {
    let now = world.now();
    Ok(CheckInDay {
        today: site_date(world, now)?,
        terms: Arc::clone(&world.settings.check_in),
        points_expire: world.points_expire(now),
        now,
    })
}

async fn revived_on(world: &World, user: UserId) -> Result<CivilDate> {
    site_date(world, world.visible_since(user).await?)
}

/// The date of a moment in the site's zone.
pub(super) fn site_date(world: &World, at: Timestamp) -> Result<CivilDate> {
    let number = day_number(at, &world.settings.site_zone);
    Ok(CivilDate::from_number(number).ok_or_else(|| Fault::new("a moment outside the calendar"))?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use jiff::tz::TimeZone;
    use proptest::prelude::*;

    use super::*;

    /// Zones ahead and behind, with and without summer time, one that skipped a day and one with quarters of an hour.
    const ZONES: [&str; 7] = [
        "UTC",
        "Asia/Shanghai",
        "America/New_York",
        "America/Santiago",
        "Pacific/Apia",
        "Pacific/Kiritimati",
        "Asia/Kathmandu",
    ];

    proptest! {
        /// Check-ins at random moments, each on the date that it has there: the streak is what a walk over the calendar's days
        /// counts, whatever a day's length is.
        #[test]
        fn hole_57_a_streak_is_what_brute_force_counts_in_every_zone(
            zone in 0..ZONES.len(),
            start_ms in 1_200_000_000_000_i64..1_900_000_000_000,
            gaps_min in prop::collection::vec(1_i64..2_400, 1..120),
        ) {
            let zone = TimeZone::get(ZONES[zone]).unwrap();
            let (mut at_ms, mut dates, mut walked) = (start_ms, BTreeSet::new(), BTreeSet::new());
            for gap_min in gaps_min {
                at_ms += gap_min * 60_000;
                dates.insert(CivilDate::from_number(day_number(Timestamp(at_ms), &zone)).unwrap());
                let moment = jiff::Timestamp::from_millisecond(at_ms).unwrap();
                walked.insert(moment.to_zoned(zone.clone()).date());
            }
            let today = jiff::Timestamp::from_millisecond(at_ms).unwrap().to_zoned(zone).date();
            let mut expected = 0;
            let mut day = today;
            while walked.contains(&day) {
                expected += 1;
                day = day.yesterday().unwrap();
            }
            prop_assert_eq!(dates.len(), walked.len());
            prop_assert_eq!(streak(&dates, *dates.last().unwrap()), expected);
        }
    }
}
