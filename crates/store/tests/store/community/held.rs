//! Texts that wait for a moderator: nobody sees them, they cause nothing, and what they cause at their release happens once.

use domain::community::{
    CommentSubject, CommentText, DecisionSubject, FeedKey, ModerationAct, PostState, WordRuling,
};
use domain::ids::{CommentId, PostId, UserId};
use domain::time::Timestamp;
use futures::future::join_all;
use store::Db;
use store::model::*;

use super::fixtures::*;
use super::own_behaviours::{rules, waiting_in};
use crate::fixtures::*;

on_both! {
    a_held_post_causes_nothing_until_it_is_released_once,
    a_held_post_that_is_removed_is_published_when_it_comes_back,
    an_edit_is_held_and_what_it_caused_before_is_not_caused_again,
    a_held_comment_causes_nothing_until_it_is_released_once,
    what_is_refused_is_not_written_and_a_repetition_gets_its_first_answer,
    a_held_text_that_its_author_deletes_does_not_wait_any_more,
}

fn held() -> WordRuling {
    WordRuling { refused: None, held_for: vec!["赌博".into(), "加群".into()] }
}

fn held_text(title: &str) -> PostText {
    PostText { ruling: held(), ..text(title) }
}

fn publish_held(
    db: &Db,
    id: i64,
    author: UserId,
) -> impl Future<Output = store::failure::Result<CreateOutcome>> {
    db.post_publish(PostPublish {
        id: PostId(id),
        author,
        text: held_text("Held"),
        merged_from: MERGED_FROM,
        day: day(LATER),
        once: None,
    })
}

fn act(db: &Db, id: i64, act: ModerationAct, audit: i64) -> impl Future<Output = store::failure::Result<()>> {
    let signed = AuditStamp { at: LATER + audit, ..signed(Actor::Console, audit) };
    db.post_moderate(PostModerate { id: PostId(id), act, signed, terms: terms(audit) })
}

fn say(
    db: &Db,
    id: i64,
    author: UserId,
    ruling: WordRuling,
    reply_to: Option<i64>,
) -> impl Future<Output = store::failure::Result<CreateOutcome>> {
    db.comment_create(CommentCreate {
        id: CommentId(id),
        author,
        thread: ThreadId { subject: CommentSubject::Post, id: 7 },
        reply_to: reply_to.map(CommentId),
        text: CommentText::parse("hello").unwrap(),
        ruling,
        day: day(LATER),
        once: None,
    })
}

fn judge(db: &Db, id: i64, removed: bool, audit: i64) -> impl Future<Output = store::failure::Result<()>> {
    let signed = AuditStamp { at: LATER + audit, ..signed(Actor::Console, audit) };
    db.comment_moderate(CommentModerate { id: CommentId(id), removed, signed, terms: terms(audit) })
}

async fn queue(db: &Db) -> Vec<(DecisionSubject, i64, Vec<String>)> {
    let page = FeedRequest { limit: 10, after: None };
    let found = db.held_find(page).await.unwrap();
    found.items.into_iter().map(|row| (row.subject, row.id, row.words)).collect()
}

async fn timeline(db: &Db, user: UserId) -> Vec<i64> {
    let step = TimelinePull { user, before: FeedKey::NEWEST, limit: 10, posts: PulledPosts::All };
    db.timeline_pull(step).await.unwrap().snapshot.keys.iter().map(|key| key.id).collect()
}

/// Messages about posts: deliveries, behaviours, notifications.
async fn caused(db: &Db) -> [u64; 3] {
    [waiting_in(db, FAN_OUTS).await, waiting_in(db, BEHAVIOURS).await, waiting_in(db, NOTIFICATIONS).await]
}

async fn comments_of(db: &Db, reader: Option<UserId>) -> Vec<i64> {
    let list = CommentList::Roots(ThreadId { subject: CommentSubject::Post, id: 7 });
    let page = FeedRequest { limit: 20, after: None };
    let found = db.comments_find(CommentsFind { list, reader, page, now: LATER }).await.unwrap();
    found.items.iter().map(|row| row.id.0).collect()
}

