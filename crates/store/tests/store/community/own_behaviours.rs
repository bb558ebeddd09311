//! What Windfall sees people do: a message in the transaction of the row, once, and only for what counts.

use domain::grants::{GrantKind, Period, RuleDraft};
use domain::ids::{CommentId, GrantRuleId, PostId, UserId};
use domain::time::{DAY_MS, Timestamp};
use futures::future::join_all;
use store::Db;
use store::model::*;

use super::fixtures::*;
use crate::fixtures::*;

on_both! {
    an_act_is_reported_once_where_there_is_a_rule,
    what_is_ones_own_and_what_is_too_new_does_not_count,
    one_author_counts_once_a_day,
    only_the_first_comment_on_a_thing_counts,
    what_is_taken_back_or_removed_is_undone,
}

pub async fn rules(db: &Db, behaviours: &[&str]) {
    for (n, behaviour) in (1..).zip(behaviours) {
        let draft = RuleDraft {
            name: (*behaviour).to_owned(),
            campaign: None,
            behaviour: (*behaviour).to_owned(),
            gives: GrantKind::Points { expiry: None },
            amount: 5,
            period: Period::Day,
            zone: "UTC".to_owned(),
            times: 10,
            cap_user: None,
            cap_total: None,
            from: None,
            until: None,
            on: true,
        };
        let step = GrantRuleMake {
            id: GrantRuleId(n),
            terms: draft.check().unwrap(),
            caps: giving_caps(n, i64::MAX),
            once: None,
            signed: signed(Actor::System, 700_000 + n),
        };
        db.grant_rule_make(step).await.unwrap();
    }
}

/// Messages that wait in a lane.
pub async fn waiting_in(db: &Db, lane: &str) -> u64 {
    db.lane_figures(lane.to_owned(), LATER + 30 * DAY_MS).await.unwrap().waiting
}

/// Of what was done, and of what was undone.
async fn waiting(db: &Db) -> u64 {
    waiting_in(db, BEHAVIOURS).await
}

fn comment(
    db: &Db,
    id: i64,
    author: UserId,
    post: PostId,
) -> impl Future<Output = store::failure::Result<CreateOutcome>> {
    db.comment_create(CommentCreate {
        id: CommentId(id),
        author,
        thread: ThreadId { subject: domain::community::CommentSubject::Post, id: post.0 },
        reply_to: None,
        text: domain::community::CommentText::parse("hello").unwrap(),
        ruling: Default::default(),
        day: day(LATER),
        once: None,
    })
}

async fn an_act_is_reported_once_where_there_is_a_rule(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let id = post(db, 7, ann).await;
    like(db, id, bob, true).await.unwrap();
    assert_eq!(waiting(db).await, 0, "no rule, no message");
    rules(db, &["like", "vote", "follow", "post"]).await;
    let again = post(db, 8, ann).await;
    join_all((0..50).map(|_| like(db, again, bob, true))).await;
    vote(db, again, bob, LATER).await.unwrap();
    vote(db, again, bob, LATER).await.unwrap();
    follow(db, bob, ann).await.unwrap();
    follow(db, bob, ann).await.unwrap();
    // The post, the like, the vote and the edge.
    assert_eq!(waiting(db).await, 4);
}

async fn what_is_ones_own_and_what_is_too_new_does_not_count(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let id = post(db, 7, ann).await;
    rules(db, &["like", "follow", "post"]).await;
    like(db, id, ann, true).await.unwrap();
    // Accounts of the fixtures were made at T0.
    let young = Timestamp(T0.0 + DAY_MS - 1);
    db.post_like(PostLike { post: id, user: bob, liked: true, day: day(young) }).await.unwrap();
    db.follow(FollowSet { user: bob, other: ann, following_max: 5, day: day(young) }).await.unwrap();
    publish(db, 9, bob, young).await.unwrap();
    assert_eq!(waiting(db).await, 0);
}

async fn one_author_counts_once_a_day(db: &Db) {
    let (ann, bob, eve) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    rules(db, &["like"]).await;
    let (one, two, three) = (post(db, 1, ann).await, post(db, 2, ann).await, post(db, 3, bob).await);
    let at = |post, now| db.post_like(PostLike { post, user: eve, liked: true, day: day(now) });
    at(one, LATER).await.unwrap();
    at(two, LATER).await.unwrap();
    assert_eq!(waiting(db).await, 1);
    at(three, LATER).await.unwrap();
    assert_eq!(waiting(db).await, 2, "another author");
    let four = post(db, 4, ann).await;
    at(four, LATER + DAY_MS).await.unwrap();
    assert_eq!(waiting(db).await, 3, "another day");
}

async fn only_the_first_comment_on_a_thing_counts(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let id = post(db, 7, ann).await;
    rules(db, &["comment"]).await;
    for n in 1..=3 {
        comment(db, n, bob, id).await.unwrap();
    }
    comment(db, 4, ann, id).await.unwrap();
    assert_eq!(waiting(db).await, 1);
    // A later one goes without a trace; the one that counted is undone.
    db.comment_delete(CommentId(2), bob, LATER).await.unwrap();
    assert_eq!(waiting(db).await, 1);
    db.comment_delete(CommentId(1), bob, LATER).await.unwrap();
    db.comment_delete(CommentId(1), bob, LATER).await.unwrap();
    assert_eq!(waiting(db).await, 2);
}

async fn what_is_taken_back_or_removed_is_undone(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    rules(db, &["like", "follow", "post"]).await;
    let id = post(db, 7, ann).await;
    like(db, id, bob, true).await.unwrap();
    follow(db, bob, ann).await.unwrap();
    assert_eq!(waiting(db).await, 3);
    like(db, id, bob, false).await.unwrap();
    like(db, id, bob, false).await.unwrap();
    db.unfollow(bob, ann, LATER).await.unwrap();
    db.unfollow(bob, ann, LATER).await.unwrap();
    let act = domain::community::ModerationAct::Remove;
    let step = PostModerate { id, act, signed: signed(Actor::Console, 900), terms: terms(900) };
    db.post_moderate(step).await.unwrap();
    assert_eq!(waiting(db).await, 6);
}
