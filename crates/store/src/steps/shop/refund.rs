//! An order that was done and is not any more: what its buyer does not have yet is voided, the points come back in a row of
//! their own, and a message puts units back that nobody was given. Once.

use domain::Rejection;
use domain::access::own_account;
use domain::ids::{FulfilmentId, ShopOrderId};
use domain::rejection::MissingThing;
use domain::shop::{ShopOrderState, refund};
use domain::time::Timestamp;
use domain::webhook::EventKind;
use serde_json::json;

use super::columns::{order_sql, read_order, whole};
use super::events::tell_order;
use super::settle::pay_back;
use crate::failure::{Fault, Result};
use crate::model::{AuditStamp, NewMessage, SHOP, SHOP_BACK, ShopBack, ShopOrderRow};
use crate::row::Row;
use crate::steps::{fulfilments, outbox};
use crate::tx::Tx;
use crate::{audit, params};

/// Why an order was refunded by itself.
const NOT_GIVEN: &str = "not_given";

/// Whether it may be asked for. Nobody asks for their own.
pub(crate) async fn may(tx: &Tx<'_>, id: ShopOrderId, signed: &AuditStamp) -> Result<()> {
    let order = lock(tx, id).await?;
    own_account(signed.responsible, order.user)?;
    match refund(order.state)? {
        Some(_) => Ok(()),
        None => {
            let state = order.state.name().to_owned();
            Err(Rejection::OrderStepIllegal { state, step: "refund".to_owned() }.into())
        }
    }
}

/// Carried out by the approval of a second person.
pub(crate) async fn apply_refund(tx: &Tx<'_>, id: ShopOrderId, why: &str, signed: &AuditStamp) -> Result<()> {
    let order = lock(tx, id).await?;
    own_account(signed.responsible, order.user)?;
    let Some(state) = refund(order.state)? else { return Ok(()) };
    let mut units = 0;
    for thing in &order.things {
        if fulfilments::void_bought(tx, *thing, why, signed.at).await? {
            units += order.units_each();
        }
    }
    write(tx, &order, (state, why), units, signed.at).await?;
    let (before, after) = (json!({ "state": order.state.name() }), json!({ "state": state.name() }));
    audit::write(tx, signed, "shop_order.refund", &format!("shop_order:{id}"), &before, &after).await
}

/// What could never be given for an order (chances of an activity that is over), and its message is gone. Answers whether the
/// order was refunded.
pub(crate) async fn refund_not_given(tx: &Tx<'_>, thing: FulfilmentId, now: Timestamp) -> Result<bool> {
    let sql = "SELECT order_id FROM shop_things WHERE fulfilment_id = $1";
    let Some(id) = tx.one(sql, params![thing], Row::int).await? else { return Ok(false) };
    let order = lock(tx, ShopOrderId(id)).await?;
    let state = match refund(order.state) {
        Ok(Some(state)) if order.things == [thing] => state,
        Ok(_) | Err(_) => return Ok(false),
    };
    fulfilments::void_ready(tx, thing, NOT_GIVEN, now).await?;
    write(tx, &order, (state, NOT_GIVEN), order.quantity, now).await?;
    Ok(true)
}

async fn write(
    tx: &Tx<'_>,
    order: &ShopOrderRow,
    (state, why): (ShopOrderState, &str),
    units: u32,
    now: Timestamp,
) -> Result<()> {
    pay_back(tx, order, now).await?;
    units_back(tx, order, units, now).await?;
    tx.execute(
        "UPDATE shop_orders SET state = $2, changed_ms = $3, note = $4 WHERE id = $1",
        params![order.id, state.name(), now, why],
    )
    .await?;
    let order = ShopOrderRow { state, changed: now, note: Some(why.to_owned()), ..order.clone() };
    tell_order(tx, EventKind::OrderRefunded, &order, now).await
}

/// The units of a thing that nobody will have; its order stays as it is.
pub(crate) async fn return_units(tx: &Tx<'_>, thing: FulfilmentId, now: Timestamp) -> Result<()> {
    let sql = "SELECT order_id FROM shop_things WHERE fulfilment_id = $1";
    let Some(id) = tx.one(sql, params![thing], Row::int).await? else { return Ok(()) };
    let order = lock(tx, ShopOrderId(id)).await?;
    // Of one that is placed the units are only held.
    if order.state == ShopOrderState::Done {
        units_back(tx, &order, order.units_each(), now).await
    } else {
        Ok(())
    }
}

async fn units_back(tx: &Tx<'_>, order: &ShopOrderRow, units: u32, now: Timestamp) -> Result<()> {
    if units > 0 {
        let body = serde_json::to_string(&ShopBack { offer: order.offer, units })
            .map_err(|error| Fault::caused("writing a message", error))?;
        let message = NewMessage {
            id: order.back_id(),
            lane: SHOP.to_owned(),
            // Nobody's next order waits for it.
            user: None,
            kind: SHOP_BACK,
            subject: order.id.0,
            body,
            made: now,
            due: now,
        };
        outbox::put(tx, &[message]).await?;
    }
    Ok(())
}

async fn lock(tx: &Tx<'_>, id: ShopOrderId) -> Result<ShopOrderRow> {
    let order = tx.one(order_sql!("WHERE id = $1 FOR UPDATE"), params![id], read_order).await?;
    whole(tx, order.ok_or(Rejection::NotFound { what: MissingThing::ShopOrder })?).await
}
