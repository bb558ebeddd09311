//! The end of an order: the ledger takes the units, and what was bought goes on its way; or they are gone, and the points
//! come back. Safe to repeat, and safe beside another that does the same.

use domain::Rejection;
use domain::shop::{OrderState, Settling};

use super::buy::counted;
use super::shelf::{self, Held};
use crate::failure::{Failure, Outcome};
use crate::ports::OrderRow;
use crate::world::World;

/// `attempt` says how often it was tried in vain before: each try that has to reserve again has an id of its own.
pub async fn settle(world: &World, order: &OrderRow, attempt: u32) -> Outcome<OrderRow> {
    if order.state != OrderState::Placed {
        return Ok(order.clone());
    }
    let settling = match taken(world, order, attempt).await {
        Ok(()) => Settling::Confirmed,
        Err(Failure::Rejected(
            no @ (Rejection::SoldOut { .. } | Rejection::LimitReached { .. } | Rejection::PoolFrozen { .. }),
        )) => Settling::Gone { why: no.code().to_owned() },
        Err(failure) => return Err(failure),
    };
    match world.shop.order_settle(order.id, settling, world.now()).await {
        Ok(settled) => {
            counted(settled.state.name());
            Ok(settled)
        }
        // Somebody else was faster, and found otherwise: what is written holds.
        Err(Failure::Rejected(Rejection::AlreadyConfirmed | Rejection::AlreadyCancelled)) => {
            let now = world.shop.order(order.id).await?;
            Ok(now.unwrap_or_else(|| order.clone()))
        }
        Err(failure) => Err(failure),
    }
}

async fn taken(world: &World, order: &OrderRow, attempt: u32) -> Outcome<()> {
    if shelf::confirm(world, order.offer, &order.hold).await? {
        return Ok(());
    }
    // The hold has lapsed in between: once more, if there are any left.
    let again = format!("shop {} again {attempt}", order.id);
    let offer = (order.offer, order.name.as_str());
    match shelf::hold(world, offer, order.user, order.quantity, &again).await? {
        Held::Confirmed => Ok(()),
        Held::Now if shelf::confirm(world, order.offer, &again).await? => Ok(()),
        // It lapsed between two breaths. The next try has an id of its own.
        Held::Now | Held::Over => Err(Rejection::HoldExpired.into()),
    }
}
