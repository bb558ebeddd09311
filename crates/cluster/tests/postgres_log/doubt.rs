//! Commits and claims whose outcome nobody heard: a connection is cut while the statement waits for the head's lock. It
//! happened, or it did not; the claim that follows knows which, and nothing is told before.

use std::sync::Arc;

use domain::ledger::Answer;
use ledger::{Block, LedgerWriter, LogError, NoAnswer};

use crate::place::{Place, SHARD, append, blocks, fresh, machine_clock};
use crate::support::{ROOMY_SETTINGS, accepted, ask, hold, open, poll_once, reserve, until};

const HOUR_MS: i64 = 3_600_000;
/// Ends the sessions that wait for the head's lock.
const CUT: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
     WHERE application_name = 'windfall-log' AND wait_event_type = 'Lock' AND datname = current_database()";
/// Those that wait for it.
const WAITING: &str = "SELECT count(*) FROM pg_stat_activity \
     WHERE application_name = 'windfall-log' AND wait_event_type = 'Lock' AND datname = current_database()";

#[tokio::test]
async fn a_commit_that_was_cut_off_is_unknown_and_the_same_id_settles_it() {
    let place = Place::new();
    let ledger = place.start();
    ask(&ledger, open(10)).await.unwrap();
    for round in 0..3 {
        let id = format!("cut/{round}");
        let stalled = place.stall();
        let mut first = Box::pin(ask(&ledger, reserve(&id, 1, HOUR_MS)));
        assert!(poll_once(&mut first).is_none());
        until("the commit waits for the lock", || place.query(WAITING) == ["1"]).await;
        assert_eq!(place.query(CUT).len(), 1);
        assert_eq!(first.await, Err(NoAnswer::Unknown));
        drop(stalled);
        let again = loop {
            match ask(&ledger, reserve(&id, 1, HOUR_MS)).await {
                Err(NoAnswer::Unavailable | NoAnswer::Unknown) => {}
                other => break other,
            }
        };
        assert!(matches!(again, Ok(Answer::Accepted { .. } | Answer::Replayed(_))), "{again:?}");
        assert!(place.replayed().hold(hold(&id)).is_some());
    }
    assert_eq!(place.pool().held, 3, "each of them once");
}

/// The statement had its lock and was done; only its answer was lost. A block that is there is found by the claim.
#[test]
fn what_was_committed_without_an_answer_is_there_after_the_claim() {
    let place = Place::new();
    let log = place.log();
    let mut writer = log.writer().unwrap();
    writer.claim(0, 0).unwrap();
    let written = blocks(1, fresh(), [open(10), reserve("a", 1, HOUR_MS)]);
    append(writer.as_mut(), &written).unwrap();
    // As if the answer had not come: another writer of the same holder claims, and then reads.
    let mut next = log.writer().unwrap();
    assert_eq!(next.claim(0, 0).unwrap().term, 2);
    assert_eq!(next.read_after(0, 100).unwrap().len(), 3);
    // What the first would append behind it is refused.
    let mut ledger = fresh();
    ledger::log::replay(next.as_ref(), &mut ledger, |_| {}).unwrap();
    let behind = ledger.clone();
    let late = Block { term: 1, ..blocks(2, behind, []).remove(0) };
    let late = append(writer.as_mut(), &[late]);
    assert!(matches!(late, Err(LogError::Fenced { term: 2, last_seq: 3 })), "{late:?}");
    append(next.as_mut(), &blocks(2, ledger, [])).unwrap();
}

/// A claim that was cut off may have raised the term: its holder claims again, and leads.
#[test]
fn a_torn_claim_is_made_again() {
    let place = Place::new();
    let log = place.log();
    let mut torn = log.writer().unwrap();
    let stalled = place.stall();
    let waiting = std::thread::spawn(move || torn.claim(0, 0).map(|claim| claim.term));
    crate::support::eventually("the claim waits for the lock", || {
        (place.query(WAITING) == ["1"]).then_some(())
    });
    place.query(CUT);
    assert!(matches!(waiting.join().unwrap(), Err(LogError::Failed(_))));
    drop(stalled);
    let mut again = log.writer().unwrap();
    let term = again.claim(0, 0).unwrap().term;
    append(again.as_mut(), &blocks(term, fresh(), [open(1)])).unwrap();
}

/// Two ledgers over one log: the second takes over, and the first tells nobody anything that is not so.
#[tokio::test]
async fn a_ledger_that_was_replaced_accepts_nothing() {
    let place = Place::new();
    let first = place.start();
    ask(&first, open(10)).await.unwrap();
    assert!(accepted(&ask(&first, reserve("before", 1, HOUR_MS)).await));
    let load = Box::new(|| Ok(fresh()));
    let second = Arc::new(LedgerWriter::start(place.log(), ROOMY_SETTINGS, machine_clock(), load).unwrap());
    for n in 0..5 {
        let told = ask(&first, reserve(&format!("old/{n}"), 1, HOUR_MS)).await;
        assert!(matches!(told, Err(NoAnswer::Unknown | NoAnswer::Unavailable)), "{told:?}");
    }
    until("the first says why", || first.trouble().is_some_and(|why| why.contains("fenced"))).await;
    assert!(accepted(&ask(&second, reserve("after", 1, HOUR_MS)).await));
    assert_eq!(place.pool().held, 2, "before and after");
    assert_eq!(place.replayed().term(), 2, "the first never led again");
}

/// PostgreSQL says "done" with a warning when a wait for its standby was cancelled: nobody knows what a failover keeps.
#[test]
fn a_commit_with_a_warning_is_in_doubt() {
    let place = Place::new();
    let log = place.log();
    let mut writer = log.writer().unwrap();
    writer.claim(0, 0).unwrap();
    let written = blocks(1, fresh(), [open(10), reserve("a", 1, HOUR_MS)]);
    append(writer.as_mut(), &written[..1]).unwrap();
    for (level, in_doubt) in [("NOTICE", false), ("WARNING", true)] {
        place.query(&format!(
            "CREATE OR REPLACE FUNCTION speak() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN RAISE {level} 'a word'; RETURN NEW; END $$; \
             CREATE OR REPLACE TRIGGER speak BEFORE INSERT ON windfall_log.blocks_{SHARD}_1 \
             FOR EACH ROW EXECUTE FUNCTION speak()"
        ));
        let block = if in_doubt { &written[2..] } else { &written[1..2] };
        let appended = append(writer.as_mut(), block);
        assert_eq!(appended.is_err(), in_doubt, "{level}: {appended:?}");
    }
    // The claim that follows finds out.
    let mut next = log.writer().unwrap();
    next.claim(0, 0).unwrap();
    assert_eq!(next.read_after(0, 100).unwrap().len(), 3);
}

/// However the database is set up: a commit waits for as long as it takes.
#[test]
fn no_statement_of_a_log_is_cancelled() {
    let place = Place::new();
    place.query(
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET statement_timeout = 20', current_database()); \
         EXECUTE format('ALTER DATABASE %I SET lock_timeout = 20', current_database()); END $$",
    );
    let mut writer = place.log().writer().unwrap();
    writer.claim(0, 0).unwrap();
    let stalled = place.stall();
    let waiting = std::thread::spawn(move || append(writer.as_mut(), &blocks(1, fresh(), [open(1)])));
    let long = format!("{WAITING} AND clock_timestamp() - query_start > interval '200 ms'");
    crate::support::eventually("it waits for long", || (place.query(&long) == ["1"]).then_some(()));
    drop(stalled);
    waiting.join().unwrap().unwrap();
}
