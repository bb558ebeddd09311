//! The level of an account: how many thresholds its points ever earned have passed. What it earned are its credits without those
//! that were taken back; what it spends or lets expire lowers nothing.

use std::collections::BTreeMap;

use domain::ids::UserId;

use crate::each::{all_each, count_each};
use crate::failure::{Fault, Result};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::Value;

/// What is earned less: the credits among the rows that are taken back.
pub(super) async fn subtract_reversed(
    tx: &Tx<'_>,
    earned: &mut BTreeMap<UserId, i64>,
    reversed: &[(UserId, i64)],
) -> Result<()> {
    let keys: Vec<[Value; 2]> = reversed.iter().map(|(user, n)| [(*user).into(), (*n).into()]).collect();
    let sql = "SELECT delta FROM points_rows WHERE user_id = $1 AND n = $2 AND kind = 'credit'";
    for ((user, _), found) in reversed.iter().zip(all_each(tx, sql, &keys, Row::int).await?) {
        *earned.entry(*user).or_default() -= found.into_iter().sum::<i64>();
    }
    Ok(())
}

/// Writes what was earned, and the levels that follow from it.
pub(super) async fn write(tx: &Tx<'_>, earned: BTreeMap<UserId, i64>) -> Result<()> {
    let changed: Vec<(UserId, i64)> = earned.into_iter().filter(|(_, more)| *more != 0).collect();
    let rows = changed.iter().map(|(user, more)| [Value::from(*user), Value::from(*more)]);
    let sql = "UPDATE points_accounts SET earned = earned + $2 WHERE user_id = $1";
    count_each(tx, sql, rows).await?;
    count_each(
        tx,
        "UPDATE users SET level = 1 + (SELECT COUNT(*) FROM level_steps s JOIN points_accounts a
                                       ON a.user_id = users.id WHERE s.points <= a.earned)
         WHERE id = $1 AND level <> 1 + (SELECT COUNT(*) FROM level_steps s JOIN points_accounts a
                                         ON a.user_id = users.id WHERE s.points <= a.earned)",
        changed.iter().map(|(user, _)| [Value::from(*user)]),
    )
    .await
    .map(drop)
}

/// Sets the points that the levels from 2 on begin at, and everybody's level if they changed.
pub(super) async fn set_steps(tx: &Tx<'_>, steps: &[i64]) -> Result<()> {
    tx.exclusive("level steps").await?;
    let kept = tx.all("SELECT points FROM level_steps ORDER BY level", params![], Row::int).await?;
    if kept == steps {
        return Ok(());
    }
    tx.execute("DELETE FROM level_steps", params![]).await?;
    for (level, points) in (2_i64..).zip(steps) {
        let sql = "INSERT INTO level_steps (level, points) VALUES ($1, $2)";
        tx.execute(sql, params![level, *points]).await?;
    }
    tx.execute(
        "UPDATE users SET level = 1 + (SELECT COUNT(*) FROM level_steps s JOIN points_accounts a
                                       ON a.user_id = users.id WHERE s.points <= a.earned)",
        params![],
    )
    .await
    .map(drop)
}

pub(super) async fn find_earned(tx: &Tx<'_>, user: &UserId) -> Result<i64> {
    let sql = "SELECT COALESCE((SELECT earned FROM points_accounts WHERE user_id = $1), 0)";
    let earned = tx.count(sql, params![*user]).await?;
    if earned < 0 { Err(Fault::new("less than nothing earned").into()) } else { Ok(earned) }
}
