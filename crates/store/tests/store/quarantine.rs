//! After a restore: what waits, what goes on, and what becomes of it.

use domain::ids::{CodePoolId, FulfilmentId};
use domain::page::PageRequest;
use store::model::*;
use store::{Db, params};

use crate::fixtures::*;
use crate::outbox::hold_lane;

on_both! {
    what_goes_outside_waits_and_is_sent_or_given_up,
    a_pool_in_quarantine_gives_nothing_and_goes_on_behind_what_was_skipped,
    a_pool_in_quarantine_holds_up_no_other_however_much_waits_for_it,
}

async fn put(db: &Db, lane: &'static str, id: i64) {
    db.write((lane, id), |tx, (lane, id)| {
        Box::pin(async move {
            tx.execute(
                "INSERT INTO outbox (lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms)
                 VALUES ($1, $2, $3, 0, 0, 'test', $3, 'hello', $2)",
                params![*lane, T0, *id],
            )
            .await
        })
    })
    .await
    .unwrap();
}

async fn due(db: &Db, lane: &str) -> Vec<i64> {
    let fence = hold_lane(db, lane).await;
    let due = db.outbox_due(fence, T0 + 1_000, MESSAGES_MAX).await.unwrap();
    due.into_iter().map(|message| message.id).collect()
}

async fn begin(db: &Db) -> QuarantineBegun {
    let step = QuarantineBegin { lanes: vec!["coupons", "hooks"], signed: signed(Actor::Console, 900) };
    db.quarantine_begin(step).await.unwrap()
}

async fn move_lane(db: &Db, lane: &str, act: QuarantineAct, line: i64) -> u64 {
    move_message(db, lane, None, act, line).await
}

async fn move_message(db: &Db, lane: &str, message: Option<i64>, act: QuarantineAct, line: i64) -> u64 {
    let step = QuarantineMove { lane: lane.to_owned(), message, act, signed: signed(Actor::Console, line) };
    db.quarantine_move(step).await.unwrap()
}

async fn waiting(db: &Db, lane: Option<&str>) -> Vec<i64> {
    let page = PageRequest::first(10);
    let found = db.quarantined_messages(lane.map(str::to_owned), page).await.unwrap();
    found.items.into_iter().map(|message| message.id).collect()
}

async fn what_goes_outside_waits_and_is_sent_or_given_up(db: &Db) {
    for (lane, id) in [("coupons", 1), ("coupons", 2), ("hook:7", 3), ("points", 4)] {
        put(db, lane, id).await;
    }
    assert_eq!(begin(db).await, QuarantineBegun { messages: 3, code_pools: 0 });
    assert_eq!(begin(db).await.messages, 0, "what waits already is left alone");
    put(db, "coupons", 5).await;
    assert_eq!((due(db, "coupons").await, due(db, "hook:7").await), (vec![5], vec![]));
    assert_eq!(due(db, "points").await, [4], "what stays inside goes on");
    let found = db.quarantine_list().await.unwrap();
    let lanes: Vec<(&str, u64)> =
        found.lanes.iter().map(|lane| (lane.lane.as_str(), lane.messages)).collect();
    assert_eq!(lanes, [("coupons", 2), ("hook:7", 1)]);

    assert_eq!((waiting(db, None).await, waiting(db, Some("coupons")).await), (vec![3, 2, 1], vec![2, 1]));

    assert_eq!(move_message(db, "hook:7", Some(2), QuarantineAct::Release, 904).await, 0, "of another lane");
    assert_eq!(
        move_message(db, "coupons", Some(5), QuarantineAct::Discard, 905).await,
        0,
        "it does not wait"
    );
    assert_eq!(move_message(db, "coupons", Some(2), QuarantineAct::Release, 906).await, 1);
    assert_eq!((waiting(db, Some("coupons")).await, due(db, "coupons").await), (vec![1], vec![2, 5]));
    assert_eq!(move_lane(db, "coupons", QuarantineAct::Release, 901).await, 1);
    assert_eq!(move_lane(db, "coupons", QuarantineAct::Release, 902).await, 0);
    assert_eq!(due(db, "coupons").await, [1, 2, 5], "in the order they were due");
    assert_eq!(move_lane(db, "hook:7", QuarantineAct::Discard, 903).await, 1);
    let (letter, _) = db.dead_letter(3).await.unwrap().unwrap();
    assert_eq!((letter.lane.as_str(), letter.error.as_str()), ("hook:7", "discarded after a restore"));
    assert!(db.quarantine_list().await.unwrap().lanes.is_empty());
}