async fn a_held_post_causes_nothing_until_it_is_released_once(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    rules(db, &["post"]).await;
    follow(db, bob, ann).await.unwrap();
    let before = caused(db).await;
    publish_held(db, 7, ann).await.unwrap();
    // Written later and seen at once.
    post(db, 8, bob).await;
    let [fan_outs, behaviours, news] = caused(db).await;
    assert_eq!(
        [fan_outs, behaviours, news],
        [before[0] + 1, before[1] + 1, before[2]],
        "those of Bob's post"
    );
    assert_eq!(listed(db, PostList::Latest, Some(bob)).await, [8]);
    assert_eq!(listed(db, PostList::Mine, Some(ann)).await, [7]);
    assert!(timeline(db, ann).await.is_empty(), "it has no place that it would leave");
    assert_eq!((counts(db, ann).await.0, row(db, PostId(7), None).await.state), (0, PostState::Held));
    assert_eq!(said(like(db, PostId(7), bob, true).await), "not_found");
    assert_eq!(queue(db).await, [(DecisionSubject::Post, 7, vec!["赌博".into(), "加群".into()])]);
    for released in join_all((0..10).map(|n| act(db, 7, ModerationAct::Restore, 100 + n))).await {
        released.unwrap();
    }
    assert_eq!(caused(db).await, [fan_outs + 1, behaviours + 1, news + 1], "the author hears of it");
    assert_eq!((counts(db, ann).await.0, queue(db).await), (1, vec![]));
    assert_eq!((timeline(db, ann).await, timeline(db, bob).await), (vec![7], vec![7, 8]));
    // It takes its place where others had not looked yet.
    assert_eq!(listed(db, PostList::Latest, Some(bob)).await, [7, 8]);
    let released = row(db, PostId(7), Some(bob)).await;
    assert!(released.published > row(db, PostId(8), None).await.published);
    assert_eq!(
        (released.votes, released.score),
        (1, domain::community::ArticleScore::of(released.published, 1))
    );
    assert_eq!(audited(db, "post:7").await, ["post.restore"]);
}

async fn a_held_post_that_is_removed_is_published_when_it_comes_back(db: &Db) {
    let ann = user(db, 1, &[]).await;
    rules(db, &["post"]).await;
    publish_held(db, 7, ann).await.unwrap();
    act(db, 7, ModerationAct::Remove, 100).await.unwrap();
    assert_eq!((queue(db).await, counts(db, ann).await.0), (vec![], 0));
    let [fan_outs, ..] = caused(db).await;
    assert_eq!(fan_outs, 0);
    act(db, 7, ModerationAct::Restore, 101).await.unwrap();
    act(db, 7, ModerationAct::Remove, 102).await.unwrap();
    act(db, 7, ModerationAct::Restore, 103).await.unwrap();
    assert_eq!((caused(db).await[0], counts(db, ann).await.0), (1, 1), "published once");
}

async fn an_edit_is_held_and_what_it_caused_before_is_not_caused_again(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    rules(db, &["post"]).await;
    let id = post(db, 7, ann).await;
    act(db, 7, ModerationAct::Pin, 99).await.unwrap();
    let published = row(db, id, None).await.published;
    let [fan_outs, behaviours, _] = caused(db).await;
    let edit = |version, text| db.post_edit(PostEdit { id, author: ann, version, text, day: day(LATER) });
    assert_eq!(edit(1, held_text("Worse")).await.unwrap(), 2);
    let row_ = row(db, id, None).await;
    assert_eq!((row_.state, row_.pinned, counts(db, ann).await.0), (PostState::Held, false, 0));
    assert!(listed(db, PostList::Latest, Some(bob)).await.is_empty());
    // A better edit waits all the same: a moderator looks at it.
    assert_eq!(edit(2, text("Better")).await.unwrap(), 3);
    assert_eq!((row(db, id, None).await.state, queue(db).await.len()), (PostState::Held, 1));
    act(db, 7, ModerationAct::Restore, 100).await.unwrap();
    let row_ = row(db, id, None).await;
    assert_eq!((row_.state, row_.published, counts(db, ann).await.0), (PostState::Visible, published, 1));
    let [again, behaviours_again, _] = caused(db).await;
    assert_eq!((again, behaviours_again), (fan_outs, behaviours));
}

