//! Signing out: here, one other device, or everywhere.

use domain::Rejection;
use domain::ids::{SessionId, UserId};
use domain::rejection::MissingThing;
use store::model::SessionRow;

use crate::failure::Result;
use crate::world::World;

/// Ends one session of this user. Ending one that is already gone is fine for oneself ("sign out" twice),
/// and `not_found` for a session picked from a list.
pub async fn session_end(world: &World, user: UserId, session: SessionId) -> Result<()> {
    let token_hash = world.db.session_end(user, session).await?;
    let token_hash = token_hash.ok_or(Rejection::NotFound { what: MissingThing::Session })?;
    world.people.sessions.forget_token(token_hash);
    Ok(())
}

pub async fn sign_out_everywhere(world: &World, user: UserId) -> Result<()> {
    world.db.sessions_end_all(user).await?;
    world.people.sessions.forget_user(user);
    Ok(())
}

/// Sessions of one's own that are still good.
pub async fn session_list(world: &World, user: UserId) -> Result<Vec<SessionRow>> {
    world.db.session_list(user, world.settings.session, world.now()).await
}
