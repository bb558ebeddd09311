//! Money that goes back, by the provider it came from. The refund's id is the payment's, so that a provider who hears of it
//! twice gives it back once.

use async_trait::async_trait;
use domain::ids::PaymentId;
use store::model::{LaneFence, Message, REFUNDS};

use crate::failure::Result;
use crate::relay::handlers::later;
use crate::relay::{Handled, Handler, Limits, by_user};
use crate::sales::payments::refund_carry_out;
use crate::world::World;

const BATCH: u32 = 200;
/// Refunds that are under way at once.
const AT_ONCE: usize = 16;

#[derive(Debug)]
pub(crate) struct Refunds;

#[async_trait]
impl Handler for Refunds {
    fn name(&self) -> &'static str {
        REFUNDS
    }

    fn goes_outside(&self) -> bool {
        true
    }

    fn limits(&self) -> Limits {
        Limits { batch: BATCH, at_once: AT_ONCE }
    }

    async fn handle(&self, world: &World, _: &LaneFence, batch: &[Message]) -> Result<Vec<Handled>> {
        Ok(by_user(batch, AT_ONCE, |message| async move {
            match refund_carry_out(world, PaymentId(message.subject)).await {
                Ok(Ok(())) => Handled::Done,
                Ok(Err(why)) => Handled::Again(why),
                Err(failure) => later(failure),
            }
        })
        .await)
    }
}
