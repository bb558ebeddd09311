//! Requests that wait for a second person.

use domain::access::{ApprovalState, Decider, Decision, Role, Roles};
use domain::ids::{ApprovalId, UserId};
use domain::page::PageRequest;
use futures::future::join_all;
use store::Db;
use store::model::*;

use crate::fixtures::*;

fn ask(id: i64, by: UserId, user: UserId, roles: &[Role]) -> ApprovalAsk {
    let request = Request::SetRoles { user, roles: Roles::of(roles) };
    ApprovalAsk { id: ApprovalId(id), request, once: None, signed: signed(Actor::Person(by), id * 10) }
}

fn decide(id: i64, by: UserId, decision: Decision, audit: i64) -> ApprovalDecide {
    ApprovalDecide {
        id: ApprovalId(id),
        decision,
        decider: Decider::Person(by),
        signed: signed(Actor::Person(by), audit),
        effect_audit_id: audit + 1,
        points_expire: T0 + 50,
    }
}

async fn roles(db: &Db, user: UserId) -> Roles {
    db.account(user).await.unwrap().unwrap().roles
}

on_both! {
    an_approval_carries_its_request_out,
    refused_and_withdrawn_change_nothing_else,
    the_last_admin_keeps_the_role,
    one_of_many_deciders_decides,
    lists_are_by_state_newest_first,
    asking_is_repeatable_and_about_somebody,
    approved_points_are_posted_once,
}

async fn an_approval_carries_its_request_out(db: &Db) {
    let (ann, bob) = (user(db, 1, &[Role::Admin]).await, user(db, 2, &[Role::Admin]).await);
    let player = session(db, 3, 1, T0).await;
    db.approval_ask(ask(1, ann, player, &[Role::Operator])).await.unwrap();
    assert_eq!(said(db.approval_decide(decide(1, ann, Decision::Approve, 30)).await), "own_work");
    assert_eq!(roles(db, player).await, Roles::PLAYER);
    let row = db.approval_decide(decide(1, bob, Decision::Approve, 40)).await.unwrap();
    assert_eq!((row.state, row.decided_by), (ApprovalState::Approved, Some(Actor::Person(bob))));
    assert_eq!(roles(db, player).await, Roles::of(&[Role::Operator]));
    assert_eq!(live_sessions(db, player).await, [1], "sessions go on");
    assert_eq!(audited(db, "approval:1").await, ["approval.ask", "approval.approve"]);
    assert_eq!(audited(db, "user:3000").await, ["user.roles"]);

    // Again by the same person is answered; by another, or another way, it is too late.
    assert_eq!(db.approval_decide(decide(1, bob, Decision::Approve, 50)).await.unwrap(), row);
    assert_eq!(db.approval(ApprovalId(1)).await.unwrap(), Some(row));
    assert_eq!(said(db.approval_decide(decide(1, ann, Decision::Approve, 60)).await), "already_decided");
    assert_eq!(said(db.approval_decide(decide(1, bob, Decision::Refuse, 70)).await), "already_decided");
    assert_eq!(audited(db, "approval:1").await.len(), 2);
}

async fn refused_and_withdrawn_change_nothing_else(db: &Db) {
    let (ann, bob) = (user(db, 1, &[Role::Admin]).await, user(db, 2, &[Role::Admin]).await);
    for id in [1, 2] {
        db.approval_ask(ask(id, ann, bob, &[])).await.unwrap();
    }
    for (id, by, decision, expected) in [
        (1, bob, Decision::Withdraw, "not_found"),
        (1, bob, Decision::Refuse, "ok"),
        (2, ann, Decision::Withdraw, "ok"),
        (3, ann, Decision::Withdraw, "not_found"),
    ] {
        assert_eq!(
            said(db.approval_decide(decide(id, by, decision, id * 100)).await),
            expected,
            "{id} {decision:?}"
        );
    }
    assert!(roles(db, bob).await.has(Role::Admin));
    assert_eq!(audited(db, "approval:2").await, ["approval.ask", "approval.withdraw"]);
}

