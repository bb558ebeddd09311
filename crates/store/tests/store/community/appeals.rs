//! Appeals: one for each decision, decided once by another moderator, and granted with the text that comes back.

use domain::access::Role;
use domain::account::CodePurpose;
use domain::community::{
    AppealState, AppealText, CommentSubject, CommentText, DecisionSubject, ModerationAct, PostState,
};
use domain::ids::{CommentId, PostId, UserId};
use futures::future::join_all;
use store::Db;
use store::failure::Result;
use store::model::*;

use super::fixtures::*;
use super::own_behaviours::waiting_in;
use crate::fixtures::*;

on_both! {
    a_decision_is_appealed_once_and_another_moderator_decides,
    a_granted_appeal_brings_the_text_back,
    what_is_over_is_not_appealed,
    decisions_and_appeals_go_with_the_account,
}

fn stamp(judge: UserId, audit: i64) -> AuditStamp {
    AuditStamp { at: LATER + audit, ..signed(Actor::Person(judge), audit) }
}

fn remove(db: &Db, id: i64, judge: UserId, decision: i64) -> impl Future<Output = Result<()>> {
    let (act, signed) = (ModerationAct::Remove, stamp(judge, decision));
    db.post_moderate(PostModerate { id: PostId(id), act, signed, terms: terms(decision) })
}

fn appeal(db: &Db, user: UserId, decision: i64, text: &str) -> impl Future<Output = Result<()>> {
    let text = AppealText::parse(text).unwrap();
    db.appeal_create(AppealCreate { user, decision, text, now: LATER + 500 })
}

fn decide(
    db: &Db,
    judge: UserId,
    decision: i64,
    granted: bool,
    audit: i64,
) -> impl Future<Output = Result<()>> {
    let (signed, restored) = (stamp(judge, audit), stamp(judge, audit + 1));
    db.appeal_decide(AppealDecide { decision, granted, signed, restored, terms: terms(audit) })
}

async fn queue(db: &Db, state: AppealState) -> Vec<AppealCaseRow> {
    let page = FeedRequest { limit: 10, after: None };
    db.appeals_find(AppealsFind { state, page }).await.unwrap().items
}

async fn a_decision_is_appealed_once_and_another_moderator_decides(db: &Db) {
    let (ann, bob) = (user(db, 1, &[Role::Moderator]).await, user(db, 2, &[]).await);
    let (judge, other) = (user(db, 3, &[Role::Moderator]).await, user(db, 4, &[Role::Moderator]).await);
    post(db, 7, ann).await;
    remove(db, 7, judge, 900).await.unwrap();
    let mine = db.decisions_find(ann).await.unwrap();
    assert_eq!((mine.len(), mine[0].id, mine[0].reason.as_str()), (1, 900, "because"));
    assert_eq!((mine[0].excerpt.as_str(), mine[0].appeal.as_ref()), ("Post 7", None));
    assert_eq!(said(appeal(db, bob, 900, "not mine").await), "not_found");
    assert_eq!(said(decide(db, other, 900, true, 1_000).await), "not_found", "nobody appealed");
    for done in join_all((0..10).map(|_| appeal(db, ann, 900, "It is a joke"))).await {
        done.unwrap();
    }
    assert_eq!(said(appeal(db, ann, 900, "And another thing").await), "appeal_made");
    let open = queue(db, AppealState::Open).await;
    assert_eq!((open.len(), open[0].author.id, open[0].appeal.text.as_str()), (1, ann, "It is a joke"));
    assert_eq!(open[0].moderator.as_ref().map(|person| person.id), Some(judge));
    assert_eq!(said(decide(db, judge, 900, false, 1_010).await), "own_work");
    assert_eq!(said(decide(db, ann, 900, true, 1_020).await), "own_work");
    let news = waiting_in(db, NOTIFICATIONS).await;
    for n in 0..2 {
        decide(db, other, 900, false, 1_030 + 10 * n).await.unwrap();
    }
    assert_eq!(waiting_in(db, NOTIFICATIONS).await, news + 1, "the author hears of it once");
    assert_eq!(said(decide(db, other, 900, true, 1_050).await), "appeal_closed");
    assert_eq!(row(db, PostId(7), None).await.state, PostState::Removed);
    let mine = db.decisions_find(ann).await.unwrap();
    let closed = mine[0].appeal.as_ref().unwrap();
    assert_eq!((closed.state, closed.answer.as_str()), (AppealState::Denied, "because"));
    assert_eq!(
        (queue(db, AppealState::Open).await.len(), queue(db, AppealState::Denied).await.len()),
        (0, 1)
    );
    assert_eq!(audited(db, "appeal:900").await, ["appeal.denied"]);
    assert_eq!(said(appeal(db, ann, 900, "Please").await), "appeal_made", "once");
}

