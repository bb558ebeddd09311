//! Orders of the shop that were paid: the ledger takes the units, and what was bought goes on its way. Mostly the request
//! has done it already; the message is for those that did not come so far. Also units of orders that were
//! refunded, and pieces that a second person approved.

use async_trait::async_trait;
use domain::ids::{OfferId, ShopOrderId};
use store::model::{Message, SHOP, SHOP_BACK, SHOP_RESTOCK, ShopBack, ShopRestock};

use crate::failure::Result;
use crate::relay::handlers::body;
use crate::relay::{HandlerOutcome, LaneLimits, OneByOne};
use crate::shop::{restock_apply, settle, units_back};
use crate::world::World;

#[derive(Debug)]
pub(crate) struct Shop;

#[async_trait]
impl OneByOne for Shop {
    const LANE: &'static str = SHOP;
    const LIMITS: LaneLimits = LaneLimits { batch: 500, at_once: 32 };
    const REACHES_OUTSIDE: bool = false;

    async fn carry_out(world: &World, message: &Message) -> Result<HandlerOutcome> {
        if message.kind == SHOP_BACK {
            return match body::<ShopBack>(message) {
                Ok(back) => {
                    units_back(world, ShopOrderId(message.subject), back).await.map(|()| HandlerOutcome::Done)
                }
                Err(unreadable) => Ok(unreadable),
            };
        }
        if message.kind == SHOP_RESTOCK {
            return match body::<ShopRestock>(message) {
                Ok(restock) => restock_apply(world, OfferId(message.subject), restock)
                    .await
                    .map(|()| HandlerOutcome::Done),
                Err(unreadable) => Ok(unreadable),
            };
        }
        let Some(order) = world.db.order(ShopOrderId(message.subject)).await? else {
            return Ok(HandlerOutcome::Dead("there is no such order".to_owned()));
        };
        settle(world, &order).await?;
        Ok(HandlerOutcome::Done)
    }
}
