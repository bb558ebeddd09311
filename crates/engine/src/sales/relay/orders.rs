//! Orders for which money came: the ledger takes the units, and what was bought goes on its way; or the money goes back.
//! Mostly the callback has done it already; the message is for those that did not come so far.

use async_trait::async_trait;
use domain::ids::PaymentId;
use store::model::{Message, ORDERS};

use crate::failure::Result;
use crate::relay::{HandlerOutcome, LaneLimits, OneByOne};
use crate::sales::payments::settle;
use crate::world::World;

#[derive(Debug)]
pub(crate) struct Orders;

#[async_trait]
impl OneByOne for Orders {
    const LANE: &'static str = ORDERS;
    const LIMITS: LaneLimits = LaneLimits { batch: 500, at_once: 32 };
    const REACHES_OUTSIDE: bool = false;

    async fn carry_out(world: &World, message: &Message) -> Result<HandlerOutcome> {
        settle(world, PaymentId(message.subject)).await?;
        Ok(HandlerOutcome::Done)
    }
}
