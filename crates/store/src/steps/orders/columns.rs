//! Orders and payments as columns and back.

use domain::Rejection;
use domain::ids::{ActivityId, AddressId, CodePoolId, FulfilmentId, OrderId, PaymentId, UserId};
use domain::ledger::Key;
use domain::rejection::MissingThing;
use domain::sale::{Currency, ItemKind, Money, OrderState, PaymentState, Policy, RefundReason};

use crate::failure::{Fault, Result};
use crate::model::{OrderLine, PaymentRow, SaleOrder};
use crate::params;
use crate::row::Row;
use crate::steps::activities::columns::number;
use crate::tx::Tx;

/// `SELECT` of whole orders, to be read with [`read_order`].
macro_rules! order_sql {
    ($rest:literal) => {
        concat!(
            "SELECT o.id, o.user_id, o.policy, o.state, o.total_minor, o.currency, o.hold_key, o.made_ms, o.due_ms,
                    o.changed_ms, o.payment_id, o.note,
                    (SELECT a.address_id FROM order_addresses a WHERE a.order_id = o.id)
             FROM orders o ",
            $rest
        )
    };
}
pub(super) use order_sql;

/// `SELECT` of payments with what went back of them, to be read with [`read_payment`].
macro_rules! payment_sql {
    ($rest:literal) => {
        concat!(
            "SELECT p.id, p.provider, p.reference, p.order_id, p.amount_minor, p.currency, p.state, p.made_ms,
                    p.changed_ms, r.why, r.done_ms
             FROM payments p LEFT JOIN refunds r ON r.payment_id = p.id ",
            $rest
        )
    };
}
pub(super) use payment_sql;

/// Without its lines and things.
pub(super) fn read_order(row: &mut Row) -> Result<SaleOrder, Fault> {
    let (id, user) = (OrderId(row.int()?), UserId(row.int()?));
    let (policy, state) = (row.named(Policy::parse)?, row.named(OrderState::parse)?);
    let total = Money { minor: row.unsigned()?, currency: row.named(Currency::parse)? };
    let hold: [u8; 16] =
        row.bytes()?.try_into().map_err(|_| Fault::new("a key that is not 16 bytes long"))?;
    Ok(SaleOrder {
        id,
        user,
        policy,
        state,
        total,
        hold: Key(u128::from_be_bytes(hold)),
        made: row.time()?,
        due: row.time()?,
        changed: row.time()?,
        payment: row.opt_int()?.map(PaymentId),
        note: row.opt_text()?,
        address: row.opt_int()?.map(AddressId),
        lines: Vec::new(),
        things: Vec::new(),
    })
}

fn read_line(row: &mut Row) -> Result<OrderLine, Fault> {
    let (sale, version, name) = (ActivityId(row.int()?), number(row)?, row.text()?);
    let (item, pool) = (row.text()?, row.opt_int()?.map(CodePoolId));
    let item = ItemKind::parse(&item, pool).ok_or_else(|| Fault::new(format!("an order of {item}")))?;
    let (quantity, price_minor) = (number(row)?, row.unsigned()?);
    let name_en = row.opt_text()?.unwrap_or_default();
    Ok(OrderLine { sale, version, name, name_en, item, quantity, price_minor })
}

pub(super) fn read_payment(row: &mut Row) -> Result<PaymentRow, Fault> {
    let (id, provider, reference) = (PaymentId(row.int()?), row.text()?, row.text()?);
    let order = OrderId(row.int()?);
    let money = Money { minor: row.unsigned()?, currency: row.named(Currency::parse)? };
    let (state, made, changed) = (row.named(PaymentState::parse)?, row.time()?, row.time()?);
    let (why, done) = (row.opt_named(RefundReason::parse)?, row.opt_time()?);
    let back = why.map(|why| (why, done));
    Ok(PaymentRow { id, provider, reference, order, money, state, made, changed, back })
}

/// With its lines and things.
pub(super) async fn whole(tx: &Tx<'_>, order: SaleOrder) -> Result<SaleOrder> {
    let lines = tx
        .all(
            "SELECT l.sale_id, l.version, l.name, l.item, l.code_pool_id, l.quantity, l.price_minor, p.name_en
             FROM order_lines l
             LEFT JOIN sale_prices p ON p.activity_id = l.sale_id AND p.version = l.version
             WHERE l.order_id = $1 ORDER BY l.line",
            params![order.id],
            read_line,
        )
        .await?;
    let sql = "SELECT fulfilment_id FROM order_things WHERE order_id = $1 ORDER BY fulfilment_id";
    let things = tx.all(sql, params![order.id], |row| row.int().map(FulfilmentId)).await?;
    Ok(SaleOrder { lines, things, ..order })
}

/// Held still until the transaction ends.
pub(super) async fn lock(tx: &Tx<'_>, id: OrderId) -> Result<SaleOrder> {
    let found = tx.one(order_sql!("WHERE o.id = $1 FOR UPDATE"), params![id], read_order).await?;
    whole(tx, found.ok_or(Rejection::NotFound { what: MissingThing::Order })?).await
}

pub(super) async fn find_payment(tx: &Tx<'_>, id: PaymentId) -> Result<Option<PaymentRow>> {
    tx.one(payment_sql!("WHERE p.id = $1"), params![id], read_payment).await
}
