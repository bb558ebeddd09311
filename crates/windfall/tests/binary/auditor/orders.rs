//! Orders of sales beside their holds: one that is missing, or stands otherwise, is found by name and corrected.

use domain::activity::sale_pool;
use domain::ids::{ActivityId, OrderId, UserId};
use domain::ledger::play::{ChanceLimits, Terms};
use domain::ledger::{Act, Command, Key, Line, Note, Quantity, Take};
use domain::sale::{SALES_CALLER, hold_id, hold_key, owner};
use domain::time::Timestamp;
use store::model::SaleOrder;

use super::fixtures::{HOUR_MS, Kept, names, on_both};

on_both!(an_order_is_made_again_of_its_hold, an_order_whose_price_nobody_knows_stays_missing);

const SALE: ActivityId = ActivityId(700);
const ANN: UserId = UserId(5);
const PRICE: &str =
    "INSERT INTO sale_prices (activity_id, version, pool_id, name, item, code_pool_id, price_minor, currency,
                                 policy, per_user, hold_ms)
     SELECT 700, 1, MAX(id), 'tea', 'parcel', NULL, 990, 'CNY', 'at_order', 0, 1000 FROM pools";

fn key(order: i64) -> Key {
    hold_key(OrderId(order), ANN, None)
}

fn order(id: i64) -> Command {
    Command::Reserve {
        key: key(id),
        id: hold_id(OrderId(id)).unwrap(),
        caller: SALES_CALLER,
        owner: owner(ANN),
        lines: vec![Line { pool: sale_pool(SALE).pool(), quantity: Quantity::new(2).unwrap() }],
        ttl_ms: HOUR_MS,
        gates: Vec::new(),
    }
}

/// Order 1 is open, 2 was let go, 3 is being paid.
async fn sale(kept: &Kept) {
    let (name, note) = (sale_pool(SALE), Note::default());
    let limits = ChanceLimits { total: 0, month: 0, day: 0 };
    let terms = Terms {
        version: 1,
        from: Timestamp(0),
        until: Timestamp(i64::MAX),
        entries: None,
        limits,
        begin: None,
    };
    let open = Command::direct(
        Key::of("pool", 0, "open"),
        note.clone(),
        Act::PoolOpen { pool: name.pool(), name, round: 1, total: 100, owner_max: 0 },
    );
    let begin = Command::direct(
        Key::of("sale", 0, "open"),
        note,
        Act::ActivityOpen { activity: SALE, round: 1, terms },
    );
    kept.all(vec![open, begin]).await;
    assert_eq!(kept.names().await, [""; 0]);
    kept.plant(PRICE).await;
    let let_go = Command::Cancel { hold: key(2), id: hold_id(OrderId(2)).unwrap(), caller: SALES_CALLER };
    let taken = Command::Confirm { hold: key(3), take: Take::All };
    kept.all(vec![order(1), order(2), order(3), let_go, taken]).await;
    assert_eq!(kept.names().await, [""; 0], "nothing is planted yet");
}

async fn orders(kept: &Kept) -> Vec<SaleOrder> {
    let mut all = Vec::new();
    for id in 1..=3 {
        all.extend(kept.db.sale_order(OrderId(id)).await.unwrap());
    }
    all
}

async fn an_order_is_made_again_of_its_hold(kept: Kept) {
    sale(&kept).await;
    let before = orders(&kept).await;
    let states: Vec<_> = before.iter().map(|order| (order.state.name(), order.total.minor)).collect();
    assert_eq!(states, [("unpaid", 1_980), ("cancelled", 1_980), ("unpaid", 1_980)]);
    for (sql, expected) in [
        (
            "DELETE FROM order_lines WHERE order_id = 1; DELETE FROM orders WHERE id = 1",
            vec!["order_missing of order 1"],
        ),
        (
            "DELETE FROM order_lines; DELETE FROM orders",
            vec!["order_missing of order 1", "order_missing of order 2", "order_missing of order 3"],
        ),
        ("UPDATE orders SET state = 'cancelled' WHERE id = 1", vec!["order_state of order 1"]),
        ("UPDATE orders SET state = 'unpaid' WHERE id = 2", vec!["order_state of order 2"]),
        ("UPDATE orders SET state = 'expired' WHERE id = 3", vec!["order_state of order 3"]),
    ] {
        kept.plant(sql).await;
        assert_eq!(kept.names().await, expected, "{sql}");
        assert_eq!(names(&kept.pass(true).await), [""; 0], "corrected: {sql}");
        assert_eq!(kept.names().await, [""; 0], "and gone: {sql}");
        assert_eq!(orders(&kept).await, before, "{sql}");
    }

    // The hold comes back from the journal, and its order of the hold, in one pass.
    kept.plant(
        "DELETE FROM order_lines WHERE order_id = 1; DELETE FROM orders WHERE id = 1;
         DELETE FROM hold_lines WHERE made_seq = (SELECT made_seq FROM holds WHERE id = 'order 1');
         DELETE FROM holds WHERE id = 'order 1'",
    )
    .await;
    let found = kept.pass(true).await;
    let what: Vec<_> = found.iter().map(|(found, corrected)| (found.what.name(), *corrected)).collect();
    assert_eq!(what, [("hold_missing", true), ("order_missing", true)]);
    assert_eq!(orders(&kept).await, before);
    kept.close().await;
}

/// Two prices, and nothing that tells which was in place.
async fn an_order_whose_price_nobody_knows_stays_missing(kept: Kept) {
    sale(&kept).await;
    kept.plant(
        "INSERT INTO sale_prices (activity_id, version, pool_id, name, item, code_pool_id, price_minor, currency,
                                  policy, per_user, hold_ms)
         SELECT activity_id, 2, pool_id, name, item, code_pool_id, 880, currency, policy, per_user, hold_ms
         FROM sale_prices;
         DELETE FROM order_lines WHERE order_id = 1; DELETE FROM orders WHERE id = 1",
    )
    .await;
    for fix in [false, true, false] {
        assert_eq!(names(&kept.pass(fix).await), ["order_missing of order 1"]);
    }
    kept.close().await;
}
