//! What happened to a sale's orders, hour by hour.

use domain::ids::PaymentId;
use domain::ledger::{Answer, Command, Take};
use domain::time::Timestamp;
use store::Db;
use store::model::*;

use super::fixtures::*;
use crate::fixtures::*;
use crate::ledger_fixtures::Life;

on_both! {
    hours_tell_what_happened_when,
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
    let asked = AuditStamp { at: later(1), ..signed(Actor::Console, 1) };
    db.sale_refund_ask(refund(2, 77, asked)).await.unwrap();
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
    // The steps of a funnel count people, each once, and a day counts what was made on it.
    for (sale, ordered, paid) in [(TEA, 2, 1), (PRINTS, 2, 1), (CODES, 0, 0)] {
        assert_eq!(db.buyers_count(sale).await.unwrap(), BuyerCounts { ordered, paid }, "{sale}");
    }
    let all = SiteDay { from: Timestamp(0), until: Timestamp(domain::snowflake::EPOCH_MS + 1) };
    let none = SiteDay { from: all.until, until: all.until + HOUR };
    let totals = db.day_totals(vec![all, none]).await.unwrap();
    let sums: Vec<_> = totals.iter().map(|total| (total.orders, total.paid)).collect();
    assert_eq!(sums, [(5, 2), (0, 0)], "a payment too many settles nothing");
}
