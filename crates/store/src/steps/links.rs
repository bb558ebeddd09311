//! The company's own users, and the one-time links that sign them in.

use domain::Rejection;
use domain::access::Roles;
use domain::account::Ban;
use domain::ids::UserId;

use super::sessions;
use super::users::{self, Creation};
use crate::db::Judged;
use crate::failure::Result;
use crate::model::{ExternalUser, LinkCreate, LinkRedeem};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

pub(crate) async fn external_find(tx: &Tx<'_>, step: &ExternalUser) -> Result<Option<UserId>> {
    let id =
        tx.one("SELECT id FROM users WHERE external_id = $1", params![&step.external_id], Row::int).await?;
    Ok(id.map(UserId))
}

/// The account of one of the company's users, made on first use.
pub(crate) async fn external_user(tx: &Tx<'_>, step: &ExternalUser) -> Result<UserId> {
    if let Some(user) = external_find(tx, step).await? {
        return Ok(user);
    }
    let ExternalUser { external_id, mark, id, name, sign_up_day, now } = step;
    let new = Creation {
        id: *id,
        name,
        phone: None,
        password_hash: None,
        external_id: Some(external_id),
        mark: Some(mark),
        roles: Roles::PLAYER,
        sign_up_day: *sign_up_day,
        now: *now,
    };
    Ok(users::create(tx, &new).await?.id)
}

pub(crate) async fn create(tx: &Tx<'_>, step: &LinkCreate) -> Result<()> {
    users::lock(tx, step.user).await?;
    tx.execute(
        "INSERT INTO links (token_hash, user_id, expires) VALUES ($1, $2, $3)
         ON CONFLICT (token_hash) DO NOTHING",
        params![step.token_hash, step.user, step.expires],
    )
    .await?;
    Ok(())
}

/// Spends the link and starts the session. A link is spent whatever it leads to.
pub(crate) async fn redeem(tx: &Tx<'_>, step: &LinkRedeem) -> Result<Judged<UserId>> {
    let spent = tx
        .one(
            "DELETE FROM links WHERE token_hash = $1 RETURNING user_id, expires",
            params![step.token_hash],
            |row| Ok((UserId(row.int()?), row.time()?)),
        )
        .await?;
    let Some((user, expires)) = spent else { return Ok(Err(Rejection::LinkSpent)) };
    if step.now >= expires {
        return Ok(Err(Rejection::LinkSpent));
    }
    let Some(user) = users::find_locked(tx, user).await? else { return Ok(Err(Rejection::LinkSpent)) };
    if let Err(banned) = Ban::check(user.account.ban.as_ref(), step.now) {
        return Ok(Err(banned));
    }
    sessions::start(tx, user.id(), user.epoch, &step.session, step.now).await?;
    Ok(Ok(user.id()))
}
