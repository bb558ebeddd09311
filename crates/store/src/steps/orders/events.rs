//! What others hear of orders, with all that was bought.

use domain::ids::{ActivityId, OrderId};
use domain::sale::OrderState;
use domain::time::Timestamp;
use domain::webhook::EventKind;
use serde_json::{Value as Json, json};

use super::columns::lock;
use crate::failure::Result;
use crate::model::{FulfilmentRow, SaleOrder};
use crate::params;
use crate::row::Row;
use crate::steps::events::{NewEvent, is_wanted, tell};
use crate::tx::Tx;

/// The kind of event that an order's new state is.
const fn kind_of(state: OrderState) -> Option<EventKind> {
    match state {
        OrderState::Paid => Some(EventKind::OrderPaid),
        OrderState::Fulfilled => Some(EventKind::OrderDelivered),
        OrderState::Cancelled => Some(EventKind::OrderCancelled),
        OrderState::Expired => Some(EventKind::OrderExpired),
        OrderState::Refunded => Some(EventKind::OrderRefunded),
        OrderState::Unpaid | OrderState::RefundDue => None,
    }
}

fn data(order: &SaleOrder) -> Json {
    let lines =
        order.lines.iter().map(|line| (line.sale, line.name.as_str(), line.quantity, line.price_minor));
    order_data(order.id, order.state, (order.total.minor, &order.total.currency.to_string()), lines)
}

/// An order with what it costs in all, and its lines: sale, name, quantity and price of one.
pub(crate) fn order_data<'a>(
    id: OrderId,
    state: OrderState,
    (total_minor, currency): (u64, &str),
    lines: impl Iterator<Item = (ActivityId, &'a str, u32, u64)>,
) -> Json {
    let line = |(sale, name, quantity, price_minor): (ActivityId, &str, u32, u64)| json!({ "name": name, "sale_id": sale.to_string(), "quantity": quantity, "price_minor": price_minor });
    json!({
        "order_id": id.to_string(),
        "source": "sale",
        "state": state.name(),
        "total_minor": total_minor,
        "currency": currency,
        "lines": lines.map(line).collect::<Vec<Json>>(),
    })
}

/// This happened to these orders, each at its moment. What nobody wants is not even read.
pub(crate) async fn tell_orders(tx: &Tx<'_>, kind: EventKind, orders: &[(OrderId, Timestamp)]) -> Result<()> {
    if orders.is_empty() || !is_wanted(tx, kind).await? {
        return Ok(());
    }
    let mut events = Vec::with_capacity(orders.len());
    for (id, at) in orders {
        let order = lock(tx, *id).await?;
        let mut data = data(&order);
        if kind == EventKind::OrderRefunded {
            data["note"] = order.note.clone().into();
        }
        events.push(NewEvent::of(kind, id.0, Some(order.user), data, *at));
    }
    tell(tx, &events).await
}

/// What is heard of an order when it comes to a state. One that is delivered at once was paid before.
pub(super) async fn tell_state(tx: &Tx<'_>, id: OrderId, state: OrderState, at: Timestamp) -> Result<()> {
    match kind_of(state) {
        Some(kind) => tell_orders(tx, kind, &[(id, at)]).await,
        None => Ok(()),
    }
}

/// A parcel of an order is on its way.
pub(crate) async fn tell_shipped(tx: &Tx<'_>, row: &FulfilmentRow, at: Timestamp) -> Result<()> {
    let kind = EventKind::OrderShipped;
    if !is_wanted(tx, kind).await? {
        return Ok(());
    }
    let sql = "SELECT order_id FROM order_things WHERE fulfilment_id = $1";
    let Some(id) = tx.one(sql, params![row.id], Row::int).await? else { return Ok(()) };
    let mut data = data(&lock(tx, OrderId(id)).await?);
    data["fulfilment_id"] = row.id.to_string().into();
    data["carrier"] = row.carrier.clone().into();
    data["tracking"] = row.tracking.clone().into();
    tell(tx, &[NewEvent::of(kind, row.id.0, Some(row.user), data, at)]).await
}
