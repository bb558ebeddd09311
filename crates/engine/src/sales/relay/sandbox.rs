//! The sandbox pays late: after the order's time is over.

use async_trait::async_trait;
use domain::ids::OrderId;
use store::model::{LaneFence, Message, SANDBOX};

use crate::failure::Result;
use crate::relay::handlers::later;
use crate::relay::{Handled, Handler, Limits, by_user};
use crate::sales::payments::{IncomingPayment, payment_arrived};
use crate::world::World;

const BATCH: u32 = 100;
const AT_ONCE: usize = 8;

#[derive(Debug)]
pub(crate) struct Sandbox;

#[async_trait]
impl Handler for Sandbox {
    fn name(&self) -> &'static str {
        SANDBOX
    }

    fn goes_outside(&self) -> bool {
        false
    }

    fn limits(&self) -> Limits {
        Limits { batch: BATCH, at_once: AT_ONCE }
    }

    async fn handle(&self, world: &World, _: &LaneFence, batch: &[Message]) -> Result<Vec<Handled>> {
        Ok(by_user(batch, AT_ONCE, |message| async move {
            match one(world, message).await {
                Ok(handled) => handled,
                Err(failure) => later(failure),
            }
        })
        .await)
    }
}

async fn one(world: &World, message: &Message) -> Result<Handled> {
    let order = OrderId(message.subject);
    let Some(row) = world.db.sale_order(order).await? else {
        return Ok(Handled::Dead("there is no such order".to_owned()));
    };
    let came = IncomingPayment { reference: format!("late {}", message.id), order, money: row.total };
    payment_arrived(world, SANDBOX, came).await?;
    Ok(Handled::Done)
}
