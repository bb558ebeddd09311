//! Numbered things: the next editions of a sale, in the transaction that pays for them. No number is given twice, and none
//! is left out; what is paid back leaves its buyer, and its number is given to nobody else.

use domain::ids::{ActivityId, OrderId};
use domain::time::Timestamp;

use crate::each::once_each;
use crate::failure::Result;
use crate::model::{OrderLine, SaleOrder};
use crate::params;
use crate::tx::Tx;
use crate::value::{Value, as_i64};

pub(super) async fn give(
    tx: &Tx<'_>,
    order: &SaleOrder,
    line: &OrderLine,
    ids: &[i64],
    totals: &[(ActivityId, u64)],
    now: Timestamp,
) -> Result<()> {
    let of = totals.iter().find(|(sale, _)| *sale == line.sale).map(|(_, total)| as_i64(*total));
    // The row is locked by the update until the transaction ends: editions are given in order.
    let last = tx
        .count(
            "INSERT INTO editions (sale_id, given) VALUES ($1, $2)
             ON CONFLICT (sale_id) DO UPDATE SET given = editions.given + excluded.given RETURNING given",
            params![line.sale, line.quantity],
        )
        .await?;
    let first = last - i64::from(line.quantity) + 1;
    let rows = (first..).zip(ids).map(|(edition, id)| -> [Value; 8] {
        [
            (*id).into(),
            order.user.into(),
            line.sale.into(),
            edition.into(),
            order.id.into(),
            line.version.into(),
            now.into(),
            of.into(),
        ]
    });
    once_each(
        tx,
        "INSERT INTO collectibles (id, user_id, sale_id, edition, order_id, version, made_ms, of_units)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        rows,
    )
    .await
}

/// They are not their buyer's any more. Their numbers stay given: whoever has seen "edition 3" was shown one thing.
pub(super) async fn take_back(tx: &Tx<'_>, order: OrderId, now: Timestamp) -> Result<()> {
    let sql = "UPDATE collectibles SET taken_back_ms = $2 WHERE order_id = $1 AND taken_back_ms IS NULL";
    tx.execute(sql, params![order, now]).await.map(drop)
}