/// Nothing half-done: the request still waits.
async fn the_last_admin_keeps_the_role(db: &Db) {
    let (admin, reviewer) = (user(db, 1, &[Role::Admin]).await, user(db, 2, &[Role::Reviewer]).await);
    db.approval_ask(ask(1, admin, admin, &[])).await.unwrap();
    assert_eq!(said(db.approval_decide(decide(1, reviewer, Decision::Approve, 20)).await), "last_admin");
    assert_eq!(db.approval(ApprovalId(1)).await.unwrap().unwrap().state, ApprovalState::Waiting);
    assert!(roles(db, admin).await.has(Role::Admin));
}

async fn one_of_many_deciders_decides(db: &Db) {
    let (ann, player) = (user(db, 1, &[Role::Admin]).await, user(db, 2, &[]).await);
    db.approval_ask(ask(1, ann, player, &[Role::Operator])).await.unwrap();
    let deciding = (10..40).map(|n: i64| {
        let decision = if n % 2 == 0 { Decision::Approve } else { Decision::Refuse };
        db.approval_decide(decide(1, UserId(n), decision, n * 10))
    });
    assert_eq!(join_all(deciding).await.into_iter().map(said).filter(|heard| *heard == "ok").count(), 1);
    assert_eq!(audited(db, "approval:1").await.len(), 2);
}

async fn lists_are_by_state_newest_first(db: &Db) {
    let (ann, bob) = (user(db, 1, &[Role::Admin]).await, user(db, 2, &[]).await);
    for id in 1..=3 {
        db.approval_ask(ask(id, ann, bob, &[])).await.unwrap();
    }
    db.approval_decide(decide(2, bob, Decision::Refuse, 100)).await.unwrap();
    for (state, limit, expected, next) in [
        (None, 2, vec![3, 2], Some(2)),
        (Some(ApprovalState::Waiting), 5, vec![3, 1], None),
        (Some(ApprovalState::Refused), 5, vec![2], None),
        (Some(ApprovalState::Approved), 5, vec![], None),
    ] {
        let page = db.approval_list(state, PageRequest::first(limit)).await.unwrap();
        let ids: Vec<i64> = page.items.iter().map(|row| row.id.0).collect();
        assert_eq!((ids, page.next), (expected, next), "{state:?}");
    }
}

async fn asking_is_repeatable_and_about_somebody(db: &Db) {
    let ann = user(db, 1, &[Role::Admin]).await;
    for id in [1, 2] {
        let made =
            db.approval_ask(ApprovalAsk { once: once("k", "b"), ..ask(id, ann, ann, &[]) }).await.unwrap();
        assert_eq!(made.id, 1);
    }
    assert_eq!(said(db.approval_ask(ask(3, ann, UserId(404), &[])).await), "not_found");
}

/// With the expiry of the day they are approved, in the transaction that approves; never by whoever receives them.
async fn approved_points_are_posted_once(db: &Db) {
    let (ann, bob) = (user(db, 1, &[Role::Admin]).await, user(db, 2, &[Role::Admin]).await);
    let player = user(db, 3, &[]).await;
    let ask = |id, user, points| ApprovalAsk {
        id: ApprovalId(id),
        request: Request::AdjustPoints { user, points },
        once: None,
        signed: signed(Actor::Person(ann), id * 10),
    };
    for (id, to, points) in [(1, player, 20_000), (2, player, -20_001), (3, bob, 20_000)] {
        db.approval_ask(ask(id, to, points)).await.unwrap();
    }
    for (id, by, expected) in [
        (1, ann, "own_work"),
        (1, bob, "ok"),
        (1, bob, "ok"),
        (2, bob, "points_short"),
        (3, bob, "own_account"),
    ] {
        let step = decide(id, by, Decision::Approve, 100 * id);
        assert_eq!(said(db.approval_decide(step).await), expected, "{id} by {by}");
    }
    let account = db.points_of(player).await.unwrap();
    assert_eq!((account.balance, account.rows, account.next), (20_000, 1, T0 + 50));
    assert_eq!(db.approval(ApprovalId(2)).await.unwrap().unwrap().state, ApprovalState::Waiting);
    let actions = audited(db, "user:3000").await;
    assert_eq!(actions.iter().filter(|action| *action == "points.adjust").count(), 1);
}
