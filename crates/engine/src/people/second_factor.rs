//! The second factor of staff: set up, shown to work, asked for at sign-in, taken away.

use domain::Rejection;
use domain::account::{
    RECOVERY_CODES, SecondCode, TOTP_SECRET_BYTES, base32, check_totp, recovery_code, totp_uri,
};
use domain::ids::UserId;
use domain::rejection::MissingThing;
use store::model::{
    AuditStamp, PhoneIndex, SecondFactorBegin, SecondFactorConfirm, SecondFactorRemove, SecondFactorRow,
    SecondProof,
};

use crate::caller::Caller;
use crate::failure::Result;
use crate::people::profile::phone_of;
use crate::people::sessions::SignedIn;
use crate::people::tries::{Guesser, begin_try};
use crate::ports::SealContext;
use crate::world::World;

/// How it is with somebody's second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondFactorState {
    pub on: bool,
    /// The site asks every member of staff for one.
    pub required: bool,
    pub recovery_left: i64,
}

/// What an authenticator app is told, once.
#[derive(Clone, Debug)]
pub struct Enrolment {
    pub secret: String,
    pub uri: String,
}

pub async fn state(world: &World, user: UserId) -> Result<SecondFactorState> {
    let row = world.db.second_factor(user).await?.filter(|row| row.confirmed);
    Ok(SecondFactorState {
        on: row.is_some(),
        required: world.settings.staff_second_factor,
        recovery_left: row.map_or(0, |row| row.recovery_left),
    })
}

/// A new secret. Nothing is asked for until it is confirmed.
pub async fn begin(world: &World, user: UserId) -> Result<Enrolment> {
    let account = world.db.account(user).await?.ok_or(Rejection::NotFound { what: MissingThing::User })?;
    let phone = phone_of(world, &account)?;
    let secret: [u8; TOTP_SECRET_BYTES] = world.bytes();
    let sealed = world.outside.vault.seal(SealContext::SecondFactor, &secret);
    world.db.second_factor_begin(SecondFactorBegin { user, sealed, now: world.now() }).await?;
    let label = phone.map_or_else(|| user.to_string(), |phone| phone.masked());
    Ok(Enrolment { secret: base32(&secret), uri: totp_uri(&secret, &label) })
}

/// Digits of the app show that it works. Answers the recovery codes, once; every other session ends.
pub async fn confirm(
    world: &World,
    caller: &Caller,
    who: SignedIn,
    token_hash: [u8; 32],
    code: &str,
    signed: AuditStamp,
) -> Result<Vec<String>> {
    let code = SecondCode::parse("code", code)?;
    let tried = begin_try(world, caller, Guesser::SignedIn(who.user)).await?;
    let row = world.db.second_factor(who.user).await?.ok_or(Rejection::SecondFactorOff)?;
    if row.confirmed {
        return Err(Rejection::SecondFactorOn.into());
    }
    let SecondProof::Totp { step } = check(world, who.user, &row, &code)? else {
        return Err(Rejection::SecondFactorWrong.into());
    };
    let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| recovery_code(world.bytes())).collect();
    let recovery = codes.iter().map(|code| recovery_hash(world, who.user, &code.replace('-', ""))).collect();
    let step =
        SecondFactorConfirm { user: who.user, seen: row.sealed, step, recovery, keep: who.session, signed };
    world.db.second_factor_confirm(step).await?;
    world.people.sessions.forget_user(who.user);
    world.people.sessions.forget_token(token_hash);
    tried.succeed(world).await?;
    Ok(codes)
}

/// Taken away by its owner, with digits or a recovery code.
pub async fn remove(
    world: &World,
    caller: &Caller,
    who: SignedIn,
    code: &str,
    signed: AuditStamp,
) -> Result<()> {
    let code = SecondCode::parse("code", code)?;
    let tried = begin_try(world, caller, Guesser::SignedIn(who.user)).await?;
    let row = world.db.second_factor(who.user).await?.ok_or(Rejection::SecondFactorOff)?;
    let proof = check(world, who.user, &row, &code)?;
    world.db.second_factor_remove(SecondFactorRemove { user: who.user, proof, signed }).await?;
    world.people.sessions.forget_user(who.user);
    tried.succeed(world).await
}

/// What was given at a sign-in, if anything was. Guesses at it are counted by account, since whoever makes them knows the
/// first factor; a device that its owner has used before has an allowance of its own.
pub(crate) async fn proof(
    world: &World,
    caller: &Caller,
    phone: &PhoneIndex,
    code: Option<&str>,
) -> Result<Option<(SecondProof, crate::people::tries::SignInTry)>> {
    let Some(code) = code else { return Ok(None) };
    let code = SecondCode::parse("second_code", code)?;
    let tried = begin_try(world, caller, Guesser::Second(phone)).await?;
    let Some(account) = world.db.account_by_phone(*phone).await? else {
        return Ok(Some((SecondProof::Wrong, tried)));
    };
    let user = account.profile.id;
    let proof = match world.db.second_factor(user).await? {
        Some(row) => check(world, user, &row, &code)?,
        None => SecondProof::Wrong,
    };
    Ok(Some((proof, tried)))
}

fn check(world: &World, user: UserId, row: &SecondFactorRow, code: &SecondCode) -> Result<SecondProof> {
    match code {
        SecondCode::Totp(digits) => {
            let secret = world.outside.vault.open(SealContext::SecondFactor, &row.sealed)?;
            let step = check_totp(&secret, digits, row.last_step, world.now());
            Ok(step.map_or(SecondProof::Wrong, |step| SecondProof::Totp { step }))
        }
        SecondCode::Recovery(code) => Ok(SecondProof::Recovery { hash: recovery_hash(world, user, code) }),
    }
}

/// A keyed hash: 80 random bits need no slow one, and without the key file not even a guess can be checked.
fn recovery_hash(world: &World, user: UserId, code: &str) -> [u8; 32] {
    world.outside.vault.index("recovery_code", &format!("{user}:{code}"))
}
