//! What operators ask: day by day, over any range, and who came again. As of the last time that memory was written.

use domain::civil_date::CivilDate;
use domain::statistics::{DayRange, DistinctCount, RETENTION_DAYS, is_day_over};
use store::model::{ActiveDay, CohortRow, DayTotals, VisitsFind};

use crate::failure::Result;
use crate::statistics::days::{to_site_days, today};
use crate::world::World;

/// One day of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayFigures {
    pub day: CivilDate,
    pub visitors: u64,
    /// An estimate otherwise.
    pub visitors_exact: bool,
    pub active: ActiveDay,
    pub totals: DayTotals,
}

#[derive(Clone, Debug)]
pub struct DaysReport {
    pub today: CivilDate,
    /// Every day of the range, in order.
    pub days: Vec<DayFigures>,
}

/// A range of days, in which everybody counts once.
#[derive(Clone, Copy, Debug)]
pub struct RangeFigures {
    pub range: DayRange,
    pub visitors: u64,
    pub visitors_exact: bool,
    pub people: u64,
}

/// Those who were active for the first time on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cohort {
    pub day: CivilDate,
    pub new_people: u64,
    /// How many of them came again so many days later; nothing while that day is not over.
    pub again: [Option<u64>; RETENTION_DAYS.len()],
}

#[derive(Clone, Debug)]
pub struct RetentionReport {
    pub range: DayRange,
    /// Days with anybody new, in order.
    pub cohorts: Vec<Cohort>,
}

fn range_of(world: &World, from: Option<&str>, to: Option<&str>) -> Result<(DayRange, CivilDate)> {
    let today = today(world)?;
    Ok((DayRange::parse(from, to, today)?, today))
}

/// Days as they are written (`2026-11-18`); the last four weeks unless told.
pub async fn statistics_days(world: &World, from: Option<&str>, to: Option<&str>) -> Result<DaysReport> {
    let (range, today) = range_of(world, from, to)?;
    let visits = world.db.visit_days(range).await?;
    let active = world.db.active_days(range).await?;
    let spans = to_site_days(range, &world.settings.site_zone);
    let totals = world.db.day_totals(spans).await?;
    let figures = |(day, totals): (CivilDate, DayTotals)| {
        let visits = visits.get(&day);
        DayFigures {
            day,
            visitors: visits.map_or(0, DistinctCount::count),
            visitors_exact: visits.is_none_or(DistinctCount::is_exact),
            active: active.get(&day).copied().unwrap_or_default(),
            totals,
        }
    };
    Ok(DaysReport { today, days: range.days().zip(totals).map(figures).collect() })
}

/// How many different visitors and people came in all.
pub async fn statistics_range(world: &World, from: Option<&str>, to: Option<&str>) -> Result<RangeFigures> {
    let (range, _) = range_of(world, from, to)?;
    let visitors = world.db.visit_union(VisitsFind::Site(range)).await?;
    let people = world.db.active_union(range).await?;
    Ok(RangeFigures { range, visitors: visitors.count(), visitors_exact: visitors.is_exact(), people })
}

/// Of those who were new on each day, how many came again.
pub async fn statistics_retention(
    world: &World,
    from: Option<&str>,
    to: Option<&str>,
) -> Result<RetentionReport> {
    let (range, today) = range_of(world, from, to)?;
    let rows = world.db.cohorts(range).await?;
    Ok(RetentionReport { range, cohorts: rows.into_iter().map(|row| to_cohort(row, today)).collect() })
}

fn to_cohort(CohortRow { day, new_people, again }: CohortRow, today: CivilDate) -> Cohort {
    let mut known = again.map(Some);
    for (count, after) in known.iter_mut().zip(RETENTION_DAYS) {
        *count = count.filter(|_| is_day_over(day, after, today));
    }
    Cohort { day, new_people, again: known }
}
