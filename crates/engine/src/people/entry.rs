//! What all ways of signing in share: making the session, and giving the same one again on a repetition.

use domain::account::{CodeHolder, CodePurpose, ExternalId, Phone, PhoneCode, default_name};
use domain::ids::{SessionId, UserId};
use domain::rejection::CodeField;
use store::model::{AccountMark, CodeTry, Consent, CreateOutcome, NewSession, NewUser, Once, PhoneIndex};

use crate::caller::{Caller, Repeat};
use crate::failure::{Fault, Result};
use crate::people::tokens::{SecretToken, TokenKind};
use crate::ports::SealContext;
use crate::world::World;

/// Somebody is in.
#[derive(Clone, Debug)]
pub struct SignedInUser {
    pub user: UserId,
    /// The cookie's value; shown to nobody else.
    pub token: SecretToken,
    /// By which this browser is known at the next sign-in.
    pub device: SecretToken,
}

pub(crate) fn phone_index(world: &World, phone: &Phone) -> PhoneIndex {
    world.outside.vault.index("phone", phone.as_str())
}

/// By this an external id is known after its account was deleted.
pub(crate) fn external_mark(world: &World, external: &ExternalId) -> AccountMark {
    world.outside.vault.index("external_id", external.as_str())
}

/// Binds the digits to phone and purpose, so that a code is worth nothing elsewhere.
pub(crate) fn code_hash(
    world: &World,
    phone: &PhoneIndex,
    purpose: CodePurpose,
    code: &PhoneCode,
) -> [u8; 32] {
    let mut text = format!("{}:{}:", purpose.name(), code.as_str());
    for byte in phone {
        text.push_str(&format!("{byte:02x}"));
    }
    world.outside.vault.index("code", &text)
}

pub(crate) fn code_try(
    world: &World,
    caller: &Caller,
    holder: CodeHolder,
    phone: PhoneIndex,
    purpose: CodePurpose,
    code: &PhoneCode,
) -> CodeTry {
    CodeTry {
        at: CodeField("code"),
        phone,
        purpose,
        holder,
        network: caller.network.clone(),
        code: code_hash(world, &phone, purpose, code),
        now: world.now(),
    }
}

/// The two secrets that a browser keeps.
#[derive(Clone, Debug)]
pub(crate) struct Cookies {
    pub token: SecretToken,
    pub device: SecretToken,
}

pub(crate) fn new_session(world: &World, caller: &Caller) -> (Cookies, NewSession) {
    let token = SecretToken::new(TokenKind::Session, world.outside.random.as_ref());
    let device = caller
        .device
        .clone()
        .unwrap_or_else(|| SecretToken::new(TokenKind::Device, world.outside.random.as_ref()));
    let session = NewSession {
        id: SessionId(world.next_id()),
        token_hash: token.hash(),
        device_hash: device.hash(),
        agent: caller.agent.clone(),
        address: caller.ip.clone(),
        consent: Consent::default(),
    };
    (Cookies { token, device }, session)
}

/// What a player agrees to by signing in: `given` names the terms that were shown. Terms that have changed since are
/// asked for again.
pub(crate) fn consent(world: &World, given: Option<&str>) -> Consent {
    let terms = world.settings.site.terms_name();
    Consent { given: terms.is_some() && given == terms.as_deref(), terms }
}

/// An account as it would be made now, named after the tail of its id until its owner says otherwise.
pub(crate) fn new_user(world: &World, phone: &Phone, name: Option<String>, hash: Option<String>) -> NewUser {
    let id = world.new_user_id();
    NewUser {
        id,
        name: name.unwrap_or_else(|| default_name(id)),
        phone_sealed: world.outside.vault.seal(SealContext::Phone, phone.as_str().as_bytes()),
        password_hash: hash,
        sign_up_day: world.site_day(world.now()),
    }
}

/// The key of a repetition for somebody who is not signed in: bound to the phone.
pub(crate) fn once_for_phone(
    world: &World,
    phone: &PhoneIndex,
    repeat: Option<Repeat>,
    token: &SecretToken,
) -> Option<Once> {
    let principal =
        phone.iter().take(16).fold(String::from("phone:"), |text, byte| text + &format!("{byte:02x}"));
    repeat.map(|repeat| once(world, principal, repeat, Some(token)))
}

pub(crate) fn once(world: &World, principal: String, repeat: Repeat, token: Option<&SecretToken>) -> Once {
    Once {
        principal,
        key: repeat.key,
        fingerprint: repeat.fingerprint,
        sealed: token.map(|token| world.outside.vault.seal(SealContext::Answer, token.as_str().as_bytes())),
    }
}

/// The token that goes out: the one just made, or the one of the first answer.
pub(crate) fn token_of(world: &World, made: &CreateOutcome, token: SecretToken) -> Result<SecretToken> {
    match &made.replayed {
        None => Ok(token),
        Some(Some(sealed)) => {
            let plain = world.outside.vault.open(SealContext::Answer, sealed)?;
            Ok(SecretToken::reveal(plain).ok_or_else(|| Fault::new("a kept answer holds no token"))?)
        }
        Some(None) => Err(Fault::new("a kept answer has lost its token").into()),
    }
}

pub(crate) fn enter(world: &World, made: &CreateOutcome, cookies: Cookies) -> Result<SignedInUser> {
    let Cookies { token, device } = cookies;
    Ok(SignedInUser { user: UserId(made.id), token: token_of(world, made, token)?, device })
}

pub(crate) fn external_id(text: &str) -> Result<ExternalId> {
    Ok(ExternalId::parse(text)?)
}
