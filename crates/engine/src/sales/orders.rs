//! What is shown of orders, and letting one go.

use domain::Rejection;
use domain::ids::{AddressId, OrderId, PaymentId, UserId};
use domain::ledger::{Command, HoldRefusal, HoldState, Refusal};
use domain::page::{Page, PageRequest};
use domain::rejection::MissingThing;
use domain::sale::{OrderEvent, OrderState, Policy, SALES_CALLER, hold_id, step};
use store::model::{Collectible, OrderAddressSet, OrderSearch, PaymentRow, SaleOrder};

use crate::caught_up;
use crate::failure::{Failure, Fault, Result};
use crate::fulfilment::order_things::{ThingView, thing_views};
use crate::ports::StockAnswer;
use crate::sales::payments::settle;
use crate::world::World;

/// An order as its buyer and operators see it.
#[derive(Clone, Debug)]
pub struct OrderView {
    pub order: SaleOrder,
    pub things: Vec<ThingView>,
    pub payments: Vec<PaymentRow>,
}

/// A numbered thing, and what it was called when it was bought.
#[derive(Clone, Debug)]
pub struct ItemView {
    pub item: Collectible,
    pub name: String,
    /// For readers of English; empty where it is the same.
    pub name_en: String,
}

/// An order of one's own.
pub async fn order_look(world: &World, user: UserId, id: OrderId) -> Result<OrderView> {
    let order = order_of_user(world, user, id).await?;
    order_view(world, order, true).await
}

/// Nobody learns of an order that is not theirs.
pub async fn order_of_user(world: &World, user: UserId, id: OrderId) -> Result<SaleOrder> {
    let since = world.visible_since(user).await?;
    let order = order_find(world, id).await?.filter(|order| order.user == user && order.made >= since);
    as_it_stands(world, order.ok_or(Rejection::NotFound { what: MissingThing::Order })?).await
}

/// An order that was made a moment ago is there once the rows have caught up.
pub async fn order_find(world: &World, id: OrderId) -> Result<Option<SaleOrder>> {
    if let Some(order) = world.db.sale_order(id).await? {
        return Ok(Some(order));
    }
    let complete = caught_up::everything(world).await;
    let found = world.db.sale_order(id).await?;
    if found.is_none() && !complete {
        return Err(Rejection::RowsBehind { retry_after_s: 1 }.into());
    }
    Ok(found)
}

/// What somebody ordered, the newest first.
pub async fn my_orders(
    world: &World,
    user: UserId,
    state: Option<OrderState>,
    page: PageRequest,
) -> Result<Page<OrderView>> {
    if page.after.is_none() {
        caught_up::for_a_list(world).await?;
    }
    let search = OrderSearch { user: Some(user), state, ..OrderSearch::default() };
    let since = world.visible_since(user).await?;
    let page = world.db.sale_order_list(search, page).await?;
    let Page { items, next } = page.since(since, |order| order.made);
    let mut all = Vec::with_capacity(items.len());
    for order in items {
        all.push(order_view(world, order, true).await?);
    }
    Ok(Page { items: all, next })
}

/// For operators, the newest first.
pub async fn order_list(world: &World, search: OrderSearch, page: PageRequest) -> Result<Page<OrderView>> {
    let Page { items, next } = world.db.sale_order_list(search, page).await?;
    let mut all = Vec::with_capacity(items.len());
    for order in items {
        all.push(order_view(world, order, false).await?);
    }
    Ok(Page { items: all, next })
}

/// `own` shows codes in the clear.
pub async fn order_view(world: &World, order: SaleOrder, own: bool) -> Result<OrderView> {
    let order = as_it_stands(world, order).await?;
    let things = thing_views(world, &order.things, own).await?;
    let payments = world.db.payments_of(order.id).await?;
    Ok(OrderView { order, things, payments })
}

/// One whose time is over is told so, and is so from then on: the ledger ends its hold before anybody hears of it.
async fn as_it_stands(world: &World, order: SaleOrder) -> Result<SaleOrder> {
    let state = order.state_at(world.now());
    if state == order.state || order.policy == Policy::AtPayment {
        return Ok(SaleOrder { state, ..order });
    }
    let state = match world.ledger.stock.hold(order.hold).await?.map(|view| view.state) {
        Some(HoldState::Expired) => OrderState::Expired,
        Some(HoldState::Cancelled) => OrderState::Cancelled,
        // Somebody is paying for it.
        Some(HoldState::Held | HoldState::Confirmed) | None => order.state,
    };
    Ok(SaleOrder { state, ..order })
}

