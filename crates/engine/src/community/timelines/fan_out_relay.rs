//! Posts that were published, brought into timelines.

use async_trait::async_trait;
use domain::ids::PostId;
use store::model::{FAN_OUTS, Message};

use super::TimelineParts;
use crate::failure::Result;
use crate::relay::{HandlerOutcome, LaneLimits, OneByOne};
use crate::world::World;

/// Posts in one batch.
const BATCH: u32 = 100;
/// Posts that are delivered at once.
const AT_ONCE: usize = 4;

#[derive(Debug)]
pub(crate) struct FanOuts;

#[async_trait]
impl OneByOne for FanOuts {
    const LANE: &'static str = FAN_OUTS;
    const LIMITS: LaneLimits = LaneLimits { batch: BATCH, at_once: AT_ONCE };
    const REACHES_OUTSIDE: bool = false;

    async fn carry_out(world: &World, message: &Message) -> Result<HandlerOutcome> {
        TimelineParts::of(world).fan_out(PostId(message.subject), world.now()).await?;
        Ok(HandlerOutcome::Done)
    }
}
