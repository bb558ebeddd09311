//! Orders that nothing is held for: deducted at payment.

use domain::Rejection;
use domain::ids::OrderId;
use domain::sale::{OrderEvent, OrderState, Policy, step as follows};
use domain::time::Timestamp;
use domain::webhook::EventKind;

use super::columns::lock;
use super::counters::count_orders;
use super::events::{tell_orders, tell_state};
use super::queries;
use crate::failure::Result;
use crate::model::{Fence, OpenedOrder, OrderOpen, SaleOrder};
use crate::params;
use crate::steps::jobs::pass_fence;
use crate::steps::users;
use crate::tx::Tx;
use crate::value::{Value, as_i64};

/// Under a lock on the user: two tabs do not go beyond the limit together.
pub(super) async fn open(tx: &Tx<'_>, step: &OrderOpen) -> Result<OpenedOrder> {
    users::lock(tx, step.user).await?;
    let key = Value::Bytes(step.key.0.to_be_bytes().to_vec());
    if let Some(id) = queries::under(tx, &step.key).await? {
        let before = lock(tx, id).await?;
        let same = before
            .lines
            .iter()
            .any(|line| (line.sale, line.quantity) == (step.line.sale, step.line.quantity));
        if !same {
            return Err(Rejection::IdempotencyConflict.into());
        }
        return Ok(OpenedOrder { order: id, replayed: true });
    }
    within_limit(tx, step).await?;
    let line = &step.line;
    tx.execute(
        "INSERT INTO orders (id, user_id, policy, state, currency, total_minor, hold_key, made_ms, due_ms, changed_ms)
         VALUES ($1, $2, 'at_payment', 'unpaid', $3, $4, $5, $6, $7, $6)",
        params![
            step.id,
            step.user,
            step.total.currency.to_string(),
            as_i64(step.total.minor),
            key,
            step.now,
            step.due
        ],
    )
    .await?;
    tx.execute(
        "INSERT INTO order_lines (order_id, line, sale_id, version, name, item, code_pool_id, quantity, price_minor)
         VALUES ($1, 0, $2, $3, $4, $5, $6, $7, $8)",
        params![
            step.id,
            line.sale,
            line.version,
            &line.name,
            line.item.name(),
            line.code_pool(),
            line.quantity,
            as_i64(line.price_minor)
        ],
    )
    .await?;
    count_orders(tx, OrderState::Unpaid, 1);
    tell_orders(tx, EventKind::OrderMade, &[(step.id, step.now)]).await?;
    Ok(OpenedOrder { order: step.id, replayed: false })
}

/// Counted as the ledger will count when the money comes, and what is still to come with it. Units that it took stay taken,
/// also where the money went back by hand; where there were none it counts nothing.
async fn within_limit(tx: &Tx<'_>, step: &OrderOpen) -> Result<()> {
    if step.per_user == 0 {
        return Ok(());
    }
    let has = tx
        .count(
            "SELECT CAST(COALESCE(SUM(l.quantity), 0) AS BIGINT)
             FROM orders o JOIN order_lines l ON l.order_id = o.id LEFT JOIN refunds r ON r.payment_id = o.payment_id
             WHERE o.user_id = $1 AND l.sale_id = $2
                   AND (o.state IN ('unpaid', 'paid', 'fulfilled')
                        OR (o.state IN ('cancelled', 'expired') AND o.payment_id IS NOT NULL)
                        OR (o.state IN ('refund_due', 'refunded') AND r.why = 'by_hand'))",
            params![step.user, step.line.sale],
        )
        .await?;
    if has + i64::from(step.line.quantity) <= i64::from(step.per_user) {
        return Ok(());
    }
    let has = u32::try_from(has).unwrap_or(u32::MAX);
    Err(Rejection::LimitReached { pool: step.line.name.clone(), limit: step.per_user, has }.into())
}

pub(super) async fn cancel(tx: &Tx<'_>, (id, now): &(OrderId, Timestamp)) -> Result<SaleOrder> {
    let order = lock(tx, *id).await?;
    if order.policy == Policy::AtPayment && order.state == OrderState::Unpaid && order.payment.is_some() {
        return Err(Rejection::OrderPaying.into());
    }
    let state = order.state_at(*now);
    let Some(state) = follows(state, OrderEvent::Cancelled)? else {
        return Ok(order);
    };
    let sql = "UPDATE orders SET state = $2, changed_ms = $3 WHERE id = $1";
    tx.execute(sql, params![*id, state.name(), *now]).await?;
    count_orders(tx, state, 1);
    tell_state(tx, *id, state, *now).await?;
    Ok(SaleOrder { state, changed: *now, ..order })
}

/// One that somebody has begun to pay is settled by its payment.
pub(super) async fn lapse(tx: &Tx<'_>, (fence, now, limit): &(Fence, Timestamp, u32)) -> Result<u64> {
    pass_fence(tx, fence).await?;
    let expired = tx
        .all(
            "UPDATE orders SET state = 'expired', changed_ms = $1
             WHERE id IN (SELECT id FROM orders
                          WHERE state = 'unpaid' AND policy = 'at_payment' AND payment_id IS NULL AND due_ms <= $1
                          ORDER BY due_ms LIMIT $2)
                   AND state = 'unpaid' AND payment_id IS NULL
             RETURNING id",
            params![*now, *limit],
            |row| Ok((OrderId(row.int()?), *now)),
        )
        .await?;
    count_orders(tx, OrderState::Expired, expired.len() as u64);
    tell_orders(tx, EventKind::OrderExpired, &expired).await?;
    Ok(expired.len() as u64)
}
