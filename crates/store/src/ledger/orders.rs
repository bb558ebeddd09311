//! Holds of sales as orders: an order is written in the batch that writes its hold, and moves with it.
//!
//! What it costs is what its sale cost in the version that was in place when the hold was decided. The ledger refuses a
//! hold for any other version, and prices are there before the ledger hears of their version; so the version is read from
//! the events, as it is for tickets. A hold that ends late in an order's life finds an order that has moved on (paid for
//! with other units), and leaves it.

use std::collections::HashMap;

use domain::ids::{ActivityId, CodePoolId};
use domain::ledger::{HoldState, PoolId};
use domain::sale::{Currency, ItemKind, OrderState, user_of};
use engine::{Fault, Outcome};

use super::columns::{RowState, key_bytes, read_u32, read_unsigned, signed};
use super::each::{count_each, once_each};
use super::sheet::{HoldChange, HoldEnd, Sheet};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::Value;

/// What a version of a sale sells for.
#[derive(Clone, Debug)]
struct Price {
    name: String,
    item: ItemKind,
    minor: u64,
    currency: Currency,
}

/// Before activities are written: what the batch does not tell of their versions is as it was before.
pub(super) async fn write(tx: &Tx<'_>, sheet: &Sheet<'_>) -> Outcome<()> {
    let mut prices = Prices::default();
    let (mut orders, mut lines) = (Vec::new(), Vec::new());
    for hold in sheet.holds.iter().filter(|hold| hold.new.is_some()) {
        made(tx, sheet, hold, &mut prices, (&mut orders, &mut lines)).await?;
    }
    once_each(
        tx,
        "INSERT INTO orders (id, user_id, policy, state, currency, total_minor, hold_key, made_ms, due_ms, changed_ms)
         VALUES ($1, $2, 'at_order', $3, $4, $5, $6, $7, $8, $9)",
        orders,
    )
    .await?;
    once_each(
        tx,
        "INSERT INTO order_lines (order_id, line, sale_id, version, name, item, code_pool_id, quantity, price_minor)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        lines,
    )
    .await?;
    let ended = sheet.holds.iter().filter(|hold| hold.new.is_none()).filter_map(|hold| {
        let (order, end) = hold.order.zip(hold.end)?;
        let state = ended_as(end)?;
        Some([Value::from(order), state.name().into(), end.at.into()])
    });
    count_each(
        tx,
        "UPDATE orders SET state = $2, changed_ms = $3 WHERE id = $1 AND state = 'unpaid'",
        ended.collect::<Vec<_>>(),
    )
    .await?;
    Ok(())
}

type Rows<'r> = (&'r mut Vec<[Value; 9]>, &'r mut Vec<[Value; 9]>);

async fn made(
    tx: &Tx<'_>,
    sheet: &Sheet<'_>,
    hold: &HoldChange<'_>,
    prices: &mut Prices,
    (orders, lines): Rows<'_>,
) -> Outcome<()> {
    let (Some(order), Some(new)) = (hold.order, &hold.new) else { return Ok(()) };
    let strange = |what: &str| Fault::new(format!("order {order} {what}"));
    let user = new.owner.and_then(user_of).ok_or_else(|| strange("is nobody's"))?;
    let (mut total, mut currency) = (0_u64, None);
    for (at, line) in (0_i64..).zip(&hold.lines) {
        let sale = prices.sale(tx, line.pool).await?;
        let told = sheet.play.versioned.iter().rev();
        let told = told
            .filter(|(seq, activity, _)| *activity == sale && *seq < hold.made_seq)
            .map(|row| row.2)
            .next();
        let version = match told {
            Some(version) => version,
            None => prices.version(tx, sale).await?,
        };
        let price = prices.price(tx, sale, version).await?;
        if *currency.get_or_insert(price.currency) != price.currency {
            return Err(strange("has two currencies").into());
        }
        total = total.saturating_add(price.minor.saturating_mul(line.units.into()));
        lines.push([
            order.into(),
            at.into(),
            sale.into(),
            version.into(),
            (&price.name).into(),
            price.item.name().into(),
            price.item.pool().into(),
            line.units.into(),
            signed(price.minor).into(),
        ]);
    }
    let currency = currency.ok_or_else(|| strange("has no lines"))?;
    let state = hold.end.and_then(ended_as).unwrap_or(OrderState::Unpaid);
    orders.push([
        order.into(),
        user.into(),
        state.name().into(),
        currency.to_string().into(),
        signed(total).into(),
        key_bytes(new.key),
        new.made.into(),
        hold.due.into(),
        hold.end.map_or(new.made, |end| end.at).into(),
    ]);
    Ok(())
}

/// What becomes of an unpaid order when its hold ends; a hold that was confirmed is being paid for, and whoever confirmed
/// it says so.
fn ended_as(end: HoldEnd) -> Option<OrderState> {
    match end.state {
        RowState::Hold(HoldState::Cancelled) => Some(OrderState::Cancelled),
        RowState::Hold(HoldState::Expired) => Some(OrderState::Expired),
        RowState::Hold(HoldState::Held | HoldState::Confirmed) | RowState::Spent => None,
    }
}

/// Read once per batch.
#[derive(Default)]
struct Prices {
    sales: HashMap<PoolId, ActivityId>,
    versions: HashMap<ActivityId, u32>,
    prices: HashMap<(ActivityId, u32), Price>,
}

impl Prices {
    async fn sale(&mut self, tx: &Tx<'_>, pool: PoolId) -> Outcome<ActivityId> {
        if let Some(sale) = self.sales.get(&pool) {
            return Ok(*sale);
        }
        let sql = "SELECT activity_id FROM sale_prices WHERE pool_id = $1 LIMIT 1";
        let found = tx.one(sql, params![pool.0], Row::int).await?;
        let sale = ActivityId(found.ok_or_else(|| Fault::new(format!("pool {} is not a sale's", pool.0)))?);
        self.sales.insert(pool, sale);
        Ok(sale)
    }

    /// As it was before the batch.
    async fn version(&mut self, tx: &Tx<'_>, sale: ActivityId) -> Outcome<u32> {
        if let Some(version) = self.versions.get(&sale) {
            return Ok(*version);
        }
        let sql = "SELECT version FROM play_rounds WHERE activity_id = $1 ORDER BY round DESC LIMIT 1";
        let found = tx.one(sql, params![sale], read_u32).await?;
        let version = found.ok_or_else(|| Fault::new(format!("sale {sale} was never opened")))?;
        self.versions.insert(sale, version);
        Ok(version)
    }

    async fn price(&mut self, tx: &Tx<'_>, sale: ActivityId, version: u32) -> Outcome<Price> {
        if let Some(price) = self.prices.get(&(sale, version)) {
            return Ok(price.clone());
        }
        let found = tx
            .one(
                "SELECT name, item, code_pool_id, price_minor, currency FROM sale_prices
                 WHERE activity_id = $1 AND version = $2",
                params![sale, version],
                read_price,
            )
            .await?;
        let price =
            found.ok_or_else(|| Fault::new(format!("version {version} of sale {sale} has no price")))?;
        self.prices.insert((sale, version), price.clone());
        Ok(price)
    }
}

fn read_price(row: &mut Row) -> Result<Price, Fault> {
    let (name, item, pool) = (row.text()?, row.text()?, row.opt_int()?.map(CodePoolId));
    let item = ItemKind::parse(&item, pool).ok_or_else(|| Fault::new(format!("a sale of {item}")))?;
    Ok(Price { name, item, minor: read_unsigned(row)?, currency: row.named(Currency::parse)? })
}
