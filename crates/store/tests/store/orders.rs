//! Orders of sales: written with their holds, at the price of their version; paid once, refunded once; and whatever comes in
//! whatever order, money and units add up.

use domain::fulfilment::State;
use domain::ids::{ActivityId, CodePoolId, OrderId, PaymentId, UserId};
use domain::ledger::play::{ChanceLimits, Play, Terms};
use domain::ledger::{Answer, Command, Gate, Key, Line, Note, PoolId, Quantity, Take};
use domain::page::PageRequest;
use domain::sale::*;
use engine::ports::*;
use futures::future::join_all;
use store::{Db, params};

use crate::given::*;
use crate::jobs::{claim, defaults};
use crate::ledger_given::Life;

const TEA: ActivityId = ActivityId(700);
const CODES: ActivityId = ActivityId(701);
const PRINTS: ActivityId = ActivityId(702);
const ANN: UserId = UserId(1_000);
const BEN: UserId = UserId(2_000);

/// Ann and Ben.
async fn people(db: &Db) {
    assert_eq!((user(db, 1, &[]).await, user(db, 2, &[]).await), (ANN, BEN));
}

fn pool(sale: ActivityId) -> PoolId {
    domain::activity::sale_pool(sale).pool()
}

/// What a version of a sale costs, as the carry writes it before the ledger hears of it.
async fn price(db: &Db, sale: ActivityId, version: u32, minor: i64) {
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

fn terms(version: u32) -> Terms {
    let limits = ChanceLimits { total: 0, month: 0, day: 0 };
    Terms { version, from: T0, until: T0 + 1_000_000, entries: None, limits, begin: None }
}

/// The sale and its units, in the ledger.
fn opened(sale: ActivityId, units: u64) -> Vec<Command> {
    let (key, note) = (Key::of("sale", sale.0, "open"), Note::default());
    let name = domain::activity::sale_pool(sale);
    let pool_key = Key::of("pool", sale.0, "open");
    vec![
        Command::PoolOpen {
            key: pool_key,
            pool: name.pool(),
            name,
            round: 1,
            total: units,
            owner_max: 0,
            note: note.clone(),
        },
        Command::Play(Play::ActivityOpen { key, activity: sale, round: 1, terms: terms(1), note }),
    ]
}

fn changed(sale: ActivityId, version: u32) -> Command {
    let key = Key::of("sale", sale.0, &format!("terms {version}"));
    Command::Play(Play::ActivityTerms {
        key,
        activity: sale,
        round: 1,
        terms: terms(version),
        note: Note::default(),
    })
}

fn key(order: i64) -> Key {
    hold_key(OrderId(order), ANN, None)
}

fn order(id: i64, user: UserId, lines: &[(ActivityId, i64, u32)]) -> Command {
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
            .map(|(activity, _, version)| Gate { activity: *activity, round: 1, version: *version })
            .collect(),
    }
}

fn let_go(id: i64) -> Command {
    Command::Cancel { hold: key(id), id: hold_id(OrderId(id)).unwrap(), caller: SALES_CALLER }
}

async fn state(db: &Db, id: i64) -> &'static str {
    db.sale_order(OrderId(id)).await.unwrap().map_or("none", |order| order.state.name())
}

/// An order that is there, unpaid.
async fn unpaid(db: &Db, id: i64, sale: ActivityId, units: i64) -> SaleOrder {
    price(db, sale, 1, 990).await;
    let mut commands = opened(sale, 100);
    commands.push(order(id, ANN, &[(sale, units, 1)]));
    db.ledger_project(Life::of(commands).events).await.unwrap();
    db.sale_order(OrderId(id)).await.unwrap().unwrap()
}

fn money(minor: u64) -> Money {
    Money { minor, currency: Currency::parse("CNY").unwrap() }
}

