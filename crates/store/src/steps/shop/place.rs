//! Paying for what is held: points, order, what is given for it and the message that settles it, in one transaction.

use domain::Rejection;
use domain::fulfilment::{FulfilmentSource, FulfilmentState, FulfilmentStatus};
use domain::ids::{FulfilmentId, ShopOrderId, UserId};
use domain::page::{Page, PageRequest};
use domain::points::{Amount, Move};
use domain::rejection::MissingThing;
use domain::shop::{OfferKind, ShopOrderState};
use domain::webhook::EventKind;

use super::columns::{offer_sql, order_sql, read_offer, read_order, whole};
use super::events::tell_order;
use crate::each::{all_each, once_each};
use crate::failure::{Fault, Result};
use crate::model::{
    FulfilmentRow, NewMessage, OfferRow, OrderPlace, PlacedOrder, Posting, SHOP, ShopMessage, ShopOrderRow,
    ShopOrderSearch,
};
use crate::params;
use crate::steps::points::post::post;
use crate::steps::{fulfilments, outbox, users};
use crate::tx::Tx;
use crate::value::Value;

pub(super) async fn place(tx: &Tx<'_>, step: &OrderPlace) -> Result<PlacedOrder> {
    tx.exclusive(&format!("shop {} {}", step.user, step.key)).await?;
    if let Some(order) = under(tx, &(step.user, step.key.clone())).await? {
        if (order.offer, order.quantity) != (step.offer, step.quantity) {
            return Err(Rejection::IdempotencyConflict.into());
        }
        return Ok(PlacedOrder { order, replayed: true });
    }
    users::lock(tx, step.user).await?;
    let offer = tx.one(offer_sql!("WHERE id = $1"), params![step.offer], read_offer).await?;
    let offer = offer.ok_or(Rejection::NotFound { what: MissingThing::Offer })?;
    // Judged again by what it says now: the price that is paid is this one.
    let cost = offer.terms.sells(step.quantity, step.now)?;
    let rows = things(step, &offer)?;
    let first = rows.first().ok_or_else(|| Fault::new("an order of nothing"))?;
    let id = ShopOrderId(first.id.0);
    let amount = Amount::new(cost).ok_or_else(|| Fault::new("an order that costs nothing"))?;
    let paid = post(
        tx,
        &Posting {
            user: step.user,
            asked: Move::Spend { amount },
            key: format!("shop:{id}"),
            reason: offer.terms.name.clone(),
            at: step.now,
        },
    )
    .await?;
    let order = ShopOrderRow {
        id,
        user: step.user,
        offer: step.offer,
        name: offer.terms.name.clone(),
        name_en: offer.terms.name_en.clone(),
        quantity: step.quantity,
        cost,
        state: ShopOrderState::Placed,
        hold: step.hold.clone(),
        made: step.now,
        changed: step.now,
        note: None,
        things: rows.iter().map(|row| row.id).collect(),
    };
    write(tx, &order, &step.key, paid.n).await?;
    fulfilments::insert(tx, &rows).await?;
    let body = serde_json::to_string(&ShopMessage { offer: step.offer })
        .map_err(|error| Fault::caused("writing a message", error))?;
    let message = NewMessage {
        id: step.message,
        lane: SHOP.to_owned(),
        user: Some(step.user),
        kind: SHOP,
        subject: id.0,
        body,
        made: step.now,
        due: step.now,
    };
    outbox::put(tx, &[message]).await?;
    tell_order(tx, EventKind::OrderMade, &order, step.now).await?;
    Ok(PlacedOrder { order, replayed: false })
}

/// What is given for it. It waits for the order, which lets it go once the ledger has taken the units.
fn things(step: &OrderPlace, offer: &OfferRow) -> Result<Vec<FulfilmentRow>, Fault> {
    let gives = offer.terms.gives;
    let (count, amount) = gives.things(step.quantity);
    if step.ids.len() != count as usize {
        return Err(Fault::new(format!("{} ids for {count} things", step.ids.len())));
    }
    let (activity, pool) = match gives {
        OfferKind::Chances { activity, .. } => (Some(activity), None),
        OfferKind::Code { pool } => (None, Some(pool)),
        OfferKind::Text | OfferKind::Coupon | OfferKind::Parcel => (None, None),
    };
    let standing = FulfilmentStatus {
        kind: gives.kind(),
        state: FulfilmentState::Waiting,
        due: None,
        claim_within_ms: None,
        claim_until: None,
    };
    let row = |id: &FulfilmentId| FulfilmentRow {
        id: *id,
        source: FulfilmentSource::ShopOrder { activity },
        user: step.user,
        amount,
        pool,
        standing,
        made: step.now,
        changed: step.now,
        claimed: None,
        address: None,
        carrier: None,
        tracking: None,
        note: None,
        redriven: 0,
    };
    Ok(step.ids.iter().map(row).collect())
}

