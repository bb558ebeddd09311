//! What is given for an order that is paid, and what a refund takes back of it.

use domain::fulfilment::{FulfilmentSource, FulfilmentState};
use domain::ids::{OrderId, PaymentId};
use domain::page::PageRequest;
use domain::sale::*;
use store::Db;
use store::model::*;

use super::fixtures::*;
use crate::fixtures::*;

on_both! {
    parcels_wait_codes_go_and_numbers_are_given,
    a_refund_by_hand_voids_what_is_not_sent,
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
        (1, 3, FulfilmentState::Claimable, FulfilmentSource::Order { sale: TEA })
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
    assert!(mine.iter().all(|item| item.of == Some(5)), "{mine:?}");
    let signed = signed(Actor::Console, 9);
    db.sale_refund_ask(refund(3, 700_003, signed)).await.unwrap();
    let mine = db.collectibles_of(ANN, PageRequest::first(9)).await.unwrap().items;
    let editions: Vec<_> = mine.iter().map(|item| item.edition).collect();
    assert_eq!(editions, [4, 3], "what is paid back is not theirs any more");
    open_line(db, 5, PRINTS, 1).await;
    db.payment_arrive(arrive(50, 5, 990)).await.unwrap();
    db.payment_settle(settle(50, true)).await.unwrap();
    let newest = db.collectibles_of(ANN, PageRequest::first(1)).await.unwrap().items.remove(0);
    assert_eq!(newest.edition, 5, "its number is not given again");

    // With the last thing that is given the order is fulfilled.
    let fence = LaneClaim { lane: "codes".to_owned(), holder: "w".to_owned(), now: T0, lease_ms: 1_000 };
    let fence = db.lane_claim(fence).await.unwrap().unwrap();
    let due = db.outbox_due(fence.clone(), T0 + 9, 10).await.unwrap();
    for (message, expected) in due.into_iter().zip(["paid", "fulfilled"]) {
        let came = vec![(message, DeliveryOutcome::Done)];
        db.outbox_finish(Finish { fence: fence.clone(), came, now: T0 + 9 }).await.unwrap();
        assert_eq!(state(db, 2).await, expected);
    }
}

async fn a_refund_by_hand_voids_what_is_not_sent(db: &Db) {
    unpaid(db, 1, TEA, 1).await;
    let ask = |audit| refund(1, 700_000 + audit, signed(Actor::Console, audit));
    assert_eq!(said(db.sale_refund_ask(ask(1)).await), "order_step_illegal");
    db.payment_arrive(arrive(10, 1, 990)).await.unwrap();
    let paid = db.payment_settle(settle(10, true)).await.unwrap();
    for audit in [2, 3] {
        let RefundOutcome::Due(order) = db.sale_refund_ask(ask(audit)).await.unwrap() else {
            panic!("it waits")
        };
        assert_eq!(order.state, OrderState::RefundDue, "the same again is the same");
    }
    let thing = db.fulfilment(paid.things[0]).await.unwrap().unwrap();
    assert_eq!((thing.standing.state, waiting(db, REFUNDS).await), (FulfilmentState::Voided, 1));
    assert_eq!(audited(db, "order:1").await, ["order.refund"]);
    db.refund_done(PaymentId(10), T0).await.unwrap();
    assert_eq!(state(db, 1).await, "refunded");
}
