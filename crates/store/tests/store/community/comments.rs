//! Comments: a tree with a depth, counts that follow it, tombstones, cursors.

use domain::community::{CommentSight, CommentSubject, CommentText, ModerationAct};
use domain::ids::{CommentId, PostId, UserId};
use domain::time::Timestamp;
use futures::future::join_all;
use store::Db;
use store::failure::Result;
use store::model::*;

use super::fixtures::*;
use crate::fixtures::*;

on_both! {
    hole_60_a_thread_has_a_depth_and_its_people,
    what_has_replies_leaves_a_tombstone,
    fifty_at_once_are_counted_once_each_and_in_order,
    likes_of_comments_are_counted_once_each,
    where_nobody_comments,
    pages_of_comments_neither_repeat_nor_skip,
    moderators_remove_and_restore_comments,
    what_a_deleted_account_said_stays_without_a_name,
}

fn on_post(post: PostId) -> ThreadId {
    ThreadId { subject: CommentSubject::Post, id: post.0 }
}

fn say(
    db: &Db,
    id: i64,
    author: UserId,
    thread: ThreadId,
    reply_to: Option<i64>,
) -> impl Future<Output = Result<CreateOutcome>> {
    db.comment_create(CommentCreate {
        id: CommentId(id),
        author,
        thread,
        reply_to: reply_to.map(CommentId),
        text: CommentText::parse(&format!("Comment {id}")).unwrap(),
        ruling: Default::default(),
        day: day(LATER),
        once: None,
    })
}

async fn comments(db: &Db, list: CommentList, reader: Option<UserId>) -> Vec<CommentRow> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = FeedRequest { limit: 3, after };
        let some = db.comments_find(CommentsFind { list, reader, page, now: LATER }).await.unwrap();
        all.extend(some.items);
        after = some.next;
        if after.is_none() {
            return all;
        }
    }
}

async fn ids(db: &Db, list: CommentList, reader: Option<UserId>) -> Vec<i64> {
    comments(db, list, reader).await.into_iter().map(|row| row.id.0).collect()
}

async fn one(db: &Db, id: i64, reader: Option<UserId>) -> Option<CommentRow> {
    let pick = CommentsPick { ids: vec![CommentId(id)], reader, now: LATER };
    db.comments_pick(pick).await.unwrap().pop()
}

async fn hole_60_a_thread_has_a_depth_and_its_people(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let post = post(db, 7, ann).await;
    let thread = on_post(post);
    say(db, 101, ann, thread, None).await.unwrap();
    for id in 102..=110 {
        let author = if id % 2 == 0 { bob } else { ann };
        say(db, id, author, thread, Some(id - 1)).await.unwrap();
    }
    let root = comments(db, CommentList::Roots(thread), None).await;
    assert_eq!((root.len(), root[0].id, root[0].replies, root[0].depth), (1, CommentId(101), 9, 1));
    let under = comments(db, CommentList::Under(CommentId(101)), None).await;
    let places: Vec<(i64, u32, i64)> =
        under.iter().map(|row| (row.id.0, row.depth, row.parent.unwrap().0)).collect();
    assert_eq!(
        places,
        [
            (102, 2, 101),
            (103, 3, 102),
            (104, 4, 103),
            (105, 5, 104),
            (106, 6, 105),
            (107, 7, 106),
            (108, 8, 107),
            (109, 8, 107),
            (110, 8, 107)
        ]
    );
    let last = under.last().unwrap();
    let (to, whom) = last.reply_to.clone().unwrap();
    assert_eq!((to, whom.unwrap().id, last.author.as_ref().unwrap().id), (CommentId(109), ann, bob));
    assert_eq!(row(db, post, None).await.comments, 10);
}

