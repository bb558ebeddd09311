//! Messages of the lane become notifications. Those and the end of their messages are one transaction; whoever has a stream
//! open hears of it at once.

use async_trait::async_trait;
use store::model::{LaneFence, Message, NOTIFICATIONS, NotificationMessage, NotificationsWrite};

use crate::failure::Result;
use crate::relay::handlers::body;
use crate::relay::{Handler, HandlerOutcome, LaneLimits};
use crate::world::World;

/// Notifications in one transaction.
const BATCH: u32 = 200;

#[derive(Debug)]
pub(crate) struct Notifications;

#[async_trait]
impl Handler for Notifications {
    fn name(&self) -> &'static str {
        NOTIFICATIONS
    }

    fn reaches_outside(&self) -> bool {
        false
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
        let (mut outcomes, mut messages) = (Vec::with_capacity(batch.len()), Vec::new());
        for message in batch {
            match body::<NotificationMessage>(message) {
                Ok(said) => {
                    messages.push((message.clone(), said));
                    outcomes.push(HandlerOutcome::Finished);
                }
                Err(unreadable) => outcomes.push(unreadable),
            }
        }
        let ids = messages.iter().map(|_| world.next_id()).collect();
        let step = NotificationsWrite { fence: fence.clone(), messages, ids, now: world.now() };
        for user in world.db.notifications_write(step).await? {
            world.community.news.announce(user);
        }
        Ok(outcomes)
    }
}