async fn a_pool_in_quarantine_gives_nothing_and_goes_on_behind_what_was_skipped(db: &Db) {
    let pool = CodePoolId(70);
    let make = CodePoolMake {
        id: pool,
        name: "tea".into(),
        low_below: 0,
        once: None,
        signed: signed(Actor::Console, 1),
    };
    db.code_pool_make(make).await.unwrap();
    let chunk = NewChunk { codes: 5, prints: vec![1; 40], sealed: vec![1] };
    let add = CodesAdd { pool, after: 0, chunks: vec![chunk], signed: signed(Actor::Console, 2) };
    db.codes_add(add).await.unwrap();
    let take = |id: i64| db.codes_take(pool, vec![FulfilmentId(id)], T0);
    assert_eq!(take(1).await.unwrap(), [CodeOutcome::Code(0)]);
    assert_eq!(begin(db).await.code_pools, 1);
    assert_eq!(take(2).await.unwrap(), [CodeOutcome::Quarantined]);
    assert_eq!(take(1).await.unwrap(), [CodeOutcome::Code(0)], "what was given stays given");
    let release = |skip: u64, line: i64| {
        db.code_pool_release(CodePoolRelease { pool, skip, signed: signed(Actor::Console, line) })
    };
    assert_eq!(release(2, 903).await.unwrap().given, 3);
    assert_eq!(release(2, 904).await.unwrap().given, 3, "a repetition skips nothing more");
    assert_eq!(take(2).await.unwrap(), [CodeOutcome::Code(3)]);
    begin(db).await;
    assert_eq!(release(1_000, 905).await.unwrap().left(), 0, "there are no more than there are");
    assert_eq!(take(3).await.unwrap(), [CodeOutcome::NoneLeft]);
}

/// More than a page of messages wait for the pool that gives nothing; behind them is one for another pool.
async fn a_pool_in_quarantine_holds_up_no_other_however_much_waits_for_it(db: &Db) {
    let waiting = i64::from(MESSAGES_MAX) + 50;
    for (pool, name) in [(70, "tea"), (71, "coffee")] {
        let make = CodePoolMake {
            id: CodePoolId(pool),
            name: name.into(),
            low_below: 0,
            once: None,
            signed: signed(Actor::Console, pool),
        };
        db.code_pool_make(make).await.unwrap();
    }
    db.write(waiting, |tx, waiting| {
        Box::pin(async move {
            for id in 1..=*waiting + 1 {
                let pool: i64 = if id <= *waiting { 70 } else { 71 };
                tx.execute(
                    "INSERT INTO fulfilments (id, source, user_id, activity_id, prize_id, kind, amount, pool_id, state,
                                              made_ms, changed_ms)
                     VALUES ($1, 'win', 7, 8, 1, 'code', 1, $2, 'ready', $3, $3)",
                    params![id, pool, T0],
                )
                .await?;
                tx.execute(
                    "INSERT INTO outbox (lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms)
                     VALUES ('codes', $1, $2, 7, 0, 'code', $2, '{}', $1)",
                    params![T0, id],
                )
                .await?;
            }
            Ok(())
        })
    })
    .await
    .unwrap();
    assert_eq!(due(db, "codes").await.len(), MESSAGES_MAX as usize);
    assert_eq!(begin(db).await.code_pools, 2);
    let release = |pool: i64| CodePoolRelease {
        pool: CodePoolId(pool),
        skip: 0,
        signed: signed(Actor::Console, 910 + pool),
    };
    db.code_pool_release(release(71)).await.unwrap();
    assert_eq!(due(db, "codes").await, [waiting + 1]);
    db.code_pool_release(release(70)).await.unwrap();
    assert_eq!(due(db, "codes").await.first(), Some(&1), "then all of them, in their order");
}
