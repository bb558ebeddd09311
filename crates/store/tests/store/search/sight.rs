//! Who finds what. The index is not told of anything in these tests before they look: the rows alone decide.

use domain::access::Role;
use domain::account::CodePurpose;
use domain::community::ModerationAct;
use domain::ids::PostId;
use domain::search::IndexedKind;
use store::Db;
use store::model::*;

use super::fixtures::*;
use crate::community::fixtures::terms;
use crate::fixtures::*;

on_both! {
    what_is_taken_back_or_removed_is_gone_at_once,
    neither_finds_the_other_across_a_block,
    whoever_is_banned_is_not_found_until_the_ban_ends,
    whoever_only_plays_is_not_found,
    a_deleted_account_leaves_its_posts_and_not_its_name,
}

async fn what_is_taken_back_or_removed_is_gone_at_once(db: &Db) {
    let (ann, judge) = (user(db, 1, &[]).await, user(db, 2, &[Role::Moderator]).await);
    for id in [10, 11, 12] {
        publish(db, id, ann, "好运", "x").await;
    }
    relay(db).await;
    assert_eq!(posts(db, "好运", Some(ann)).await, [12, 11, 10]);
    db.post_delete(PostId(12), ann, LATER).await.unwrap();
    let act = |act, audit| {
        db.post_moderate(PostModerate {
            id: PostId(11),
            act,
            signed: signed(Actor::Person(judge), audit),
            terms: terms(audit),
        })
    };
    act(ModerationAct::Remove, 100).await.unwrap();
    assert_eq!(posts(db, "好运", Some(ann)).await, [10], "also for its author, as in the lists");
    relay(db).await;
    act(ModerationAct::Restore, 101).await.unwrap();
    relay(db).await;
    assert_eq!(posts(db, "好运", None).await, [11, 10]);
}

async fn neither_finds_the_other_across_a_block(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    for (id, author, name) in [(10, ann, "Annika"), (11, bob, "Bobby")] {
        publish(db, id, author, "好运", "x").await;
        rename(db, author, name).await;
    }
    relay(db).await;
    db.block(ann, bob, LATER).await.unwrap();
    assert_eq!(posts(db, "好运", Some(ann)).await, [10]);
    assert_eq!(posts(db, "好运", Some(bob)).await, [11]);
    assert_eq!(posts(db, "好运", None).await, [11, 10]);
    assert_eq!(people(db, "bobby", Some(ann)).await, NONE);
    assert_eq!(people(db, "annika", Some(bob)).await, NONE);
    assert_eq!(people(db, "annika", None).await, [ann.0]);
    db.unblock(ann, bob).await.unwrap();
    assert_eq!(people(db, "ANNI", Some(bob)).await, [ann.0]);
}

async fn whoever_is_banned_is_not_found_until_the_ban_ends(db: &Db) {
    let ann = user(db, 1, &[]).await;
    publish(db, 10, ann, "好运", "x").await;
    rename(db, ann, "安妮").await;
    relay(db).await;
    assert_eq!((posts(db, "好运", None).await, people(db, "安", None).await), (vec![10], vec![ann.0]));
    ban(db, ann).await;
    assert_eq!((posts(db, "好运", None).await, people(db, "安", None).await), (vec![], vec![]));
    let lift = UserBan { user: ann, ban: None, signed: signed(Actor::Console, 9) };
    db.user_ban(lift).await.unwrap();
    assert_eq!((posts(db, "好运", None).await, people(db, "安", None).await), (vec![10], vec![ann.0]));
}

async fn whoever_only_plays_is_not_found(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    rename(db, ann, "Annika").await;
    relay(db).await;
    assert_eq!(people(db, "annika", None).await, NONE);
    assert!(db.search_index_list().await.unwrap().is_empty(), "a name is not even in the index");
    follow(db, ann, bob).await;
    relay(db).await;
    assert_eq!(people(db, "annika", None).await, [ann.0]);
    db.unfollow(ann, bob, LATER).await.unwrap();
    assert_eq!(people(db, "annika", None).await, NONE);
}

async fn a_deleted_account_leaves_its_posts_and_not_its_name(db: &Db) {
    let ann = user(db, 1, &[]).await;
    publish(db, 10, ann, "好运", "x").await;
    rename(db, ann, "Annika").await;
    relay(db).await;
    db.code_issue(issue(1, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    assert_eq!(said(db.account_delete(delete_by_code(ann, 1, RIGHT)).await), "ok");
    let kinds: Vec<IndexedKind> =
        db.search_index_list().await.unwrap().into_iter().map(|(thing, _)| thing.kind).collect();
    assert_eq!(kinds, [IndexedKind::Post], "the name goes with the account and does not wait for a message");
    assert_eq!((posts(db, "好运", None).await, people(db, "annika", None).await), (vec![10], vec![]));
    assert_eq!(people(db, "deleted", None).await, NONE);
    relay(db).await;
    assert_eq!((posts(db, "好运", None).await, people(db, "deleted", None).await), (vec![10], vec![]));
}
