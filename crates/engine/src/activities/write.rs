//! Writing an activity down, changing what is not published, and beginning a new one from an old one.

use domain::Rejection;
use domain::account::Reason;
use domain::activity::{Content, NAME_MAX};
use domain::flaw::Flaw;
use domain::ids::ActivityId;
use store::model::{ActivityCreate, ActivityDiscard, ActivityEdit, AuditStamp};

use crate::access::key_admin::principal;
use crate::activities::queries::{activity_get, version_get};
use crate::caller::Repeat;
use crate::failure::{Fault, Result};
use crate::people::entry::once;
use crate::world::World;

/// Behind the name of a clone.
const COPY: &str = " (copy)";

pub async fn activity_create(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    content: Content,
) -> Result<ActivityId> {
    create(world, signed, repeat, content, None).await
}

/// A new activity that says what an old one says: its version in place, or else the one in the making. Secrets, state
/// and what was drawn stay behind.
pub async fn activity_clone(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    id: ActivityId,
) -> Result<ActivityId> {
    let row = activity_get(world, id).await?;
    let number = row.live.or(row.draft.map(|draft| draft.number)).unwrap_or(1);
    let mut content = version_get(world, id, number).await?.content;
    let mut draft = content.configuration.draft();
    let room = NAME_MAX - COPY.chars().count();
    draft.name = draft.name.chars().take(room).chain(COPY.chars()).collect();
    content.configuration = match draft.check() {
        Ok(configuration) => configuration,
        Err(wrong) => {
            Rejection::of_flaws(wrong.into_iter().map(Flaw::from))?;
            return Err(Fault::new(format!("activity {id} cannot be cloned")).into());
        }
    };
    create(world, signed, repeat, content, Some(id)).await
}

async fn create(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    content: Content,
    cloned_from: Option<ActivityId>,
) -> Result<ActivityId> {
    let id = ActivityId(world.next_id());
    let content = content.placed(id, 1);
    let once = repeat.map(|repeat| once(world, principal(signed.actor), repeat, None));
    let made = world.db.activity_create(ActivityCreate { id, content, cloned_from, once, signed }).await?;
    Ok(ActivityId(made.id))
}

/// Takes the version in the making back; an activity that was never published goes with it.
pub async fn activity_discard(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    id: ActivityId,
    edition: u32,
) -> Result<()> {
    if !signed.reason.is_empty() {
        Reason::parse(&signed.reason)?;
    }
    let once = repeat.map(|repeat| once(world, principal(signed.actor), repeat, None));
    world.db.activity_discard(ActivityDiscard { id, edition, once, signed }).await?;
    Ok(())
}

/// Writes the version in the making, or begins the next one of what is published. `edition` is the one its author saw.
pub async fn activity_edit(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    id: ActivityId,
    edition: u32,
    content: Content,
) -> Result<()> {
    let row = activity_get(world, id).await?;
    let number = row.draft.map_or_else(|| row.live.unwrap_or(0) + 1, |draft| draft.number);
    let content = content.placed(id, number);
    let once = repeat.map(|repeat| once(world, principal(signed.actor), repeat, None));
    world.db.activity_edit(ActivityEdit { id, edition, number, content, once, signed }).await?;
    Ok(())
}