async fn what_has_replies_leaves_a_tombstone(db: &Db) {
    let (ann, bob, eve) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    let thread = on_post(post(db, 7, eve).await);
    say(db, 101, ann, thread, None).await.unwrap();
    say(db, 102, bob, thread, Some(101)).await.unwrap();
    for done in join_all((0..50).map(|_| db.comment_delete(CommentId(101), ann, LATER))).await {
        assert_eq!(said(done), "ok");
    }
    let stone = one(db, 101, Some(ann)).await.unwrap();
    assert_eq!((stone.sight, stone.author, stone.body.as_str()), (CommentSight::Tombstone, None, ""));
    assert_eq!(row(db, PostId(7), None).await.comments, 1, "once");
    assert_eq!(said(say(db, 103, eve, thread, Some(101)).await), "not_found");
    // Whoever blocks the author of a reply sees neither it nor, then, anything above it that is gone.
    db.block(eve, bob, LATER).await.unwrap();
    assert_eq!(one(db, 102, Some(eve)).await, None);
    db.comment_delete(CommentId(102), bob, LATER).await.unwrap();
    assert!(ids(db, CommentList::Roots(thread), None).await.is_empty(), "nothing is left under it");
    assert_eq!(said(db.comment_delete(CommentId(101), bob, LATER).await), "not_found");
}

async fn fifty_at_once_are_counted_once_each_and_in_order(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let thread = on_post(post(db, 7, ann).await);
    say(db, 100, ann, thread, None).await.unwrap();
    // Ids that do not follow each other, half of them replies.
    let some = (0..49).map(|n: i64| {
        let author = if n % 2 == 0 { ann } else { bob };
        say(db, 500 - n * 3 % 49, author, thread, (n % 2 == 0).then_some(100))
    });
    assert!(join_all(some).await.into_iter().all(|made| made.is_ok()));
    assert_eq!(row(db, PostId(7), None).await.comments, 50);
    let roots = comments(db, CommentList::Roots(thread), None).await;
    assert_eq!((roots.len(), roots.last().unwrap().replies), (25, 25));
    assert!(roots.windows(2).all(|pair| pair[0].key() > pair[1].key()));
    let under = comments(db, CommentList::Under(CommentId(100)), None).await;
    assert_eq!(under.len(), 25);
    assert!(under.windows(2).all(|pair| pair[0].key() < pair[1].key()));
}

async fn likes_of_comments_are_counted_once_each(db: &Db) {
    let mut people = Vec::new();
    for n in 1..=10 {
        people.push(user(db, n, &[]).await);
    }
    let thread = on_post(post(db, 7, people[0]).await);
    for id in [101, 102, 103] {
        say(db, id, people[0], thread, None).await.unwrap();
    }
    let like = |comment: i64, user: UserId, liked: bool| {
        db.comment_like(CommentLike { comment: CommentId(comment), user, liked, day: day(LATER) })
    };
    let often = people.iter().flat_map(|user| std::iter::repeat_n(*user, 5));
    assert!(join_all(often.map(|user| like(102, user, true))).await.into_iter().all(|done| done.is_ok()));
    like(101, people[3], true).await.unwrap();
    for _ in 0..2 {
        assert_eq!(like(102, people[9], false).await.unwrap(), LikeCount { liked: false, likes: 9 });
    }
    let seen = one(db, 102, Some(people[3])).await.unwrap();
    assert_eq!((seen.likes, seen.liked_by_me), (9, true));
    let top: Vec<i64> =
        db.comments_liked_most(thread, 10).await.unwrap().into_iter().map(|id| id.0).collect();
    assert_eq!(top, [102, 101, 103]);
    assert_eq!(said(like(99, people[0], true).await), "not_found");
}

async fn where_nobody_comments(db: &Db) {
    let (ann, bob, eve) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    let (one_post, other) = (post(db, 7, ann).await, post(db, 8, ann).await);
    say(db, 101, ann, on_post(one_post), None).await.unwrap();
    let person = |id: UserId| ThreadId { subject: CommentSubject::Person, id: id.0 };
    assert_eq!(said(say(db, 102, bob, on_post(PostId(99)), None).await), "not_found");
    assert_eq!(said(say(db, 103, bob, on_post(other), Some(101)).await), "not_found", "of another thread");
    assert_eq!(said(say(db, 104, bob, person(UserId(5)), None).await), "not_found");
    assert_eq!(said(say(db, 105, bob, person(ann), None).await), "ok");
    db.block(ann, eve, LATER).await.unwrap();
    assert_eq!(said(say(db, 106, eve, on_post(one_post), None).await), "not_found");
    assert_eq!(said(say(db, 107, eve, person(ann), None).await), "not_found");
    let lock = PostModerate {
        id: one_post,
        act: ModerationAct::Lock,
        signed: signed(Actor::Console, 900),
        terms: terms(900),
    };
    db.post_moderate(lock).await.unwrap();
    assert_eq!(said(say(db, 108, bob, on_post(one_post), None).await), "comments_locked");
}

