//! A lane whose messages are carried out one by one: several users at once, each user's in order.

use async_trait::async_trait;
use store::model::{LaneFence, Message};

use super::handlers::later;
use super::{Handler, HandlerOutcome, LaneLimits, by_user};
use crate::failure::Result;
use crate::world::World;

#[async_trait]
pub(crate) trait OneByOne: Send + Sync {
    const LANE: &'static str;
    const LIMITS: LaneLimits;
    /// See [`Handler::reaches_outside`].
    const REACHES_OUTSIDE: bool;

    /// Carries out one message; a failure is tried again later.
    async fn carry_out(world: &World, message: &Message) -> Result<HandlerOutcome>;
}

#[async_trait]
impl<T: OneByOne> Handler for T {
    fn name(&self) -> &'static str {
        Self::LANE
    }

    fn reaches_outside(&self) -> bool {
        Self::REACHES_OUTSIDE
    }

    fn limits(&self) -> LaneLimits {
        Self::LIMITS
    }

    async fn handle(&self, world: &World, _: &LaneFence, batch: &[Message]) -> Result<Vec<HandlerOutcome>> {
        let carry_out = |message| async move { Self::carry_out(world, message).await.unwrap_or_else(later) };
        Ok(by_user(batch, Self::LIMITS.at_once, carry_out).await)
    }
}