fn arrive(payment: i64, order: i64, minor: u64) -> PaymentArrive {
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

fn settle(payment: i64, taken: bool) -> PaymentSettle {
    PaymentSettle {
        payment: PaymentId(payment),
        taken: if taken { Ok(()) } else { Err("sold_out".to_owned()) },
        ids: (1..=20).map(|n| payment * 1_000 + n).collect(),
        message: payment + 600_000,
        now: T0 + 5,
    }
}

async fn waiting(db: &Db, lane: &str) -> u64 {
    db.lane_figures(lane.to_owned(), T0).await.unwrap().waiting
}

on_both! {
    an_order_is_there_exactly_when_its_hold_is,
    an_order_costs_what_its_version_did,
    one_payment_settles_an_order,
    a_reference_is_one_payment,
    what_is_gone_is_paid_back_once,
    parcels_wait_codes_go_and_numbers_are_given,
    a_refund_by_hand_voids_what_is_not_sent,
    orders_that_hold_nothing_keep_to_the_limit_and_lapse,
    orders_are_listed_by_whose_and_what_they_are,
    hours_tell_what_happened_when,
    whatever_comes_money_adds_up,
}

/// However a batch is cut, and whatever has happened by its end.
async fn an_order_is_there_exactly_when_its_hold_is(db: &Db) {
    price(db, TEA, 1, 100).await;
    let mut life = Life::of(opened(TEA, 10));
    for (id, user, units) in [(1, ANN, 1), (2, BEN, 2), (3, ANN, 3)] {
        assert!(matches!(life.tell(order(id, user, &[(TEA, units, 1)])), Answer::Accepted { .. }));
    }
    assert!(matches!(life.tell(let_go(2)), Answer::Accepted { .. }));
    assert!(matches!(life.tell(Command::Confirm { hold: key(3), take: Take::All }), Answer::Accepted { .. }));
    let cut = life.events.len();
    db.ledger_project(life.events.clone()).await.unwrap();
    for (id, expected) in [(1, "unpaid"), (2, "cancelled"), (3, "unpaid"), (4, "none")] {
        assert_eq!(state(db, id).await, expected, "{id}");
    }
    let first = db.sale_order(OrderId(1)).await.unwrap().unwrap();
    assert_eq!(
        (first.user, first.total, first.hold, first.policy),
        (ANN, money(100), key(1), Policy::AtOrder)
    );
    assert_eq!((first.made, first.due), (T0, T0 + 1_000));
    // The rest comes in batches of its own.
    life.clock = T0 + 1_500;
    assert!(matches!(life.tell(Command::ExpireOne), Answer::Accepted { .. }));
    db.ledger_project(life.events[cut..].to_vec()).await.unwrap();
    assert_eq!(
        (state(db, 1).await, state(db, 3).await),
        ("expired", "unpaid"),
        "whoever confirmed says that it is paid"
    );
    // Projected again, nothing is there twice.
    db.ledger_project(life.events.clone()).await.unwrap();
    let all = db.sale_order_list(OrderSearch::default(), PageRequest::first(9)).await.unwrap();
    assert_eq!(all.items.len(), 3);
}

async fn an_order_costs_what_its_version_did(db: &Db) {
    for (sale, version, minor) in [(TEA, 1, 100), (TEA, 2, 150), (CODES, 1, 7)] {
        price(db, sale, version, minor).await;
    }
    let mut commands = opened(TEA, 10);
    commands.extend(opened(CODES, 10));
    commands.push(order(1, ANN, &[(TEA, 2, 1)]));
    commands.push(changed(TEA, 2));
    commands.push(order(2, ANN, &[(TEA, 2, 2), (CODES, 3, 1)]));
    let mut life = Life::of(commands);
    assert!(matches!(life.tell(order(3, ANN, &[(TEA, 1, 1)])), Answer::Refused(_)), "the version is over");
    let events = life.events.clone();
    db.ledger_project(events).await.unwrap();
    let cut = life.events.len();
    assert!(matches!(life.tell(order(4, BEN, &[(TEA, 1, 2)])), Answer::Accepted { .. }));
    db.ledger_project(life.events[cut..].to_vec()).await.unwrap();
    for (id, minor) in [(1, 200), (2, 321), (4, 150)] {
        assert_eq!(db.sale_order(OrderId(id)).await.unwrap().unwrap().total, money(minor), "{id}");
    }
    let cart = db.sale_order(OrderId(2)).await.unwrap().unwrap().lines;
    let lines: Vec<_> =
        cart.iter().map(|line| (line.sale, line.version, line.quantity, line.price_minor)).collect();
    assert_eq!(lines, [(TEA, 2, 2, 150), (CODES, 1, 3, 7)]);
    assert_eq!(cart[1].item, ItemKind::Code { pool: CodePoolId(9) });
    assert_eq!(state(db, 3).await, "none");
}

async fn one_payment_settles_an_order(db: &Db) {
    unpaid(db, 1, TEA, 1).await;
    let at_once = join_all((10..20).map(|id| db.payment_arrive(arrive(id, 1, 990)))).await;
    let states: Vec<_> = at_once.into_iter().map(|row| row.unwrap().state).collect();
    assert_eq!(states.iter().filter(|state| **state == PaymentState::Arrived).count(), 1);
    let payer = db.sale_order(OrderId(1)).await.unwrap().unwrap().payment.unwrap().0;
    assert_eq!((waiting(db, ORDERS).await, waiting(db, REFUNDS).await), (1, 9));
    let settled = join_all((0..4).map(|_| db.payment_settle(settle(payer, true)))).await;
    assert!(settled.into_iter().all(|order| order.unwrap().state == OrderState::Paid));
    let order = db.payment_settle(settle(payer, false)).await.unwrap();
    assert_eq!((order.state, order.things.len()), (OrderState::Paid, 1), "what is settled stays so");
    // Nobody else settles it.
    let other = (10..20).find(|id| *id != payer).unwrap();
    assert_eq!(db.payment_settle(settle(other, true)).await.unwrap().things.len(), 1);
    for id in 10..20 {
        db.refund_done(PaymentId(id), T0 + 9).await.unwrap();
    }
    let rows = db.payments_of(OrderId(1)).await.unwrap();
    let back = rows.iter().filter(|row| row.state == PaymentState::Back).count();
    assert_eq!((back, state(db, 1).await), (9, "paid"), "the money of a paid order stays");
}

async fn a_reference_is_one_payment(db: &Db) {
    people(db).await;
    unpaid(db, 1, TEA, 1).await;
    let again = |id, minor| PaymentArrive { reference: "r".to_owned(), ..arrive(id, 1, minor) };
    let first = db.payment_arrive(again(10, 990)).await.unwrap();
    assert_eq!(db.payment_arrive(again(11, 990)).await.unwrap(), first);
    assert_eq!(said(db.payment_arrive(again(12, 991)).await), "payment_conflict");
    let elsewhere = PaymentArrive { provider: "q".to_owned(), ..again(13, 990) };
    let second = db.payment_arrive(elsewhere).await.unwrap();
    assert_eq!((second.state, second.back), (PaymentState::BackDue, Some((Why::PaidTwice, None))));
    assert_eq!(said(db.payment_arrive(arrive(14, 77, 990)).await), "not_found");
    for minor in [989, 991] {
        let id = i64::try_from(minor).unwrap();
        unpaid_again(db, id).await;
        let row = db.payment_arrive(arrive(id, id, minor)).await.unwrap();
        assert_eq!(row.back, Some((Why::AmountWrong, None)));
        assert_eq!(state(db, id).await, "unpaid", "the right amount may still come");
        assert_eq!(db.payment_arrive(arrive(id + 100, id, 990)).await.unwrap().state, PaymentState::Arrived);
    }
}

/// One more order, that nothing is held for.
async fn unpaid_again(db: &Db, id: i64) {
    open_at_payment(db, id, ANN, 1, 0).await.unwrap();
}

async fn open_at_payment(
    db: &Db,
    id: i64,
    user: UserId,
    quantity: u32,
    per_user: u32,
) -> engine::Outcome<Opened> {
    let line = OrderLine {
        sale: TEA,
        version: 1,
        name: "tea".to_owned(),
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

async fn what_is_gone_is_paid_back_once(db: &Db) {
    unpaid(db, 1, TEA, 1).await;
    db.payment_arrive(arrive(10, 1, 990)).await.unwrap();
    for _ in 0..2 {
        let order = db.payment_settle(settle(10, false)).await.unwrap();
        assert_eq!((order.state, order.note.as_deref()), (OrderState::RefundDue, Some("sold_out")));
    }
    assert_eq!(waiting(db, REFUNDS).await, 1);
    for _ in 0..2 {
        db.refund_done(PaymentId(10), T0 + 9).await.unwrap();
        assert_eq!(state(db, 1).await, "refunded");
    }
    let row = db.payment(PaymentId(10)).await.unwrap().unwrap();
    assert_eq!((row.state, row.back), (PaymentState::Back, Some((Why::Gone, Some(T0 + 9)))));
}

async fn parcels_wait_codes_go_and_numbers_are_given(db: &Db) {
    people(db).await;
    let parcel = unpaid(db, 1, TEA, 3).await;
    db.payment_arrive(arrive(10, 1, parcel.total.minor)).await.unwrap();
    let paid = db.payment_settle(settle(10, true)).await.unwrap();
    let things = db.fulfilments_of(paid.things.clone()).await.unwrap();
    let thing = &things[0];
    assert_eq!(
        (things.len(), thing.amount, thing.standing.state, thing.source),
        (1, 3, State::Claimable, Source::Order)
    );

    for (sale, id, payment) in [(CODES, 2, 20), (PRINTS, 3, 30), (PRINTS, 4, 40)] {
        let units = 2;
        if id < 4 {
            price(db, sale, 1, 990).await;
        }
        open_line(db, id, sale, units).await;
        db.payment_arrive(arrive(payment, id, 990 * u64::from(units))).await.unwrap();
        db.payment_settle(settle(payment, true)).await.unwrap();
    }
    let codes = db.sale_order(OrderId(2)).await.unwrap().unwrap();
    assert_eq!((codes.state, codes.things.len(), waiting(db, "codes").await), (OrderState::Paid, 2, 2));
    assert_eq!((state(db, 3).await, state(db, 4).await), ("fulfilled", "fulfilled"));
    let mine = db.collectibles_of(ANN, PageRequest::first(9)).await.unwrap().items;
    let editions: Vec<_> = mine.iter().map(|item| (item.edition, item.order.0)).collect();
    assert_eq!(editions, [(4, 4), (3, 4), (2, 3), (1, 3)], "in order, none twice");

    // With the last thing that is given the order is fulfilled.
    let fence = LaneClaim { lane: "codes".to_owned(), holder: "w".to_owned(), now: T0, lease_ms: 1_000 };
    let fence = db.lane_claim(fence).await.unwrap().unwrap();
    let due = db.outbox_due(fence.clone(), T0 + 9, 10).await.unwrap();
    for (message, expected) in due.into_iter().zip(["paid", "fulfilled"]) {
        let came = vec![(message, Came::Done)];
        db.outbox_finish(Finish { fence: fence.clone(), came, now: T0 + 9 }).await.unwrap();
        assert_eq!(state(db, 2).await, expected);
    }
}

/// An order of some sale, that nothing is held for.
async fn open_line(db: &Db, id: i64, sale: ActivityId, quantity: u32) {
    let item = if sale == CODES { ItemKind::Code { pool: CodePoolId(9) } } else { ItemKind::Collectible };
    let line = OrderLine { sale, version: 1, name: "x".to_owned(), item, quantity, price_minor: 990 };
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

async fn a_refund_by_hand_voids_what_is_not_sent(db: &Db) {
    unpaid(db, 1, TEA, 1).await;
    let ask = |audit| RefundAsk {
        order: OrderId(1),
        message: 700_000 + audit,
        signed: signed(Actor::Console, audit),
    };
    assert_eq!(said(db.refund_ask(ask(1)).await), "order_step_illegal");
    db.payment_arrive(arrive(10, 1, 990)).await.unwrap();
    let paid = db.payment_settle(settle(10, true)).await.unwrap();
    for audit in [2, 3] {
        assert_eq!(
            db.refund_ask(ask(audit)).await.unwrap().state,
            OrderState::RefundDue,
            "the same again is the same"
        );
    }
    let thing = db.fulfilment(paid.things[0]).await.unwrap().unwrap();
    assert_eq!((thing.standing.state, waiting(db, REFUNDS).await), (State::Voided, 1));
    assert_eq!(audited(db, "order:1").await, ["order.refund"]);
    db.refund_done(PaymentId(10), T0).await.unwrap();
    assert_eq!(state(db, 1).await, "refunded");
}

async fn orders_that_hold_nothing_keep_to_the_limit_and_lapse(db: &Db) {
    people(db).await;
    let open = |id, user, quantity| open_at_payment(db, id, user, quantity, 2);
    assert_eq!(open(1, ANN, 2).await.unwrap(), Opened { order: OrderId(1), replayed: false });
    assert_eq!(open(1, ANN, 2).await.unwrap(), Opened { order: OrderId(1), replayed: true });
    assert_eq!(said(open(1, ANN, 1).await), "idempotency_conflict");
    assert_eq!(said(open(2, ANN, 1).await), "limit_reached");
    let at_once = join_all((10..15).map(|id| open(id, BEN, 1))).await;
    assert_eq!(at_once.iter().filter(|opened| opened.is_ok()).count(), 2, "two tabs do not go beyond it");
    assert_eq!(db.sale_order_cancel(OrderId(1), T0).await.unwrap().state, OrderState::Cancelled);
    assert_eq!(db.sale_order_cancel(OrderId(1), T0).await.unwrap().state, OrderState::Cancelled);
    open(3, ANN, 1).await.unwrap();
    open(4, ANN, 1).await.unwrap();
    db.payment_arrive(arrive(30, 3, 990)).await.unwrap();
    assert_eq!(said(db.sale_order_cancel(OrderId(3), T0).await), "order_paying");
    db.jobs_declare(defaults(&["orders"])).await.unwrap();
    let fence = db.job_claim(claim("w", 1, 0)).await.unwrap().unwrap().fence;
    for (at, limit, lapsed) in [(99, 9, 0), (100, 2, 2), (100, 9, 1), (100, 9, 0)] {
        assert_eq!(db.sale_orders_lapse(fence.clone(), T0 + at, limit).await.unwrap(), lapsed, "at {at}");
    }
    assert_eq!(
        (state(db, 3).await, state(db, 4).await),
        ("unpaid", "expired"),
        "one that is being paid stays"
    );
    assert_eq!(said(db.sale_order_cancel(OrderId(4), T0).await), "order_step_illegal");
}

async fn orders_are_listed_by_whose_and_what_they_are(db: &Db) {
    price(db, TEA, 1, 100).await;
    price(db, CODES, 1, 100).await;
    let mut commands = opened(TEA, 10);
    commands.extend(opened(CODES, 10));
    commands.extend([
        order(1, ANN, &[(TEA, 1, 1)]),
        order(2, BEN, &[(CODES, 1, 1)]),
        order(3, ANN, &[(TEA, 1, 1), (CODES, 1, 1)]),
        let_go(1),
    ]);
    db.ledger_project(Life::of(commands).events).await.unwrap();
    db.payment_arrive(arrive(10, 3, 200)).await.unwrap();
    db.payment_settle(settle(10, true)).await.unwrap();
    let (all, paid, gone) = (None, Some(OrderState::Paid), Some(OrderState::Cancelled));
    for (state, sale, user, expected) in [
        (all, None, None, vec![3, 2, 1]),
        (paid, None, None, vec![3]),
        (gone, None, None, vec![1]),
        (all, Some(TEA), None, vec![3, 1]),
        (all, Some(CODES), None, vec![3, 2]),
        (gone, Some(TEA), None, vec![1]),
        (all, None, Some(ANN), vec![3, 1]),
        (all, Some(CODES), Some(ANN), vec![3]),
        (gone, Some(CODES), Some(ANN), vec![]),
        (paid, None, Some(BEN), vec![]),
        (all, Some(ActivityId(9)), None, vec![]),
    ] {
        let search = OrderSearch { state, sale, user };
        let mut got = Vec::new();
        let mut page = Some(PageRequest::first(1));
        while let Some(asked) = page {
            let listed = db.sale_order_list(search, asked).await.unwrap();
            got.extend(listed.items.iter().map(|order| order.id.0));
            page = listed.next.map(|after| PageRequest { after: Some(after), ..asked });
        }
        assert_eq!(got, expected, "{search:?}");
    }
}

/// Random lives: pay, pay twice, settle, refund, cancel, lapse, in any order and again. After every step what came is what
/// was paid for orders, what went back, what is due to go back, and what is not settled yet.
async fn whatever_comes_money_adds_up(db: &Db) {
    people(db).await;
    let mut dice = crate::ledger_given::Dice(7);
    for id in 1..=6 {
        open_at_payment(db, id, ANN, 1 + u32::try_from(id % 2).unwrap(), 0).await.unwrap();
    }
    let mut payments = Vec::new();
    let mut seen = std::collections::BTreeMap::new();
    for n in 0..160 {
        let id = 1 + i64::try_from(dice.roll(6)).unwrap();
        let payment =
            payments.get(usize::try_from(dice.roll(payments.len().max(1) as u64)).unwrap()).copied();
        let said = match (dice.roll(8), payment) {
            (0 | 1, _) => {
                let total = db.sale_order(OrderId(id)).await.unwrap().unwrap().total.minor;
                let minor = if dice.roll(5) == 0 { total + 1 } else { total };
                payments.push(1_000 + n);
                said(db.payment_arrive(arrive(1_000 + n, id, minor)).await)
            }
            (2 | 3, Some(payment)) => said(db.payment_settle(settle(payment, dice.roll(3) > 0)).await),
            (4 | 5, Some(payment)) => said(db.refund_done(PaymentId(payment), T0).await),
            (6, _) => said(db.sale_order_cancel(OrderId(id), T0).await),
            (7, _) if dice.roll(3) == 0 => {
                let signed = signed(Actor::Console, 2_000 + n);
                said(db.refund_ask(RefundAsk { order: OrderId(id), message: 800_000 + n, signed }).await)
            }
            (_, _) => continue,
        };
        *seen.entry(said).or_insert(0) += 1;
        adds_up(db).await;
    }
    assert!(seen["ok"] > 50 && seen.len() > 2, "{seen:?}");
}

/// Five orders of two pieces each over three hours: one is let go of, one expires, two are paid, one of which goes back; a
/// payment too many is nobody's income.
async fn hours_tell_what_happened_when(db: &Db) {
    const HOUR: i64 = domain::time::HOUR_MS;
    people(db).await;
    for (sale, minor) in [(TEA, 100), (PRINTS, 7)] {
        price(db, sale, 1, minor).await;
    }
    let mut life = Life::of(opened(TEA, 20));
    for command in opened(PRINTS, 20) {
        life.tell(command);
    }
    life.tell(order(1, ANN, &[(TEA, 2, 1)]));
    life.tell(order(2, ANN, &[(TEA, 2, 1), (PRINTS, 1, 1)]));
    life.tell(order(3, BEN, &[(TEA, 2, 1)]));
    life.tell(let_go(3));
    life.tell(order(4, BEN, &[(PRINTS, 1, 1)]));
    life.tell(Command::Confirm { hold: key(1), take: Take::All });
    life.tell(Command::Confirm { hold: key(2), take: Take::All });
    life.tell(let_go(4));
    life.clock = T0 + 1;
    life.tell(order(5, BEN, &[(TEA, 2, 1)]));
    life.clock = T0 + 1_500;
    assert!(matches!(life.tell(Command::ExpireOne), Answer::Accepted { .. }));
    db.ledger_project(life.events).await.unwrap();
    let later = |hours: i64| T0 + hours * HOUR;
    for (payment, order, minor, hours) in [(10, 1, 200, 0), (11, 2, 207, 1), (12, 2, 207, 1)] {
        db.payment_arrive(PaymentArrive { now: later(hours), ..arrive(payment, order, minor) })
            .await
            .unwrap();
    }
    for payment in [10, 11] {
        db.payment_settle(settle(payment, true)).await.unwrap();
    }
    let asked = Signed { at: later(1), ..signed(Actor::Console, 1) };
    db.refund_ask(RefundAsk { order: OrderId(2), message: 77, signed: asked }).await.unwrap();
    for payment in [11, 12] {
        db.refund_done(PaymentId(payment), later(2)).await.unwrap();
    }

    let first = T0.0 / HOUR;
    let row = |sale, from| async move {
        let rows = db.sale_hours(sale, from).await.unwrap();
        let told = |row: SaleHour| {
            let SaleSums { orders, units, paid, cancelled, expired, refunded, taken_minor, refunded_minor } =
                row.happened;
            let money = [taken_minor, refunded_minor];
            (row.hour - first, [orders, units, paid, cancelled, expired, refunded], money)
        };
        rows.into_iter().map(told).collect::<Vec<_>>()
    };
    let tea = [
        (0, [4, 8, 1, 1, 1, 0], [200, 0]),
        (1, [0, 0, 1, 0, 0, 0], [200, 0]),
        (2, [0, 0, 0, 0, 0, 1], [0, 200]),
    ];
    assert_eq!(row(TEA, i64::MIN).await, tea);
    assert_eq!(row(TEA, first + 1).await, tea[1..]);
    let prints =
        [(0, [2, 2, 0, 1, 0, 0], [0, 0]), (1, [0, 0, 1, 0, 0, 0], [7, 0]), (2, [0, 0, 0, 0, 0, 1], [0, 7])];
    assert_eq!(row(PRINTS, i64::MIN).await, prints, "of a cart each sale has its own lines");
    assert_eq!(row(CODES, i64::MIN).await, []);
}

async fn adds_up(db: &Db) {
    let (mut came, mut kept, mut paid) = (0, 0, 0);
    for id in 1..=6 {
        let order = db.sale_order(OrderId(id)).await.unwrap().unwrap();
        let mut of_this = 0;
        for payment in db.payments_of(OrderId(id)).await.unwrap() {
            came += payment.money.minor;
            match payment.state {
                PaymentState::Used => of_this += payment.money.minor,
                PaymentState::Arrived => assert_eq!(order.payment, Some(payment.id)),
                PaymentState::BackDue => assert_eq!(payment.back.map(|(_, done)| done), Some(None)),
                PaymentState::Back => assert!(payment.back.is_some_and(|(_, done)| done.is_some())),
            }
            if payment.state == PaymentState::Used || payment.state == PaymentState::Arrived {
                kept += payment.money.minor;
            } else {
                paid += payment.money.minor;
            }
        }
        let owed = if order.state.is_paid() { order.total.minor } else { 0 };
        assert_eq!(of_this, owed, "what is kept of an order is what it costs: {order:?}");
    }
    assert_eq!(came, kept + paid);
}
