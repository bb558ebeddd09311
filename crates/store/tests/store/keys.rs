//! API keys.

use domain::access::{Decider, Decision, Role, Roles, Scope, Scopes};
use domain::account::{Ban, CodePurpose};
use domain::ids::{ApprovalId, KeyId, UserId};
use domain::rejection::BanEnd;
use store::Db;
use store::model::*;

use crate::fixtures::*;

fn create(id: i64, secret: i64) -> KeyCreate {
    KeyCreate {
        id: KeyId(id),
        name: format!("key {id}"),
        scopes: Scopes::of(&[Scope::Play]),
        secret_hash: hash(secret),
        second: second(id),
        live_max: 2,
        once: None,
        signed: signed(Actor::Console, id * 100),
    }
}

fn rotate(id: i64, secret: i64, overlap_ms: i64) -> KeyRotate {
    KeyRotate {
        id: KeyId(id),
        secret_hash: hash(secret),
        overlap_until: T0 + overlap_ms,
        live_max: 2,
        once: None,
        signed: signed(Actor::Console, id * 100 + secret),
    }
}

/// Which of the secrets 1, 2 and 3 work at a moment.
async fn working(db: &Db, after_ms: i64) -> Vec<i64> {
    let mut working = Vec::new();
    for secret in 1..=3 {
        if db.key_find(hash(secret), T0 + after_ms).await.unwrap().is_some() {
            working.push(secret);
        }
    }
    working
}

on_both! {
    a_rotated_secret_overlaps_with_the_next,
    revoking_again_changes_nothing,
    a_repeated_creation_gives_the_sealed_secret_again,
    a_list_shows_use_but_no_secret,
    a_key_ends_with_its_maker,
    keys_of_one_person_are_bounded,
    an_admin_key_waits_for_a_second_person,
}

fn by(maker: UserId, step: KeyCreate) -> KeyCreate {
    KeyCreate { signed: signed(Actor::Person(maker), step.id.0 * 100), ..step }
}

async fn a_key_ends_with_its_maker(db: &Db) {
    for (n, how) in ["banned", "demoted", "deleted"].into_iter().enumerate() {
        let n = i64::try_from(n).unwrap() + 1;
        let phone = 50 + u8::try_from(n).unwrap();
        let maker = user(db, phone, &[Role::Admin]).await;
        let other = user(db, phone + 10, &[Role::Admin]).await;
        db.key_create(by(maker, create(n, n))).await.unwrap();
        assert!(db.key_find(hash(n), T0).await.unwrap().is_some(), "{how}");
        let act = |audit| signed(Actor::Person(other), 9_000 + 100 * n + audit);
        match how {
            "banned" => {
                let ban = Ban { reason: "x".into(), since: T0, until: BanEnd::Never };
                db.user_ban(UserBan { user: maker, ban: Some(ban), signed: act(1) }).await.unwrap();
                db.user_ban(UserBan { user: maker, ban: None, signed: act(2) }).await.unwrap();
            }
            "demoted" => {
                let request = Request::SetRoles { user: maker, roles: Roles::PLAYER };
                let ask = ApprovalAsk { id: ApprovalId(n), request, once: None, signed: act(1) };
                db.approval_ask(ask).await.unwrap();
                let step = ApprovalDecide {
                    id: ApprovalId(n),
                    decision: Decision::Approve,
                    decider: Decider::Console,
                    signed: signed(Actor::Console, 9_003 + 100 * n),
                    effect_audit_id: 9_004 + 100 * n,
                    points_expire: T0,
                };
                db.approval_decide(step).await.unwrap();
            }
            _ => {
                db.code_issue(issue(phone, CodePurpose::ConfirmPhone, T0)).await.unwrap();
                db.account_delete(delete_by_code(maker, phone, RIGHT)).await.unwrap();
            }
        }
        assert!(db.key_find(hash(n), T0).await.unwrap().is_none(), "{how}: for good");
        let row = db.key_list().await.unwrap().into_iter().find(|key| key.id == KeyId(n)).unwrap();
        assert!(row.revoked.is_some(), "{how}");
    }
}

async fn keys_of_one_person_are_bounded(db: &Db) {
    let (ann, bob) = (user(db, 1, &[Role::Admin]).await, user(db, 2, &[Role::Admin]).await);
    for id in [1, 2] {
        db.key_create(by(ann, create(id, id))).await.unwrap();
    }
    assert_eq!(said(db.key_create(by(ann, create(3, 3))).await), "keys_full");
    db.key_create(by(bob, create(4, 4))).await.unwrap();
    // Taking a key over counts like making one.
    let take = |id| KeyRotate { signed: signed(Actor::Person(ann), 800 + id), ..rotate(id, 90 + id, 0) };
    assert_eq!(said(db.key_rotate(take(4)).await), "keys_full");
    db.key_revoke(KeyId(1), signed(Actor::Person(ann), 801)).await.unwrap();
    db.key_rotate(take(4)).await.unwrap();
    assert_eq!(db.key_find(hash(94), T0).await.unwrap().unwrap().maker, Some(ann));
}

