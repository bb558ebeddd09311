//! Orders beside their holds, for the auditor: read in the order of the holds, and brought in line with them.
//!
//! An order that is missing costs what its sale cost when the hold was decided. Which version that was is known where the
//! sale has had one price only, or from when its versions came to the ledger; where neither tells, or its buyer is nobody,
//! the order stays missing, and somebody decides.

use domain::ids::{ActivityId, OrderId};
use domain::ledger::audit::{OrderBook, compare_order, order_by_hold};
use domain::ledger::{HoldState, Key};
use domain::sale::{OrderState, SALES_CALLER, order_of, user_of};
use domain::time::Timestamp;

use super::columns::{RowState, read_key};
use super::holds::{LINES_SQL, read_line};
use super::orders::{NewOrder, Prices, Rows};
use super::position;
use crate::each::all_each;
use crate::failure::{Fault, Result};
use crate::model::{Books, OrderSlice, SLICE_ORDERS_MAX};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::{Value, as_i64};

/// Commands of activities looked through for the one that put a version in place.
const LOOKED_MAX: i64 = 100_000;

pub(crate) async fn orders_after(tx: &Tx<'_>, after: u64) -> Result<OrderSlice> {
    let limit = i64::try_from(SLICE_ORDERS_MAX).unwrap_or(i64::MAX);
    let last = tx
        .one(
            "SELECT MAX(made_seq) FROM (SELECT made_seq FROM holds WHERE made_seq > $1 ORDER BY made_seq LIMIT $2) h",
            params![as_i64(after), limit],
            Row::opt_int,
        )
        .await?
        .flatten();
    let Some(last) = last else { return Ok(OrderSlice { last: None, orders: Vec::new() }) };
    let holds = tx
        .all(
            "SELECT made_seq, id, state FROM holds WHERE made_seq > $1 AND made_seq <= $2 AND caller = $3
             ORDER BY made_seq",
            params![as_i64(after), last, SALES_CALLER],
            read_hold,
        )
        .await?;
    let orders = beside(tx, holds.into_iter().flatten().collect()).await?;
    Ok(OrderSlice { last: Some(last.cast_unsigned()), orders })
}

pub(crate) async fn orders(tx: &Tx<'_>, made: &[u64]) -> Result<Books<Vec<OrderBook>>> {
    let position = position::read(tx).await?.seq;
    Ok(Books { position, rows: books(tx, made).await? })
}

async fn books(tx: &Tx<'_>, made: &[u64]) -> Result<Vec<OrderBook>> {
    let keys: Vec<[Value; 2]> = made.iter().map(|made| [as_i64(*made).into(), SALES_CALLER.into()]).collect();
    let sql = "SELECT made_seq, id, state FROM holds WHERE made_seq = $1 AND caller = $2";
    let holds = all_each(tx, sql, &keys, read_hold).await?;
    beside(tx, holds.into_iter().flatten().flatten().collect()).await
}

type Hold = (u64, OrderId, HoldState);

/// Nothing of a hold that is no order, and of an id that was spent before its hold came.
fn read_hold(row: &mut Row) -> Result<Option<Hold>, Fault> {
    let (made_seq, id, state) = (row.unsigned()?, row.text()?, row.named(RowState::parse)?);
    Ok(match (order_of(SALES_CALLER, &id), state) {
        (Some(order), RowState::Hold(state)) => Some((made_seq, order, state)),
        (None, _) | (_, RowState::Spent) => None,
    })
}

async fn beside(tx: &Tx<'_>, holds: Vec<Hold>) -> Result<Vec<OrderBook>> {
    let keys: Vec<[Value; 1]> = holds.iter().map(|(_, order, _)| [(*order).into()]).collect();
    let sql = "SELECT state FROM orders WHERE id = $1";
    let states = all_each(tx, sql, &keys, |row| row.named(OrderState::parse)).await?;
    let book = |((made_seq, order, hold), states): (Hold, Vec<OrderState>)| OrderBook {
        made_seq,
        order,
        hold,
        row: states.first().copied(),
    };
    Ok(holds.into_iter().zip(states).map(book).collect())
}