async fn a_held_comment_causes_nothing_until_it_is_released_once(db: &Db) {
    let (ann, bob, eve) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    rules(db, &["comment"]).await;
    post(db, 7, ann).await;
    let before = caused(db).await;
    say(db, 101, bob, held(), None).await.unwrap();
    assert_eq!(caused(db).await, before);
    assert_eq!((comments_of(db, Some(eve)).await, comments_of(db, Some(bob)).await), (vec![], vec![101]));
    assert_eq!(row(db, PostId(7), None).await.comments, 0);
    assert_eq!(said(say(db, 102, eve, WordRuling::default(), Some(101)).await), "not_found");
    assert_eq!(queue(db).await.len(), 1);
    say(db, 103, eve, WordRuling::default(), None).await.unwrap();
    let [_, behaviours, news] = caused(db).await;
    for released in join_all((0..10).map(|n| judge(db, 101, false, 100 + n))).await {
        released.unwrap();
    }
    // Ann hears of the comment and Bob of its release; it pays once.
    let [_, behaviours_now, news_now] = caused(db).await;
    assert_eq!((behaviours_now, news_now), (behaviours + 1, news + 2));
    assert_eq!(comments_of(db, Some(eve)).await, [101, 103], "its place is that of its release");
    assert_eq!((row(db, PostId(7), None).await.comments, queue(db).await), (2, vec![]));
    judge(db, 101, true, 200).await.unwrap();
    judge(db, 101, false, 201).await.unwrap();
    let ann_hears = waiting_in(db, NOTIFICATIONS).await;
    assert_eq!(ann_hears, news_now + 2, "only Bob hears of these two");
}

async fn what_is_refused_is_not_written_and_a_repetition_gets_its_first_answer(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let ruling = WordRuling { refused: Some("赌 博".into()), held_for: vec![] };
    let publish = |ruling: &WordRuling| {
        db.post_publish(PostPublish {
            id: PostId(7),
            author: ann,
            text: PostText { ruling: ruling.clone(), ..text("a") },
            merged_from: MERGED_FROM,
            day: day(LATER),
            once: once("key", "body"),
        })
    };
    assert_eq!(said(publish(&ruling).await), "words_refused");
    assert_eq!(publish(&WordRuling::default()).await.unwrap().id, 7);
    // The list changed meanwhile; what was answered stays answered.
    assert_eq!(publish(&ruling).await.unwrap().id, 7);
    let edit = PostEdit {
        id: PostId(7),
        author: ann,
        version: 1,
        text: PostText { ruling: ruling.clone(), ..text("b") },
        day: day(LATER),
    };
    assert_eq!(said(db.post_edit(edit).await), "words_refused");
    assert_eq!(said(say(db, 101, ann, ruling, None).await), "words_refused");
    assert_eq!(row(db, PostId(7), None).await.version, 1);
}

async fn a_held_text_that_its_author_deletes_does_not_wait_any_more(db: &Db) {
    let ann = user(db, 1, &[]).await;
    post(db, 7, ann).await;
    publish_held(db, 8, ann).await.unwrap();
    say(db, 101, ann, held(), None).await.unwrap();
    assert_eq!(queue(db).await.len(), 2);
    db.post_delete(PostId(8), ann, LATER).await.unwrap();
    db.comment_delete(CommentId(101), ann, Timestamp(LATER.0 + 1)).await.unwrap();
    assert_eq!((queue(db).await, counts(db, ann).await.0), (vec![], 1));
    assert_eq!(row(db, PostId(7), None).await.comments, 0);
    assert_eq!(said(act(db, 8, ModerationAct::Restore, 100).await), "not_found");
}
