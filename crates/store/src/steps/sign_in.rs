//! Signing in and registering: a proof, perhaps a new account, and a session, in one step.

use domain::Rejection;
use domain::access::Roles;
use domain::account::{Ban, CODE_LIFE_MS, CodeVerdict};
use domain::ids::UserId;
use domain::time::Timestamp;

use super::users::{self, CreatedUser, Creation};
use super::{codes, consents, second_factors, sessions};
use crate::db::Judged;
use crate::failure::{Failure, Result};
use crate::model::{CodeTry, CreateOutcome, NewUser, Once, Register, SignInByCode, SignInByPassword};
use crate::tx::Tx;
use crate::{once, params};

/// The first sign-in with a phone makes the account.
///
/// Whoever has the right code and still needs a second factor, or has yet to agree to the terms, is told so, and the code
/// stays for the next try. A wrong second factor costs the code.
pub(crate) async fn sign_in_by_code(tx: &Tx<'_>, step: &SignInByCode) -> Result<Judged<CreateOutcome>> {
    if let Some(lacking) = lacking(tx, step).await? {
        return match codes::judge(tx, &step.try_).await? {
            CodeVerdict::Accept => Ok(Err(lacking)),
            verdict => Ok(codes::carry_out(tx, &step.try_, verdict).await?.and(Err(lacking))),
        };
    }
    match prove(tx, &step.try_, step.once.as_ref()).await? {
        Err(rejection) => return Ok(Err(rejection)),
        Ok(Some(made)) => return Ok(Ok(made)),
        Ok(None) => {}
    }
    let now = step.try_.now;
    let (user, epoch) = match users::lock_by_phone(tx, &step.try_.phone).await? {
        None => {
            let created = create(tx, &step.try_, &step.user).await?;
            // An account that returns may come back banned.
            if let Err(banned) = check_ban(tx, created.id, now).await? {
                return Ok(Err(banned));
            }
            (created.id, created.epoch)
        }
        Some(user) => {
            if let Err(banned) = Ban::check(user.account.ban.as_ref(), now) {
                return Ok(Err(banned));
            }
            if let Err(rejection) = second_factors::pass(tx, &user, step.second.as_ref()).await? {
                return Ok(Err(rejection));
            }
            (user.id(), user.epoch)
        }
    };
    sessions::start(tx, user, epoch, &step.session, now).await?;
    Ok(Ok(once::record(tx, step.once.as_ref(), user.0, now).await?))
}

/// What has to come with the code and did not.
async fn lacking(tx: &Tx<'_>, step: &SignInByCode) -> Result<Option<Rejection>> {
    let user = users::lock_by_phone(tx, &step.try_.phone).await?;
    if step.second.is_none() && user.as_ref().is_some_and(|user| user.account.second_factor) {
        return Ok(Some(Rejection::SecondFactorNeeded));
    }
    let account = user.as_ref().map(|user| (user.id(), user.account.roles));
    let missing = consents::is_missing(tx, account, &step.session.consent).await?;
    Ok(missing.then_some(Rejection::ConsentNeeded))
}

/// That a phone is taken is told only to somebody who has just proved that it is theirs.
pub(crate) async fn register(tx: &Tx<'_>, step: &Register) -> Result<Judged<CreateOutcome>> {
    match prove(tx, &step.try_, step.once.as_ref()).await? {
        Err(rejection) => return Ok(Err(rejection)),
        Ok(Some(made)) => return Ok(Ok(made)),
        Ok(None) => {}
    }
    if users::lock_by_phone(tx, &step.try_.phone).await?.is_some() {
        return Ok(Err(Rejection::PhoneTaken));
    }
    let now = step.try_.now;
    let created = create(tx, &step.try_, &step.user).await?;
    if let Err(banned) = check_ban(tx, created.id, now).await? {
        return Ok(Err(banned));
    }
    sessions::start(tx, created.id, created.epoch, &step.session, now).await?;
    Ok(Ok(once::record(tx, step.once.as_ref(), created.id.0, now).await?))
}

/// The password was verified outside, which takes a while: nothing happens if it changed meanwhile.
pub(crate) async fn sign_in_by_password(tx: &Tx<'_>, step: &SignInByPassword) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    let user = users::find_locked(tx, step.user).await?.ok_or(Rejection::CredentialsWrong)?;
    if user.account.password_hash.as_ref() != Some(&step.password_hash) {
        return Err(Rejection::CredentialsWrong.into());
    }
    Ban::check(user.account.ban.as_ref(), step.now)?;
    second_factors::pass(tx, &user, step.second.as_ref()).await??;
    consents::ask(tx, Some((user.id(), user.account.roles)), &step.session.consent).await?;
    if let Some(hash) = &step.rehashed {
        tx.execute("UPDATE users SET password_hash = $2 WHERE id = $1", params![step.user, hash]).await?;
    }
    sessions::start(tx, user.id(), user.epoch, &step.session, step.now).await?;
    once::record(tx, step.once.as_ref(), user.id().0, step.now).await
}

/// Spends the code, or answers what the same request made a moment ago. Somebody who knows the idempotency key of another's
/// sign-in and guesses its code is counted like any other guess, and after the life of a code there is nothing to guess.
async fn prove(tx: &Tx<'_>, try_: &CodeTry, once: Option<&Once>) -> Result<Judged<Option<CreateOutcome>>> {
    match once::replay_since(tx, once, try_.now - CODE_LIFE_MS).await {
        Ok(Some(made)) => Ok(Ok(Some(made))),
        Ok(None) => Ok(codes::spend(tx, try_).await?.map(|()| None)),
        Err(Failure::Rejected(conflict)) => Ok(codes::spend(tx, try_).await?.and(Err(conflict))),
        Err(fault) => Err(fault),
    }
}

/// A player with the phone that was just proved.
async fn create(tx: &Tx<'_>, proof: &CodeTry, user: &NewUser) -> Result<CreatedUser> {
    let new = Creation {
        id: user.id,
        name: &user.name,
        phone: Some((&proof.phone, &user.phone_sealed)),
        password_hash: user.password_hash.as_deref(),
        external_id: None,
        mark: Some(&proof.phone),
        roles: Roles::PLAYER,
        sign_up_day: user.sign_up_day,
        now: proof.now,
    };
    users::create(tx, &new).await
}

async fn check_ban(tx: &Tx<'_>, user: UserId, now: Timestamp) -> Result<Judged<()>> {
    let found = users::find(tx, user).await?;
    Ok(Ban::check(found.as_ref().and_then(|user| user.account.ban.as_ref()), now))
}
