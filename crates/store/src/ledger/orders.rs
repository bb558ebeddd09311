//! Holds of sales as orders: an order is written in the batch that writes its hold, and moves with it.
//!
//! What it costs is what its sale cost in the version that was in place when the hold was decided. The ledger refuses a
//! hold for any other version, and prices are there before the ledger hears of their version; so the version is read from
//! the events, as it is for tickets. A hold that ends late in an order's life finds an order that has moved on (paid for
//! with other units), and leaves it.

use std::collections::HashMap;

use domain::ids::{ActivityId, CodePoolId, OrderId, UserId};
use domain::ledger::{HoldState, Key, PoolId};
use domain::sale::{Currency, ItemKind, OrderState, user_of};
use domain::time::Timestamp;
use domain::webhook::EventKind;

use super::columns::{RowState, key_bytes};
use super::sheet::{HoldChange, HoldEnd, Sheet};
use crate::each::{count_each, once_each};
use crate::failure::{Fault, Result};
use crate::params;
use crate::row::Row;
use crate::steps::events::{NewEvent, is_wanted, tell};
use crate::steps::orders::{count_orders, order_data, tell_orders};
use crate::tx::Tx;
use crate::value::{Value, as_i64};

/// What a version of a sale sells for.
#[derive(Clone, Debug)]
struct Price {
    name: String,
    item: ItemKind,
    minor: u64,
    currency: Currency,
}

/// An order that is about to be written, with its lines: sale, version and units.
pub(super) struct NewOrder {
    pub id: OrderId,
    pub user: UserId,
    pub state: OrderState,
    pub key: Key,
    pub made: Timestamp,
    pub due: Timestamp,
    pub changed: Timestamp,
    pub lines: Vec<(ActivityId, u32, u32)>,
}

/// Rows of orders and of their lines.
#[derive(Default)]
pub(super) struct Rows {
    orders: Vec<[Value; 9]>,
    lines: Vec<[Value; 9]>,
    /// Whether anybody wants to hear of new orders, and what they hear.
    tells: bool,
    told: Vec<NewEvent>,
}

/// Before activities are written: what the batch does not tell of their versions is as it was before.
pub(super) async fn write(tx: &Tx<'_>, sheet: &Sheet<'_>) -> Result<()> {
    let is_any_new = sheet.holds.iter().any(|hold| hold.order.is_some() && hold.new.is_some());
    let tells = is_any_new && is_wanted(tx, EventKind::OrderMade).await?;
    let (mut prices, mut rows) = (Prices::default(), Rows { tells, ..Rows::default() });
    for hold in sheet.holds.iter().filter(|hold| hold.new.is_some()) {
        if let Some(order) = made(tx, sheet, hold, &mut prices).await? {
            rows.add(tx, &mut prices, &order).await?;
        }
    }
    let made = std::mem::take(&mut rows.told);
    count_orders(tx, OrderState::Unpaid, rows.orders.len() as u64);
    rows.write(tx).await?;
    tell(tx, &made).await?;
    let ended: Vec<(OrderId, OrderState, Timestamp)> = sheet.holds.iter().filter_map(ended_order).collect();
    let earlier =
        ended.iter().map(|(order, state, at)| [Value::from(*order), state.name().into(), (*at).into()]);
    // One that was made and ended in this batch is there as it ended; both are told.
    let sql = "UPDATE orders SET state = $2, changed_ms = $3
               WHERE id = $1 AND (state = 'unpaid' OR (state = $2 AND changed_ms = $3))";
    let moved = count_each(tx, sql, earlier.collect::<Vec<_>>()).await?;
    let moved = ended.into_iter().zip(moved).filter(|(_, rows)| *rows > 0).map(|(ended, _)| ended);
    let (cancelled, expired): (Vec<_>, Vec<_>) =
        moved.partition(|(_, state, _)| *state == OrderState::Cancelled);
    count_orders(tx, OrderState::Cancelled, cancelled.len() as u64);
    count_orders(tx, OrderState::Expired, expired.len() as u64);
    for (kind, ended) in [(EventKind::OrderCancelled, cancelled), (EventKind::OrderExpired, expired)] {
        let ended: Vec<(OrderId, Timestamp)> = ended.into_iter().map(|(order, _, at)| (order, at)).collect();
        tell_orders(tx, kind, &ended).await?;
    }
    Ok(())
}

/// An order whose hold ended, with what becomes of it.
fn ended_order(hold: &HoldChange<'_>) -> Option<(OrderId, OrderState, Timestamp)> {
    let (order, end) = hold.order.zip(hold.end)?;
    Some((order, ended_as(end)?, end.at))
}