async fn write(tx: &Tx<'_>, order: &ShopOrderRow, key: &str, points_row: i64) -> Result<()> {
    tx.execute(
        "INSERT INTO shop_orders (id, user_id, idem_key, offer_id, name, quantity, cost, points_row, state, hold, made_ms,
                                  changed_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)",
        params![
            order.id,
            order.user,
            key,
            order.offer,
            &order.name,
            order.quantity,
            order.cost,
            points_row,
            order.state.name(),
            &order.hold,
            order.made
        ],
    )
    .await?;
    let rows = order.things.iter().map(|thing| -> [Value; 2] { [order.id.into(), (*thing).into()] });
    once_each(tx, "INSERT INTO shop_things (order_id, fulfilment_id) VALUES ($1, $2)", rows).await
}

pub(super) async fn under(tx: &Tx<'_>, (user, key): &(UserId, String)) -> Result<Option<ShopOrderRow>> {
    let sql = order_sql!("WHERE user_id = $1 AND idem_key = $2");
    match tx.one(sql, params![*user, key], read_order).await? {
        Some(order) => whole(tx, order).await.map(Some),
        None => Ok(None),
    }
}

pub(super) async fn find(tx: &Tx<'_>, id: &ShopOrderId) -> Result<Option<ShopOrderRow>> {
    match tx.one(order_sql!("WHERE id = $1"), params![*id], read_order).await? {
        Some(order) => whole(tx, order).await.map(Some),
        None => Ok(None),
    }
}

pub(super) async fn of_things(tx: &Tx<'_>, things: &[FulfilmentId]) -> Result<Vec<Option<ShopOrderRow>>> {
    let keys: Vec<[Value; 1]> = things.iter().map(|thing| [(*thing).into()]).collect();
    let sql = order_sql!("WHERE id = (SELECT order_id FROM shop_things WHERE fulfilment_id = $1)");
    let mut orders = Vec::with_capacity(things.len());
    for found in all_each(tx, sql, &keys, read_order).await? {
        orders.push(match found.into_iter().next() {
            Some(order) => Some(whole(tx, order).await?),
            None => None,
        });
    }
    Ok(orders)
}

/// The newest first.
pub(super) async fn list(tx: &Tx<'_>, (user, page): &(UserId, PageRequest)) -> Result<Page<ShopOrderRow>> {
    let sql = order_sql!("WHERE user_id = $3 AND id < $1 ORDER BY id DESC LIMIT $2");
    let rows = tx.all(sql, params![page.before(), page.fetch(), *user], read_order).await?;
    let mut page = Page::cut(rows, *page, |row| row.id.0);
    for order in &mut page.items {
        *order = whole(tx, order.clone()).await?;
    }
    Ok(page)
}

/// Everybody's, the newest first.
pub(super) async fn search(
    tx: &Tx<'_>,
    (search, page): &(ShopOrderSearch, PageRequest),
) -> Result<Page<ShopOrderRow>> {
    let (before, fetch, state) =
        (page.before(), page.fetch(), search.state.map(|state| state.name().to_owned()));
    let rows = match search.user {
        Some(user) => {
            let sql = order_sql!(
                "WHERE user_id = $3 AND id < $1 AND (CAST($4 AS TEXT) IS NULL OR state = $4) ORDER BY id DESC LIMIT $2"
            );
            tx.all(sql, params![before, fetch, user, state], read_order).await?
        }
        None => {
            let sql = order_sql!(
                "WHERE id < $1 AND (CAST($3 AS TEXT) IS NULL OR state = $3) ORDER BY id DESC LIMIT $2"
            );
            tx.all(sql, params![before, fetch, state], read_order).await?
        }
    };
    let mut page = Page::cut(rows, *page, |row| row.id.0);
    for order in &mut page.items {
        *order = whole(tx, order.clone()).await?;
    }
    Ok(page)
}

/// What a user's orders cost, without those that were reversed: read from an index alone, since a draw may ask for it.
pub(super) async fn sum_spent(tx: &Tx<'_>, user: &UserId) -> Result<u64> {
    let sql = "SELECT CAST(COALESCE(SUM(cost), 0) AS BIGINT) FROM shop_orders
               WHERE user_id = $1 AND state <> 'reversed'";
    let spent = tx.count(sql, params![*user]).await?;
    u64::try_from(spent).map_err(|error| Fault::caused("points spent", error).into())
}
