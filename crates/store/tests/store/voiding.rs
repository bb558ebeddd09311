//! Voiding a prize: by two people, whole, and with what was given taken back.

use domain::access::{Decider, Decision};
use domain::fulfilment::{FulfilmentState, PrizeKind};
use domain::ids::{ApprovalId, FulfilmentId, UserId};
use domain::points::{Amount, Move, NEVER};
use store::Db;
use store::failure::Result;
use store::model::*;

use crate::fixtures::*;
use crate::fulfilments::{PLAYER, claim, messages, prize, row, state};

on_both! {
    voiding_takes_two_people_and_gives_the_unit_back,
    voiding_takes_back_points_and_chances_that_were_given,
}

pub async fn ask_void(db: &Db, id: i64, approval: i64) -> Result<CreateOutcome> {
    let request = Request::VoidFulfilment { fulfilment: FulfilmentId(id) };
    let signed = AuditStamp { reason: "two accounts".into(), ..signed(Actor::Person(UserId(1)), approval) };
    db.approval_ask(ApprovalAsk { id: ApprovalId(approval), request, once: None, signed }).await
}

pub async fn approve(db: &Db, approval: i64, by: i64) -> Result<ApprovalRow> {
    db.approval_decide(ApprovalDecide {
        id: ApprovalId(approval),
        decision: Decision::Approve,
        points_expire: NEVER,
        decider: Decider::Person(UserId(by)),
        signed: signed(Actor::Person(UserId(by)), approval + 50 + by),
        effect_audit_id: approval + 60 + by,
    })
    .await
}

async fn voiding_takes_two_people_and_gives_the_unit_back(db: &Db) {
    for (id, state) in [
        (1, FulfilmentState::Claimable),
        (2, FulfilmentState::Ready),
        (3, FulfilmentState::Given),
        (4, FulfilmentState::Claimable),
    ] {
        prize(db, id, PrizeKind::Coupon, state).await;
    }
    for (id, expected) in [(2, "fulfilment_step_illegal"), (3, "given_for_good")] {
        assert_eq!(said(ask_void(db, id, 100 + id).await), expected);
    }
    assert_eq!(said(ask_void(db, 9, 109).await), "not_found");
    ask_void(db, 1, 200).await.unwrap();
    assert_eq!(said(approve(db, 200, 1).await), "own_work");
    assert_eq!(state(db, 1).await, FulfilmentState::Claimable);
    assert_eq!(ask_void(db, 1, 300).await.unwrap().id, 200, "what waits is not asked for twice");
    // Claimed in between: what was true when it was asked for is not true any more.
    ask_void(db, 4, 400).await.unwrap();
    db.fulfilment_claim(claim(4, PLAYER, None)).await.unwrap();
    assert_eq!(said(approve(db, 400, 2).await), "fulfilment_step_illegal");
    approve(db, 200, 2).await.unwrap();
    let voided = row(db, 1).await;
    assert_eq!(
        (voided.standing.state, voided.note.as_deref()),
        (FulfilmentState::Voided, Some("two accounts"))
    );
    assert_eq!(messages(db, RETURNS).await.len(), 1);
    assert_eq!(said(db.fulfilment_claim(claim(1, PLAYER, None)).await), "fulfilment_step_illegal");
    assert_eq!(audited(db, "fulfilment:1").await, ["fulfilment.void"]);
}

/// Points at once, chances by a message; how many is written down once, and lowered by whoever knows what it was.
async fn voiding_takes_back_points_and_chances_that_were_given(db: &Db) {
    let credit = |n: i64| Posting {
        user: PLAYER,
        asked: Move::Credit { amount: Amount::new(7).unwrap(), expires: NEVER },
        key: format!("won:{n}"),
        reason: "won".into(),
        at: T0,
    };
    for id in [1, 2] {
        prize(db, id, PrizeKind::Points, FulfilmentState::Given).await;
        db.points_post(vec![credit(id)]).await.unwrap();
    }
    prize(db, 3, PrizeKind::Chances, FulfilmentState::Given).await;
    // Somebody took the second one back by hand before.
    let by_hand = Posting { asked: Move::Reverse { n: 2 }, key: "reverse:2".into(), ..credit(2) };
    db.points_post(vec![by_hand]).await.unwrap();
    for id in [1, 2, 3] {
        ask_void(db, id, 200 * id).await.unwrap();
        approve(db, 200 * id, 2).await.unwrap();
        approve(db, 200 * id, 2).await.unwrap();
        assert_eq!(state(db, id).await, FulfilmentState::Voided);
    }
    assert_eq!(db.points_of(PLAYER).await.unwrap().balance, 0);
    let taken = || db.taken_back_of([1, 2, 3, 4].map(FulfilmentId).to_vec());
    assert_eq!(taken().await.unwrap(), [Some(7), Some(0), None, None]);
    let waiting = messages(db, TAKE_BACK).await;
    assert_eq!(waiting.iter().map(|message| message.subject).collect::<Vec<_>>(), [3]);
    assert_eq!(messages(db, RETURNS).await.len(), 3, "the units go back as always");
    for (was, units, stands) in
        [(None, 5, 5), (None, 9, 5), (Some(4), 1, 5), (Some(5), 2, 2), (Some(5), 3, 2)]
    {
        let set = db.taken_back_set(FulfilmentId(3), was, units).await.unwrap();
        assert_eq!(set, stands, "{was:?} {units}");
    }
    assert_eq!(taken().await.unwrap()[2], Some(2));
}
