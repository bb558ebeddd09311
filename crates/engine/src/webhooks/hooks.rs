//! Messages to subscriptions: a lane for each that is on, so that a slow receiver holds up nobody else.
//!
//! A receiver that fails is left alone for a while that grows, so that a long backlog does not run against a closed door.
//! What a receiver may hold us up for is bounded well below a lane's lease.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use domain::ids::WebhookId;
use domain::outbox::backoff_ms;
use domain::time::{MINUTE_MS, Timestamp};
use store::model::{LaneFence, Message, hook_lane, hook_of};
use tokio::time::Instant;

use crate::failure::Result;
use crate::relay::delivering::Delivering;
use crate::relay::{Handler, HandlerOutcome, LaneLimits, by_user};
use crate::world::World;

const BATCH: u32 = 500;
/// Requests under way at once to one receiver.
const AT_ONCE: usize = 32;
/// No request of a batch begins later than this.
const BEGIN_WITHIN: Duration = Duration::from_secs(10);
/// The longest rest of a receiver that fails.
const REST_MS: i64 = MINUTE_MS;

/// Failing batches in a row, and until when the receiver is left alone.
type Rest = (u32, Timestamp);

#[derive(Debug, Default)]
pub(crate) struct Hooks {
    resting: Mutex<HashMap<WebhookId, Rest>>,
}

#[async_trait]
impl Handler for Hooks {
    fn name(&self) -> &'static str {
        "hooks"
    }

    fn reaches_outside(&self) -> bool {
        true
    }

    fn limits(&self) -> LaneLimits {
        LaneLimits { batch: BATCH, at_once: AT_ONCE }
    }

    async fn lanes(&self, world: &World) -> Result<Vec<String>> {
        let hooks = world.db.webhook_list().await?;
        Ok(hooks.into_iter().filter(|hook| hook.off.is_none()).map(|hook| hook_lane(hook.id)).collect())
    }

    async fn handle(
        &self,
        world: &World,
        fence: &LaneFence,
        batch: &[Message],
    ) -> Result<Vec<HandlerOutcome>> {
        let kept = || vec![HandlerOutcome::Kept; batch.len()];
        let Some(id) = hook_of(&fence.lane) else { return Ok(kept()) };
        if self.rests(id, world.now()) {
            return Ok(kept());
        }
        let hook = world.db.webhook_find(id).await?.filter(|hook| hook.off.is_none());
        let Some(hook) = hook else { return Ok(kept()) };
        let delivering = Delivering::to(world, &hook)?;
        let until = Instant::now() + BEGIN_WITHIN;
        let handled = by_user(batch, AT_ONCE, |message| {
            let delivering = &delivering;
            async move {
                let (succeeded, failed) = delivering.score();
                // The door is closed: the rest of the batch is not run against it.
                if Instant::now() >= until || (succeeded == 0 && failed >= AT_ONCE) {
                    return HandlerOutcome::Kept;
                }
                delivering.attempt(message, &message.kind, &message.body).await
            }
        })
        .await;
        self.note(world, id, delivering.score());
        delivering.finish().await?;
        Ok(handled)
    }
}

impl Hooks {
    fn rests(&self, id: WebhookId, now: Timestamp) -> bool {
        self.resting().get(&id).is_some_and(|(_, until)| now < *until)
    }

    fn note(&self, world: &World, id: WebhookId, (succeeded, failed): (usize, usize)) {
        let mut resting = self.resting();
        if succeeded > 0 || failed == 0 {
            resting.remove(&id);
            return;
        }
        let rest = resting.entry(id).or_insert((0, world.now()));
        rest.0 = rest.0.saturating_add(1);
        let wait = backoff_ms(rest.0, u32::from_be_bytes(world.bytes())).min(REST_MS);
        rest.1 = world.now() + wait;
    }

    fn resting(&self) -> std::sync::MutexGuard<'_, HashMap<WebhookId, Rest>> {
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
