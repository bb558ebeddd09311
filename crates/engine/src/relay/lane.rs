//! The work on one lane: a batch at a time, from what is due to what came of it.

use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use domain::Rejection;
use domain::outbox::{backoff_ms, is_last_attempt};
use domain::time::{MINUTE_MS, Timestamp};
use futures::FutureExt;
use store::model::{DeliveryOutcome, Finish, LaneClaim, LaneFence, Message};

use crate::failure::{Failure, Fault, Result};
use crate::relay::{Handler, HandlerOutcome};
use crate::world::World;

/// A worker that died leaves its lane to others after this long.
const LEASE_MS: i64 = MINUTE_MS;
/// A lease is renewed when less than this is left of it.
const RENEW_MS: i64 = LEASE_MS / 2;

/// A lane, whoever may hold it now.
pub(crate) struct Lane {
    pub name: String,
    pub handler: Arc<dyn Handler>,
    pub holder: String,
    held: Option<(LaneFence, Timestamp)>,
}

/// What a turn came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Another worker has the lane.
    NotOurs,
    Idle,
    /// So many messages; there may be more.
    Worked(u64),
}

impl Lane {
    pub fn new(name: String, handler: Arc<dyn Handler>, holder: &str) -> Self {
        Self { name, handler, holder: holder.to_owned(), held: None }
    }

    /// One batch. A failure leaves everything where it was.
    pub async fn turn(&mut self, world: &World) -> Result<Turn> {
        let Some(fence) = self.hold(world).await? else { return Ok(Turn::NotOurs) };
        let limits = self.handler.limits();
        let batch = world.db.outbox_due(fence.clone(), world.now(), limits.batch).await?;
        if batch.is_empty() {
            return Ok(Turn::Idle);
        }
        let handled = match self.handle(world, &fence, &batch).await {
            Ok(handled) => handled,
            Err(failure) if is_transient(&failure) => return Err(failure),
            // One of them may be poison: each by itself, so that it harms no other.
            Err(_) => self.one_by_one(world, &fence, &batch).await?,
        };
        let worked = handled.iter().filter(|handled| **handled != HandlerOutcome::Kept).count() as u64;
        let came = judge(world, self.handler.name(), batch, handled);
        if !came.is_empty() {
            world.db.outbox_finish(Finish { fence, came, now: world.now() }).await?;
        }
        // Where nothing moved there is nothing more to do now.
        Ok(if worked == 0 { Turn::Idle } else { Turn::Worked(worked) })
    }

    /// Forgets the lease, after somebody said that it is lost.
    pub fn let_go(&mut self) {
        self.held = None;
    }

    async fn hold(&mut self, world: &World) -> Result<Option<LaneFence>> {
        let now = world.now();
        if let Some((fence, until)) = &self.held
            && now + RENEW_MS < *until
        {
            return Ok(Some(fence.clone()));
        }
        let (lane, holder) = (self.name.clone(), self.holder.clone());
        let claim = LaneClaim { lane, holder, now, lease_ms: LEASE_MS };
        let fence = world.db.lane_claim(claim).await?;
        self.held = fence.clone().map(|fence| (fence, now + LEASE_MS));
        Ok(fence)
    }

    async fn handle(
        &self,
        world: &World,
        fence: &LaneFence,
        batch: &[Message],
    ) -> Result<Vec<HandlerOutcome>> {
        // A handler that panics has failed; the lane goes on.
        let handled = AssertUnwindSafe(self.handler.handle(world, fence, batch)).catch_unwind().await;
        let handled = handled.unwrap_or_else(|_| Err(Fault::new("the handler panicked").into()))?;
        if handled.len() == batch.len() {
            return Ok(handled);
        }
        Err(Fault::new(format!("{} messages and {} answers", batch.len(), handled.len())).into())
    }

    async fn one_by_one(
        &self,
        world: &World,
        fence: &LaneFence,
        batch: &[Message],
    ) -> Result<Vec<HandlerOutcome>> {
        let mut all = Vec::with_capacity(batch.len());
        let mut waiting = HashSet::new();
        for message in batch {
            if message.user.is_some_and(|user| waiting.contains(&user)) {
                all.push(HandlerOutcome::Kept);
                continue;
            }
            let handled = match self.handle(world, fence, std::slice::from_ref(message)).await {
                Ok(mut handled) => handled.pop().unwrap_or(HandlerOutcome::Kept),
                Err(failure) if is_transient(&failure) => return Err(failure),
                Err(failure) => HandlerOutcome::Again(story(&failure)),
            };
            if matches!(handled, HandlerOutcome::Again(_) | HandlerOutcome::Kept) {
                waiting.extend(message.user);
            }
            all.push(handled);
        }
        Ok(all)
    }
}

/// Whether a failure says nothing of any message: whoever was asked is too busy, or the lane is another's.
fn is_transient(failure: &Failure) -> bool {
    match failure {
        Failure::Rejected(rejection) => rejection.is_transient() || matches!(rejection, Rejection::LeaseLost),
        Failure::Fault(_) => false,
    }
}

fn judge(
    world: &World,
    handler: &'static str,
    batch: Vec<Message>,
    handled: Vec<HandlerOutcome>,
) -> Vec<(Message, DeliveryOutcome)> {
    let mut all = Vec::with_capacity(batch.len());
    for (message, handled) in batch.into_iter().zip(handled) {
        let failed = message.attempts.saturating_add(1);
        let came = match handled {
            HandlerOutcome::Kept => continue,
            HandlerOutcome::Finished => {
                count(handler, &DeliveryOutcome::Done);
                continue;
            }
            HandlerOutcome::Done => DeliveryOutcome::Done,
            HandlerOutcome::HandedOver => DeliveryOutcome::HandedOver,
            HandlerOutcome::Again(error) if is_last_attempt(failed) => DeliveryOutcome::Dead { error },
            HandlerOutcome::Again(error) => {
                let spread = u32::from_be_bytes(world.bytes());
                DeliveryOutcome::Again { due: world.now() + backoff_ms(failed, spread), error }
            }
            HandlerOutcome::Dead(error) => DeliveryOutcome::Dead { error },
        };
        if let DeliveryOutcome::Dead { error } = &came {
            tracing::error!(
                handler,
                message = message.id,
                error,
                "a message is given up; redrive it when the cause is gone"
            );
        }
        count(handler, &came);
        all.push((message, came));
    }
    all
}

fn count(handler: &'static str, came: &DeliveryOutcome) {
    let came = match came {
        DeliveryOutcome::Done | DeliveryOutcome::HandedOver => "done",
        DeliveryOutcome::Again { .. } => "again",
        DeliveryOutcome::Dead { .. } => "dead",
    };
    metrics::counter!("windfall_relay_messages_total", "lane" => handler, "came" => came).increment(1);
}

pub(crate) fn story(failure: &Failure) -> String {
    match failure {
        Failure::Rejected(rejection) => rejection.to_string(),
        Failure::Fault(fault) => fault.story(),
    }
}
