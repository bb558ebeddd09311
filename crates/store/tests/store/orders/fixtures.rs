//! Sales in the ledger with their prices, orders, and money that comes.

use domain::ids::{ActivityId, CodePoolId, OrderId, PaymentId, UserId};
use domain::ledger::play::{ChanceLimits, Terms};
use domain::ledger::{Act, Command, Key, Line, MustRun, Note, PoolId, Quantity};
use domain::sale::*;
use store::model::*;
use store::{Db, params};

use crate::fixtures::*;
use crate::ledger_fixtures::Life;

pub const TEA: ActivityId = ActivityId(700);
pub const CODES: ActivityId = ActivityId(701);
pub const PRINTS: ActivityId = ActivityId(702);
pub const ANN: UserId = UserId(1_000);
pub const BEN: UserId = UserId(2_000);

/// Ann and Ben.
pub async fn people(db: &Db) {
    assert_eq!((user(db, 1, &[]).await, user(db, 2, &[]).await), (ANN, BEN));
}

pub fn pool(sale: ActivityId) -> PoolId {
    domain::activity::sale_pool(sale).pool()
}

/// What a version of a sale costs, as the carry writes it before the ledger hears of it.
pub async fn price(db: &Db, sale: ActivityId, version: u32, minor: i64) {
    let (item, codes) = match sale {
        CODES => ("code", Some(CodePoolId(9))),
        PRINTS => ("collectible", None),
        _ => ("parcel", None),
    };
    db.write((sale, version, minor, item, codes), |tx, (sale, version, minor, item, codes)| {
        Box::pin(async move {
            tx.execute(
                "INSERT INTO sale_prices (activity_id, version, pool_id, name, item, code_pool_id, price_minor, currency,
                                          policy, per_user, hold_ms)
                 VALUES ($1, $2, $3, 'tea', $4, $5, $6, 'CNY', 'at_order', 0, 1000)",
                params![*sale, *version, pool(*sale).0, *item, *codes, *minor],
            )
            .await
        })
    })
    .await
    .unwrap();
}

pub fn terms(version: u32) -> Terms {
    let limits = ChanceLimits { total: 0, month: 0, day: 0 };
    Terms { version, from: T0, until: T0 + 1_000_000, entries: None, limits, begin: None }
}

/// The sale and its units, in the ledger.
pub fn opened(sale: ActivityId, units: u64) -> Vec<Command> {
    let (key, note) = (Key::of("sale", sale.0, "open"), Note::default());
    let name = domain::activity::sale_pool(sale);
    let pool_key = Key::of("pool", sale.0, "open");
    vec![
        Command::direct(
            pool_key,
            note.clone(),
            Act::PoolOpen { pool: name.pool(), name, round: 1, total: units, owner_max: 0 },
        ),
        Command::direct(key, note, Act::ActivityOpen { activity: sale, round: 1, terms: terms(1) }),
    ]
}

pub fn changed(sale: ActivityId, version: u32) -> Command {
    let key = Key::of("sale", sale.0, &format!("terms {version}"));
    Command::direct(
        key,
        Note::default(),
        Act::ActivityTerms { activity: sale, round: 1, terms: terms(version) },
    )
}

pub fn key(order: i64) -> Key {
    hold_key(OrderId(order), ANN, None)
}

pub fn order(id: i64, user: UserId, lines: &[(ActivityId, i64, u32)]) -> Command {
    Command::Reserve {
        key: key(id),
        id: hold_id(OrderId(id)).unwrap(),
        caller: SALES_CALLER,
        owner: owner(user),
        lines: lines
            .iter()
            .map(|(sale, units, _)| Line { pool: pool(*sale), quantity: Quantity::new(*units).unwrap() })
            .collect(),
        ttl_ms: 1_000,
        gates: lines
            .iter()
            .map(|(activity, _, version)| MustRun { activity: *activity, round: 1, version: *version })
            .collect(),
    }
}

pub fn let_go(id: i64) -> Command {
    Command::Cancel { hold: key(id), id: hold_id(OrderId(id)).unwrap(), caller: SALES_CALLER }
}

pub async fn state(db: &Db, id: i64) -> &'static str {
    db.sale_order(OrderId(id)).await.unwrap().map_or("none", |order| order.state.name())
}

/// An order that is there, unpaid.
pub async fn unpaid(db: &Db, id: i64, sale: ActivityId, units: i64) -> SaleOrder {
    price(db, sale, 1, 990).await;
    let mut commands = opened(sale, 100);
    commands.push(order(id, ANN, &[(sale, units, 1)]));
    db.ledger_project(Life::of(commands).events).await.unwrap();
    db.sale_order(OrderId(id)).await.unwrap().unwrap()
}

pub fn money(minor: u64) -> Money {
    Money { minor, currency: Currency::parse("CNY").unwrap() }
}

pub fn arrive(payment: i64, order: i64, minor: u64) -> PaymentArrive {
    PaymentArrive {
        id: PaymentId(payment),
        message: payment + 500_000,
        provider: "p".to_owned(),
        reference: format!("r{payment}"),
        order: OrderId(order),
        money: money(minor),
        now: T0,
    }
}

pub fn settle(payment: i64, taken: bool) -> PaymentSettle {
    PaymentSettle {
        payment: PaymentId(payment),
        taken: if taken { Ok(()) } else { Err("sold_out".to_owned()) },
        totals: vec![(PRINTS, 5)],
        ids: (1..=20).map(|n| payment * 1_000 + n).collect(),
        message: payment + 600_000,
        now: T0 + 5,
    }
}

pub async fn waiting(db: &Db, lane: &str) -> u64 {
    db.lane_figures(lane.to_owned(), T0).await.unwrap().waiting
}

/// One more order, that nothing is held for.
pub async fn unpaid_again(db: &Db, id: i64) {
    open_at_payment(db, id, ANN, 1, 0).await.unwrap();
}

pub async fn open_at_payment(
    db: &Db,
    id: i64,
    user: UserId,
    quantity: u32,
    per_user: u32,
) -> store::failure::Result<OpenedOrder> {
    let line = OrderLine {
        sale: TEA,
        version: 1,
        name: "tea".to_owned(),
        name_en: String::new(),
        item: ItemKind::Parcel,
        quantity,
        price_minor: 990,
    };
    db.sale_order_open(OrderOpen {
        id: OrderId(id),
        user,
        key: key(id),
        line,
        total: money(990 * u64::from(quantity)),
        per_user,
        now: T0,
        due: T0 + 100,
    })
    .await
}

/// An order of some sale, that nothing is held for.
pub async fn open_line(db: &Db, id: i64, sale: ActivityId, quantity: u32) {
    let item = if sale == CODES { ItemKind::Code { pool: CodePoolId(9) } } else { ItemKind::Collectible };
    let line = OrderLine {
        sale,
        version: 1,
        name: "x".to_owned(),
        name_en: String::new(),
        item,
        quantity,
        price_minor: 990,
    };
    let total = money(990 * u64::from(quantity));
    let step = OrderOpen {
        id: OrderId(id),
        user: ANN,
        key: key(id),
        line,
        total,
        per_user: 0,
        now: T0,
        due: T0 + 100,
    };
    db.sale_order_open(step).await.unwrap();
}
