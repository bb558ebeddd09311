//! Messages in lanes: who goes first, who waits for whom, and what becomes of those that cannot be delivered.

use std::collections::BTreeSet;

use domain::ids::UserId;
use domain::page::PageRequest;
use domain::time::Timestamp;
use store::model::*;
use store::{Db, params};

use crate::fixtures::*;

pub const LANE: &str = "lane";
const OTHER: &str = "other";

on_both! {
    messages_come_in_the_order_of_their_time_and_not_before,
    a_retry_holds_back_only_the_later_messages_of_its_user_in_its_lane,
    hole_48_what_is_finished_twice_happened_once,
    hole_48_a_poison_message_ends_among_the_dead_letters_and_holds_up_nobody,
    a_redrive_keeps_the_id_and_the_story,
    many_are_redriven_in_bounded_steps,
    a_lane_has_one_worker_and_an_old_one_writes_nothing,
    a_backlog_drains_in_batches_each_message_once,
}

type Row = (i64, i64, i64);

/// Messages by id, user and milliseconds after T0.
async fn put(db: &Db, lane: &'static str, rows: Vec<Row>) {
    db.write((lane, rows), |tx, (lane, rows)| {
        Box::pin(async move {
            for (id, user, due_ms) in rows {
                tx.execute(
                    "INSERT INTO outbox (lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms)
                     VALUES ($1, $2, $3, $4, 0, 'test', $3, 'hello', $5)",
                    params![*lane, T0 + *due_ms, *id, *user, T0],
                )
                .await?;
            }
            Ok(())
        })
    })
    .await
    .unwrap();
}

fn at(ms: i64) -> Timestamp {
    T0 + ms
}

pub async fn hold_lane(db: &Db, lane: &str) -> LaneFence {
    let claim = LaneClaim { lane: lane.to_owned(), holder: "w".to_owned(), now: T0, lease_ms: 60_000 };
    db.lane_claim(claim).await.unwrap().unwrap()
}

async fn due(db: &Db, fence: &LaneFence, ms: i64) -> Vec<Message> {
    db.outbox_due(fence.clone(), at(ms), MESSAGES_MAX).await.unwrap()
}

fn ids(messages: &[Message]) -> Vec<i64> {
    messages.iter().map(|message| message.id).collect()
}

pub async fn finish(db: &Db, fence: &LaneFence, message: &Message, came: DeliveryOutcome, now: Timestamp) {
    let came = vec![(message.clone(), came)];
    db.outbox_finish(Finish { fence: fence.clone(), came, now }).await.unwrap();
}

fn again(ms: i64) -> DeliveryOutcome {
    DeliveryOutcome::Again { due: at(ms), error: "busy".to_owned() }
}

fn dead() -> DeliveryOutcome {
    DeliveryOutcome::Dead { error: "gone for good".to_owned() }
}

async fn messages_come_in_the_order_of_their_time_and_not_before(db: &Db) {
    put(db, LANE, vec![(5, 1, 20), (9, 2, 10), (7, 0, 10), (8, 3, 500)]).await;
    put(db, OTHER, vec![(4, 1, 0)]).await;
    let fence = hold_lane(db, LANE).await;
    for (ms, limit, expected) in
        [(9, 9, vec![]), (10, 9, vec![7, 9]), (20, 9, vec![7, 9, 5]), (20, 1, vec![7])]
    {
        let got = db.outbox_due(fence.clone(), at(ms), limit).await.unwrap();
        assert_eq!(ids(&got), expected, "{ms} {limit}");
    }
    let got = due(db, &fence, 500).await;
    let first = got.first().unwrap();
    assert_eq!((first.user, first.attempts, first.body.as_str()), (None, 0, "hello"), "user 0 is nobody");
    let figures = db.lane_figures(LANE.to_owned(), at(15)).await.unwrap();
    assert_eq!(figures, LaneFigures { waiting: 4, oldest_due: Some(at(10)) });
    let idle = db.lane_figures("nowhere".to_owned(), at(15)).await.unwrap();
    assert_eq!(idle, LaneFigures::default());
}

