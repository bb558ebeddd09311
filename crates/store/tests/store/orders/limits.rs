//! Orders that nothing is held for: how many one person may have, and when they lapse.

use domain::ids::{OrderId, PaymentId};
use domain::sale::*;
use futures::future::join_all;
use store::Db;
use store::model::*;

use super::fixtures::*;
use crate::fixtures::*;
use crate::jobs::{claim, defaults};

on_both! {
    orders_that_hold_nothing_keep_to_the_limit_and_lapse,
    the_limit_counts_what_the_ledger_does,
}

async fn orders_that_hold_nothing_keep_to_the_limit_and_lapse(db: &Db) {
    people(db).await;
    let open = |id, user, quantity| open_at_payment(db, id, user, quantity, 2);
    assert_eq!(open(1, ANN, 2).await.unwrap(), OpenedOrder { order: OrderId(1), replayed: false });
    assert_eq!(open(1, ANN, 2).await.unwrap(), OpenedOrder { order: OrderId(1), replayed: true });
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
    open(5, ANN, 1).await.unwrap();
}

#[derive(Clone, Copy, Debug)]
enum Did {
    Cancel,
    Pay,
    /// The ledger took the units.
    Taken,
    /// It had none.
    Gone,
    Refund,
    Back,
}

/// What happened to somebody's only order, and whether its unit counts: the ledger counts what it took until the end of
/// days, also when the money went back by hand, and knows nothing of what it did not take.
async fn the_limit_counts_what_the_ledger_does(db: &Db) {
    use Did::*;
    for (n, (story, counts)) in (10_u8..).zip([
        (&[][..], true),
        (&[Cancel], false),
        (&[Pay], true),
        (&[Pay, Taken], true),
        (&[Pay, Taken, Refund], true),
        (&[Pay, Taken, Refund, Back], true),
        (&[Pay, Gone], false),
        (&[Pay, Gone, Back], false),
        (&[Cancel, Pay], true),
        (&[Cancel, Pay, Taken], true),
        (&[Cancel, Pay, Gone, Back], false),
    ]) {
        let (buyer, id) = (user(db, n, &[]).await, i64::from(n));
        open_at_payment(db, id, buyer, 1, 1).await.unwrap();
        for did in story {
            let heard = match did {
                Cancel => said(db.sale_order_cancel(OrderId(id), T0).await),
                Pay => said(db.payment_arrive(arrive(id, id, 990)).await),
                Taken => said(db.payment_settle(settle(id, true)).await),
                Gone => said(db.payment_settle(settle(id, false)).await),
                Refund => {
                    let signed = signed(Actor::Console, 5_000_000 + id);
                    said(db.sale_refund_ask(refund(id, 700_000 + id, signed)).await)
                }
                Back => said(db.refund_done(PaymentId(id), T0).await),
            };
            assert_eq!(heard, "ok", "{story:?}: {did:?}");
        }
        let again = said(open_at_payment(db, id + 500, buyer, 1, 1).await);
        assert_eq!(again, if counts { "limit_reached" } else { "ok" }, "{story:?}");
    }
}
