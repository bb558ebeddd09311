//! The sandbox pays late: after the order's time is over.

use async_trait::async_trait;
use domain::ids::OrderId;
use store::model::{Message, SANDBOX};

use crate::failure::Result;
use crate::relay::{HandlerOutcome, LaneLimits, OneByOne};
use crate::sales::payments::{IncomingPayment, payment_accept};
use crate::world::World;

#[derive(Debug)]
pub(crate) struct Sandbox;

#[async_trait]
impl OneByOne for Sandbox {
    const LANE: &'static str = SANDBOX;
    const LIMITS: LaneLimits = LaneLimits { batch: 100, at_once: 8 };
    const REACHES_OUTSIDE: bool = false;

    async fn carry_out(world: &World, message: &Message) -> Result<HandlerOutcome> {
        let order = OrderId(message.subject);
        let Some(row) = world.db.sale_order(order).await? else {
            return Ok(HandlerOutcome::Dead("there is no such order".to_owned()));
        };
        let payment = IncomingPayment { reference: format!("late {}", message.id), order, money: row.total };
        payment_accept(world, SANDBOX, payment).await?;
        Ok(HandlerOutcome::Done)
    }
}
