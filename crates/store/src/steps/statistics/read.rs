//! What days tell: each by itself, all of them together, and who came again.

use std::collections::BTreeMap;

use domain::civil_date::CivilDate;
use domain::statistics::{CountedStep, DayRange, DistinctCount, PeopleChunk, RETENTION_DAYS};

use super::add::read_count;
use super::people::read_chunk;
use crate::each::all_each;
use crate::failure::{Fault, Result};
use crate::model::{ActiveDay, CohortRow, VisitsFind};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::Value;

fn read_day(row: &mut Row) -> Result<CivilDate, Fault> {
    CivilDate::from_days(row.int()?).ok_or_else(|| Fault::new("a day outside the calendar"))
}

/// The site's visitors by day; a day without any has no entry.
pub(super) async fn visit_days(tx: &Tx<'_>, range: &DayRange) -> Result<BTreeMap<CivilDate, DistinctCount>> {
    let days = tx
        .all(
            "SELECT day, counted FROM visit_counts
             WHERE activity_id = 0 AND round = 0 AND step = 'visitors' AND day BETWEEN $1 AND $2 ORDER BY day",
            params![range.from().days(), range.to().days()],
            |row| Ok((read_day(row)?, read_count(row)?)),
        )
        .await?;
    Ok(days.into_iter().collect())
}

/// Rows that are in memory at once.
const ROWS_MAX: usize = 64;

/// Everybody who was counted, each once.
pub(super) async fn visit_union(tx: &Tx<'_>, find: &VisitsFind) -> Result<DistinctCount> {
    let mut united = DistinctCount::default();
    let (activity, rounds, step, days) = match *find {
        VisitsFind::Site(range) => {
            (0, (0, 0), CountedStep::Visitors, (range.from().days(), range.to().days()))
        }
        VisitsFind::Round(activity, round, step) => {
            (activity.0, (i64::from(round), i64::from(round)), step, EVERY_DAY)
        }
        VisitsFind::Rounds(activity, step) => (activity.0, (0, i64::MAX), step, EVERY_DAY),
    };
    let mut after = (rounds.0, days.0 - 1);
    loop {
        let rows = tx
            .all(
                "SELECT round, day, counted FROM visit_counts
                 WHERE activity_id = $1 AND step = $2 AND (round, day) > ($3, $4) AND round <= $5 AND day <= $6
                 ORDER BY round, day LIMIT $7",
                params![activity, step.name(), after.0, after.1, rounds.1, days.1, ROWS_MAX as i64],
                |row| Ok((row.int()?, row.int()?, read_count(row)?)),
            )
            .await?;
        for (round, day, counted) in &rows {
            united.merge(counted);
            after = (*round, *day);
        }
        if rows.len() < ROWS_MAX {
            return Ok(united);
        }
    }
}

/// No day is outside.
const EVERY_DAY: (i64, i64) = (i64::MIN + 1, i64::MAX);

/// People by day; a day without any has no entry.
pub(super) async fn active_days(tx: &Tx<'_>, range: &DayRange) -> Result<BTreeMap<CivilDate, ActiveDay>> {
    let sums = tx
        .all(
            "SELECT day, kind, CAST(SUM(people) AS BIGINT) FROM active_days WHERE day BETWEEN $1 AND $2
             GROUP BY day, kind",
            params![range.from().days(), range.to().days()],
            |row| Ok((read_day(row)?, row.text()?, row.unsigned()?)),
        )
        .await?;
    let mut days: BTreeMap<CivilDate, ActiveDay> = BTreeMap::new();
    for (day, kind, people) in sums {
        let sum = days.entry(day).or_default();
        if kind == "new" {
            sum.new_people = people;
        } else {
            sum.people = people;
        }
    }
    Ok(days)
}

/// Everybody who was active, each once: exactly. One chunk of all days is in memory at a time.
pub(super) async fn active_union(tx: &Tx<'_>, range: &DayRange) -> Result<u64> {
    let (from, to) = (range.from().days(), range.to().days());
    let sql =
        "SELECT COALESCE(MAX(chunk), -1) FROM active_days WHERE day BETWEEN $1 AND $2 AND kind = 'active'";
    let last = tx.count(sql, params![from, to]).await?;
    let mut people = 0;
    for chunk in 0..=last {
        let days = tx
            .all(
                "SELECT bits FROM active_days WHERE day BETWEEN $1 AND $2 AND kind = 'active' AND chunk = $3",
                params![from, to, chunk],
                read_chunk,
            )
            .await?;
        let mut united = PeopleChunk::default();
        days.iter().for_each(|day| united.merge(day));
        people += united.count();
    }
    Ok(people)
}

/// Those who were new on each day, and how many of them came again. A day without anybody new has no row.
pub(super) async fn cohorts(tx: &Tx<'_>, range: &DayRange) -> Result<Vec<CohortRow>> {
    let mut rows: Vec<CohortRow> = Vec::new();
    for day in range.days() {
        let new = tx
            .all(
                "SELECT chunk, bits FROM active_days WHERE day = $1 AND kind = 'new' ORDER BY chunk",
                params![day.days()],
                |row| Ok((row.int()?, read_chunk(row)?)),
            )
            .await?;
        if new.is_empty() {
            continue;
        }
        let mut row = CohortRow { day, new_people: 0, again: [0; RETENTION_DAYS.len()] };
        for (chunk, bits) in new {
            row.new_people += bits.count();
            let keys =
                RETENTION_DAYS.map(|after| [Value::from(day.days() + i64::from(after)), Value::from(chunk)]);
            let sql = "SELECT bits FROM active_days WHERE day = $1 AND kind = 'active' AND chunk = $2";
            for (sum, active) in row.again.iter_mut().zip(all_each(tx, sql, &keys, read_chunk).await?) {
                *sum += active.iter().map(|active| active.count_shared(&bits)).sum::<u64>();
            }
        }
        rows.push(row);
    }
    Ok(rows)
}
