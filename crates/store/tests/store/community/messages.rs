//! Private messages: between two people, counted once, and read by nobody else.

use domain::account::CodePurpose;
use domain::ids::UserId;
use domain::time::{DAY_MS, Timestamp};
use futures::future::join_all;
use store::Db;
use store::failure::Result;
use store::model::*;

use super::fixtures::*;
use crate::fixtures::*;

on_both! {
    messages_are_numbered_and_counted_once,
    a_stranger_sends_one_message_until_it_is_answered,
    no_more_than_ten_conversations_begin_in_a_day,
    whoever_is_blocked_banned_or_gone_is_not_written_to,
    pages_go_both_ways,
    hole_63_nobody_finds_the_messages_of_others,
    those_who_write_to_each_other_do_not_wait_for_ever,
    a_deleted_account_leaves_no_words,
}

fn send(
    db: &Db,
    id: i64,
    (sender, recipient): (UserId, UserId),
    now: Timestamp,
) -> impl Future<Output = Result<CreateOutcome>> {
    let (sealed, once) = (format!("sealed {id}").into_bytes(), once(&format!("message {id}"), "body"));
    let day = day(now);
    db.message_send(MessageSend {
        conversation: id,
        sender,
        recipient,
        sealed,
        has_links: false,
        ruling: Default::default(),
        day,
        once,
    })
}

async fn page(db: &Db, user: UserId, other: UserId, place: MessagesPlace, limit: u32) -> MessagesPage {
    db.messages_find(MessagesFind { user, other, place, limit }).await.unwrap()
}

/// The numbers of all messages that one of two sees.
async fn numbers(db: &Db, user: UserId, other: UserId) -> Vec<i64> {
    let found = page(db, user, other, MessagesPlace::Newest, 100).await;
    found.items.iter().map(|message| message.n).collect()
}

async fn conversations(db: &Db, user: UserId) -> Vec<(Option<i64>, i64)> {
    let page = FeedRequest { limit: 100, after: None };
    let found = db.conversations_find(ConversationsFind { user, page, now: LATER }).await.unwrap();
    found.items.iter().map(|row| (row.other.as_ref().map(|other| other.id.0), row.unread)).collect()
}

async fn messages_are_numbered_and_counted_once(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    for done in join_all((0..20).map(|_| send(db, 1, (ann, bob), LATER))).await {
        assert_eq!(done.unwrap().id, 1, "the same key is the same message");
    }
    for id in 2..=4 {
        assert_eq!(send(db, id, (bob, ann), LATER + id).await.unwrap().id, id);
    }
    assert_eq!(conversations(db, ann).await, [(Some(bob.0), 3)]);
    assert_eq!(conversations(db, bob).await, [(Some(ann.0), 1)]);
    assert_eq!(db.messages_unread(ann, LATER).await.unwrap(), 3);
    let read = |until| db.messages_read(MessagesRead { user: ann, other: bob, until });
    for (until, unread) in [(3, 1), (2, 1), (3, 1), (99, 0), (99, 0)] {
        read(until).await.unwrap();
        assert_eq!(conversations(db, ann).await, [(Some(bob.0), unread)], "read up to {until}");
    }
    assert_eq!(page(db, bob, ann, MessagesPlace::Newest, 1).await.read_by_other, 4);
    send(db, 5, (bob, ann), LATER + 5).await.unwrap();
    assert_eq!(conversations(db, ann).await, [(Some(bob.0), 1)]);
}

async fn a_stranger_sends_one_message_until_it_is_answered(db: &Db) {
    let (ann, bob, carl) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    send(db, 1, (ann, bob), LATER).await.unwrap();
    assert_eq!(said(send(db, 2, (ann, bob), LATER).await), "answer_awaited");
    assert_eq!(numbers(db, bob, ann).await, [1]);
    send(db, 3, (bob, ann), LATER).await.unwrap();
    send(db, 4, (ann, bob), LATER).await.unwrap();
    assert_eq!(numbers(db, bob, ann).await, [3, 2, 1]);
    follow(db, carl, ann).await.unwrap();
    for id in 5..=6 {
        send(db, id, (ann, carl), LATER).await.unwrap();
    }
    assert_eq!(said(send(db, 7, (ann, ann), LATER).await), "yourself");
}

async fn no_more_than_ten_conversations_begin_in_a_day(db: &Db) {
    let ann = user(db, 1, &[]).await;
    let mut others = Vec::new();
    for n in 11..=25 {
        others.push(user(db, n, &[]).await);
    }
    let begun = join_all(others.iter().map(|other| send(db, other.0, (ann, *other), LATER))).await;
    let begun: Vec<&str> = begun.into_iter().map(said).collect();
    assert_eq!(begun.iter().filter(|said| **said == "ok").count(), 10, "{begun:?}");
    assert!(begun.iter().all(|said| matches!(*said, "ok" | "conversations_full")));
    let left = others.iter().zip(begun).find(|(_, said)| *said != "ok").map(|(other, _)| *other).unwrap();
    send(db, 900, (ann, left), LATER + DAY_MS).await.unwrap();
    let new = user(db, 30, &[]).await;
    send(db, 901, (new, ann), T0).await.unwrap();
    assert_eq!(said(send(db, 902, (new, left), T0).await), "conversations_full", "a tenth of it");
}

