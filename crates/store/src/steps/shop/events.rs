//! What others hear of orders of the shop.

use std::collections::BTreeMap;

use domain::ids::{FulfilmentId, ShopOrderId};
use domain::time::Timestamp;
use domain::webhook::EventKind;
use serde_json::{Value as Json, json};

use super::columns::{order_sql, read_order};
use crate::failure::Result;
use crate::model::{FulfilmentRow, ShopOrderRow};
use crate::params;
use crate::row::Row;
use crate::steps::events::{NewEvent, is_wanted, tell};
use crate::tx::Tx;

fn data(order: &ShopOrderRow) -> Json {
    let line = json!({ "name": order.name, "offer_id": order.offer.to_string(), "quantity": order.quantity });
    json!({
        "order_id": order.id.to_string(),
        "source": "shop",
        "state": order.state.name(),
        "points": order.cost,
        "lines": [line],
    })
}

/// This happened to an order, which is as it was read.
pub(super) async fn tell_order(
    tx: &Tx<'_>,
    kind: EventKind,
    order: &ShopOrderRow,
    at: Timestamp,
) -> Result<()> {
    let mut data = data(order);
    if kind == EventKind::OrderRefunded {
        data["note"] = order.note.clone().into();
    }
    tell(tx, &[NewEvent::of(kind, order.id.0, Some(order.user), data, at)]).await
}

/// A parcel that was bought is on its way.
pub(crate) async fn tell_shipped(tx: &Tx<'_>, row: &FulfilmentRow, at: Timestamp) -> Result<()> {
    let kind = EventKind::OrderShipped;
    let Some(order) = order_of(tx, kind, row.id).await? else { return Ok(()) };
    let mut data = data(&order);
    data["fulfilment_id"] = row.id.to_string().into();
    data["carrier"] = row.carrier.clone().into();
    data["tracking"] = row.tracking.clone().into();
    tell(tx, &[NewEvent::of(kind, row.id.0, Some(row.user), data, at)]).await
}

/// Things have reached their buyers. An order whose last one is among them is told of, once however many of its things are.
pub(crate) async fn tell_given(tx: &Tx<'_>, things: &[FulfilmentId], at: Timestamp) -> Result<()> {
    let kind = EventKind::OrderDelivered;
    let mut orders = BTreeMap::new();
    for thing in things {
        if let Some(order) = order_of(tx, kind, *thing).await? {
            orders.insert(order.id.0, order);
        }
    }
    let sql = "SELECT COUNT(*) FROM shop_things t JOIN fulfilments f ON f.id = t.fulfilment_id
               WHERE t.order_id = $1 AND f.state <> 'given'";
    for order in orders.values() {
        if tx.count(sql, params![order.id]).await? == 0 {
            tell_order(tx, kind, order, at).await?;
        }
    }
    Ok(())
}

/// The order of a thing, if anybody wants to hear of it.
async fn order_of(tx: &Tx<'_>, kind: EventKind, thing: FulfilmentId) -> Result<Option<ShopOrderRow>> {
    if !is_wanted(tx, kind).await? {
        return Ok(None);
    }
    let sql = "SELECT order_id FROM shop_things WHERE fulfilment_id = $1";
    let Some(id) = tx.one(sql, params![thing], Row::int).await?.map(ShopOrderId) else { return Ok(None) };
    tx.one(order_sql!("WHERE id = $1"), params![id], read_order).await
}
