//! What the database says in the end, against what everybody was told.

use std::collections::{BTreeMap, BTreeSet};

use crate::process::{Home, LIMIT};

/// An order as its row has it.
#[derive(Clone, Debug)]
pub struct OrderRow {
    pub user: i64,
    pub state: String,
    pub total_minor: i64,
    /// Sales it is of.
    pub lines: u64,
}

/// Orders of one sale by id, once nothing is under way any more: no money that has only arrived, none that has yet to go
/// back.
pub async fn orders(home: &Home, sale: &str) -> BTreeMap<String, OrderRow> {
    let database = home.database();
    let open = || {
        let count = database.query_row(
            "SELECT COUNT(*) FROM payments WHERE state IN ('arrived', 'back_due')",
            [],
            |row| row.get::<_, i64>(0),
        );
        (count.unwrap() == 0).then_some(())
    };
    testkit::wait::until(LIMIT, "all money to be settled", open).await.unwrap();
    let mut rows = database
        .prepare(
            "SELECT o.id, o.user_id, o.state, o.total_minor,
                    (SELECT COUNT(*) FROM order_lines c WHERE c.order_id = o.id)
             FROM orders o JOIN order_lines l ON l.order_id = o.id WHERE l.sale_id = ?1",
        )
        .unwrap();
    let read = |row: &rusqlite::Row<'_>| {
        let id: i64 = row.get(0)?;
        let lines = u64::try_from(row.get::<_, i64>(4)?).unwrap();
        let order = OrderRow { user: row.get(1)?, state: row.get(2)?, total_minor: row.get(3)?, lines };
        Ok((id.to_string(), order))
    };
    rows.query_map([sale.parse::<i64>().unwrap()], read).unwrap().map(Result::unwrap).collect()
}

/// Whether it is paid for.
pub fn is_paid(order: &OrderRow) -> bool {
    matches!(&*order.state, "paid" | "fulfilled")
}

/// What was paid for orders, all of them together.
pub fn paid_minor(orders: &BTreeMap<String, OrderRow>) -> i64 {
    orders.values().filter(|order| is_paid(order)).map(|order| order.total_minor).sum()
}

/// Whether an order has units.
pub fn has_units(order: &OrderRow) -> bool {
    is_paid(order) || order.state == "unpaid"
}

/// Nobody has two, where the limit is one.
pub fn one_each(orders: &BTreeMap<String, OrderRow>, has_units: impl Fn(&OrderRow) -> bool) {
    let mut owners = BTreeSet::new();
    for (id, order) in orders.iter().filter(|(_, order)| has_units(order)) {
        assert!(owners.insert(order.user), "{id} is the second order of {}", order.user);
    }
}

/// Total, free, held and taken of a sale, as the rows have it.
pub fn pool(home: &Home, sale: &str) -> [u64; 4] {
    let read = |row: &rusqlite::Row<'_>| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]);
    let pool: [i64; 4] = home
        .database()
        .query_row(
            "SELECT r.total, r.available, r.held, r.taken FROM pools p
             JOIN pool_rounds r ON r.pool_id = p.id AND r.round = p.round WHERE p.name = ?1",
            [format!("sale/{sale}")],
            read,
        )
        .unwrap();
    pool.map(|units| u64::try_from(units).unwrap())
}
