//! Looking at orders, payments and numbered things.

use domain::ids::{ActivityId, OrderId, PaymentId, UserId};
use domain::ledger::Key;
use domain::page::{Page, PageRequest};
use domain::sale::OrderState;

use super::columns::{find_payment, order_sql, payment_sql, read_order, read_payment, whole};
use crate::failure::Result;
use crate::model::{Collectible, OrderSearch, PAYMENTS_LISTED_MAX, PaymentRow, SaleOrder};
use crate::params;
use crate::steps::activities::columns::number;
use crate::tx::Tx;
use crate::value::Value;

pub(super) async fn find(tx: &Tx<'_>, id: &OrderId) -> Result<Option<SaleOrder>> {
    match tx.one(order_sql!("WHERE o.id = $1"), params![*id], read_order).await? {
        Some(order) => whole(tx, order).await.map(Some),
        None => Ok(None),
    }
}

pub(super) async fn under(tx: &Tx<'_>, key: &Key) -> Result<Option<OrderId>> {
    let key = Value::Bytes(key.0.to_be_bytes().to_vec());
    let sql = "SELECT id FROM orders WHERE hold_key = $1 AND policy = 'at_payment'";
    tx.one(sql, &[key], |row| row.int().map(OrderId)).await
}

pub(super) async fn buyers(tx: &Tx<'_>, (sale, limit): &(ActivityId, u32)) -> Result<Vec<UserId>> {
    let sql = "SELECT DISTINCT o.user_id FROM order_lines l JOIN orders o ON o.id = l.order_id \
               WHERE l.sale_id = $1 LIMIT $2";
    let values = [Value::Int(sale.0), Value::Int(i64::from(*limit))];
    tx.all(sql, &values, |row| row.int().map(UserId)).await
}

/// The newest first. Whose they are, and of which sale, have an index each; of the states only those that somebody has to
/// do something about, and the rest is found on a walk by id.
pub(super) async fn list(
    tx: &Tx<'_>,
    (search, page): &(OrderSearch, PageRequest),
) -> Result<Page<SaleOrder>> {
    let state = search.state.map(OrderState::name);
    let sql = match (search.user, search.sale, search.state) {
        (Some(_), _, _) => order_sql!(
            "WHERE o.user_id = $3 AND o.id < $1 AND (CAST($5 AS TEXT) IS NULL OR o.state = $5)
                   AND (CAST($4 AS BIGINT) IS NULL
                        OR EXISTS (SELECT 1 FROM order_lines l WHERE l.order_id = o.id AND l.sale_id = $4))
             ORDER BY o.id DESC LIMIT $2"
        ),
        (None, Some(_), _) => order_sql!(
            "WHERE o.id IN (SELECT l.order_id FROM order_lines l JOIN orders s ON s.id = l.order_id
                            WHERE l.sale_id = $4 AND l.order_id < $1 AND (CAST($5 AS TEXT) IS NULL OR s.state = $5)
                                  AND CAST($3 AS BIGINT) IS NULL
                            ORDER BY l.order_id DESC LIMIT $2)
             ORDER BY o.id DESC"
        ),
        (None, None, Some(OrderState::Paid | OrderState::RefundDue)) => order_sql!(
            "WHERE o.state IN ('paid', 'refund_due') AND o.state = $5 AND o.id < $1 AND CAST($3 AS BIGINT) IS NULL
                   AND CAST($4 AS BIGINT) IS NULL
             ORDER BY o.id DESC LIMIT $2"
        ),
        (None, None, _) => order_sql!(
            "WHERE o.id < $1 AND (CAST($5 AS TEXT) IS NULL OR o.state = $5) AND CAST($3 AS BIGINT) IS NULL
                   AND CAST($4 AS BIGINT) IS NULL
             ORDER BY o.id DESC LIMIT $2"
        ),
    };
    let asked = params![page.before(), page.fetch(), search.user, search.sale, state];
    let rows = tx.all(sql, asked, read_order).await?;
    let mut page = Page::cut(rows, *page, |row| row.id.0);
    for order in &mut page.items {
        *order = whole(tx, order.clone()).await?;
    }
    Ok(page)
}

pub(super) async fn payment(tx: &Tx<'_>, id: &PaymentId) -> Result<Option<PaymentRow>> {
    find_payment(tx, *id).await
}

pub(super) async fn payments(tx: &Tx<'_>, order: &OrderId) -> Result<Vec<PaymentRow>> {
    let sql = payment_sql!("WHERE p.order_id = $1 ORDER BY p.id LIMIT $2");
    tx.all(sql, params![*order, PAYMENTS_LISTED_MAX], read_payment).await
}

pub(super) async fn collectibles(
    tx: &Tx<'_>,
    (user, page): &(UserId, PageRequest),
) -> Result<Page<Collectible>> {
    let rows = tx
        .all(
            "SELECT id, user_id, sale_id, edition, of_units, order_id, version, made_ms FROM collectibles
             WHERE user_id = $3 AND id < $1 AND taken_back_ms IS NULL ORDER BY id DESC LIMIT $2",
            params![page.before(), page.fetch(), *user],
            |row| {
                Ok(Collectible {
                    id: row.int()?,
                    user: UserId(row.int()?),
                    sale: ActivityId(row.int()?),
                    edition: row.unsigned()?,
                    of: row.opt_int()?.map(i64::cast_unsigned),
                    order: OrderId(row.int()?),
                    version: number(row)?,
                    made: row.time()?,
                })
            },
        )
        .await?;
    Ok(Page::cut(rows, *page, |row| row.id))
}
