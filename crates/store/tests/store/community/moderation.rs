//! What moderators do to posts.

use domain::access::Role;
use domain::community::{ModerationAct, PostState};
use domain::ids::PostId;
use futures::future::join_all;
use store::Db;
use store::model::*;

use super::fixtures::*;
use crate::fixtures::*;

on_both! {
    each_act_is_done_once_and_written_down,
    no_more_than_five_are_pinned,
}

async fn each_act_is_done_once_and_written_down(db: &Db) {
    let (ann, judge) = (user(db, 1, &[]).await, user(db, 2, &[Role::Moderator]).await);
    let (id, own) = (post(db, 7, ann).await, post(db, 8, judge).await);
    let act = |id, act, audit| {
        db.post_moderate(PostModerate {
            id,
            act,
            signed: signed(Actor::Person(judge), audit),
            terms: terms(audit),
        })
    };
    for audit in [100, 101] {
        act(id, ModerationAct::Feature, audit).await.unwrap();
    }
    assert_eq!(listed(db, PostList::Featured, None).await, [7]);
    act(id, ModerationAct::Remove, 102).await.unwrap();
    assert_eq!((counts(db, ann).await.0, listed(db, PostList::Latest, None).await), (0, vec![8]));
    assert_eq!(row(db, id, None).await.state, PostState::Removed);
    assert_eq!(listed(db, PostList::Mine, Some(ann)).await, [7], "its author sees it");
    assert_eq!(said(act(id, ModerationAct::Pin, 103).await), "post_hidden");
    act(id, ModerationAct::Restore, 104).await.unwrap();
    assert_eq!((counts(db, ann).await.0, listed(db, PostList::Featured, None).await), (1, vec![]));
    act(id, ModerationAct::Lock, 105).await.unwrap();
    assert!(row(db, id, None).await.locked);
    assert_eq!(said(act(own, ModerationAct::Pin, 106).await), "own_work");
    assert_eq!(said(act(PostId(99), ModerationAct::Pin, 107).await), "not_found");
    assert_eq!(audited(db, "post:7").await, ["post.feature", "post.remove", "post.restore", "post.lock"]);
}

async fn no_more_than_five_are_pinned(db: &Db) {
    let ann = user(db, 1, &[]).await;
    for id in 1..=20 {
        post(db, id, ann).await;
    }
    let pins = join_all((1..=20).map(|id| {
        let (act, signed) = (ModerationAct::Pin, signed(Actor::Console, 500 + id));
        db.post_moderate(PostModerate { id: PostId(id), act, signed, terms: terms(500 + id) })
    }))
    .await;
    assert_eq!(pins.into_iter().map(said).filter(|said| *said == "ok").count(), 5);
}
