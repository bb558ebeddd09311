//! Checking in: one row per day and person, under the lock on the person. The day is the key, so fifty requests at once are one
//! check-in, and a request that is repeated changes nothing (hole 57).

use std::collections::BTreeSet;

use domain::Rejection;
use domain::civil_date::CivilDate;
use domain::community::check_in::{
    MakeUpFacts, Milestone, STREAK_MAX_DAYS, check_make_up, due_milestones, streak,
};
use domain::grants::OwnBehaviour;
use domain::ids::UserId;
use domain::points::{Amount, Move};
use domain::rejection::MissingThing;

use super::gate;
use crate::failure::{Fault, Result};
use crate::model::{
    CheckIn, CheckInDay, CheckInMakeUp, CheckInsFind, CheckInsRow, CheckedDay, MAKE_UP_REASON,
    MILESTONE_REASON, Posting,
};
use crate::params;
use crate::row::Row;
use crate::steps::grants::own::{self, OwnAct};
use crate::steps::points::post::post;
use crate::steps::users;
use crate::tx::Tx;

/// Checks in for today; answers whether it is the first time.
pub(super) async fn check_in(tx: &Tx<'_>, step: &CheckIn) -> Result<bool> {
    let (_, newcomer) = gate::lock_writer(tx, step.user, step.day.now).await?;
    if !keep(tx, step.user, step.day.today, None, &step.day).await? {
        return Ok(false);
    }
    reward(tx, step.user, &step.day).await?;
    let (today, at) = (step.day.today, step.day.now);
    let (kind, object) = (OwnBehaviour::CheckIn, today.to_string());
    own::report(tx, OwnAct { kind, user: step.user, object, date: Some(today), at }).await?;
    own::qualify(tx, step.user, newcomer, at).await?;
    Ok(true)
}

/// Makes up for a missed day, for points; answers whether it was missed. It mends the streak, and is no behaviour.
pub(super) async fn make_up(tx: &Tx<'_>, step: &CheckInMakeUp) -> Result<bool> {
    let (user, _) = gate::lock_writer(tx, step.user, step.day.now).await?;
    let sql = "SELECT COUNT(*) FROM check_ins WHERE user_id = $1 AND day = $2";
    if tx.count(sql, params![step.user, step.missed.days()]).await? > 0 {
        return Ok(false);
    }
    let (today, terms) = (step.day.today, &step.day.terms);
    let facts = MakeUpFacts {
        today,
        since: sign_up_date(user.account.profile.sign_up_day)?.max(step.revived),
        made_up_this_month: count_made_up(tx, step.user, today).await?,
    };
    check_make_up(step.missed, terms, &facts)?;
    keep(tx, step.user, step.missed, Some(today), &step.day).await?;
    if let Some(amount) = Amount::new(terms.make_up_points) {
        let (asked, key) = (Move::Spend { amount }, format!("check-in:made-up:{}", step.missed));
        let reason = MAKE_UP_REASON.to_owned();
        post(tx, &Posting { user: step.user, asked, key, reason, at: step.day.now }).await?;
    }
    reward(tx, step.user, &step.day).await?;
    Ok(true)
}

/// Keeps a day; answers whether it is new.
async fn keep(
    tx: &Tx<'_>,
    user: UserId,
    day: CivilDate,
    made_up: Option<CivilDate>,
    judged: &CheckInDay,
) -> Result<bool> {
    let kept = tx
        .execute(
            "INSERT INTO check_ins (user_id, day, at_ms, made_up_day) VALUES ($1, $2, $3, $4)
             ON CONFLICT (user_id, day) DO NOTHING",
            params![user, day.days(), judged.now, made_up.map(CivilDate::days)],
        )
        .await?;
    Ok(kept > 0)
}

/// Gives what the streak has come to, each milestone once per account.
async fn reward(tx: &Tx<'_>, user: UserId, judged: &CheckInDay) -> Result<()> {
    let days = streak(&list_recent(tx, user, judged.today).await?, judged.today);
    let reached = list_reached(tx, user).await?;
    for Milestone { days, points } in due_milestones(&judged.terms, days, &reached) {
        tx.execute(
            "INSERT INTO check_in_milestones (user_id, days, points, at_ms) VALUES ($1, $2, $3, $4)",
            params![user, days, points, judged.now],
        )
        .await?;
        let amount = Amount::new(points).ok_or_else(|| Fault::new("a milestone of no points"))?;
        let asked = Move::Credit { amount, expires: judged.points_expire };
        let (key, reason) = (format!("check-in:milestone:{days}"), MILESTONE_REASON.to_owned());
        post(tx, &Posting { user, asked, key, reason, at: judged.now }).await?;
    }
    Ok(())
}

pub(super) async fn find(tx: &Tx<'_>, step: &CheckInsFind) -> Result<CheckInsRow> {
    let missing = Rejection::NotFound { what: MissingThing::User };
    let user = users::find(tx, step.user).await?.ok_or(missing)?;
    let (first, end) = (step.month.first().days(), step.month.end().days());
    let days = tx
        .all(
            "SELECT day, CAST(CASE WHEN made_up_day IS NULL THEN 0 ELSE 1 END AS BIGINT) FROM check_ins
             WHERE user_id = $1 AND day >= $2 AND day < $3 ORDER BY day",
            params![step.user, first, end],
            |row| Ok(CheckedDay { day: read_date(row)?, made_up: row.flag()? }),
        )
        .await?;
    Ok(CheckInsRow {
        days,
        recent: list_recent(tx, step.user, step.today).await?,
        made_up_this_month: count_made_up(tx, step.user, step.today).await?,
        reached: list_reached(tx, step.user).await?,
        sign_up: sign_up_date(user.account.profile.sign_up_day)?,
    })
}

async fn list_recent(tx: &Tx<'_>, user: UserId, today: CivilDate) -> Result<BTreeSet<CivilDate>> {
    let sql = "SELECT day FROM check_ins WHERE user_id = $1 AND day <= $2 ORDER BY day DESC LIMIT $3";
    let days = tx.all(sql, params![user, today.days(), STREAK_MAX_DAYS], read_date).await?;
    Ok(days.into_iter().collect())
}

async fn list_reached(tx: &Tx<'_>, user: UserId) -> Result<Vec<u32>> {
    let sql = "SELECT days FROM check_in_milestones WHERE user_id = $1 ORDER BY days";
    tx.all(sql, params![user], Row::u32).await
}

/// Days that were made up for in the month of a day.
async fn count_made_up(tx: &Tx<'_>, user: UserId, today: CivilDate) -> Result<u32> {
    let month = today.month();
    let sql = "SELECT COUNT(*) FROM check_ins WHERE user_id = $1 AND made_up_day >= $2 AND made_up_day < $3";
    let count = tx.count(sql, params![user, month.first().days(), month.end().days()]).await?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

fn read_date(row: &mut Row) -> Result<CivilDate, Fault> {
    CivilDate::from_days(row.int()?).ok_or_else(|| Fault::new("a day outside the calendar"))
}

fn sign_up_date(number: i64) -> Result<CivilDate, Fault> {
    CivilDate::from_number(number).ok_or_else(|| Fault::new("a sign-up day that is no date"))
}
