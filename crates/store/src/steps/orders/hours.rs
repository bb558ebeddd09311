//! What happened in a sale, hour by hour.
//!
//! Counted anew from its orders whenever somebody asks: nothing is kept beside them that could say otherwise. It costs a
//! walk over the sale's orders, so whoever asks often keeps the answer for a moment.
//!
//! Money is that of the sale's own lines in orders whose payment settles them. What settles nothing (paid twice, a wrong
//! amount) was never the sale's: it goes back whole, and stands with its order.

use domain::ids::ActivityId;
use domain::sale::Currency;
use domain::time::{MINUTE_MS, Timestamp};

use crate::failure::Result;
use crate::model::{MINUTES_MAX, SALE_HOURS_MAX, SaleHour, SaleMinute, SaleSums};
use crate::params;
use crate::tx::Tx;

pub(super) async fn of(tx: &Tx<'_>, (sale, from): &(ActivityId, i64)) -> Result<Vec<SaleHour>> {
    tx.all(
        "SELECT hour, currency, CAST(SUM(orders) AS BIGINT), CAST(SUM(units) AS BIGINT), CAST(SUM(paid) AS BIGINT),
                CAST(SUM(cancelled) AS BIGINT), CAST(SUM(expired) AS BIGINT), CAST(SUM(refunded) AS BIGINT),
                CAST(SUM(taken) AS BIGINT), CAST(SUM(back) AS BIGINT)
         FROM (
             SELECT o.made_ms / 3600000 AS hour, o.currency AS currency, 1 AS orders, l.quantity AS units, 0 AS paid,
                    0 AS cancelled, 0 AS expired, 0 AS refunded, 0 AS taken, 0 AS back
             FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE l.sale_id = $1
             UNION ALL
             SELECT p.made_ms / 3600000, o.currency, 0, 0, 1, 0, 0, 0, l.quantity * l.price_minor, 0
             FROM order_lines l JOIN orders o ON o.id = l.order_id JOIN payments p ON p.id = o.payment_id
             WHERE l.sale_id = $1 AND p.state <> 'arrived'
             UNION ALL
             SELECT o.changed_ms / 3600000, o.currency, 0, 0, 0, CASE o.state WHEN 'cancelled' THEN 1 ELSE 0 END,
                    CASE o.state WHEN 'expired' THEN 1 ELSE 0 END, 0, 0, 0
             FROM order_lines l JOIN orders o ON o.id = l.order_id
             WHERE l.sale_id = $1 AND o.state IN ('cancelled', 'expired')
             UNION ALL
             SELECT r.done_ms / 3600000, o.currency, 0, 0, 0, 0, 0, 1, 0, l.quantity * l.price_minor
             FROM order_lines l JOIN orders o ON o.id = l.order_id JOIN refunds r ON r.payment_id = o.payment_id
             WHERE l.sale_id = $1 AND r.done_ms IS NOT NULL
         ) AS happened
         WHERE hour >= $2 GROUP BY hour, currency ORDER BY hour, currency LIMIT $3",
        params![*sale, *from, SALE_HOURS_MAX],
        |row| {
            let (hour, currency) = (row.int()?, row.named(Currency::parse)?);
            let happened = SaleSums {
                orders: row.unsigned()?,
                units: row.unsigned()?,
                paid: row.unsigned()?,
                cancelled: row.unsigned()?,
                expired: row.unsigned()?,
                refunded: row.unsigned()?,
                taken_minor: row.unsigned()?,
                refunded_minor: row.unsigned()?,
            };
            Ok(SaleHour { hour, currency, happened })
        },
    )
    .await
}

/// Orders and payments of the first hours of a sale, minute by minute.
pub(super) async fn minutes(tx: &Tx<'_>, (sale, from): &(ActivityId, Timestamp)) -> Result<Vec<SaleMinute>> {
    tx.all(
        "SELECT minute, CAST(SUM(orders) AS BIGINT), CAST(SUM(paid) AS BIGINT)
         FROM (
             SELECT o.made_ms / 60000 AS minute, 1 AS orders, 0 AS paid
             FROM order_lines l JOIN orders o ON o.id = l.order_id
             WHERE l.sale_id = $1 AND o.made_ms >= $2 AND o.made_ms < $3
             UNION ALL
             SELECT p.made_ms / 60000, 0, 1
             FROM order_lines l JOIN orders o ON o.id = l.order_id JOIN payments p ON p.id = o.payment_id
             WHERE l.sale_id = $1 AND p.state <> 'arrived' AND p.made_ms >= $2 AND p.made_ms < $3
         ) AS happened
         GROUP BY minute ORDER BY minute",
        params![*sale, *from, *from + i64::from(MINUTES_MAX) * MINUTE_MS],
        |row| Ok(SaleMinute { minute: row.int()?, orders: row.unsigned()?, paid: row.unsigned()? }),
    )
    .await
}