/// The order of a hold becomes what the hold says, computed anew.
pub(super) async fn correct(tx: &Tx<'_>, made_seq: u64) -> Result<()> {
    let Some(book) = books(tx, &[made_seq]).await?.pop() else { return Ok(()) };
    if compare_order(&book).is_none() {
        return Ok(());
    }
    let made = as_i64(made_seq);
    let sql = "SELECT hold_key, owner, made, due, ended FROM holds WHERE made_seq = $1";
    let Some(hold) = tx.one(sql, params![made], read_whole).await? else { return Ok(()) };
    let state = order_by_hold(book.hold);
    let changed = hold.ended.filter(|_| state != OrderState::Unpaid).unwrap_or(hold.made);
    if book.row.is_some() {
        // Money that was taken for it outweighs what its hold says.
        tx.execute(
            "UPDATE orders SET changed_ms = $3, state = CASE WHEN EXISTS
                (SELECT 1 FROM payments p WHERE p.id = orders.payment_id AND p.state = 'used') THEN 'paid' ELSE $2 END
             WHERE id = $1",
            params![book.order, state.name(), changed],
        )
        .await?;
        return Ok(());
    }
    let Some(user) = hold.owner.as_deref().and_then(user_of) else { return Ok(()) };
    let mut prices = Prices::default();
    let mut lines = Vec::new();
    for line in tx.all(LINES_SQL, params![made], read_line).await? {
        let Some(sale) = prices.sale(tx, line.pool).await? else { return Ok(()) };
        let Some(version) = version_then(tx, sale, made_seq).await? else { return Ok(()) };
        lines.push((sale, version, line.units));
    }
    let order = NewOrder {
        id: book.order,
        user,
        state,
        key: hold.key,
        made: hold.made,
        due: hold.due,
        changed,
        lines,
    };
    let mut rows = Rows::default();
    rows.add(tx, &mut prices, &order).await?;
    rows.write(tx).await
}

struct Whole {
    key: Key,
    owner: Option<String>,
    made: Timestamp,
    due: Timestamp,
    ended: Option<Timestamp>,
}

fn read_whole(row: &mut Row) -> Result<Whole, Fault> {
    let (key, owner) = (read_key(row)?, row.opt_text()?);
    Ok(Whole { key, owner, made: row.time()?, due: row.time()?, ended: row.opt_time()? })
}

/// The version of a sale that was in place at an event: the only one there is a price for; or the newest that was approved
/// when the ledger last heard of one.
async fn version_then(tx: &Tx<'_>, sale: ActivityId, seq: u64) -> Result<Option<u32>> {
    let sql = "SELECT version FROM sale_prices WHERE activity_id = $1 ORDER BY version LIMIT 2";
    let first = tx.all(sql, params![sale], Row::u32).await?;
    if let [only] = first.as_slice() {
        return Ok(Some(*only));
    }
    let heard = tx
        .one(
            "SELECT at_ms FROM (SELECT seq, at_ms, activity_id, kind FROM play_commands WHERE seq < $2
                                ORDER BY seq DESC LIMIT $3) c
             WHERE activity_id = $1 AND kind IN ('opened', 'terms') ORDER BY seq DESC LIMIT 1",
            params![sale, as_i64(seq), LOOKED_MAX],
            Row::int,
        )
        .await?;
    let Some(heard) = heard else { return Ok(None) };
    let newest = tx
        .one(
            "SELECT MAX(p.version) FROM sale_prices p
             JOIN activity_versions v ON v.activity_id = p.activity_id AND v.number = p.version
             WHERE p.activity_id = $1 AND v.decided_at <= $2",
            params![sale, heard],
            Row::opt_int,
        )
        .await?
        .flatten();
    newest
        .map(|version| u32::try_from(version).map_err(|error| Fault::caused("a version", error).into()))
        .transpose()
}
