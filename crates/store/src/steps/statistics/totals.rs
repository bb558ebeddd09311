//! What rows that are there anyway tell of a day, and of the steps of a campaign.

use domain::ids::ActivityId;
use domain::snowflake::first_id;
use domain::time::{HOUR_MS, Timestamp};

use crate::each::all_each;
use crate::failure::Result;
use crate::model::{BuyerCounts, DayTotals, SiteDay};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::Value;

/// Draws of a day by the hour; everything else by its id, which rises with time.
const POSTS: &str = "SELECT COUNT(*) FROM posts WHERE id >= $1 AND id < $2";
const DRAWS: &str =
    "SELECT CAST(COALESCE(SUM(draws), 0) AS BIGINT) FROM draw_hours WHERE hour >= $1 AND hour < $2";
const ORDERS: &str = "SELECT COUNT(*) FROM orders WHERE id >= $1 AND id < $2";
/// Those that settle an order.
const PAID: &str = "SELECT COUNT(*) FROM payments p JOIN orders o ON o.id = p.order_id
    WHERE p.id >= $1 AND p.id < $2 AND o.payment_id = p.id AND p.state <> 'arrived'";

/// In the order of the days.
pub(super) async fn day_totals(tx: &Tx<'_>, days: &[SiteDay]) -> Result<Vec<DayTotals>> {
    let keys = |bound: fn(Timestamp) -> i64| -> Vec<[Value; 2]> {
        days.iter().map(|day| [day.from, day.until].map(|at| Value::from(bound(at)))).collect()
    };
    // An hour belongs to the day in which it begins.
    let by_hour = keys(|at| at.0.div_euclid(HOUR_MS) + i64::from(at.0.rem_euclid(HOUR_MS) > 0));
    let by_id = keys(first_id);
    let posts = all_each(tx, POSTS, &by_id, Row::unsigned).await?;
    let draws = all_each(tx, DRAWS, &by_hour, Row::unsigned).await?;
    let orders = all_each(tx, ORDERS, &by_id, Row::unsigned).await?;
    let paid = all_each(tx, PAID, &by_id, Row::unsigned).await?;
    let sum =
        |counts: &[Vec<u64>], at: usize| counts.get(at).and_then(|count| count.first()).copied().unwrap_or(0);
    let total = |at| DayTotals {
        posts: sum(&posts, at),
        draws: sum(&draws, at),
        orders: sum(&orders, at),
        paid: sum(&paid, at),
    };
    Ok((0..days.len()).map(total).collect())
}

/// Winners of a round with a prize that they claimed, or that needs no claim.
pub(super) async fn claimed(tx: &Tx<'_>, (activity, round): &(ActivityId, u32)) -> Result<u64> {
    let winners = tx
        .one(
            "SELECT COUNT(DISTINCT w.user_id) FROM wins w
             LEFT JOIN fulfilments f ON f.id = w.id AND f.source = 'win'
             WHERE w.activity_id = $1 AND w.round = $2
               AND (f.id IS NULL OR f.state NOT IN ('claimable', 'unclaimed', 'voided'))",
            params![*activity, *round],
            Row::unsigned,
        )
        .await?;
    Ok(winners.unwrap_or(0))
}

/// People who ordered in a sale, and those among them whose payment settled an order, refunded later or not.
pub(super) async fn buyers(tx: &Tx<'_>, sale: &ActivityId) -> Result<BuyerCounts> {
    let found = tx
        .one(
            "SELECT COUNT(DISTINCT o.user_id), COUNT(DISTINCT CASE WHEN p.id IS NOT NULL THEN o.user_id END)
             FROM order_lines l JOIN orders o ON o.id = l.order_id
             LEFT JOIN payments p ON p.id = o.payment_id AND p.state <> 'arrived'
             WHERE l.sale_id = $1",
            params![*sale],
            |row| Ok(BuyerCounts { ordered: row.unsigned()?, paid: row.unsigned()? }),
        )
        .await?;
    Ok(found.unwrap_or_default())
}
