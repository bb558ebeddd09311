//! Who hears of what, once.

use domain::account::CodePurpose;
use domain::community::*;
use domain::ids::{CommentId, PostId, UserId};
use domain::time::{DAY_MS, Timestamp};
use futures::future::join_all;
use store::Db;
use store::model::*;

use super::fixtures::*;
use crate::fixtures::*;
use crate::jobs::{claim, defaults};
use crate::outbox::hold_lane;

on_both! {
    a_like_is_heard_once_whatever_is_repeated,
    groups_name_the_newest_and_count_all,
    nobody_hears_of_themselves_of_the_blocked_or_of_what_they_do_not_want,
    a_comment_is_heard_by_each_once,
    what_was_seen_is_read_and_what_came_later_is_not,
    old_ones_are_swept,
    a_deleted_account_leaves_none,
    a_name_means_one_person,
}

/// Carries out what waits, as the relay does; answers whose notifications changed.
async fn relay(db: &Db, fence: &LaneFence, now: Timestamp) -> Vec<UserId> {
    let due = db.outbox_due(fence.clone(), now, MESSAGES_MAX).await.unwrap();
    let messages: Vec<(Message, NotificationMessage)> = due
        .into_iter()
        .map(|message| {
            let said = serde_json::from_str(&message.body).unwrap();
            (message, said)
        })
        .collect();
    let ids = (1..).take(messages.len()).map(|n| now.0 + n).collect();
    db.notifications_write(NotificationsWrite { fence: fence.clone(), messages, ids, now }).await.unwrap()
}

async fn all(db: &Db, user: UserId, now: Timestamp) -> Vec<NotificationRow> {
    let page = FeedRequest { limit: 100, after: None };
    db.notifications_find(NotificationsFind { user, page, now }).await.unwrap().items
}

/// Kind, people who are named, people in all, how many, unread.
fn short(row: &NotificationRow) -> (&'static str, Vec<i64>, i64, i64, i64) {
    let people = row.people.iter().map(|person| person.id.0).collect();
    (row.kind.name(), people, row.people_count, row.times, row.unread)
}

async fn say(db: &Db, id: i64, author: UserId, thread: ThreadId, reply_to: Option<i64>, text: &str) {
    db.comment_create(CommentCreate {
        id: CommentId(id),
        author,
        thread,
        reply_to: reply_to.map(CommentId),
        text: CommentText::parse(text).unwrap(),
        ruling: Default::default(),
        day: day(LATER),
        once: None,
    })
    .await
    .unwrap();
}

fn on_post(post: PostId) -> ThreadId {
    ThreadId { subject: CommentSubject::Post, id: post.0 }
}

async fn a_like_is_heard_once_whatever_is_repeated(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let (id, fence) = (post(db, 7, ann).await, hold_lane(db, NOTIFICATIONS).await);
    for done in join_all((0..20).map(|_| like(db, id, bob, true))).await {
        assert!(done.unwrap().liked);
    }
    assert_eq!(relay(db, &fence, LATER).await, [ann]);
    like(db, id, bob, false).await.unwrap();
    like(db, id, bob, true).await.unwrap();
    assert_eq!(relay(db, &fence, LATER + 1).await, [], "liked again, heard of already");
    assert!(relay(db, &fence, LATER + DAY_MS).await.is_empty(), "nothing waits any more");
    let rows = all(db, ann, LATER).await;
    assert_eq!(rows.iter().map(short).collect::<Vec<_>>(), [("like", vec![bob.0], 1, 1, 1)]);
    assert_eq!(rows[0].context.title.as_deref(), Some("Post 7"));
}

