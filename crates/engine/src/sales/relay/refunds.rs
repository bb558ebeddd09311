//! Money that goes back, by the provider it came from. The refund's id is the payment's, so that a provider who hears of it
//! twice gives it back once.

use async_trait::async_trait;
use domain::ids::PaymentId;
use store::model::{Message, REFUNDS};

use crate::failure::Result;
use crate::relay::{HandlerOutcome, LaneLimits, OneByOne};
use crate::sales::payments::refund_carry_out;
use crate::world::World;

#[derive(Debug)]
pub(crate) struct Refunds;

#[async_trait]
impl OneByOne for Refunds {
    const LANE: &'static str = REFUNDS;
    const LIMITS: LaneLimits = LaneLimits { batch: 200, at_once: 16 };
    const REACHES_OUTSIDE: bool = true;

    async fn carry_out(world: &World, message: &Message) -> Result<HandlerOutcome> {
        let refunded = refund_carry_out(world, PaymentId(message.subject)).await?;
        Ok(refunded.map_or_else(HandlerOutcome::Again, |()| HandlerOutcome::Done))
    }
}