async fn made(
    tx: &Tx<'_>,
    sheet: &Sheet<'_>,
    hold: &HoldChange<'_>,
    prices: &mut Prices,
) -> Result<Option<NewOrder>> {
    let (Some(id), Some(new)) = (hold.order, &hold.new) else { return Ok(None) };
    let user = new.owner.and_then(user_of).ok_or_else(|| strange(id, "is nobody's"))?;
    let mut lines = Vec::with_capacity(hold.lines.len());
    for line in &hold.lines {
        let pool = line.pool.0;
        let sale = prices.sale(tx, line.pool).await?;
        let sale = sale.ok_or_else(|| Fault::new(format!("pool {pool} is not a sale's")))?;
        let told = sheet.play.versioned.iter().rev();
        let told = told
            .filter(|(seq, activity, _)| *activity == sale && *seq < hold.made_seq)
            .map(|row| row.2)
            .next();
        let version = match told {
            Some(version) => version,
            None => prices.version(tx, sale).await?,
        };
        lines.push((sale, version, line.units));
    }
    // However the batch is cut: what was confirmed in it moves its order no sooner than elsewhere.
    let ended = hold.end.and_then(|end| Some((ended_as(end)?, end.at)));
    let (state, changed) = ended.unwrap_or((OrderState::Unpaid, new.made));
    Ok(Some(NewOrder { id, user, state, key: new.key, made: new.made, due: hold.due, changed, lines }))
}

fn strange(order: OrderId, what: &str) -> Fault {
    Fault::new(format!("order {order} {what}"))
}

impl Rows {
    pub async fn add(&mut self, tx: &Tx<'_>, prices: &mut Prices, order: &NewOrder) -> Result<()> {
        let NewOrder { id, user, state, key, made, due, changed, lines } = order;
        let (mut total, mut currency, mut named) = (0_u64, None, Vec::new());
        for (at, (sale, version, units)) in (0_i64..).zip(lines) {
            let price = prices.price(tx, *sale, *version).await?;
            if *currency.get_or_insert(price.currency) != price.currency {
                return Err(strange(*id, "has two currencies").into());
            }
            total = total.saturating_add(price.minor.saturating_mul((*units).into()));
            if self.tells {
                named.push((*sale, price.name.clone(), *units, price.minor));
            }
            self.lines.push([
                (*id).into(),
                at.into(),
                (*sale).into(),
                (*version).into(),
                (&price.name).into(),
                price.item.name().into(),
                price.item.pool().into(),
                (*units).into(),
                as_i64(price.minor).into(),
            ]);
        }
        let currency = currency.ok_or_else(|| strange(*id, "has no lines"))?;
        if self.tells {
            let lines = named.iter().map(|(sale, name, units, minor)| (*sale, name.as_str(), *units, *minor));
            let data = order_data(*id, OrderState::Unpaid, (total, &currency.to_string()), lines);
            self.told.push(NewEvent::of(EventKind::OrderMade, id.0, Some(*user), data, *made));
        }
        self.orders.push([
            (*id).into(),
            (*user).into(),
            state.name().into(),
            currency.to_string().into(),
            as_i64(total).into(),
            key_bytes(*key),
            (*made).into(),
            (*due).into(),
            (*changed).into(),
        ]);
        Ok(())
    }

    pub async fn write(self, tx: &Tx<'_>) -> Result<()> {
        once_each(
            tx,
            "INSERT INTO orders (id, user_id, policy, state, currency, total_minor, hold_key, made_ms, due_ms, changed_ms)
             VALUES ($1, $2, 'at_order', $3, $4, $5, $6, $7, $8, $9)",
            self.orders,
        )
        .await?;
        once_each(
            tx,
            "INSERT INTO order_lines (order_id, line, sale_id, version, name, item, code_pool_id, quantity, price_minor)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            self.lines,
        )
        .await
    }
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
pub(super) struct Prices {
    sales: HashMap<PoolId, ActivityId>,
    versions: HashMap<ActivityId, u32>,
    prices: HashMap<(ActivityId, u32), Price>,
}

impl Prices {
    /// The sale whose units a pool has.
    pub async fn sale(&mut self, tx: &Tx<'_>, pool: PoolId) -> Result<Option<ActivityId>> {
        if let Some(sale) = self.sales.get(&pool) {
            return Ok(Some(*sale));
        }
        let sql = "SELECT activity_id FROM sale_prices WHERE pool_id = $1 LIMIT 1";
        let found = tx.one(sql, params![pool.0], Row::int).await?.map(ActivityId);
        if let Some(sale) = found {
            self.sales.insert(pool, sale);
        }
        Ok(found)
    }

    /// As it was before the batch.
    async fn version(&mut self, tx: &Tx<'_>, sale: ActivityId) -> Result<u32> {
        if let Some(version) = self.versions.get(&sale) {
            return Ok(*version);
        }
        let sql = "SELECT version FROM play_rounds WHERE activity_id = $1 ORDER BY round DESC LIMIT 1";
        let found = tx.one(sql, params![sale], Row::u32).await?;
        let version = found.ok_or_else(|| Fault::new(format!("sale {sale} was never opened")))?;
        self.versions.insert(sale, version);
        Ok(version)
    }

    async fn price(&mut self, tx: &Tx<'_>, sale: ActivityId, version: u32) -> Result<Price> {
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
    Ok(Price { name, item, minor: row.unsigned()?, currency: row.named(Currency::parse)? })
}
