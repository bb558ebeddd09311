//! Orders for which money came: the ledger takes the units, and what was bought goes on its way; or the money goes back.
//! Mostly the callback has done it already; the message is for those that did not come so far.

use async_trait::async_trait;
use domain::ids::PaymentId;
use store::model::{LaneFence, Message, ORDERS};

use crate::failure::Result;
use crate::relay::handlers::later;
use crate::relay::{Handled, Handler, Limits, by_user};
use crate::sales::payments::settle;
use crate::world::World;

const BATCH: u32 = 500;
/// Orders that are settled at once.
const AT_ONCE: usize = 32;

#[derive(Debug)]
pub(crate) struct Orders;

#[async_trait]
impl Handler for Orders {
    fn name(&self) -> &'static str {
        ORDERS
    }

    fn goes_outside(&self) -> bool {
        false
    }

    fn limits(&self) -> Limits {
        Limits { batch: BATCH, at_once: AT_ONCE }
    }

    async fn handle(&self, world: &World, _: &LaneFence, batch: &[Message]) -> Result<Vec<Handled>> {
        Ok(by_user(batch, AT_ONCE, |message| async move {
            match settle(world, PaymentId(message.subject)).await {
                Ok(_) => Handled::Done,
                Err(failure) => later(failure),
            }
        })
        .await)
    }
}