async fn a_granted_appeal_brings_the_text_back(db: &Db) {
    let (ann, judge) = (user(db, 1, &[]).await, user(db, 3, &[Role::Moderator]).await);
    let other = user(db, 4, &[Role::Moderator]).await;
    post(db, 7, ann).await;
    let comment = CommentCreate {
        id: CommentId(101),
        author: ann,
        thread: ThreadId { subject: CommentSubject::Post, id: 7 },
        reply_to: None,
        text: CommentText::parse("hello").unwrap(),
        ruling: Default::default(),
        day: day(LATER),
        once: None,
    };
    db.comment_create(comment).await.unwrap();
    let judged =
        CommentModerate { id: CommentId(101), removed: true, signed: stamp(judge, 900), terms: terms(900) };
    db.comment_moderate(judged).await.unwrap();
    remove(db, 7, judge, 910).await.unwrap();
    for decision in [900, 910] {
        appeal(db, ann, decision, "Why?").await.unwrap();
        decide(db, other, decision, true, 1_000 + decision).await.unwrap();
        decide(db, other, decision, true, 3_000 + decision).await.unwrap();
    }
    let post = row(db, PostId(7), None).await;
    assert_eq!((post.state, post.comments, counts(db, ann).await.0), (PostState::Visible, 1, 1));
    assert_eq!(audited(db, "post:7").await, ["post.remove", "post.restore"]);
    assert_eq!(audited(db, "comment:101").await, ["comment.remove", "comment.restore"]);
    let mine = db.decisions_find(ann).await.unwrap();
    assert!(mine.iter().all(|row| row.over.is_some()));
    assert_eq!(
        mine.iter().map(|row| row.subject).collect::<Vec<_>>(),
        [DecisionSubject::Post, DecisionSubject::Comment]
    );
    // Removed again it is another decision, with an appeal of its own.
    remove(db, 7, judge, 920).await.unwrap();
    appeal(db, ann, 920, "Again?").await.unwrap();
}

async fn what_is_over_is_not_appealed(db: &Db) {
    let (ann, judge) = (user(db, 1, &[]).await, user(db, 3, &[Role::Moderator]).await);
    let other = user(db, 4, &[Role::Moderator]).await;
    for id in 7..=9 {
        post(db, id, ann).await;
        remove(db, id, judge, 900 + id).await.unwrap();
    }
    // Back by itself, deleted by its author, deleted after the appeal.
    let (act, signed) = (ModerationAct::Restore, stamp(judge, 950));
    db.post_moderate(PostModerate { id: PostId(7), act, signed, terms: terms(950) }).await.unwrap();
    db.post_delete(PostId(8), ann, LATER).await.unwrap();
    appeal(db, ann, 909, "Why?").await.unwrap();
    db.post_delete(PostId(9), ann, LATER).await.unwrap();
    for decision in [907, 908] {
        assert_eq!(said(appeal(db, ann, decision, "Why?").await), "decision_over");
    }
    decide(db, other, 909, true, 1_000).await.unwrap();
    assert_eq!(row(db, PostId(9), None).await.state, PostState::Deleted, "what its author deleted stays so");
}

async fn decisions_and_appeals_go_with_the_account(db: &Db) {
    let (ann, judge) = (user(db, 1, &[]).await, user(db, 3, &[Role::Moderator]).await);
    post(db, 7, ann).await;
    remove(db, 7, judge, 900).await.unwrap();
    appeal(db, ann, 900, "Why?").await.unwrap();
    db.code_issue(issue(1, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    db.account_delete(delete_by_code(ann, 1, RIGHT)).await.unwrap();
    assert_eq!((db.decisions_find(ann).await.unwrap(), queue(db, AppealState::Open).await), (vec![], vec![]));
    assert_eq!(said(decide(db, judge, 900, true, 1_000).await), "not_found");
}