async fn a_retry_holds_back_only_the_later_messages_of_its_user_in_its_lane(db: &Db) {
    put(db, LANE, vec![(1, 70, 0), (2, 71, 0), (3, 70, 0), (4, 0, 0)]).await;
    put(db, OTHER, vec![(5, 70, 0)]).await;
    let (fence, other) = (hold_lane(db, LANE).await, hold_lane(db, OTHER).await);
    let got = due(db, &fence, 0).await;
    assert_eq!(ids(&got), [1, 2, 3, 4]);
    finish(db, &fence, &got[0], again(1_000), at(0)).await;

    assert_eq!(ids(&due(db, &fence, 0).await), [2, 4], "the later one of the same user waits");
    assert_eq!(ids(&due(db, &other, 0).await), [5], "another lane knows nothing of it");
    // One that comes meanwhile waits too, and so does one whose own time is before the next try.
    put(db, LANE, vec![(6, 70, 10), (7, 71, 10)]).await;
    assert_eq!(ids(&due(db, &fence, 999).await), [2, 4, 7]);
    let got = due(db, &fence, 1_000).await;
    assert_eq!(ids(&got), [2, 4, 7, 1, 3, 6], "then all of them, in their order");
    let first = got.iter().find(|message| message.id == 1).unwrap();
    assert_eq!(first.attempts, 1);
    // A message that nobody's order depends on holds up nobody.
    let nobodys = got.iter().find(|message| message.id == 4).unwrap();
    finish(db, &fence, nobodys, again(5_000), at(1_000)).await;
    assert_eq!(ids(&due(db, &fence, 1_000).await), [2, 7, 1, 3, 6]);
    finish(db, &fence, first, DeliveryOutcome::Done, at(1_000)).await;
    assert_eq!(ids(&due(db, &fence, 1_000).await), [2, 7, 3, 6]);
}

async fn hole_48_what_is_finished_twice_happened_once(db: &Db) {
    put(db, LANE, vec![(1, 70, 0), (2, 70, 0), (3, 71, 0)]).await;
    let fence = hold_lane(db, LANE).await;
    let got = due(db, &fence, 0).await;
    for _ in 0..2 {
        finish(db, &fence, &got[0], DeliveryOutcome::Done, at(1)).await;
        finish(db, &fence, &got[1], again(50), at(1)).await;
        finish(db, &fence, &got[2], dead(), at(1)).await;
    }
    let left = due(db, &fence, 50).await;
    assert_eq!(left.iter().map(|message| (message.id, message.attempts)).collect::<Vec<_>>(), [(2, 1)]);
    // Whoever comes back with what was true before changes nothing.
    finish(db, &fence, &got[1], DeliveryOutcome::Done, at(2)).await;
    finish(db, &fence, &got[1], dead(), at(2)).await;
    assert_eq!(ids(&due(db, &fence, 50).await), [2]);
    let letters = db.dead_letters(None, PageRequest::default()).await.unwrap().items;
    assert_eq!(letters.iter().map(|letter| (letter.id, letter.attempts)).collect::<Vec<_>>(), [(3, 1)]);
}

async fn hole_48_a_poison_message_ends_among_the_dead_letters_and_holds_up_nobody(db: &Db) {
    put(db, LANE, vec![(1, 70, 0), (2, 70, 0)]).await;
    let fence = hold_lane(db, LANE).await;
    for n in 1..=60 {
        let got = due(db, &fence, n * 10).await;
        finish(db, &fence, &got[0], again((n + 1) * 10), at(n * 10)).await;
        assert_eq!(got[0].id, 1, "it goes before the other one of its user");
    }
    let got = due(db, &fence, 610).await;
    finish(db, &fence, &got[0], dead(), at(611)).await;
    assert_eq!(ids(&due(db, &fence, 611).await), [2], "the next one goes on");

    let (letter, attempts) = db.dead_letter(1).await.unwrap().unwrap();
    assert_eq!(
        letter,
        DeadLetter {
            id: 1,
            lane: LANE.to_owned(),
            user: Some(UserId(70)),
            attempts: 61,
            kind: "test".to_owned(),
            subject: 1,
            body: "hello".to_owned(),
            made: T0,
            died: at(611),
            error: "gone for good".to_owned(),
        }
    );
    assert_eq!(attempts.len(), 50, "the last of them");
    let last = attempts.last().unwrap();
    assert_eq!((last.n, last.at, last.error.as_str()), (61, at(611), "gone for good"));
    assert_eq!(attempts[0].n, 12);
    assert_eq!(db.dead_letter(2).await.unwrap(), None);
}

async fn redrive(db: &Db, which: RedriveWhich, audit: i64) -> store::failure::Result<u64> {
    db.redrive(Redrive { which, signed: signed(Actor::Person(UserId(1)), audit) }).await
}

async fn a_redrive_keeps_the_id_and_the_story(db: &Db) {
    put(db, LANE, vec![(1, 70, 0)]).await;
    let fence = hold_lane(db, LANE).await;
    let got = due(db, &fence, 0).await;
    finish(db, &fence, &got[0], dead(), at(5)).await;
    assert_eq!(said(redrive(db, RedriveWhich::One(9), 1).await), "not_found");
    assert_eq!(redrive(db, RedriveWhich::One(1), 2).await.unwrap(), 1);
    assert_eq!(said(redrive(db, RedriveWhich::One(1), 3).await), "not_found", "it is on its way");
    assert_eq!(audited(db, "message:1").await, ["outbox.redrive"]);

    let again = due(db, &fence, 10).await;
    let expected = Message { attempts: 0, due: T0, ..got[0].clone() };
    assert_eq!(again, [expected], "the same delivery");
    finish(db, &fence, &again[0], dead(), at(20)).await;
    let (letter, attempts) = db.dead_letter(1).await.unwrap().unwrap();
    assert_eq!((letter.made, letter.died), (T0, at(20)));
    assert_eq!(attempts.iter().map(|one| (one.n, one.at)).collect::<Vec<_>>(), [(1, at(5)), (2, at(20))]);
}