async fn whoever_is_blocked_banned_or_gone_is_not_written_to(db: &Db) {
    let (ann, bob, carl) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    for (id, other) in [(1, bob), (2, carl)] {
        send(db, id, (other, ann), LATER).await.unwrap();
    }
    db.block(ann, bob, LATER).await.unwrap();
    assert_eq!(said(send(db, 3, (ann, bob), LATER).await), "blocked_by_you");
    assert_eq!(said(send(db, 4, (bob, ann), LATER).await), "not_found");
    ban(db, carl).await;
    assert_eq!(said(send(db, 5, (ann, carl), LATER).await), "not_found");
    assert_eq!(said(send(db, 6, (carl, ann), LATER).await), "banned");
    assert_eq!(said(send(db, 7, (ann, UserId(77)), LATER).await), "not_found");
    assert_eq!((conversations(db, ann).await, db.messages_unread(ann, LATER).await.unwrap()), (vec![], 0));
    let find = MessagesFind { user: bob, other: ann, place: MessagesPlace::Newest, limit: 5 };
    assert_eq!(said(db.messages_find(find).await), "not_found");
    db.unblock(ann, bob).await.unwrap();
    assert_eq!(conversations(db, ann).await, [(Some(bob.0), 1)], "what was hidden is there again");
}

async fn pages_go_both_ways(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    follow(db, bob, ann).await.unwrap();
    for id in 1..=7 {
        send(db, id, (ann, bob), LATER + id).await.unwrap();
    }
    for (place, expected, more) in [
        (MessagesPlace::Newest, vec![7, 6, 5], true),
        (MessagesPlace::Before(5), vec![4, 3, 2], true),
        (MessagesPlace::Before(2), vec![1], false),
        (MessagesPlace::After(0), vec![1, 2, 3], true),
        (MessagesPlace::After(5), vec![6, 7], false),
        (MessagesPlace::After(7), vec![], false),
    ] {
        let found = page(db, bob, ann, place, 3).await;
        let got: Vec<i64> = found.items.iter().map(|message| message.n).collect();
        assert_eq!((got, found.more), (expected, more), "{place:?}");
    }
}

async fn hole_63_nobody_finds_the_messages_of_others(db: &Db) {
    let (ann, bob, eve) = (user(db, 1, &[]).await, user(db, 2, &[]).await, user(db, 3, &[]).await);
    send(db, 1, (ann, bob), LATER).await.unwrap();
    for other in [ann, bob] {
        assert_eq!(numbers(db, eve, other).await, [0; 0]);
        db.messages_read(MessagesRead { user: eve, other, until: 9 }).await.unwrap();
    }
    assert_eq!(conversations(db, eve).await, []);
    assert_eq!(conversations(db, bob).await, [(Some(ann.0), 1)], "and marks nothing as read");
}

/// Everybody writes to everybody at once: no message is lost and none is counted twice.
async fn those_who_write_to_each_other_do_not_wait_for_ever(db: &Db) {
    let mut people_ = Vec::new();
    for n in 1..=4 {
        people_.push(user(db, n, &[]).await);
    }
    for (one, other) in people_.iter().flat_map(|one| people_.iter().map(move |other| (*one, *other))) {
        if one != other {
            follow(db, one, other).await.unwrap();
        }
    }
    let pairs: Vec<(UserId, UserId)> = people_
        .iter()
        .flat_map(|one| people_.iter().map(move |other| (*one, *other)))
        .filter(|(one, other)| one != other)
        .collect();
    let sent = pairs.iter().enumerate().flat_map(|(at, pair)| {
        (0..5).map(move |n| send(db, i64::try_from(at).unwrap() * 100 + n + 1, *pair, LATER))
    });
    for done in join_all(sent).await {
        done.unwrap();
    }
    for (one, other) in pairs {
        assert_eq!(numbers(db, one, other).await, (1..=10).rev().collect::<Vec<_>>());
    }
    for one in people_ {
        assert_eq!(
            conversations(db, one).await.iter().map(|(_, unread)| *unread).collect::<Vec<_>>(),
            [5; 3]
        );
    }
}

async fn a_deleted_account_leaves_no_words(db: &Db) {
    let (ann, bob) = (user(db, 1, &[]).await, user(db, 2, &[]).await);
    send(db, 1, (ann, bob), LATER).await.unwrap();
    send(db, 2, (bob, ann), LATER).await.unwrap();
    db.code_issue(issue(1, CodePurpose::ConfirmPhone, T0)).await.unwrap();
    db.account_delete(delete_by_code(ann, 1, RIGHT)).await.unwrap();
    let left = page(db, bob, ann, MessagesPlace::After(0), 9).await;
    let texts: Vec<bool> = left.items.iter().map(|message| message.sealed.is_some()).collect();
    assert_eq!(texts, [false, true], "hers are gone, his are his");
    assert_eq!(conversations(db, bob).await, [(None, 1)]);
    assert_eq!(said(send(db, 3, (bob, ann), LATER).await), "not_found");
    assert_eq!(numbers(db, ann, bob).await, [0; 0], "also should the account come back");
}
