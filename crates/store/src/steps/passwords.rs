//! New passwords. Both ways end sessions by raising the user's epoch.

use domain::Rejection;
use domain::ids::UserId;

use super::{codes, sessions, users};
use crate::db::Judged;
use crate::failure::Result;
use crate::model::{PasswordChange, PasswordReset};
use crate::params;
use crate::tx::Tx;

/// A phone without an account is answered like a phone without a code: both look the same from outside.
pub(crate) async fn reset(tx: &Tx<'_>, step: &PasswordReset) -> Result<Judged<UserId>> {
    if let Err(rejection) = codes::spend(tx, &step.try_).await? {
        return Ok(Err(rejection));
    }
    let Some(user) = users::lock_by_phone(tx, &step.try_.phone).await? else {
        return Ok(Err(Rejection::CodeSpent { at: step.try_.at }));
    };
    set(tx, user.id(), &step.password_hash).await?;
    users::raise_epoch(tx, user.id()).await?;
    Ok(Ok(user.id()))
}

/// Every other session ends; the caller's moves on into the new epoch.
pub(crate) async fn change(tx: &Tx<'_>, step: &PasswordChange) -> Result<()> {
    let user = users::lock(tx, step.user).await?;
    if user.account.password_hash != step.seen_hash {
        return Err(Rejection::CredentialsWrong.into());
    }
    set(tx, user.id(), &step.password_hash).await?;
    sessions::end_others(tx, &user, step.keep).await
}

async fn set(tx: &Tx<'_>, user: UserId, password_hash: &str) -> Result<()> {
    tx.execute("UPDATE users SET password_hash = $2 WHERE id = $1", params![user, password_hash]).await?;
    Ok(())
}
