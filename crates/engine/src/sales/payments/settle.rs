//! An order and the payment that is for it: the ledger takes the units, and one transaction makes the order paid; or the
//! units are gone, and the money goes back. Safe to repeat, and safe beside another that does the same.
//!
//! What the ledger said first is final. Units that are reserved once more are so under one id of the order's; where they
//! cannot be had, that id is spent before anybody writes that they are gone, so that no one takes them later for an order
//! whose money went back.

use domain::Rejection;
use domain::activity::sale_pool;
use domain::ids::{ActivityId, PaymentId};
use domain::ledger::{Command, HoldRefusal, Line, PoolRefusal, Quantity, Refusal, Take};
use domain::sale::{ItemKind, PaymentState, Policy, SALES_CALLER, again_id, again_key, owner};
use domain::time::MINUTE_MS;
use store::model::{PaymentSettle, SaleOrder};

use crate::failure::{Fault, Result};
use crate::ports::StockAnswer;
use crate::world::World;

/// How long units are held between reserving them once more and taking them.
const AGAIN_MS: i64 = 2 * MINUTE_MS;

pub async fn settle(world: &World, payment: PaymentId) -> Result<SaleOrder> {
    let unknown = || Fault::new(format!("payment {payment} is not there"));
    let row = world.db.payment(payment).await?.ok_or_else(unknown)?;
    let order = world.db.sale_order(row.order).await?.ok_or_else(unknown)?;
    if row.state != PaymentState::Arrived {
        return Ok(order);
    }
    let taken = take_units(world, &order).await?;
    let totals = totals(world, &order).await?;
    let things: u32 = order.lines.iter().map(store::model::OrderLine::things).sum();
    let step = PaymentSettle {
        payment,
        taken,
        totals,
        ids: (0..things).map(|_| world.next_id()).collect(),
        message: world.next_id(),
        now: world.now(),
    };
    world.db.payment_settle(step).await
}

/// How many there are of what is numbered, now: edition n of so many, for good.
async fn totals(world: &World, order: &SaleOrder) -> Result<Vec<(ActivityId, u64)>> {
    let mut totals = Vec::new();
    for line in order.lines.iter().filter(|line| line.item == ItemKind::Collectible) {
        let pool = world.ledger.stock.pool(sale_pool(line.sale).pool()).await?;
        totals.extend(pool.map(|view| (line.sale, view.total)));
    }
    Ok(totals)
}

/// Whether the units are the order's now; or why they are not to be had.
async fn take_units(world: &World, order: &SaleOrder) -> Result<Result<(), String>> {
    if order.policy == Policy::AtOrder {
        match ask(world, order, Command::Confirm { hold: order.hold, take: Take::All }).await? {
            UnitsAnswer::Yes => return Ok(Ok(())),
            UnitsAnswer::No(Refusal::Hold(HoldRefusal::Expired | HoldRefusal::AlreadyCancelled)) => {}
            UnitsAnswer::No(other) => return Err(strange(order, &other).into()),
        }
    }
    let why = match ask(world, order, again(order)?).await? {
        UnitsAnswer::Yes => {
            match ask(world, order, Command::Confirm { hold: again_key(order.id), take: Take::All }).await? {
                UnitsAnswer::Yes => return Ok(Ok(())),
                UnitsAnswer::No(refusal) => refusal,
            }
        }
        UnitsAnswer::No(refusal) => refusal,
    };
    match why {
        Refusal::Pool(
            PoolRefusal::SoldOut { .. }
            | PoolRefusal::LimitReached { .. }
            | PoolRefusal::Frozen { .. }
            | PoolRefusal::Closed { .. }
            | PoolRefusal::Unknown { .. },
        )
        | Refusal::Hold(HoldRefusal::Expired | HoldRefusal::AlreadyCancelled) => {
            spend_id(world, order, why.name()).await
        }
        Refusal::ClockBehind { .. } => Err(Rejection::clock_behind().into()),
        other => Err(strange(order, &other).into()),
    }
}

/// From here on nobody takes units under that id; unless somebody has already.
async fn spend_id(world: &World, order: &SaleOrder, why: &str) -> Result<Result<(), String>> {
    let id = again_id(order.id).ok_or_else(|| Fault::new("an order without a name"))?;
    match ask(world, order, Command::Cancel { hold: again_key(order.id), id, caller: SALES_CALLER }).await? {
        UnitsAnswer::Yes
        | UnitsAnswer::No(Refusal::Hold(HoldRefusal::AlreadyCancelled | HoldRefusal::Expired)) => {
            Ok(Err(why.to_owned()))
        }
        UnitsAnswer::No(Refusal::Hold(HoldRefusal::AlreadyConfirmed)) => Ok(Ok(())),
        UnitsAnswer::No(Refusal::Hold(HoldRefusal::TombstonesFull { .. })) => {
            Err(Rejection::Overloaded { retry_after_s: 1 }.into())
        }
        UnitsAnswer::No(other) => Err(strange(order, &other).into()),
    }
}

/// Without gates: whoever has paid gets what is left, though the sale may be over by now. Limits per user hold.
fn again(order: &SaleOrder) -> Result<Command, Fault> {
    let bad = || Fault::new(format!("order {} has no name in the ledger", order.id));
    let mut lines = Vec::with_capacity(order.lines.len());
    for line in &order.lines {
        let pool = sale_pool(line.sale).pool();
        lines.push(Line { pool, quantity: Quantity::new(line.quantity.into()).ok_or_else(bad)? });
    }
    Ok(Command::Reserve {
        key: again_key(order.id),
        id: again_id(order.id).ok_or_else(bad)?,
        caller: SALES_CALLER,
        owner: Some(owner(order.user).ok_or_else(bad)?),
        lines,
        ttl_ms: AGAIN_MS,
        gates: Vec::new(),
    })
}

enum UnitsAnswer {
    Yes,
    No(Refusal),
}

async fn ask(world: &World, order: &SaleOrder, command: Command) -> Result<UnitsAnswer> {
    let lane = order.lines.first().map_or(0, |line| line.sale.0);
    match world.ledger.stock.ask(lane, vec![command]).await?.pop() {
        Some(StockAnswer::Accepted(_) | StockAnswer::Replayed(_)) => Ok(UnitsAnswer::Yes),
        Some(StockAnswer::Refused(refusal)) => Ok(UnitsAnswer::No(refusal)),
        None => Err(Rejection::OutcomeUnknown.into()),
    }
}

fn strange(order: &SaleOrder, refusal: &Refusal) -> Fault {
    Fault::new(format!("order {} was refused as {}", order.id, refusal.name()))
}