/// Lets an order of one's own go, and its units with it. The same again is the same.
pub async fn order_cancel(world: &World, user: UserId, id: OrderId) -> Result<OrderView> {
    let order = order_of_user(world, user, id).await?;
    if step(order.state, OrderEvent::Cancelled)?.is_none() {
        return order_view(world, order, true).await;
    }
    if let Some(payment) = order.payment {
        return settle_instead(world, payment).await;
    }
    let order = match order.policy {
        Policy::AtPayment => world.db.sale_order_cancel(id, world.now()).await?,
        Policy::AtOrder => let_go(world, order).await?,
    };
    // Money came while the units went back: what becomes of it is decided now, and told.
    if let Some(payment) = order.payment {
        return settle_instead(world, payment).await;
    }
    order_view(world, order, true).await
}

/// Says where the parcels of an order of one's own go, before it is paid. The same again is the same.
pub async fn order_address(
    world: &World,
    user: UserId,
    id: OrderId,
    address: AddressId,
) -> Result<OrderView> {
    // What has just been ordered is waited for, and what is over is told as it stands.
    let order = order_of_user(world, user, id).await?;
    let step = OrderAddressSet { order: order.id, user, address, now: world.now() };
    let order = world.db.sale_order_address(step).await?;
    order_view(world, order, true).await
}

/// What happened to an order that was being paid while its buyer let it go: it is theirs, or their money goes back.
async fn settle_instead(world: &World, payment: PaymentId) -> Result<OrderView> {
    let settled = settle(world, payment).await.map_err(|failure| match failure {
        Failure::Rejected(_) => Rejection::OrderPaying.into(),
        fault @ Failure::Fault(_) => fault,
    })?;
    if settled.state.is_paid() {
        step(settled.state, OrderEvent::Cancelled)?;
    }
    order_view(world, settled, true).await
}

/// The ledger decides whether the units go back or are being paid for.
async fn let_go(world: &World, order: SaleOrder) -> Result<SaleOrder> {
    let name = hold_id(order.id).ok_or_else(|| Fault::new("an order without a name"))?;
    let command = Command::Cancel { hold: order.hold, id: name, caller: SALES_CALLER };
    let lane = order.lines.first().map_or(0, |line| line.sale.0);
    let illegal = |state: OrderState| -> Rejection {
        Rejection::OrderStepIllegal { state: state.name().to_owned(), step: "cancel".to_owned() }
    };
    let mut paying = false;
    match world.ledger.stock.ask(lane, vec![command]).await?.pop() {
        Some(
            StockAnswer::Accepted(_)
            | StockAnswer::Replayed(_)
            | StockAnswer::Refused(Refusal::Hold(HoldRefusal::AlreadyCancelled)),
        ) => {}
        // Its units are taken, for the payment that is written down with it.
        Some(StockAnswer::Refused(Refusal::Hold(HoldRefusal::AlreadyConfirmed))) => paying = true,
        Some(StockAnswer::Refused(Refusal::Hold(HoldRefusal::Expired))) => {
            return Err(illegal(OrderState::Expired).into());
        }
        Some(StockAnswer::Refused(other)) => {
            return Err(Fault::new(format!("an order was not let go: {}", other.name())).into());
        }
        None => return Err(Rejection::OutcomeUnknown.into()),
    }
    for line in &order.lines {
        world.sales.gate.return_units(line.sale);
    }
    caught_up::everything(world).await;
    let now = world.db.sale_order(order.id).await?.unwrap_or(order);
    if paying && now.payment.is_none() {
        return Err(Rejection::OrderPaying.into());
    }
    // The rows may be behind; what the ledger said is so.
    let state = if now.state == OrderState::Unpaid { OrderState::Cancelled } else { now.state };
    Ok(SaleOrder { state, ..now })
}

/// Numbered things of one's own, the newest first.
pub async fn my_items(world: &World, user: UserId, page: PageRequest) -> Result<Page<ItemView>> {
    let since = world.visible_since(user).await?;
    let Page { items, next } = world.db.collectibles_of(user, page).await?.since(since, |item| item.made);
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        let order = world.db.sale_order(item.order).await?;
        let line = order.and_then(|order| order.lines.into_iter().find(|line| line.sale == item.sale));
        let (name, name_en) = line.map(|line| (line.name, line.name_en)).unwrap_or_default();
        all.push(ItemView { item, name, name_en });
    }
    Ok(Page { items: all, next })
}