async fn many_are_redriven_in_bounded_steps(db: &Db) {
    put(db, LANE, (1..=5).map(|id| (id, 0, 0)).collect()).await;
    put(db, OTHER, vec![(6, 0, 0)]).await;
    for lane in [LANE, OTHER] {
        let fence = hold_lane(db, lane).await;
        for message in due(db, &fence, 0).await {
            finish(db, &fence, &message, dead(), at(1)).await;
        }
    }
    let of = |lane: &str| Some(lane.to_owned());
    let page = db.dead_letters(of(LANE), PageRequest::first(3)).await.unwrap();
    assert_eq!(page.items.iter().map(|letter| letter.id).collect::<Vec<_>>(), [5, 4, 3]);
    let rest = PageRequest { limit: 3, after: page.next };
    let page = db.dead_letters(of(LANE), rest).await.unwrap();
    assert_eq!((page.items.len(), page.next), (2, None));
    let some = |limit| RedriveWhich::Lane { lane: LANE.to_owned(), limit };
    for (limit, audit, expected) in [(2, 1, 2), (u32::MAX, 2, 3), (9, 3, 0)] {
        assert_eq!(redrive(db, some(limit), audit).await.unwrap(), expected);
    }
    let left = db.dead_letters(None, PageRequest::default()).await.unwrap().items;
    assert_eq!(left.iter().map(|letter| letter.id).collect::<Vec<_>>(), [6], "another lane's stay");
    assert_eq!(audited(db, "lane:lane").await.len(), 2, "nothing put back is nothing to tell");
}

async fn a_lane_has_one_worker_and_an_old_one_writes_nothing(db: &Db) {
    put(db, LANE, vec![(1, 70, 0)]).await;
    let claim = |holder: &str, now_ms: i64| LaneClaim {
        lane: LANE.to_owned(),
        holder: holder.to_owned(),
        now: at(now_ms),
        lease_ms: 100,
    };
    let first = db.lane_claim(claim("a", 0)).await.unwrap().unwrap();
    assert_eq!(db.lane_claim(claim("b", 99)).await.unwrap(), None);
    assert_eq!(db.lane_claim(claim("a", 50)).await.unwrap().as_ref(), Some(&first), "renewed until 150");
    let second = db.lane_claim(claim("b", 150)).await.unwrap().unwrap();
    assert!(second.term > first.term);
    let message = due(db, &second, 0).await.remove(0);
    let finish = |fence: &LaneFence| {
        let came = vec![(message.clone(), DeliveryOutcome::Done)];
        db.outbox_finish(Finish { fence: fence.clone(), came, now: at(151) })
    };
    assert_eq!(said(finish(&first).await), "lease_lost");
    assert_eq!(ids(&due(db, &second, 0).await), [1]);
    db.lanes_end().await.unwrap();
    assert_eq!(said(finish(&second).await), "lease_lost");
    let third = db.lane_claim(claim("c", 151)).await.unwrap().unwrap();
    finish(&third).await.unwrap();
    assert_eq!(due(db, &third, 0).await, []);
}

/// Never more than a batch is in memory, however long the backlog; a few users with many messages each stay in order.
async fn a_backlog_drains_in_batches_each_message_once(db: &Db) {
    const BACKLOG: i64 = 20_000;
    const BATCH: u32 = 1_500;
    put(db, LANE, (1..=BACKLOG).map(|id| (id, id % 37, id % 11)).collect()).await;
    let fence = hold_lane(db, LANE).await;
    let mut seen = BTreeSet::new();
    let mut failed = false;
    let mut now = 100;
    loop {
        let batch = db.outbox_due(fence.clone(), at(now), BATCH).await.unwrap();
        assert!(batch.len() <= BATCH as usize);
        if batch.is_empty() {
            break;
        }
        // The first of all fails once, in the middle of everything.
        let came = |message: &Message| match message.id {
            11 if !failed => again(5_000),
            _ => DeliveryOutcome::Done,
        };
        let came: Vec<(Message, DeliveryOutcome)> =
            batch.iter().map(|message| (message.clone(), came(message))).collect();
        for (message, came) in &came {
            match came {
                DeliveryOutcome::Done => assert!(seen.insert(message.id), "{} twice", message.id),
                _ => failed = true,
            }
        }
        db.outbox_finish(Finish { fence: fence.clone(), came, now: at(now) }).await.unwrap();
        if seen.len() > 19_000 {
            now = 5_000;
        }
    }
    assert_eq!(seen.len(), usize::try_from(BACKLOG).unwrap());
    assert!(failed);
}
