//! API keys.

use domain::access::{Scope, Scopes};
use domain::ids::KeyId;
use engine::ports::*;
use store::Db;

use crate::given::*;

fn create(id: i64, secret: i64) -> KeyCreate {
    KeyCreate {
        id: KeyId(id),
        name: format!("key {id}"),
        scopes: Scopes::of(&[Scope::Play]),
        secret_hash: hash(secret),
        once: None,
        signed: signed(Actor::Console, id * 100),
    }
}

fn rotate(id: i64, secret: i64, overlap_ms: i64) -> KeyRotate {
    KeyRotate {
        id: KeyId(id),
        secret_hash: hash(secret),
        overlap_until: T0 + overlap_ms,
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
    assert_eq!(again, Made { id: 1, replayed: Some(Some(b"secret".to_vec())) });
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
