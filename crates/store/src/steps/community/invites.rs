//! Invitations: accepted once per phone, and worth something when the one who was invited does something that counts.

use domain::Rejection;
use domain::account::Ban;
use domain::community::invite::{InviteeFacts, check_invitee};
use domain::ids::UserId;
use domain::rejection::MissingThing;
use domain::time::Timestamp;

use super::gate;
use crate::failure::{Fault, Result};
use crate::model::{InviteAccept, InviteCodeMake, InvitesRow};
use crate::params;
use crate::row::Row;
use crate::steps::users;
use crate::tx::Tx;

const NOT_THERE: Rejection = Rejection::NotFound { what: MissingThing::Invite };

pub(super) async fn make_code(tx: &Tx<'_>, step: &InviteCodeMake) -> Result<()> {
    gate::lock_writer(tx, step.user, step.now).await?;
    let sql = "INSERT INTO invite_codes (user_id, code) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING";
    tx.execute(sql, params![step.user, step.code.as_str()]).await.map(drop)
}

/// Whose code it is. Whoever is gone or banned invites nobody.
pub(super) async fn find_inviter(tx: &Tx<'_>, (code, now): &(String, Timestamp)) -> Result<Option<UserId>> {
    let sql = "SELECT user_id FROM invite_codes WHERE code = $1";
    let Some(inviter) = tx.one(sql, params![code], Row::int).await? else { return Ok(None) };
    let found = users::find(tx, UserId(inviter)).await?;
    let is_there =
        |user: &users::User| !user.account.deleted && Ban::check(user.account.ban.as_ref(), *now).is_ok();
    Ok(found.filter(is_there).map(|user| user.id()))
}

/// Again is the same.
pub(super) async fn accept(tx: &Tx<'_>, step: &InviteAccept) -> Result<()> {
    let (user, _) = gate::lock_writer(tx, step.user, step.now).await?;
    let code = (step.code.as_str().to_owned(), step.now);
    let inviter = find_inviter(tx, &code).await?.ok_or(NOT_THERE)?;
    if inviter == step.user {
        return Err(Rejection::Yourself.into());
    }
    let sql = "SELECT inviter_id FROM invitations WHERE invitee_id = $1";
    match tx.one(sql, params![step.user], Row::int).await? {
        Some(known) if known == inviter.0 => return Ok(()),
        Some(_) => return Err(Rejection::InviteKnown.into()),
        None => {}
    }
    // A phone, which is somebody's: accounts that a company vouches for are as many as it likes.
    let mark = user.account.phone_index.ok_or(Rejection::PhoneNeeded)?;
    let is_invited =
        tx.count("SELECT COUNT(*) FROM invited_phones WHERE mark = $1", params![mark]).await? > 0;
    let is_known = is_invited || user.revived.is_some();
    let inviter_created = users::find(tx, inviter).await?.ok_or(NOT_THERE)?.account.created;
    let facts = InviteeFacts { created: user.account.created, inviter_created, is_known };
    check_invitee(facts, step.now)?;
    let sql = "INSERT INTO invited_phones (mark, made_ms) VALUES ($1, $2)";
    tx.execute(sql, params![mark, step.now]).await?;
    let sql = "INSERT INTO invitations (invitee_id, inviter_id, made_ms) VALUES ($1, $2, $3)";
    tx.execute(sql, params![step.user, inviter, step.now]).await.map(drop)
}

pub(super) async fn find(tx: &Tx<'_>, user: &UserId) -> Result<InvitesRow> {
    let found = tx
        .one(
            "SELECT (SELECT code FROM invite_codes WHERE user_id = $1),
                    (SELECT COUNT(*) FROM invitations WHERE inviter_id = $1),
                    (SELECT COUNT(*) FROM invitations WHERE inviter_id = $1 AND qualified_ms IS NOT NULL)",
            params![*user],
            |row| Ok(InvitesRow { code: row.opt_text()?, accepted: row.int()?, qualified: row.int()? }),
        )
        .await?;
    Ok(found.ok_or_else(|| Fault::new("a query without a row"))?)
}
