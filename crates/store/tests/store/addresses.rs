//! Address books.

use domain::account::ADDRESSES_MAX;
use domain::ids::{AddressId, UserId};
use futures::future::join_all;
use store::Db;
use store::model::*;

use crate::fixtures::*;

fn save(user: UserId, id: i64, sealed: u8, default: bool) -> AddressSave {
    let address = AddressRow { id: AddressId(id), sealed: vec![sealed], default };
    AddressSave { user, address, now: T0, once: None }
}

async fn book(db: &Db, user: UserId) -> Vec<(i64, u8, bool)> {
    let rows = db.address_list(user).await.unwrap();
    rows.into_iter().map(|row| (row.id.0, row.sealed[0], row.default)).collect()
}

on_both! {
    there_is_one_default,
    a_stranger_finds_nothing,
    a_rejected_step_writes_nothing,
    a_full_book_takes_no_more_even_at_once,
    a_repeated_add_makes_one_entry,
}

async fn there_is_one_default(db: &Db) {
    let user = user(db, 1, &[]).await;
    db.address_add(save(user, 1, 1, false)).await.unwrap();
    assert_eq!(book(db, user).await, [(1, 1, true)], "the first is the one to take");
    db.address_add(save(user, 2, 2, true)).await.unwrap();
    assert_eq!(book(db, user).await, [(1, 1, false), (2, 2, true)]);
    db.address_replace(save(user, 1, 3, true)).await.unwrap();
    assert_eq!(book(db, user).await, [(1, 3, true), (2, 2, false)]);
    db.address_remove(user, AddressId(1)).await.unwrap();
    assert_eq!(book(db, user).await, [(2, 2, false)]);
}

async fn a_stranger_finds_nothing(db: &Db) {
    let (owner, stranger) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    db.address_add(save(owner, 1, 1, true)).await.unwrap();
    assert_eq!(said(db.address_replace(save(stranger, 1, 9, true)).await), "not_found");
    assert_eq!(said(db.address_remove(stranger, AddressId(1)).await), "not_found");
    assert_eq!(said(db.address_add(save(UserId(404), 1, 9, true)).await), "not_found");
    assert_eq!(book(db, owner).await, [(1, 1, true)]);
}

/// The replace that found nothing had already taken the mark from the old default.
async fn a_rejected_step_writes_nothing(db: &Db) {
    let user = user(db, 1, &[]).await;
    db.address_add(save(user, 1, 1, true)).await.unwrap();
    assert_eq!(said(db.address_replace(save(user, 2, 2, true)).await), "not_found");
    assert_eq!(book(db, user).await, [(1, 1, true)]);
}

async fn a_full_book_takes_no_more_even_at_once(db: &Db) {
    let user = user(db, 1, &[]).await;
    let adding = (1..=50).map(|id| db.address_add(save(user, id, 1, false)));
    let (added, refused): (Vec<_>, Vec<_>) =
        join_all(adding).await.into_iter().map(said).partition(|heard| *heard == "ok");
    assert_eq!(added.len(), ADDRESSES_MAX as usize);
    assert!(refused.iter().all(|heard| *heard == "address_book_full"));
}

async fn a_repeated_add_makes_one_entry(db: &Db) {
    let user = user(db, 1, &[]).await;
    let adding =
        (1..=20).map(|id| db.address_add(AddressSave { once: once("k", "b"), ..save(user, id, 1, false) }));
    let made: Vec<CreateOutcome> = join_all(adding).await.into_iter().map(Result::unwrap).collect();
    assert!(made.iter().all(|one| one.id == made[0].id));
    assert_eq!(book(db, user).await.len(), 1);
}
