//! Who may write, and how often on a day. Everything here happens under the lock on the writer's account.

use domain::Rejection;
use domain::account::Ban;
use domain::community::{DailyAct, Newcomer};
use domain::ids::UserId;
use domain::time::Timestamp;

use crate::failure::Result;
use crate::model::CommunityDay;
use crate::params;
use crate::row::Row;
use crate::steps::users::{self, User};
use crate::tx::Tx;

/// Locks somebody who wants to write: neither deleted nor banned, with a phone or a company that speaks for them.
pub(crate) async fn lock_writer(tx: &Tx<'_>, user: UserId, now: Timestamp) -> Result<(User, Newcomer)> {
    let user = users::lock(tx, user).await?;
    Ban::check(user.account.ban.as_ref(), now)?;
    let newcomer = newcomer(&user);
    if newcomer.verified { Ok((user, newcomer)) } else { Err(Rejection::PhoneNeeded.into()) }
}

/// What decides how much somebody may.
pub(super) fn newcomer(user: &User) -> Newcomer {
    let verified = user.account.phone_index.is_some() || user.account.external_id.is_some();
    Newcomer { created: user.account.created, verified }
}

/// Counts one more act of a writer who is locked, if the day allows it.
pub(super) async fn count_act(
    tx: &Tx<'_>,
    (user, newcomer): (UserId, Newcomer),
    act: DailyAct,
    day: &CommunityDay,
) -> Result<()> {
    let sql = "SELECT done FROM community_days WHERE user_id = $1 AND act = $2 AND day = $3";
    let done = tx.one(sql, params![user, act.name(), day.day], Row::int).await?.unwrap_or(0);
    newcomer.check(act, day.caps, done, day.now)?;
    tx.execute(
        "INSERT INTO community_days (user_id, act, day, done) VALUES ($1, $2, $3, $4)
         ON CONFLICT (user_id, act) DO UPDATE SET day = excluded.day, done = excluded.done",
        params![user, act.name(), day.day, done + 1],
    )
    .await?;
    Ok(())
}
