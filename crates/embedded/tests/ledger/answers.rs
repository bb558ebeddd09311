//! What waits for the log, and what does not. A second connection holds a lock that commits need, so that a commit is under
//! way for as long as a test wants it to be.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use domain::ledger::{Answer, Command, HoldRefusal, HoldState, Ledger, Limits, PoolRefusal, Refusal, Text};
use domain::time::Timestamp;
use engine::ports::Clock;
use ledger::{Ask, LedgerWriter, WriterSettings};

use crate::place::{Place, StalledLog, machine_clock};
use crate::support::{
    ROOMY, accepted, ask, confirm, hold, hold_state, open, poll_once, reply, reserve, until,
};

const HOUR_MS: i64 = 3_600_000;

#[tokio::test]
async fn a_repetition_waits_for_what_it_repeats_and_then_hears_it() {
    let place = Place::new();
    let ledger = place.start();
    ask(&ledger, open(10)).await.unwrap();
    let stalled = place.stall();
    let mut first = pin!(ask(&ledger, reserve("a", 10, HOUR_MS)));
    assert!(poll_once(&mut first).is_none());
    until("the first is decided", || ledger.waiting() == 0).await;
    let mut again = pin!(ask(&ledger, reserve("a", 10, HOUR_MS)));
    assert!(poll_once(&mut again).is_none());
    until("the repetition is decided", || ledger.waiting() == 0).await;
    // A shortage rests on nothing: it is told while the disk is still busy, after the repetition had its turn.
    let short = ask(&ledger, reserve("b", 1, HOUR_MS)).await;
    assert!(matches!(short, Ok(Answer::Refused(Refusal::Pool(PoolRefusal::SoldOut { .. })))), "{short:?}");
    assert!(poll_once(&mut again).is_none(), "the repetition has left before what it repeats");
    drop(stalled);
    assert!(accepted(&first.await));
    let again = again.await.unwrap();
    assert!(matches!(again, Answer::Replayed(_)), "{again:?}");
    assert_eq!(hold_state(&again), Some(HoldState::Held));
}

#[tokio::test]
async fn a_refusal_that_tells_of_an_outcome_waits_for_it() {
    let place = Place::new();
    let ledger = place.start();
    ask(&ledger, open(10)).await.unwrap();
    for (id, end, expected) in [
        ("confirmed", confirm("confirmed"), Refusal::Hold(HoldRefusal::AlreadyConfirmed)),
        ("cancelled", cancel("cancelled"), Refusal::Hold(HoldRefusal::AlreadyCancelled)),
    ] {
        let stalled = place.stall();
        let mut both = pin!(reply(&ledger, vec![reserve(id, 1, HOUR_MS), end]));
        assert!(poll_once(&mut both).is_none());
        until("both are decided", || ledger.waiting() == 0).await;
        let other =
            if expected == Refusal::Hold(HoldRefusal::AlreadyConfirmed) { cancel(id) } else { confirm(id) };
        let mut told = pin!(ask(&ledger, other));
        assert!(poll_once(&mut told).is_none());
        until("the other is decided", || ledger.waiting() == 0).await;
        let short = ask(&ledger, reserve("short", 100, HOUR_MS)).await;
        assert!(
            matches!(short, Ok(Answer::Refused(Refusal::Pool(PoolRefusal::SoldOut { .. })))),
            "{short:?}"
        );
        assert!(poll_once(&mut told).is_none(), "{expected:?} has left before it is so");
        drop(stalled);
        both.await.unwrap();
        assert_eq!(told.await, Ok(Answer::Refused(expected)));
    }
}

/// Asked for the first time between the claim and the first block, it stalls the log from then on.
struct StallingClock {
    place: Arc<Place>,
    machine: Arc<dyn Clock>,
    asked: AtomicBool,
    stalled: Mutex<Option<StalledLog>>,
}

impl Clock for StallingClock {
    fn now(&self) -> Timestamp {
        if !self.asked.swap(true, Ordering::AcqRel) {
            *self.stalled.lock().unwrap() = Some(self.place.stall());
        }
        self.machine.now()
    }
}

/// Until its first block is on disk, a writer does not know that it is the writer, nor that what it read back is synced.
#[tokio::test]
async fn nothing_leaves_and_nothing_counts_before_the_term_is_on_disk() {
    let place = Arc::new(Place::new());
    let ledger = place.start();
    ask(&ledger, open(1)).await.unwrap();
    assert!(accepted(&ask(&ledger, reserve("a", 1, HOUR_MS)).await));
    drop(ledger);

    let clock = Arc::new(StallingClock {
        place: Arc::clone(&place),
        machine: machine_clock(),
        asked: AtomicBool::new(false),
        stalled: Mutex::default(),
    });
    let settings = WriterSettings {
        queue_max: 1_000,
        journal_pages_max: ROOMY,
        lag_max: u64::MAX,
        clock_back_max_ms: ledger::CLOCK_BACK_MAX_MS,
    };
    let load = Box::new(|| Ok(Ledger::new(Limits::default())));
    let stalling = Arc::clone(&clock) as Arc<dyn Clock>;
    let ledger = LedgerWriter::start(place.log(), settings, stalling, load).unwrap();
    let mut short = pin!(ask(&ledger, reserve("b", 1, HOUR_MS)));
    assert!(poll_once(&mut short).is_none());
    until("it is decided", || ledger.waiting() == 0).await;
    assert_eq!(ledger.durable(), 0);
    assert!(poll_once(&mut short).is_none(), "a shortage was told before the term began");
    drop(clock.stalled.lock().unwrap().take());
    assert!(matches!(short.await, Ok(Answer::Refused(Refusal::Pool(PoolRefusal::SoldOut { .. })))));
    assert_eq!(ledger.durable(), 4, "two terms, a pool and a hold");
}

fn cancel(id: &str) -> Ask {
    Command::Cancel { hold: hold(id), id: Text::new(id).unwrap(), caller: 0 }.into()
}
