//! The end of an order: the ledger takes the units, and what was bought goes on its way; or they are gone, and the points
//! come back. Safe to repeat, and safe beside another that does the same.
//!
//! What the ledger said first is final. Units that are reserved once more are so under one id of the order's; where they
//! cannot be had, that id is spent before anybody writes that they are gone, so that no one takes them later for an order
//! whose points went back.

use domain::Rejection;
use domain::shop::{Settling, ShopOrderState};
use store::model::ShopOrderRow;

use crate::failure::{Failure, Result};
use crate::shop::buy::count_order;
use crate::shop::shelf;
use crate::shop::shelf::{CancelOutcome, ShelfHold};
use crate::world::World;

pub async fn settle(world: &World, order: &ShopOrderRow) -> Result<ShopOrderRow> {
    if order.state != ShopOrderState::Placed {
        return Ok(order.clone());
    }
    let settling = match take_units(world, order).await? {
        Ok(()) => Settling::Confirmed,
        Err(why) => Settling::Gone { why },
    };
    match world.db.order_settle(order.id, settling, world.now()).await {
        Ok(settled) => {
            count_order(settled.state.name());
            Ok(settled)
        }
        // Somebody else was faster, and found otherwise: what is written holds.
        Err(Failure::Rejected(Rejection::AlreadyConfirmed | Rejection::AlreadyCancelled)) => {
            let now = world.db.order(order.id).await?;
            Ok(now.unwrap_or_else(|| order.clone()))
        }
        Err(failure) => Err(failure),
    }
}

/// Whether the units are the order's now; or why they are not to be had.
async fn take_units(world: &World, order: &ShopOrderRow) -> Result<Result<(), String>> {
    if shelf::confirm(world, order.offer, &order.hold).await? {
        return Ok(Ok(()));
    }
    // The hold has lapsed in between: once more, if there are any left.
    let again = format!("shop {} again", order.id);
    let offer = (order.offer, order.name.as_str());
    let why = match shelf::hold(world, offer, order.user, order.quantity, &again).await {
        Ok(ShelfHold::Confirmed) => return Ok(Ok(())),
        Ok(ShelfHold::Now) if shelf::confirm(world, order.offer, &again).await? => return Ok(Ok(())),
        // It lapsed between two breaths.
        Ok(ShelfHold::Now | ShelfHold::Over) => Rejection::HoldExpired,
        Err(Failure::Rejected(
            no @ (Rejection::SoldOut { .. } | Rejection::LimitReached { .. } | Rejection::PoolFrozen { .. }),
        )) => no,
        Err(failure) => return Err(failure),
    };
    // From here on nobody takes units under that id; unless somebody has already.
    match shelf::spend(world, order.offer, &again).await? {
        CancelOutcome::Gone => Ok(Err(why.code().to_owned())),
        CancelOutcome::Taken => Ok(Ok(())),
    }
}
