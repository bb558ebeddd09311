//! What all ways of signing in share: making the session, and giving the same one again on a repetition.

use domain::account::{Code, ExternalId, Phone, Purpose};
use domain::ids::{SessionId, UserId};
use domain::limit::Quota;
use domain::rejection::CodeField;
use domain::{Rejection, time::SECOND_MS};

use super::{Caller, Repeat};
use crate::failure::{Fault, Outcome};
use crate::ports::{CodeTry, Made, NewSession, NewUser, Once, PhoneIndex, Sealed};
use crate::tokens::{Token, TokenKind};
use crate::world::World;

/// Somebody is in.
#[derive(Clone, Debug)]
pub struct Entered {
    pub user: UserId,
    /// The cookie's value; shown to nobody else.
    pub token: Token,
}

pub(super) fn phone_index(world: &World, phone: &Phone) -> PhoneIndex {
    world.vault.index("phone", phone.as_str())
}

/// Binds the digits to phone and purpose, so that a code is worth nothing elsewhere.
pub(super) fn code_hash(world: &World, phone: &PhoneIndex, purpose: Purpose, code: &Code) -> [u8; 32] {
    let mut text = format!("{}:{}:", purpose.name(), code.as_str());
    for byte in phone {
        text.push_str(&format!("{byte:02x}"));
    }
    world.vault.index("code", &text)
}

pub(super) fn code_try(world: &World, phone: PhoneIndex, purpose: Purpose, code: &Code) -> CodeTry {
    CodeTry {
        at: CodeField("code"),
        phone,
        purpose,
        code: code_hash(world, &phone, purpose, code),
        now: world.now(),
    }
}

pub(super) fn new_session(world: &World, caller: &Caller) -> (Token, NewSession) {
    let token = Token::new(TokenKind::Session, world.random.as_ref());
    let session = NewSession {
        id: SessionId(world.next_id()),
        token_hash: token.hash(),
        agent: caller.agent.clone(),
        address: caller.ip.clone(),
    };
    (token, session)
}

/// An account as it would be made now, named after the tail of its id until its owner says otherwise.
pub(super) fn new_user(world: &World, phone: &Phone, name: Option<String>, hash: Option<String>) -> NewUser {
    let id = world.new_user_id();
    NewUser {
        id,
        name: name.unwrap_or_else(|| default_name(id)),
        phone_sealed: world.vault.seal(Sealed::Phone, phone.as_str().as_bytes()),
        password_hash: hash,
        sign_up_day: world.site_day(world.now()),
    }
}

pub(super) fn default_name(id: UserId) -> String {
    format!("wf{:06}", (id.0 ^ (id.0 >> 22)).rem_euclid(1_000_000))
}

/// The key of a repetition for somebody who is not signed in: bound to the phone.
pub(super) fn once_for_phone(
    world: &World,
    phone: &PhoneIndex,
    repeat: Option<Repeat>,
    token: &Token,
) -> Option<Once> {
    let principal =
        phone.iter().take(16).fold(String::from("phone:"), |text, byte| text + &format!("{byte:02x}"));
    repeat.map(|repeat| once(world, principal, repeat, Some(token)))
}

pub(super) fn once(world: &World, principal: String, repeat: Repeat, token: Option<&Token>) -> Once {
    Once {
        principal,
        key: repeat.key,
        fingerprint: repeat.fingerprint,
        sealed: token.map(|token| world.vault.seal(Sealed::Answer, token.as_str().as_bytes())),
    }
}

/// The token that goes out: the one just made, or the one of the first answer.
pub(super) fn token_of(world: &World, made: &Made, token: Token) -> Outcome<Token> {
    match &made.replayed {
        None => Ok(token),
        Some(Some(sealed)) => {
            let plain = world.vault.open(Sealed::Answer, sealed)?;
            Ok(Token::reveal(plain).ok_or_else(|| Fault::new("a kept answer holds no token"))?)
        }
        Some(None) => Err(Fault::new("a kept answer has lost its token").into()),
    }
}

pub(super) fn entered(world: &World, made: &Made, token: Token) -> Outcome<Entered> {
    Ok(Entered { user: UserId(made.id), token: token_of(world, made, token)? })
}

/// Counts one try at signing in, by address and by phone.
pub(super) async fn count_sign_in(world: &World, caller: &Caller, phone: &PhoneIndex) -> Outcome<()> {
    let quotas = world.settings.quotas;
    count(world, "sign_in_ip", &caller.ip, quotas.sign_in_ip).await?;
    let key = phone.iter().take(16).fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    count(world, "sign_in_phone", &key, quotas.sign_in_phone).await
}

async fn count(world: &World, class: &'static str, key: &str, quota: Quota) -> Outcome<()> {
    let allowance = world.limits.take(class, key, quota, world.now()).await?;
    if allowance.allowed {
        return Ok(());
    }
    let retry_after_s = (allowance.retry_ms + SECOND_MS - 1) / SECOND_MS;
    Err(Rejection::RateLimited { retry_after_s }.into())
}

pub(super) fn external_id(text: &str) -> Outcome<ExternalId> {
    Ok(ExternalId::parse(text)?)
}
