//! API keys: made, rotated with overlap, revoked. A secret is shown once and stored hashed.
//!
//! Keys are made by people. One with `admin` works once a second person has approved it. A key answers to its maker: it has no
//! daily allowance of its own, and it ends when its maker is banned, deleted or no admin any more.

use domain::Rejection;
use domain::access::{Scope, Scopes};
use domain::account::Name;
use domain::ids::{ApprovalId, KeyId};
use domain::rejection::FieldProblem;
use domain::time::HOUR_MS;
use store::model::KeyRow;
use store::model::{Actor, AuditStamp, KeyCreate, KeyMade, KeyRotate};

use crate::caller::Repeat;
use crate::failure::Result;
use crate::people::entry::{once, token_of};
use crate::people::tokens::{SecretToken, TokenKind};
use crate::world::World;

/// The longest two secrets of one key may both work.
pub const OVERLAP_MAX_HOURS: i64 = 24 * 30;

#[derive(Clone, Debug)]
pub struct KeySecret {
    pub id: KeyId,
    pub secret: SecretToken,
    /// The request that a second person has to approve before the key works.
    pub waits: Option<ApprovalId>,
}

pub async fn key_create(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    name: &str,
    scopes: &[String],
) -> Result<KeySecret> {
    let name = Name::parse(name)?;
    let scopes = parse_scopes(scopes)?;
    let secret = SecretToken::new(TokenKind::ApiKey, world.outside.random.as_ref());
    let step = KeyCreate {
        id: KeyId(world.next_id()),
        name: name.as_str().to_owned(),
        scopes,
        secret_hash: secret.hash(),
        second: world.second_person(),
        live_max: world.settings.alone.keys_live_max,
        once: repeat.map(|repeat| once(world, principal(signed.actor), repeat, Some(&secret))),
        signed,
    };
    let KeyMade { made, waits } = world.db.key_create(step).await?;
    Ok(KeySecret { id: KeyId(made.id), secret: token_of(world, &made, secret)?, waits })
}

pub async fn key_rotate(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    id: KeyId,
    overlap_hours: i64,
) -> Result<KeySecret> {
    if !(0..=OVERLAP_MAX_HOURS).contains(&overlap_hours) {
        let problem = FieldProblem::OutOfRange { min: 0, max: OVERLAP_MAX_HOURS };
        return Err(Rejection::invalid("overlap_hours", problem).into());
    }
    let secret = SecretToken::new(TokenKind::ApiKey, world.outside.random.as_ref());
    let step = KeyRotate {
        id,
        secret_hash: secret.hash(),
        overlap_until: world.now() + overlap_hours * HOUR_MS,
        live_max: world.settings.alone.keys_live_max,
        once: repeat.map(|repeat| once(world, principal(signed.actor), repeat, Some(&secret))),
        signed,
    };
    let made = world.db.key_rotate(step).await?;
    world.people.sessions.forget_key(id);
    Ok(KeySecret { id: KeyId(made.id), secret: token_of(world, &made, secret)?, waits: None })
}

/// Whose idempotency keys these are.
pub(crate) fn principal(actor: Actor) -> String {
    match actor {
        Actor::Person(user) => format!("user:{user}"),
        Actor::Key(key) => format!("key:{key}"),
        Actor::Console => "console".to_owned(),
        Actor::System => "system".to_owned(),
    }
}

fn parse_scopes(names: &[String]) -> Result<Scopes> {
    let scopes: Option<Vec<Scope>> = names.iter().map(|name| Scope::parse(name)).collect();
    match scopes {
        Some(scopes) if !scopes.is_empty() => Ok(Scopes::of(&scopes)),
        Some(_) => Err(Rejection::invalid("scopes", FieldProblem::Missing).into()),
        None => Err(Rejection::invalid("scopes", FieldProblem::NotOneOf { allowed: Scope::NAMES }).into()),
    }
}

/// Every key there is or was, the newest first.
pub async fn key_list(world: &World) -> Result<Vec<KeyRow>> {
    world.db.key_list().await
}

/// Ends a key. One that has ended stays so.
pub async fn key_revoke(world: &World, signed: AuditStamp, key: KeyId) -> Result<()> {
    let revoked = world.db.key_revoke(key, signed).await;
    world.people.sessions.forget_key(key);
    revoked
}
