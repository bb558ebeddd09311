//! Block lists: imported in pieces, each safe to repeat, with a counter that tells of every change.

use domain::ids::{ActivityId, UserId};
use domain::page::PageRequest;
use futures::future::join_all;
use store::model::BlockFate::{Added, Already, Repeated, Unknown};
use store::model::*;
use store::{Db, params};

use crate::fixtures::*;

const HERE: ActivityId = ActivityId(7);

fn id(user: UserId) -> BlockName {
    BlockName::User(user)
}

fn external(text: &str) -> BlockName {
    BlockName::External(text.to_owned())
}

fn add(names: Vec<BlockName>, audit: i64) -> BlockListAdd {
    BlockListAdd { activity: HERE, names, signed: signed(Actor::Console, audit) }
}

fn remove(user: UserId, audit: i64) -> BlockListRemove {
    BlockListRemove { activity: HERE, user, signed: signed(Actor::Console, audit) }
}

async fn known_as(db: &Db, external_id: &str, id: i64) -> UserId {
    db.external_user(crate::fixtures::external(external_id, id)).await.unwrap()
}

on_both! {
    an_import_says_what_became_of_every_name,
    a_change_is_counted_and_nothing_else_is,
    the_list_is_paged_and_loaded,
    imports_at_once_meet_in_one_list,
    a_deleted_account_stays_on_the_list_without_its_reason,
    a_full_list_takes_no_more,
}

/// Names, what becomes of each, and the list afterwards.
async fn an_import_says_what_became_of_every_name(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let shop = known_as(db, "shop-42", 9_000).await;
    for (audit, names, expected, list) in [
        (10, vec![], vec![], vec![]),
        (11, vec![id(UserId(404)), external("nobody"), BlockName::Nobody], vec![Unknown; 3], vec![]),
        (12, vec![id(ann), id(ann), external("shop-42")], vec![Added, Repeated, Added], vec![ann, shop]),
        (13, vec![id(ann), id(shop), external("shop-42")], vec![Already, Already, Repeated], vec![ann, shop]),
        (14, vec![id(bob), external("x"), id(ann)], vec![Added, Unknown, Already], vec![ann, bob, shop]),
    ] {
        assert_eq!(db.block_list_add(add(names, audit)).await.unwrap(), expected, "row {audit}");
        assert_eq!(db.block_list_load(HERE).await.unwrap().1, list, "row {audit}");
    }
    assert_eq!(db.block_list_load(ActivityId(8)).await.unwrap(), (0, vec![]), "another activity's list");
}

async fn a_change_is_counted_and_nothing_else_is(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let changes = async || db.block_list_load(HERE).await.unwrap().0;
    assert_eq!(changes().await, 0);
    for (audit, expected) in [(10, 1), (11, 1)] {
        db.block_list_add(add(vec![id(ann), id(bob)], audit)).await.unwrap();
        assert_eq!(changes().await, expected);
    }
    for (audit, there, expected) in [(12, true, 2), (13, false, 2)] {
        assert_eq!(db.block_list_remove(remove(ann, audit)).await.unwrap(), there);
        assert_eq!(changes().await, expected);
    }
    assert_eq!(audited(db, "activity:7").await, ["block_list.add", "block_list.remove"]);
}

async fn the_list_is_paged_and_loaded(db: &Db) {
    let mut users = Vec::new();
    for n in 1..=5 {
        users.push(user(db, n, &[]).await);
    }
    db.block_list_add(add(users.iter().copied().map(id).collect(), 10)).await.unwrap();
    let (mut seen, mut page) = (Vec::new(), PageRequest::first(2));
    loop {
        let found = db.block_list_page(HERE, page).await.unwrap();
        seen.extend(found.items.iter().map(|row| (row.user, row.reason.clone(), row.added_by, row.added_at)));
        if found.next.is_none() {
            break;
        }
        page.after = found.next;
    }
    let expected: Vec<_> =
        users.iter().rev().map(|user| (*user, "because".to_owned(), Actor::Console, T0)).collect();
    assert_eq!(seen, expected);
}

async fn imports_at_once_meet_in_one_list(db: &Db) {
    let mut users = Vec::new();
    for n in 1..=10 {
        users.push(user(db, n, &[]).await);
    }
    let steps = (0..20).map(|n| {
        let names = users.iter().cycle().skip(n).take(6).copied().map(id).collect();
        db.block_list_add(add(names, 100 + i64::try_from(n).unwrap()))
    });
    let fates: Vec<BlockFate> = join_all(steps).await.into_iter().flat_map(Result::unwrap).collect();
    let (changes, list) = db.block_list_load(HERE).await.unwrap();
    assert_eq!(list, users);
    assert_eq!(fates.iter().filter(|fate| **fate == Added).count(), users.len(), "each is added once");
    assert_eq!(usize::try_from(changes).unwrap(), audited(db, "activity:7").await.len());
}

/// Why it is there may have told of the person; that it is there holds for whoever returns.
async fn a_deleted_account_stays_on_the_list_without_its_reason(db: &Db) {
    let shop = known_as(db, "shop-42", 9_000).await;
    db.block_list_add(add(vec![id(shop)], 10)).await.unwrap();
    db.account_delete(delete_by_company(shop, mark_of("shop-42"))).await.unwrap();
    assert_eq!(db.block_list_load(HERE).await.unwrap().1, [shop]);
    let rows = db.block_list_page(HERE, Default::default()).await.unwrap().items;
    assert_eq!((rows[0].reason.as_str(), &rows[0].external_id), ("—", &None));
    assert_eq!(db.block_list_add(add(vec![id(shop)], 11)).await.unwrap(), [Unknown]);
}

/// All or none: a full list is left as it was.
async fn a_full_list_takes_no_more(db: &Db) {
    let (ann, bob, cal) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    db.block_list_add(add(vec![id(ann)], 10)).await.unwrap();
    // One short of the limit: everybody before it is made up.
    db.write((), |tx, ()| {
        Box::pin(async move {
            let people = "WITH RECURSIVE n (id) AS (SELECT CAST(1000000 AS BIGINT) UNION ALL
                    SELECT id + 1 FROM n WHERE id < 1000000 + CAST($1 AS BIGINT) - 3)
                 INSERT INTO users (id, created, name, name_folded, sign_up_day)
                 SELECT id, 0, '', '', 20231114 FROM n";
            tx.execute(people, params![BLOCK_LIST_MAX]).await?;
            let list = "INSERT INTO block_list (activity_id, user_id, reason, added_by, added_at)
                 SELECT CAST($1 AS BIGINT), id, '', 'console', 0 FROM users WHERE id >= 1000000";
            tx.execute(list, params![HERE]).await
        })
    })
    .await
    .unwrap();
    for (audit, names, expected) in [
        (11, vec![id(bob), id(cal)], "block_list_full"),
        (12, vec![id(ann), id(bob)], "ok"),
        (13, vec![id(ann), id(bob)], "ok"),
        (14, vec![id(cal)], "block_list_full"),
    ] {
        assert_eq!(said(db.block_list_add(add(names, audit)).await), expected, "row {audit}");
    }
    assert_eq!(db.block_list_load(HERE).await.unwrap().1.len(), BLOCK_LIST_MAX as usize);
}
