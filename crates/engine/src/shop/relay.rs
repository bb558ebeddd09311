//! Orders of the shop that were paid: the ledger takes the units, and what was bought goes on its way. Mostly the request
//! has done it already; the message is for those that did not come so far. Also units of orders that were
//! refunded, and pieces that a second person approved.

use async_trait::async_trait;
use domain::ids::{OfferId, ShopOrderId};
use store::model::{LaneFence, Message, SHOP, SHOP_BACK, SHOP_RESTOCK, ShopBack, ShopRestock};

use crate::failure::Result;
use crate::relay::handlers::{body, later};
use crate::relay::{Handled, Handler, Limits, by_user};
use crate::shop::{restock_approved, settle, units_back};
use crate::world::World;

const BATCH: u32 = 500;
/// Orders that are settled at once.
const AT_ONCE: usize = 32;

#[derive(Debug)]
pub(crate) struct Shop;

#[async_trait]
impl Handler for Shop {
    fn name(&self) -> &'static str {
        SHOP
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
    if message.kind == SHOP_BACK {
        return match body::<ShopBack>(message) {
            Ok(back) => units_back(world, ShopOrderId(message.subject), back).await.map(|()| Handled::Done),
            Err(unreadable) => Ok(unreadable),
        };
    }
    if message.kind == SHOP_RESTOCK {
        return match body::<ShopRestock>(message) {
            Ok(restock) => {
                restock_approved(world, OfferId(message.subject), restock).await.map(|()| Handled::Done)
            }
            Err(unreadable) => Ok(unreadable),
        };
    }
    let Some(order) = world.db.order(ShopOrderId(message.subject)).await? else {
        return Ok(Handled::Dead("there is no such order".to_owned()));
    };
    settle(world, &order).await?;
    Ok(Handled::Done)
}
