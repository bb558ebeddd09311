//! What the threads promise.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use domain::ledger::{Answer, HoldState, Ledger, Limits, PoolRefusal, Refusal};
use domain::time::Timestamp;
use engine::ports::Clock;
use ledger::{LedgerWriter, NoAnswer, WriterSettings};

use crate::place::Place;
use crate::support::{
    ROOMY_SETTINGS, accepted, ask, confirm, hold, hold_state, open, poll_once, reply, reserve, until,
};

const HOUR_MS: i64 = 3_600_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_callers_never_take_more_than_there_is() {
    let place = Place::new();
    let ledger = Arc::new(place.start());
    assert!(accepted(&ask(&ledger, open(1_000)).await));
    let callers: Vec<_> = (0..50)
        .map(|caller| {
            let ledger = Arc::clone(&ledger);
            tokio::spawn(async move {
                let mut held = 0;
                for n in 0..100 {
                    match ask(&ledger, reserve(&format!("{caller}/{n}"), 1, HOUR_MS)).await {
                        Ok(Answer::Accepted { .. }) => held += 1,
                        Ok(Answer::Refused(Refusal::Pool(PoolRefusal::SoldOut { .. }))) => {}
                        other => panic!("{other:?}"),
                    }
                }
                held
            })
        })
        .collect();
    let mut held = 0;
    for caller in callers {
        held += caller.await.unwrap();
    }
    assert_eq!(held, 1_000);
    drop(ledger);
    let pool = place.pool();
    assert_eq!((pool.available, pool.held, pool.taken), (0, 1_000, 0));
}

#[tokio::test]
async fn an_answer_is_on_disk_before_it_is_given() {
    let place = Place::new();
    let ledger = place.start();
    ask(&ledger, open(10)).await.unwrap();
    for n in 0..10 {
        let id = format!("h{n}");
        assert!(accepted(&ask(&ledger, reserve(&id, 1, HOUR_MS)).await));
        // Read by a second connection while the ledger is running: no flush, no shutdown.
        assert!(place.replayed().hold(hold(&id)).is_some(), "{id}");
    }
}

#[tokio::test]
async fn a_restart_goes_on_where_it_was() {
    let place = Place::new();
    for life in 0..5 {
        let ledger = place.start();
        if life == 0 {
            ask(&ledger, open(10)).await.unwrap();
        }
        let id = format!("h{life}");
        assert!(accepted(&ask(&ledger, reserve(&id, 1, HOUR_MS)).await));
        assert!(accepted(&ask(&ledger, confirm(&id)).await));
        let again = ask(&ledger, reserve("h0", 1, HOUR_MS)).await.unwrap();
        assert_eq!(
            hold_state(&again),
            Some(HoldState::Confirmed),
            "an accepted id answers the same in every life"
        );
    }
    let pool = place.pool();
    assert_eq!((pool.total, pool.available, pool.taken), (10, 5, 5));
    assert_eq!(place.replayed().term(), 5, "each life is a term");
}

#[tokio::test]
async fn holds_expire_by_themselves() {
    let place = Place::new();
    let ledger = place.start();
    ask(&ledger, open(500)).await.unwrap();
    let asks = (0..500).map(|n| reserve(&n.to_string(), 1, 100)).collect();
    let answers = reply(&ledger, asks).await.unwrap();
    assert!(answers.iter().all(|answer| matches!(answer, Answer::Accepted { .. })));
    until("all units are free again", || place.pool().available == 500).await;
}

#[tokio::test]
async fn a_queue_that_is_full_says_so_at_once() {
    let place = Place::new();
    let ledger = place.start();
    ask(&ledger, open(1)).await.unwrap();
    let too_many = (0..100_001).map(|n| reserve(&n.to_string(), 1, HOUR_MS)).collect();
    assert_eq!(reply(&ledger, too_many).await, Err(NoAnswer::Overloaded));
}

#[tokio::test]
async fn what_was_taken_in_is_finished_before_the_end() {
    let place = Place::new();
    let ledger = place.start();
    ask(&ledger, open(1_000)).await.unwrap();
    let asks = (0..1_000).map(|n| reserve(&n.to_string(), 1, HOUR_MS)).collect();
    let mut pending = Box::pin(reply(&ledger, asks));
    // Polled once: the request is in the queue.
    assert!(poll_once(&mut pending).is_none() || place.pool().held == 1_000);
    drop(pending);
    drop(ledger);
    assert_eq!(place.pool().held, 1_000);
}

#[tokio::test]
async fn near_the_bound_of_its_lag_the_ledger_slows_down_and_at_it_refuses() {
    let place = Place::new();
    let ledger = place.start_with(WriterSettings { lag_max: 2_000, ..ROOMY_SETTINGS });
    ask(&ledger, open(10_000)).await.unwrap();
    let asks = (0..1_990).map(|n| reserve(&format!("far/{n}"), 1, HOUR_MS)).collect();
    reply(&ledger, asks).await.unwrap();
    let before = ledger.durable();
    assert_eq!(ledger.lag(), before, "nothing is projected");

    // All of them are in the queue before any of them is awaited.
    let mut pending: Vec<_> =
        (0..500).map(|n| Box::pin(ask(&ledger, reserve(&format!("near/{n}"), 1, HOUR_MS)))).collect();
    let mut answers: Vec<_> = pending.iter_mut().map(poll_once).collect();
    for (future, answer) in pending.into_iter().zip(&mut answers) {
        if answer.is_none() {
            *answer = Some(future.await);
        }
    }
    let answers: Vec<_> = answers.into_iter().map(Option::unwrap).collect();
    assert!(answers.iter().any(accepted), "near the bound it still serves");
    let blocks = place.block_lengths_after(before);
    assert!(blocks.iter().all(|events| *events <= 64), "blocks near the bound are small: {blocks:?}");

    assert!(ledger.lag() >= 2_000);
    assert_eq!(ask(&ledger, reserve("at", 1, HOUR_MS)).await, Err(NoAnswer::Overloaded));
    ledger.projected(ledger.durable());
    assert!(accepted(&ask(&ledger, reserve("after", 1, HOUR_MS)).await), "projected, it serves again");
}

/// A clock that breaks when told to, and its thread with it.
#[derive(Debug, Default)]
struct BreakingClock(AtomicBool);

impl Clock for BreakingClock {
    fn now(&self) -> Timestamp {
        assert!(!self.0.load(Ordering::Acquire), "the clock breaks");
        Timestamp(1)
    }
}

#[tokio::test]
async fn a_thread_that_ends_leaves_nobody_waiting() {
    let place = Place::new();
    let clock = Arc::new(BreakingClock::default());
    let load = Box::new(|| Ok(Ledger::new(Limits::default())));
    let ledger =
        LedgerWriter::start(place.log(), ROOMY_SETTINGS, Arc::clone(&clock) as Arc<dyn Clock>, load).unwrap();
    ask(&ledger, open(1)).await.unwrap();
    clock.0.store(true, Ordering::Release);
    for n in 0..3 {
        let answer = ask(&ledger, reserve(&n.to_string(), 1, HOUR_MS)).await;
        let told = matches!(answer, Err(NoAnswer::Unknown | NoAnswer::Unavailable | NoAnswer::Closed));
        assert!(told, "{answer:?}");
    }
    until("the trouble is told", || ledger.trouble().is_some()).await;
    assert_eq!(ask(&ledger, reserve("late", 1, HOUR_MS)).await, Err(NoAnswer::Closed));
}
