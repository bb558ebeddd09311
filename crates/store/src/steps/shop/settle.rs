//! How an order ends: what was bought goes on its way, or the points come back and nothing is given. Once.

use domain::Rejection;
use domain::fulfilment::FulfilmentStep;
use domain::ids::ShopOrderId;
use domain::points::Move;
use domain::rejection::MissingThing;
use domain::shop::{Settling, settle as settled};
use domain::time::Timestamp;
use domain::webhook::EventKind;

use super::columns::{order_sql, read_order, whole};
use super::events::tell_order;
use crate::failure::Result;
use crate::model::{Posting, ShopOrderRow};
use crate::params;
use crate::steps::fulfilments;
use crate::steps::points::post::post;
use crate::tx::Tx;

pub(super) async fn settle(
    tx: &Tx<'_>,
    (id, settling, now): &(ShopOrderId, Settling, Timestamp),
) -> Result<ShopOrderRow> {
    let order = tx.one(order_sql!("WHERE id = $1 FOR UPDATE"), params![*id], read_order).await?;
    let order = order.ok_or(Rejection::NotFound { what: MissingThing::ShopOrder })?;
    let order = whole(tx, order).await?;
    let Some(state) = settled(order.state, settling)? else { return Ok(order) };
    let (step, note) = match settling {
        Settling::Confirmed => (FulfilmentStep::Release, None),
        Settling::Gone { why } => (FulfilmentStep::Void, Some(why.clone())),
    };
    for thing in &order.things {
        fulfilments::of_order(tx, *thing, step, note.as_deref(), *now).await?;
    }
    if note.is_some() {
        pay_back(tx, &order, *now).await?;
    }
    tx.execute(
        "UPDATE shop_orders SET state = $2, changed_ms = $3, note = $4 WHERE id = $1",
        params![*id, state.name(), *now, note.as_ref()],
    )
    .await?;
    let kind = if note.is_none() { EventKind::OrderPaid } else { EventKind::OrderRefunded };
    let order = ShopOrderRow { state, changed: *now, note, ..order };
    tell_order(tx, kind, &order, *now).await?;
    Ok(order)
}

pub(super) async fn pay_back(tx: &Tx<'_>, order: &ShopOrderRow, now: Timestamp) -> Result<()> {
    let n = tx.count("SELECT points_row FROM shop_orders WHERE id = $1", params![order.id]).await?;
    let posting = Posting {
        user: order.user,
        asked: Move::Reverse { n },
        key: format!("shop-back:{}", order.id),
        reason: order.name.clone(),
        at: now,
    };
    match post(tx, &posting).await {
        // Staff have given them back by hand.
        Ok(_) | Err(crate::failure::Failure::Rejected(Rejection::PointsReversed { .. })) => Ok(()),
        Err(failure) => Err(failure),
    }
}
