//! What Windfall saw people do, recorded under the rules of grants: behaviours as if somebody had reported them, and those that
//! were taken back.

use async_trait::async_trait;
use domain::Rejection;
use domain::grants::Behaviour;
use domain::ids::UserId;
use store::model::{Actor, BEHAVIOUR, BEHAVIOUR_UNDO, BEHAVIOURS, BehaviourMessage, Message};

use crate::failure::{Failure, Result};
use crate::points::behaviours::{record_own, undo};
use crate::relay::handlers::body;
use crate::relay::{HandlerOutcome, LaneLimits, OneByOne};
use crate::world::World;

/// The reason of what is taken back, for the record.
const UNDONE: &str = "it was taken back or removed";

#[derive(Debug)]
pub(crate) struct Behaviours;

#[async_trait]
impl OneByOne for Behaviours {
    const LANE: &'static str = BEHAVIOURS;
    const LIMITS: LaneLimits = LaneLimits { batch: 500, at_once: 16 };
    const REACHES_OUTSIDE: bool = false;

    async fn carry_out(world: &World, message: &Message) -> Result<HandlerOutcome> {
        let Some(user) = message.user else { return Ok(HandlerOutcome::Dead("nobody's act".to_owned())) };
        let said: BehaviourMessage = match body(message) {
            Ok(said) => said,
            Err(unreadable) => return Ok(unreadable),
        };
        let done = match message.kind.as_str() {
            BEHAVIOUR => record(world, user, message, &said).await,
            BEHAVIOUR_UNDO => {
                let signed = world.audit_stamp(Actor::System, UNDONE, &message.id.to_string());
                undo(world, signed, &said.behaviour, &said.key).await.map(drop)
            }
            other => return Ok(HandlerOutcome::Dead(format!("a message {other}"))),
        };
        match done {
            // The account is gone, or nothing was recorded that could be undone.
            Ok(()) | Err(Failure::Rejected(Rejection::NotFound { .. })) => Ok(HandlerOutcome::Done),
            Err(Failure::Rejected(Rejection::IdConflict)) => {
                Ok(HandlerOutcome::Dead("its key is that of another behaviour".to_owned()))
            }
            Err(failure) => Err(failure),
        }
    }
}

async fn record(world: &World, user: UserId, message: &Message, said: &BehaviourMessage) -> Result<()> {
    let what = (said.behaviour.as_str(), said.key.as_str(), Some(said.object.as_str()));
    // Judged by the moment when it happened, however late it is handled.
    let mut behaviour = Behaviour::new(user, what, None, message.made)?;
    behaviour.day = said.day;
    record_own(world, behaviour).await
}
