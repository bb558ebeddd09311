//! Orders are paid once and refunded once; and whatever comes in whatever order, money and units add up.

use domain::ids::{OrderId, PaymentId};
use domain::sale::*;
use futures::future::join_all;
use store::Db;
use store::model::*;

use super::fixtures::*;
use crate::fixtures::*;

on_both! {
    hole_33_a_payment_that_is_delivered_again_and_again_settles_its_order_once,
    a_reference_is_one_payment,
    what_is_gone_is_paid_back_once,
    whatever_comes_money_adds_up,
}

/// Hole 33: "one consumer at a time" does not survive redelivery. Here any number of them, at once and later, with the same
/// payment or another, move the order once.
async fn hole_33_a_payment_that_is_delivered_again_and_again_settles_its_order_once(db: &Db) {
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
    assert_eq!((second.state, second.back), (PaymentState::BackDue, Some((RefundReason::PaidTwice, None))));
    assert_eq!(said(db.payment_arrive(arrive(14, 77, 990)).await), "not_found");
    for minor in [989, 991] {
        let id = i64::try_from(minor).unwrap();
        unpaid_again(db, id).await;
        let row = db.payment_arrive(arrive(id, id, minor)).await.unwrap();
        assert_eq!(row.back, Some((RefundReason::AmountWrong, None)));
        assert_eq!(state(db, id).await, "unpaid", "the right amount may still come");
        assert_eq!(db.payment_arrive(arrive(id + 100, id, 990)).await.unwrap().state, PaymentState::Arrived);
    }
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
    assert_eq!((row.state, row.back), (PaymentState::Back, Some((RefundReason::Gone, Some(T0 + 9)))));
}

/// Random lives: pay, pay twice, settle, refund, cancel, lapse, in any order and again. After every step what came is what
/// was paid for orders, what went back, what is due to go back, and what is not settled yet.
async fn whatever_comes_money_adds_up(db: &Db) {
    people(db).await;
    let mut dice = crate::ledger_fixtures::Dice(7);
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
                said(db.sale_refund_ask(refund(id, 800_000 + n, signed)).await)
            }
            (_, _) => continue,
        };
        *seen.entry(said).or_insert(0) += 1;
        adds_up(db).await;
    }
    assert!(seen["ok"] > 50 && seen.len() > 2, "{seen:?}");
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