async fn pages_of_comments_neither_repeat_nor_skip(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let thread = on_post(post(db, 7, ann).await);
    for id in 101..=112 {
        say(db, id, ann, thread, None).await.unwrap();
    }
    let (mut seen, mut after, mut next_id) = (Vec::new(), None, 200);
    loop {
        let page = FeedRequest { limit: 3, after };
        let find = CommentsFind { list: CommentList::Roots(thread), reader: None, page, now: LATER };
        let some = db.comments_find(find).await.unwrap();
        seen.extend(some.items.iter().map(|row| row.id.0));
        say(db, next_id, ann, thread, None).await.unwrap();
        next_id += 1;
        if let Some(last) = some.items.last() {
            db.comment_delete(last.id, ann, LATER).await.unwrap();
        }
        if seen.len() == 3 {
            db.comment_delete(CommentId(103), ann, LATER).await.unwrap();
        }
        after = some.next;
        if after.is_none() {
            break;
        }
    }
    let expected: Vec<i64> = (101..=112).rev().filter(|id| *id != 103).collect();
    assert_eq!(seen, expected);
}

async fn moderators_remove_and_restore_comments(db: &Db) {
    let (ann, judge) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let thread = on_post(post(db, 7, ann).await);
    say(db, 101, ann, thread, None).await.unwrap();
    say(db, 102, judge, thread, None).await.unwrap();
    let act = |id: i64, removed, audit| {
        let signed = signed(Actor::Person(judge), audit);
        db.comment_moderate(CommentModerate { id: CommentId(id), removed, signed, terms: terms(audit) })
    };
    assert_eq!(said(act(102, true, 900).await), "own_work");
    for audit in [901, 902] {
        act(101, true, audit).await.unwrap();
    }
    assert_eq!((one(db, 101, None).await, row(db, PostId(7), None).await.comments), (None, 1));
    assert!(one(db, 101, Some(ann)).await.is_some(), "its author sees it");
    act(101, false, 903).await.unwrap();
    assert_eq!(row(db, PostId(7), None).await.comments, 2);
    assert_eq!(audited(db, "comment:101").await, ["comment.remove", "comment.restore"]);
    db.comment_delete(CommentId(101), ann, LATER).await.unwrap();
    assert_eq!(said(act(101, false, 904).await), "not_found", "what its author took back stays so");
}

async fn what_a_deleted_account_said_stays_without_a_name(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let thread = on_post(post(db, 7, bob).await);
    say(db, 101, ann, thread, None).await.unwrap();
    say(db, 102, bob, thread, Some(101)).await.unwrap();
    let day = CommunityDay { now: Timestamp(LATER.0 + 1), ..day(LATER) };
    db.comment_like(CommentLike { comment: CommentId(102), user: ann, liked: true, day }).await.unwrap();
    db.code_issue(issue(1, domain::account::CodePurpose::ConfirmPhone, T0)).await.unwrap();
    db.account_delete(delete_by_code(ann, 1, RIGHT)).await.unwrap();
    let left = one(db, 101, Some(bob)).await.unwrap();
    assert_eq!((left.author, left.body.as_str(), left.sight), (None, "Comment 101", CommentSight::Whole));
    let reply = one(db, 102, Some(bob)).await.unwrap();
    assert_eq!((reply.likes, reply.reply_to), (0, Some((CommentId(101), None))));
    assert_eq!(said(db.comment_delete(CommentId(101), ann, LATER).await), "not_found");
}
