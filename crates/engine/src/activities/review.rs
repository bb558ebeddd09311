//! The review of a version: submitted after the full check, taken back, approved or refused by somebody else.

use domain::Rejection;
use domain::access::Decider;
use domain::account::Reason;
use domain::activity::{Action, FieldNames, LifeState};
use domain::ids::ActivityId;
use store::model::{ActivityRow, Actor, AuditStamp, SeenEdition};

use crate::activities::check::check;
use crate::activities::queries::{activity_get, version_get};
use crate::activities::run::{Acting, act};
use crate::caller::Repeat;
use crate::failure::Result;
use crate::world::World;

/// What a reviewer decides about: which version and edition of it they saw, if they say so.
#[derive(Clone, Copy, Debug)]
pub struct ReviewTarget {
    pub id: ActivityId,
    pub seen: Option<SeenEdition>,
}

/// Refused with everything that is wrong. What was checked is what is submitted: an edit in between is told.
pub async fn activity_submit(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    id: ActivityId,
    names: FieldNames,
) -> Result<ActivityRow> {
    let by = in_person(signed.actor)?;
    let row = activity_get(world, id).await?;
    let mut acting = Acting::new(id, Action::Submit, by, signed, repeat);
    // In another state there is nothing to submit, and the step says so.
    if let Some(making) = row.draft.filter(|making| making.review == LifeState::Editing) {
        let draft = version_get(world, id, making.number).await?;
        let live = match row.live {
            Some(number) => Some(version_get(world, id, number).await?),
            None => None,
        };
        acting.seen = Some(SeenEdition { number: draft.number, edition: draft.edition });
        acting.tree_version = check(world, &draft, live.as_ref(), names).await?;
    }
    act(world, acting).await
}

pub async fn activity_withdraw(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    id: ActivityId,
) -> Result<ActivityRow> {
    let by = in_person(signed.actor)?;
    act(world, Acting::new(id, Action::Withdraw, by, signed, repeat)).await
}

/// Puts the version in place at once. Its secret is made here, and kept before anything is published.
pub async fn activity_approve(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    ReviewTarget { id, seen }: ReviewTarget,
) -> Result<ActivityRow> {
    let by = in_person(signed.actor)?;
    act(world, Acting { seen, ..Acting::new(id, Action::Approve, by, signed, repeat) }).await
}

pub async fn activity_refuse(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    ReviewTarget { id, seen }: ReviewTarget,
) -> Result<ActivityRow> {
    Reason::parse(&signed.reason)?;
    let by = in_person(signed.actor)?;
    act(world, Acting { seen, ..Acting::new(id, Action::Refuse, by, signed, repeat) }).await
}

/// A key is nobody's second pair of eyes, and nobody's first.
fn in_person(actor: Actor) -> Result<Decider, Rejection> {
    match actor {
        Actor::Person(user) => Ok(Decider::Person(user)),
        Actor::Console => Ok(Decider::Console),
        Actor::Key(_) | Actor::System => Err(Rejection::PeopleOnly),
    }
}
