//! Who is asking, when it is the company's backend: a key, and perhaps the user it acts for.

use domain::Rejection;
use domain::access::Scope;
use domain::account::{Ban, default_name};
use domain::ids::UserId;
use store::model::{AccountStatus, ExternalUser};

use crate::failure::Result;
use crate::people::entry::{external_id, external_mark};
use crate::people::external_ids::find_by_external_id;
pub use crate::people::sessions::KeyHolder;
use crate::people::tokens::{SecretToken, TokenKind};
use crate::world::World;

/// A live key, or `Unauthenticated`: revoked, rotated out and never made look alike.
pub async fn key_resolve(world: &World, secret: &str) -> Result<KeyHolder> {
    let secret = SecretToken::parse(TokenKind::ApiKey, secret).ok_or(Rejection::Unauthenticated)?;
    let found = world.people.sessions.key(&world.db, secret.hash(), world.now()).await?;
    Ok(found.ok_or(Rejection::Unauthenticated)?)
}

/// Whether a text that should be a key's secret was one a while ago.
pub fn is_known_key(world: &World, secret: &str) -> bool {
    SecretToken::parse(TokenKind::ApiKey, secret)
        .is_some_and(|secret| world.people.sessions.has_seen_key(&secret.hash()))
}

/// The internal account of one of the company's own users, made on first use. Needs the scope `play`.
pub async fn acting_user(world: &World, holder: KeyHolder, external: Option<&str>) -> Result<UserId> {
    if !holder.scopes.has(Scope::Play) {
        return Err(Rejection::ScopeMissing { needs: Scope::Play }.into());
    }
    let external = external.ok_or(Rejection::ActingUserMissing)?;
    let user = match world.people.sessions.acting_for_in_memory(external) {
        Some(user) => user,
        None => user_of(world, external).await?,
    };
    let standing = standing_of(world, user).await?;
    Ban::check(standing.ban.as_ref(), world.now())?;
    // A key that plays must not become a key that administers.
    if standing.roles.staff() {
        return Err(Rejection::PeopleOnly.into());
    }
    world.people.sessions.saw_acting_for(external, user);
    Ok(user)
}

/// Whom a key acts for, from memory alone; nothing where that is not certain.
pub fn acting_in_memory(world: &World, secret: &str, external: &str) -> Option<UserId> {
    let secret = SecretToken::parse(TokenKind::ApiKey, secret)?;
    let holder = world.people.sessions.key_in_memory(&secret.hash(), world.now())?;
    if holder.scopes.has(Scope::Play) { world.people.sessions.acting_for_in_memory(external) } else { None }
}

/// An account that came back a moment ago may be cached as the deleted one it was.
async fn standing_of(world: &World, user: UserId) -> Result<AccountStatus> {
    let accounts = &world.db;
    let mut standing = world.people.sessions.standing(accounts, user).await?;
    if standing.as_ref().is_some_and(|standing| standing.deleted) {
        world.people.sessions.forget_user(user);
        standing = world.people.sessions.standing(accounts, user).await?;
    }
    Ok(standing.ok_or(Rejection::Unauthenticated)?)
}

/// The account of one of the company's own users; made only if the caller asks for it, so that a mistyped id makes nobody.
pub async fn user_by_external_id(world: &World, external: &str, create: bool) -> Result<UserId> {
    if create { user_of(world, external).await } else { find_by_external_id(world, external).await }
}

/// The same without judging the user: facts may be set about somebody banned.
pub async fn user_of(world: &World, external: &str) -> Result<UserId> {
    let external = external_id(external)?;
    let now = world.now();
    let id = world.new_user_id();
    let step = ExternalUser {
        external_id: external.as_str().to_owned(),
        mark: external_mark(world, &external),
        id,
        name: default_name(id),
        sign_up_day: world.site_day(now),
        now,
    };
    world.db.external_user(step).await
}
