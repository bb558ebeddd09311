//! What is shown of orders, and letting one go.

use domain::Rejection;
use domain::ids::{OrderId, UserId};
use domain::ledger::{Command, Refusal};
use domain::page::{Page, PageRequest};
use domain::rejection::Subject;
use domain::sale::{OrderEvent, OrderState, Policy, SALES_CALLER, hold_id, step};

use crate::failure::{Fault, Outcome};
use crate::flows::play::caught_up;
use crate::flows::things::{ThingTold, things_told};
use crate::ports::{Collectible, OrderSearch, PaymentRow, SaleOrder, StockAnswer};
use crate::world::World;

/// An order as its buyer and operators see it.
#[derive(Clone, Debug)]
pub struct OrderTold {
    pub order: SaleOrder,
    pub things: Vec<ThingTold>,
    pub payments: Vec<PaymentRow>,
}

/// A numbered thing, and what it was called when it was bought.
#[derive(Clone, Debug)]
pub struct ItemTold {
    pub item: Collectible,
    pub name: String,
}

/// An order of one's own.
pub async fn order_look(world: &World, user: UserId, id: OrderId) -> Outcome<OrderTold> {
    let order = order_of_user(world, user, id).await?;
    told(world, order, true).await
}

/// Nobody learns of an order that is not theirs.
pub async fn order_of_user(world: &World, user: UserId, id: OrderId) -> Outcome<SaleOrder> {
    let order = order_find(world, id).await?.filter(|order| order.user == user);
    Ok(order.ok_or(Rejection::NotFound { what: Subject::Order })?)
}

/// An order that was made a moment ago is there once the rows have caught up.
pub async fn order_find(world: &World, id: OrderId) -> Outcome<Option<SaleOrder>> {
    if let Some(order) = world.orders.sale_order(id).await? {
        return Ok(Some(order));
    }
    caught_up::everything(world).await;
    world.orders.sale_order(id).await
}

/// What somebody ordered, the newest first.
pub async fn my_orders(
    world: &World,
    user: UserId,
    state: Option<OrderState>,
    page: PageRequest,
) -> Outcome<Page<OrderTold>> {
    if page.after.is_none() {
        caught_up::everything(world).await;
    }
    let search = OrderSearch { user: Some(user), state, ..OrderSearch::default() };
    let Page { items, next } = world.orders.sale_order_list(search, page).await?;
    let mut all = Vec::with_capacity(items.len());
    for order in items {
        all.push(told(world, order, true).await?);
    }
    Ok(Page { items: all, next })
}

/// For operators, the newest first.
pub async fn order_list(world: &World, search: OrderSearch, page: PageRequest) -> Outcome<Page<OrderTold>> {
    let Page { items, next } = world.orders.sale_order_list(search, page).await?;
    let mut all = Vec::with_capacity(items.len());
    for order in items {
        all.push(told(world, order, false).await?);
    }
    Ok(Page { items: all, next })
}

/// `own` shows codes in the clear.
pub async fn told(world: &World, order: SaleOrder, own: bool) -> Outcome<OrderTold> {
    let things = things_told(world, &order.things, own).await?;
    let payments = world.orders.payments_of(order.id).await?;
    Ok(OrderTold { order, things, payments })
}

/// Lets an order of one's own go, and its units with it. The same again is the same.
pub async fn order_cancel(world: &World, user: UserId, id: OrderId) -> Outcome<OrderTold> {
    let order = order_of_user(world, user, id).await?;
    if step(order.state, OrderEvent::Cancelled)?.is_none() {
        return told(world, order, true).await;
    }
    let order = match order.policy {
        Policy::AtPayment => world.orders.sale_order_cancel(id, world.now()).await?,
        Policy::AtOrder => let_go(world, order).await?,
    };
    metrics::counter!("windfall_orders_total", "came" => "cancelled").increment(1);
    told(world, order, true).await
}

/// The ledger decides whether the units go back or are being paid for.
async fn let_go(world: &World, order: SaleOrder) -> Outcome<SaleOrder> {
    let name = hold_id(order.id).ok_or_else(|| Fault::new("an order without a name"))?;
    let command = Command::Cancel { hold: order.hold, id: name, caller: SALES_CALLER };
    let lane = order.lines.first().map_or(0, |line| line.sale.0);
    let illegal = |state: OrderState| -> Rejection {
        Rejection::OrderStepIllegal { state: state.name().to_owned(), step: "cancel".to_owned() }
    };
    match world.stock.ask(lane, vec![command]).await?.pop() {
        Some(StockAnswer::Accepted(_) | StockAnswer::Replayed(_)) => {}
        Some(StockAnswer::Refused(Refusal::AlreadyConfirmed)) => return Err(Rejection::OrderPaying.into()),
        Some(StockAnswer::Refused(Refusal::Expired)) => return Err(illegal(OrderState::Expired).into()),
        Some(StockAnswer::Refused(Refusal::AlreadyCancelled)) => {}
        Some(StockAnswer::Refused(other)) => {
            return Err(Fault::new(format!("an order was not let go: {}", other.name())).into());
        }
        Some(StockAnswer::Pending) | None => return Err(Rejection::OutcomeUnknown.into()),
    }
    for line in &order.lines {
        world.gate.units_returned(line.sale);
    }
    caught_up::everything(world).await;
    let now = world.orders.sale_order(order.id).await?.unwrap_or(order);
    // The rows may be behind; what the ledger said is so.
    let state = if now.state == OrderState::Unpaid { OrderState::Cancelled } else { now.state };
    Ok(SaleOrder { state, ..now })
}

/// Numbered things of one's own, the newest first.
pub async fn my_items(world: &World, user: UserId, page: PageRequest) -> Outcome<Page<ItemTold>> {
    let Page { items, next } = world.orders.collectibles_of(user, page).await?;
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        let order = world.orders.sale_order(item.order).await?;
        let line = order.and_then(|order| order.lines.into_iter().find(|line| line.sale == item.sale));
        all.push(ItemTold { name: line.map_or_else(String::new, |line| line.name), item });
    }
    Ok(Page { items: all, next })
}