async fn an_admin_key_waits_for_a_second_person(db: &Db) {
    let (ann, bob) = (user(db, 1, &[Role::Admin]).await, user(db, 2, &[Role::Admin]).await);
    for (id, decision, works) in [(1, Decision::Approve, true), (2, Decision::Refuse, false)] {
        let step = KeyCreate { scopes: Scopes::of(&Scope::ALL), live_max: 9, ..create(id, id) };
        let made = db.key_create(by(ann, step)).await.unwrap();
        assert_eq!(made.waits, Some(second(id).approval));
        assert!(db.key_find(hash(id), T0).await.unwrap().is_none(), "it waits");
        let step = |who: UserId, n: i64| ApprovalDecide {
            id: second(id).approval,
            decision,
            decider: Decider::Person(who),
            signed: signed(Actor::Person(who), 7_000 + 100 * id + n),
            effect_audit_id: 7_050 + 100 * id + n,
            points_expire: T0,
        };
        assert_eq!(said(db.approval_decide(step(ann, 1)).await), "own_work");
        db.approval_decide(step(bob, 2)).await.unwrap();
        assert_eq!(db.key_find(hash(id), T0).await.unwrap().is_some(), works, "{decision:?}");
    }
    // Nobody takes an admin key over by rotating it.
    let step = KeyRotate { signed: signed(Actor::Person(bob), 900), ..rotate(1, 8, 0) };
    assert_eq!(said(db.key_rotate(step).await), "key_of_another");
}

async fn a_rotated_secret_overlaps_with_the_next(db: &Db) {
    db.key_create(create(1, 1)).await.unwrap();
    assert_eq!(working(db, 0).await, [1]);
    db.key_rotate(rotate(1, 2, 1_000)).await.unwrap();
    assert_eq!((working(db, 999).await, working(db, 1_000).await), (vec![1, 2], vec![2]));
    db.key_rotate(rotate(1, 3, 1_000)).await.unwrap();
    assert_eq!(working(db, 0).await, [2, 3], "at most two at a time");
    db.key_revoke(KeyId(1), signed(Actor::Console, 190)).await.unwrap();
    assert_eq!(working(db, 0).await, [] as [i64; 0]);
    assert_eq!(said(db.key_rotate(rotate(1, 4, 0)).await), "not_found");
    assert_eq!(audited(db, "key:1").await, ["key.create", "key.rotate", "key.rotate", "key.revoke"]);
}

async fn revoking_again_changes_nothing(db: &Db) {
    db.key_create(create(1, 1)).await.unwrap();
    for audit in [190, 191] {
        db.key_revoke(KeyId(1), signed(Actor::Console, audit)).await.unwrap();
    }
    assert_eq!(audited(db, "key:1").await, ["key.create", "key.revoke"]);
    assert_eq!(said(db.key_revoke(KeyId(2), signed(Actor::Console, 192)).await), "not_found");
}

async fn a_repeated_creation_gives_the_sealed_secret_again(db: &Db) {
    db.key_create(KeyCreate { once: once("k", "secret"), ..create(1, 1) }).await.unwrap();
    let again = db.key_create(KeyCreate { once: once("k", "secret"), ..create(2, 2) }).await.unwrap();
    assert_eq!(again.made, CreateOutcome { id: 1, replayed: Some(Some(b"secret".to_vec())) });
    let other = db.key_create(KeyCreate { once: once("k", "other"), ..create(3, 3) }).await;
    assert_eq!(said(other), "idempotency_conflict");
    assert_eq!(working(db, 0).await, [1]);
}

async fn a_list_shows_use_but_no_secret(db: &Db) {
    db.key_create(create(1, 1)).await.unwrap();
    db.key_create(create(2, 2)).await.unwrap();
    db.key_touch(KeyId(1), T0 + 5).await.unwrap();
    db.key_touch(KeyId(1), T0 + 3).await.unwrap();
    let keys = db.key_list().await.unwrap();
    let seen: Vec<_> = keys.iter().map(|key| (key.id.0, key.name.as_str(), key.last_used)).collect();
    assert_eq!(seen, [(2, "key 2", None), (1, "key 1", Some(T0 + 5))]);
    assert!(keys[0].scopes.has(Scope::Play) && !keys[0].scopes.has(Scope::Admin));
}