async fn groups_name_the_newest_and_count_all(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let (first, second) = (post(db, 7, ann).await, post(db, 8, ann).await);
    let fence = hold_lane(db, NOTIFICATIONS).await;
    let mut fans = Vec::new();
    for n in 2..=6 {
        fans.push(user(db, n, &[]).await);
        like(db, first, fans[fans.len() - 1], true).await.unwrap();
        relay(db, &fence, LATER + i64::from(n)).await;
    }
    like(db, second, fans[0], true).await.unwrap();
    follow(db, fans[1], ann).await.unwrap();
    relay(db, &fence, LATER + 50).await;
    let rows = all(db, ann, LATER).await;
    let of = |kind, about: i64| {
        rows.iter().find(|row| row.kind == kind && row.about_id == about).map(short).unwrap()
    };
    assert_eq!(rows.len(), 3);
    let newest = vec![fans[4].0, fans[3].0, fans[2].0];
    assert_eq!(of(NotificationKind::Like, first.0), ("like", newest, 5, 5, 5));
    assert_eq!(of(NotificationKind::Like, second.0), ("like", vec![fans[0].0], 1, 1, 1));
    assert_eq!(of(NotificationKind::Follow, ann.0), ("follow", vec![fans[1].0], 1, 1, 1));
    assert_eq!(db.notifications_unread(ann, LATER).await.unwrap(), 3);
    ban(db, fans[4]).await;
    db.block(ann, fans[3], LATER).await.unwrap();
    let rows = all(db, ann, LATER).await;
    let shown = rows.iter().find(|row| row.about_id == first.0).unwrap();
    assert_eq!(short(shown).1, [fans[2].0, fans[1].0, fans[0].0], "without whom she does not see");
    // Page by page, and what came after a key.
    let (mut paged, mut after) = (Vec::new(), None);
    loop {
        let page = FeedRequest { limit: 1, after };
        let found = db.notifications_find(NotificationsFind { user: ann, page, now: LATER }).await.unwrap();
        paged.extend(found.items.iter().map(|row| row.key));
        after = found.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(paged, rows.iter().map(|row| row.key).collect::<Vec<_>>());
    let since = NotificationsSince { user: ann, after: paged[2], limit: 10, now: LATER };
    let (newer, last) = db.notifications_since(since).await.unwrap();
    assert_eq!(newer.iter().map(|row| row.key).collect::<Vec<_>>(), [paged[1], paged[0]]);
    assert_eq!((last, db.notifications_newest(ann).await.unwrap()), (paged[0], paged[0]));
}

async fn nobody_hears_of_themselves_of_the_blocked_or_of_what_they_do_not_want(db: &Db) {
    let (ann, bob, carl) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    let (id, fence) = (post(db, 7, ann).await, hold_lane(db, NOTIFICATIONS).await);
    like(db, id, ann, true).await.unwrap();
    assert!(relay(db, &fence, LATER).await.is_empty(), "her own");
    // Said before the block, heard after it.
    like(db, id, bob, true).await.unwrap();
    db.block(ann, bob, LATER).await.unwrap();
    assert!(relay(db, &fence, LATER).await.is_empty());
    let off = NotificationSwitchesSet { user: ann, off: vec![NotificationKind::Like] };
    db.notification_switches_set(off).await.unwrap();
    like(db, id, carl, true).await.unwrap();
    assert!(relay(db, &fence, LATER).await.is_empty(), "switched off");
    let mute = |muted, id, on| MuteSet { user: ann, mute: Mute { muted, id }, on, now: LATER };
    for (what, one) in [
        ("the thread", mute(MuteSubject::Post, id.0, true)),
        ("the person", mute(MuteSubject::Person, carl.0, true)),
    ] {
        for _ in 0..2 {
            db.mute_set(one).await.unwrap();
        }
        say(db, 20 + i64::from(what == "the thread"), carl, on_post(id), None, "Hello").await;
        assert!(relay(db, &fence, LATER).await.is_empty(), "muted: {what}");
        db.mute_set(MuteSet { on: false, ..one }).await.unwrap();
    }
    say(db, 30, carl, on_post(id), None, "Hello again").await;
    assert_eq!(relay(db, &fence, LATER).await, [ann]);
    let settings = db.notification_settings(ann).await.unwrap();
    assert_eq!(settings, NotificationSettings { off: vec![NotificationKind::Like], mutes: vec![] });
    assert_eq!(said(db.mute_set(mute(MuteSubject::Person, 5, true)).await), "not_found");
    assert_eq!(said(db.mute_set(mute(MuteSubject::Post, 5, true)).await), "not_found");
}

async fn a_comment_is_heard_by_each_once(db: &Db) {
    let (ann, bob, carl) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    for one in [ann, bob, carl] {
        let name = format!("friend{}", one.0);
        db.profile_edit(ProfileEdit { user: one, name: Some(name), avatar: None, now: LATER }).await.unwrap();
    }
    post(db, 9, carl).await;
    let (id, fence) = (post(db, 7, ann).await, hold_lane(db, NOTIFICATIONS).await);
    say(db, 21, bob, on_post(id), None, "First").await;
    relay(db, &fence, LATER).await;
    let text = format!("@friend{} @friend{} @friend{} and @nobody", ann.0, bob.0, carl.0);
    say(db, 22, ann, on_post(id), Some(21), &text).await;
    let mut told = relay(db, &fence, LATER + 1).await;
    told.sort();
    assert_eq!(told, [bob, carl]);
    let kinds = |rows: Vec<NotificationRow>| rows.iter().map(|row| row.kind.name()).collect::<Vec<_>>();
    assert_eq!(kinds(all(db, ann, LATER).await), ["comment"]);
    assert_eq!(kinds(all(db, bob, LATER).await), ["reply"], "a reply that names them is heard once");
    assert_eq!(kinds(all(db, carl, LATER).await), ["mention"]);
    let reply = &all(db, bob, LATER).await[0];
    assert_eq!((reply.object, reply.about_id), (22, 21), "the object is the comment");
    assert_eq!(reply.context.thread, Some(on_post(id)));
    assert!(reply.context.text.as_deref().is_some_and(|said| said.starts_with("@friend")));
    db.comment_delete(CommentId(22), ann, LATER).await.unwrap();
    assert!(all(db, bob, LATER).await.is_empty(), "what was taken back is not shown");
}

async fn what_was_seen_is_read_and_what_came_later_is_not(db: &Db) {
    let (ann, bob, carl) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    let (id, fence) = (post(db, 7, ann).await, hold_lane(db, NOTIFICATIONS).await);
    like(db, id, bob, true).await.unwrap();
    relay(db, &fence, LATER).await;
    let seen = all(db, ann, LATER).await[0].key;
    let read = |until| db.notifications_read(NotificationsRead { user: ann, until });
    for _ in 0..2 {
        read(seen).await.unwrap();
        assert_eq!(db.notifications_unread(ann, LATER).await.unwrap(), 0);
    }
    like(db, id, carl, true).await.unwrap();
    relay(db, &fence, LATER + 1).await;
    read(seen).await.unwrap();
    let rows = all(db, ann, LATER).await;
    assert_eq!(rows.iter().map(short).collect::<Vec<_>>(), [("like", vec![carl.0, bob.0], 2, 2, 1)]);
}

async fn old_ones_are_swept(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let (id, fence) = (post(db, 7, ann).await, hold_lane(db, NOTIFICATIONS).await);
    like(db, id, bob, true).await.unwrap();
    relay(db, &fence, LATER).await;
    let (kept, over) = (LATER + NOTIFICATION_DAYS * DAY_MS, LATER + NOTIFICATION_DAYS * DAY_MS + 1);
    assert_eq!((all(db, ann, kept).await.len(), all(db, ann, over).await.len()), (1, 0));
    assert_eq!(db.notifications_unread(ann, over).await.unwrap(), 0);
    db.jobs_declare(defaults(&["sweep"])).await.unwrap();
    let job = db.job_claim(claim("w", 1, 0)).await.unwrap().unwrap().fence;
    for (before, gone) in [(LATER, 0), (LATER + 1, 2), (LATER + 1, 0)] {
        let sweep = Sweep::Notifications { made_before: before };
        assert_eq!(db.sweep(job.clone(), sweep, 100).await.unwrap(), gone, "{before:?}");
    }
}

async fn a_deleted_account_leaves_none(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    let (by_ann, by_bob) = (post(db, 7, ann).await, post(db, 8, bob).await);
    let fence = hold_lane(db, NOTIFICATIONS).await;
    like(db, by_ann, bob, true).await.unwrap();
    like(db, by_bob, ann, true).await.unwrap();
    relay(db, &fence, LATER).await;
    follow(db, bob, ann).await.unwrap();
    db.code_issue(issue(1, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    db.account_delete(delete_by_code(ann, 1, RIGHT)).await.unwrap();
    assert!(relay(db, &fence, LATER + 1).await.is_empty(), "nobody is told any more");
    assert_eq!((all(db, ann, LATER).await.len(), all(db, bob, LATER).await.len()), (0, 0));
}

async fn a_name_means_one_person(db: &Db) {
    let (ann, bob, carl) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    for one in [bob, carl] {
        let name = Some("Kim".to_owned());
        db.profile_edit(ProfileEdit { user: one, name, avatar: None, now: LATER }).await.unwrap();
    }
    let mentions = |id: PostId| async move {
        let whole = db.post_whole(id, None, LATER).await.unwrap().unwrap();
        whole.mentions.iter().map(|mention| (mention.name.clone(), mention.user)).collect::<Vec<_>>()
    };
    let write = |id: i64| async move {
        let terms = PostTerms::parse("Hello", None, "Hello @KIM").unwrap();
        let text = PostText { terms, excerpt: String::new(), has_links: false, ruling: Default::default() };
        db.post_publish(PostPublish {
            id: PostId(id),
            author: ann,
            text,
            merged_from: MERGED_FROM,
            day: day(LATER),
            once: None,
        })
        .await
        .unwrap();
        PostId(id)
    };
    assert_eq!(mentions(write(11).await).await, [], "nobody who shows themselves");
    post(db, 7, bob).await;
    assert_eq!(mentions(write(12).await).await, [("kim".to_owned(), bob)]);
    post(db, 8, carl).await;
    assert_eq!(mentions(write(13).await).await, [], "one of two");
    follow(db, ann, carl).await.unwrap();
    assert_eq!(mentions(write(14).await).await, [("kim".to_owned(), carl)], "the one she follows");
}
