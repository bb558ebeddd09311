//! What is given for an order that is paid: parcels and codes go the way of prizes, numbered things are there at once.

use domain::fulfilment::{FulfilmentSource, FulfilmentStatus, Grant, PrizeKind};
use domain::ids::{FulfilmentId, OrderId};
use domain::sale::{ItemKind, OrderState};
use domain::time::Timestamp;
use domain::webhook::EventKind;

use super::address;
use super::counters::count_orders;
use super::editions;
use super::events::tell_orders;
use crate::each::once_each;
use crate::failure::{Fault, Result};
use crate::model::{FulfilmentRow, OrderLine, PaymentSettle, SaleOrder};
use crate::params;
use crate::steps::{fulfilments, outbox};
use crate::tx::Tx;
use crate::value::Value;

/// Answers whether its buyer has everything already.
pub(super) async fn begin(tx: &Tx<'_>, order: &SaleOrder, step: &PaymentSettle) -> Result<bool> {
    let PaymentSettle { ids, totals, now, .. } = step;
    let (mut ids, now) = (ids.iter().copied(), *now);
    let mut next = || ids.next().ok_or_else(|| Fault::new("an order with more things than ids"));
    let mut rows = Vec::new();
    for line in &order.lines {
        match line.item {
            ItemKind::Collectible => {
                let numbers = (0..line.quantity).map(|_| next()).collect::<Result<Vec<_>, _>>()?;
                editions::give(tx, order, line, &numbers, totals, now).await?;
            }
            ItemKind::Parcel => rows.push(row(order, line, (PrizeKind::Parcel, line.quantity), next()?, now)),
            ItemKind::Code { .. } => {
                for _ in 0..line.quantity {
                    rows.push(row(order, line, (PrizeKind::Code, 1), next()?, now));
                }
            }
        }
    }
    fulfilments::insert(tx, &rows).await?;
    let things = rows.iter().map(|row| -> [Value; 2] { [order.id.into(), row.id.into()] });
    once_each(tx, "INSERT INTO order_things (order_id, fulfilment_id) VALUES ($1, $2)", things).await?;
    let mut messages = Vec::new();
    for row in &rows {
        messages.extend(fulfilments::message(row, now)?);
    }
    outbox::put(tx, &messages).await?;
    let parcels = rows.iter().filter(|row| row.standing.kind == PrizeKind::Parcel).map(|row| row.id);
    address::send(tx, order, parcels, now).await?;
    Ok(rows.is_empty())
}

fn row(
    order: &SaleOrder,
    line: &OrderLine,
    (kind, amount): (PrizeKind, u32),
    id: i64,
    now: Timestamp,
) -> FulfilmentRow {
    FulfilmentRow {
        id: FulfilmentId(id),
        source: FulfilmentSource::Order { sale: line.sale },
        user: order.user,
        amount: amount.into(),
        pool: line.code_pool(),
        standing: FulfilmentStatus::begin(kind, Grant::Now, None, now),
        made: now,
        changed: now,
        claimed: None,
        address: None,
        carrier: None,
        tracking: None,
        note: None,
        redriven: 0,
    }
}

/// One thing has reached its buyer; with the last one its order is fulfilled.
pub(crate) async fn mark_given(tx: &Tx<'_>, thing: FulfilmentId, now: Timestamp) -> Result<()> {
    let delivered = tx
        .all(
            "UPDATE orders SET state = 'fulfilled', changed_ms = $2
             WHERE id = (SELECT order_id FROM order_things WHERE fulfilment_id = $1) AND state = 'paid'
                   AND NOT EXISTS (SELECT 1 FROM order_things t JOIN fulfilments f ON f.id = t.fulfilment_id
                                   WHERE t.order_id = orders.id AND f.state <> 'given')
             RETURNING id",
            params![thing, now],
            |row| Ok((OrderId(row.int()?), now)),
        )
        .await?;
    count_orders(tx, OrderState::Fulfilled, delivered.len() as u64);
    tell_orders(tx, EventKind::OrderDelivered, &delivered).await
}
