//! Somebody did something: it is recorded once, and every rule of its kind that is on says what it is worth.
//!
//! [`behaviours_record`] is for those who report behaviours, above all the company's backend; [`record_own`] for what Windfall
//! sees itself (a check-in, a post, a like). A behaviour, the grants that come of it and their messages are one transaction, so that telling
//! it again, however often, gives nothing more. The key of a behaviour names the deed (`check_in` of user 5 on a day),
//! not the request that reports it.

use domain::Rejection;
use domain::access::own_account;
use domain::grants::Behaviour;
use domain::ids::GrantId;
use domain::rejection::MissingThing;
use futures::future::join_all;
use store::model::{Actor, AuditStamp, BehaviourRecord, BehaviourResult, Calendar, Recording};

use crate::failure::{Failure, Result};
use crate::points::calendar;
use crate::points::grants::reverse_row;
use crate::world::World;

/// Behaviours in one request.
pub const BEHAVIOURS_MAX: usize = 100;
/// Ids that are made before it is known how many are needed.
const IDS_FIRST: usize = 4;

/// Each by itself, in order; what is refused spoils nothing else. Nobody tells what they did themselves, and no key what its
/// maker did.
pub async fn behaviours_record(
    world: &World,
    signed: &AuditStamp,
    behaviours: Vec<Behaviour>,
) -> Result<Vec<Result<BehaviourResult, Rejection>>> {
    let all = behaviours.into_iter().map(|behaviour| one(world, signed, behaviour));
    let answers = join_all(all).await.into_iter().map(|answer| match answer {
        Ok(recorded) => Ok(Ok(recorded)),
        Err(Failure::Rejected(rejection)) => Ok(Err(rejection)),
        Err(fault @ Failure::Fault(_)) => Err(fault),
    });
    answers.collect()
}

async fn one(world: &World, signed: &AuditStamp, behaviour: Behaviour) -> Result<BehaviourResult> {
    own_account(signed.responsible, behaviour.user)?;
    let in_person = matches!(signed.actor, Actor::Person(_) | Actor::Console);
    let told_by = in_person.then(|| AuditStamp { audit_id: world.next_id(), ..signed.clone() });
    record(world, behaviour, told_by).await
}

/// What Windfall saw itself.
pub(crate) async fn record_own(world: &World, behaviour: Behaviour) -> Result<()> {
    record(world, behaviour, None).await.map(drop)
}

async fn record(world: &World, behaviour: Behaviour, told_by: Option<AuditStamp>) -> Result<BehaviourResult> {
    let now = world.now();
    let site_expires = world.points_expire(now);
    let calendar = Calendar { day: calendar::day_in, expires: calendar::expires_in, site_expires };
    let mut needed = IDS_FIRST;
    loop {
        let ids = (0..needed).map(|_| GrantId(world.next_id())).collect();
        let step =
            BehaviourRecord { behaviour: behaviour.clone(), ids, calendar, now, told_by: told_by.clone() };
        match world.db.behaviour_record(step).await? {
            Recording::Done(recorded) => {
                count(&recorded);
                return Ok(recorded);
            }
            Recording::MoreIds(more) => needed = more,
        }
    }
}

/// Takes everything back that came of a behaviour, as far as it can be. The same again is the same answer.
pub async fn undo(world: &World, signed: AuditStamp, kind: &str, key: &str) -> Result<BehaviourResult> {
    let look = || world.db.behaviour_look(kind.to_owned(), key.to_owned());
    let unknown = || Rejection::NotFound { what: MissingThing::Behaviour };
    let recorded = look().await?.ok_or_else(unknown)?;
    for row in &recorded.grants {
        own_account(signed.responsible, row.user)?;
        let again = AuditStamp { audit_id: world.next_id(), ..signed.clone() };
        reverse_row(world, again, row).await?;
    }
    if !recorded.undone {
        world.db.behaviour_undo(kind.to_owned(), key.to_owned(), signed).await?;
    }
    Ok(look().await?.ok_or_else(unknown)?)
}

fn count(recorded: &BehaviourResult) {
    if recorded.repeated {
        return;
    }
    for grant in &recorded.grants {
        metrics::counter!("windfall_grants_total", "gives" => grant.gives.name()).increment(1);
    }
    for (_, why) in &recorded.passed {
        metrics::counter!("windfall_grants_passed_total", "why" => why.name()).increment(1);
    }
}
