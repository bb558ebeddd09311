//! Events, copied into the lane of each subscription that wants them, in the transaction that takes them from their own.

use async_trait::async_trait;
use domain::webhook::EventKind;
use serde_json::Value as Json;
use store::model::{EVENTS, FanOut, LaneFence, Message, NewMessage, hook_lane};

use crate::failure::Result;
use crate::fulfilment::relay::prizes::name_prize;
use crate::relay::envelope::{ExternalIds, render};
use crate::relay::{Handler, HandlerOutcome, LaneLimits};
use crate::world::World;

/// With every subscription wanting all of them this is ten thousand messages in one transaction.
const BATCH: u32 = 200;

#[derive(Debug)]
pub(crate) struct Events;

#[async_trait]
impl Handler for Events {
    fn name(&self) -> &'static str {
        EVENTS
    }

    fn reaches_outside(&self) -> bool {
        true
    }

    fn limits(&self) -> LaneLimits {
        LaneLimits { batch: BATCH, at_once: 1 }
    }

    async fn handle(
        &self,
        world: &World,
        fence: &LaneFence,
        batch: &[Message],
    ) -> Result<Vec<HandlerOutcome>> {
        let hooks = world.db.webhook_list().await?;
        let whose = ExternalIds::of(world, batch).await?;
        let now = world.now();
        let mut all = Vec::with_capacity(batch.len());
        let (mut events, mut copies) = (Vec::new(), Vec::new());
        for message in batch {
            let data = serde_json::from_str::<Json>(&message.body).ok();
            let Some((kind, mut data)) = EventKind::parse(&message.kind).zip(data) else {
                all.push(HandlerOutcome::Dead("unreadable".to_owned()));
                continue;
            };
            name_prize(world, kind, &mut data).await?;
            let Some(body) = render(message, kind.name(), data, &whose) else {
                all.push(HandlerOutcome::Dead("unwritable".to_owned()));
                continue;
            };
            let wanted = hooks.iter().filter(|hook| hook.off.is_none() && hook.wants.wants(kind));
            copies.extend(wanted.map(|hook| NewMessage {
                id: world.next_id(),
                lane: hook_lane(hook.id),
                user: message.user,
                kind: kind.name(),
                subject: message.subject,
                body: body.clone(),
                made: now,
                due: now,
            }));
            events.push(message.clone());
            all.push(HandlerOutcome::Finished);
        }
        world.db.fan_out(FanOut { fence: fence.clone(), events, copies, now }).await?;
        Ok(all)
    }
}
