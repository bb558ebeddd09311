//! What moderators see and do.

use domain::Rejection;
use domain::community::ModerationAct;
use domain::ids::PostId;
use domain::rejection::MissingThing;
use store::model::{AuditStamp, PostModerate, PostVersion};

use super::posts::{OpenPost, open};
use super::release_terms;
use crate::failure::Result;
use crate::world::World;

pub async fn post_moderate(
    world: &World,
    id: PostId,
    act: ModerationAct,
    signed: AuditStamp,
) -> Result<OpenPost> {
    world.db.post_moderate(PostModerate { id, act, signed, terms: release_terms(world) }).await?;
    look(world, id).await
}

/// A post in any state, and what it said before.
pub async fn post_history(world: &World, id: PostId) -> Result<(OpenPost, Vec<PostVersion>)> {
    Ok((look(world, id).await?, world.db.post_versions(id).await?))
}

async fn look(world: &World, id: PostId) -> Result<OpenPost> {
    let whole = world.db.post_whole(id, None, world.now()).await?;
    let whole = whole.ok_or(Rejection::NotFound { what: MissingThing::Post })?;
    Ok(open(world, whole))
}
