//! Second factors: begun, confirmed, asked for at sign-in, taken away. Digits and recovery codes are spent in the step
//! that they allow.

use domain::Rejection;
use domain::ids::UserId;
use serde_json::json;

use super::sessions;
use super::users::{self, User};
use crate::db::Judged;
use crate::failure::Result;
use crate::model::{
    AuditStamp, SecondFactorBegin, SecondFactorConfirm, SecondFactorRemove, SecondFactorRow, SecondProof,
};
use crate::row::Row;
use crate::tx::Tx;
use crate::{audit, params};

pub(crate) async fn find(tx: &Tx<'_>, user: &UserId) -> Result<Option<SecondFactorRow>> {
    let sql = "SELECT COUNT(*) FROM recovery_codes WHERE user_id = $1";
    let recovery_left = tx.count(sql, params![*user]).await?;
    tx.one(
        "SELECT sealed, confirmed_at, last_step FROM second_factors WHERE user_id = $1",
        params![*user],
        |row| {
            let (sealed, confirmed_at, last_step) = (row.bytes()?, row.opt_time()?, row.int()?);
            Ok(SecondFactorRow { sealed, confirmed: confirmed_at.is_some(), last_step, recovery_left })
        },
    )
    .await
}

/// Begins anew as often as one likes, until it is confirmed.
pub(crate) async fn begin(tx: &Tx<'_>, step: &SecondFactorBegin) -> Result<()> {
    let user = users::lock(tx, step.user).await?;
    if user.account.second_factor {
        return Err(Rejection::SecondFactorOn.into());
    }
    tx.execute(
        "INSERT INTO second_factors (user_id, sealed, made) VALUES ($1, $2, $3)
         ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed, made = excluded.made, last_step = 0",
        params![step.user, &step.sealed, step.now],
    )
    .await?;
    Ok(())
}

/// From now on every sign-in asks for it, and sessions that began without it end.
pub(crate) async fn confirm(tx: &Tx<'_>, step: &SecondFactorConfirm) -> Result<()> {
    let user = users::lock(tx, step.user).await?;
    let confirmed = tx
        .execute(
            "UPDATE second_factors SET confirmed_at = $2, last_step = $3
             WHERE user_id = $1 AND confirmed_at IS NULL AND sealed = $4 AND last_step < $3",
            params![step.user, step.signed.at, step.step, &step.seen],
        )
        .await?;
    if confirmed == 0 {
        return Err(Rejection::SecondFactorOff.into());
    }
    tx.execute("DELETE FROM recovery_codes WHERE user_id = $1", params![step.user]).await?;
    for hash in &step.recovery {
        tx.execute("INSERT INTO recovery_codes (user_id, hash) VALUES ($1, $2)", params![step.user, hash])
            .await?;
    }
    sessions::end_others(tx, &user, step.keep).await?;
    write_audit(tx, &step.signed, "user.second_factor_on", step.user, false).await
}

/// By its owner, with a code of it.
pub(crate) async fn remove(tx: &Tx<'_>, step: &SecondFactorRemove) -> Result<Judged<()>> {
    let user = users::lock(tx, step.user).await?;
    if !user.account.second_factor {
        return Err(Rejection::SecondFactorOff.into());
    }
    if let Err(rejection) = pass(tx, &user, Some(&step.proof)).await? {
        return Ok(Err(rejection));
    }
    delete(tx, step.user).await?;
    write_audit(tx, &step.signed, "user.second_factor_off", step.user, true).await?;
    Ok(Ok(()))
}

/// By two admins, for somebody who has lost it: all of their sessions end.
pub(crate) async fn reset(tx: &Tx<'_>, user: UserId, signed: &AuditStamp) -> Result<()> {
    let person = users::lock(tx, user).await?;
    if !person.account.second_factor {
        return Ok(());
    }
    delete(tx, user).await?;
    users::raise_epoch(tx, user).await?;
    write_audit(tx, signed, "user.second_factor_reset", user, true).await
}

async fn write_audit(tx: &Tx<'_>, signed: &AuditStamp, action: &str, user: UserId, was: bool) -> Result<()> {
    let (before, after) = (json!({ "second_factor": was }), json!({ "second_factor": !was }));
    audit::write(tx, signed, action, &audit::user_subject(user), &before, &after).await
}

pub(crate) async fn delete(tx: &Tx<'_>, user: UserId) -> Result<()> {
    tx.execute("DELETE FROM second_factors WHERE user_id = $1", params![user]).await?;
    tx.execute("DELETE FROM recovery_codes WHERE user_id = $1", params![user]).await?;
    Ok(())
}

/// Whether somebody with the first factor may come in. The caller holds the user's lock.
pub(crate) async fn pass(tx: &Tx<'_>, user: &User, proof: Option<&SecondProof>) -> Result<Judged<()>> {
    if !user.account.second_factor {
        return Ok(Ok(()));
    }
    let spent = match proof {
        None => return Ok(Err(Rejection::SecondFactorNeeded)),
        Some(SecondProof::Wrong) => false,
        Some(SecondProof::Totp { step }) => {
            let sql = "UPDATE second_factors SET last_step = $2 WHERE user_id = $1 AND last_step < $2";
            tx.execute(sql, params![user.id(), *step]).await? > 0
        }
        Some(SecondProof::Recovery { hash }) => {
            let sql = "DELETE FROM recovery_codes WHERE user_id = $1 AND hash = $2 RETURNING user_id";
            tx.one(sql, params![user.id(), hash], Row::int).await?.is_some()
        }
    };
    Ok(if spent { Ok(()) } else { Err(Rejection::SecondFactorWrong) })
}
