//! Two nodes and one shard on a real server: a leader that is cut off tells nothing, its successor serves, and a planned
//! hand-over does not wait for the lease.

use std::sync::Arc;
use std::time::Instant;

use domain::ledger::{Answer, PoolRefusal, Refusal};
use ledger::{Clock, LedgerWriter, Log, LogError, NoAnswer};
use windfall_cluster::keeper::{LeaseKeeper, StopSignal, wait_for_lapse};
use windfall_cluster::lease::{Leadership, LeaseTerms};
use windfall_cluster::log::{Candidacy, PostgresLog};

use crate::place::{Place, SHARD, append, blocks, fresh, machine_clock};
use crate::support::{ROOMY_SETTINGS, accepted, ask, open, reserve, until};

const HOUR_MS: i64 = 3_600_000;
/// Long beside what a busy machine takes for a renewal, short beside what a test may take.
const TERMS: LeaseTerms = LeaseTerms { lease_ms: 3_000, margin_ms: 500, renew_ms: 200 };

/// A node that leads.
struct Leader {
    log: Arc<PostgresLog>,
    ledger: LedgerWriter,
    keeper: Option<LeaseKeeper>,
}

fn lead(place: &Place, candidacy: Candidacy) -> Leader {
    let lead = Arc::new(Leadership::new(TERMS));
    let log = Arc::new(place.log_with(|settings| {
        settings.candidacy = candidacy;
        settings.lead = Some(Arc::clone(&lead));
    }));
    let (load, shared) = (Box::new(|| Ok(fresh())), Arc::clone(&log) as Arc<dyn Log>);
    let ledger = LedgerWriter::start(shared, ROOMY_SETTINGS, lead, load).unwrap();
    let keeper = Some(LeaseKeeper::start(Arc::clone(&log), |_| {}).unwrap());
    Leader { log, ledger, keeper }
}

/// Waits on a thread of its own, as a node does.
async fn lapse(place: &Place) -> Candidacy {
    let log = place.log_with(|_| {});
    let waited =
        tokio::task::spawn_blocking(move || wait_for_lapse(&log, TERMS, &StopSignal::default(), |_| {}));
    waited.await.unwrap().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leader_that_no_longer_renews_is_replaced_and_tells_nothing() {
    let place = Place::new();
    let mut first = lead(&place, Candidacy::Unopposed);
    ask(&first.ledger, open(1)).await.unwrap();
    assert!(accepted(&ask(&first.ledger, reserve("a", 1, HOUR_MS)).await));
    let short = ask(&first.ledger, reserve("b", 1, HOUR_MS)).await;
    assert!(matches!(short, Ok(Answer::Refused(Refusal::Pool(PoolRefusal::SoldOut { .. })))), "{short:?}");

    // It hangs: its threads go on, and nothing renews its lease.
    first.keeper = None;
    let started = Instant::now();
    let candidacy = lapse(&place).await;
    assert!(!first.log.is_led(), "a lease is over before anybody may claim");
    let second = lead(&place, candidacy);
    println!("led again after {:?}", started.elapsed());
    assert!(accepted(&ask(&second.ledger, open_more(5)).await));

    // "Sold out" is no longer so, and it would not have waited for a commit.
    for n in 0..3 {
        let told = ask(&first.ledger, reserve(&format!("late/{n}"), 1, HOUR_MS)).await;
        assert!(matches!(told, Err(NoAnswer::Unavailable | NoAnswer::Unknown)), "{told:?}");
        assert!(first.ledger.look(0, domain::ledger::Ledger::seq).await.is_err(), "a look tells too");
    }
    assert!(matches!(first.log.renew(), Err(LogError::Fenced { term: 2, .. })));
    assert!(accepted(&ask(&second.ledger, reserve("c", 1, HOUR_MS)).await));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leader_that_renews_is_never_replaced_and_a_hand_over_is_immediate() {
    let place = Place::new();
    let first = lead(&place, Candidacy::Unopposed);
    ask(&first.ledger, open(2)).await.unwrap();
    let before = first.log.look().unwrap().lease;
    until("it was renewed", || first.log.look().unwrap().lease.counter > before.counter + 2).await;
    assert!(first.log.is_led());
    // On the grounds of what was seen before.
    let stale = Candidacy::Lapsed { term: before.term, lease: before.counter };
    let claimed = place.log_with(|settings| settings.candidacy = stale).writer().unwrap().claim(0, 0);
    assert!(matches!(claimed, Err(LogError::Fenced { .. })), "{claimed:?}");

    let Leader { log, ledger, keeper } = first;
    ledger.close();
    drop(keeper);
    let started = Instant::now();
    log.hand_over().unwrap();
    assert!(!log.is_led());
    let second = lead(&place, lapse(&place).await);
    println!("handed over in {:?}", started.elapsed());
    assert!(started.elapsed().as_millis() < u128::from(TERMS.lease_ms), "nobody waited for the lease");
    assert!(accepted(&ask(&second.ledger, reserve("a", 1, HOUR_MS)).await));
    // The one that gave up does not come back by itself.
    assert!(log.writer().unwrap().claim(0, 0).is_err());
}

/// The leader's clock is the server's, and a server whose time jumps ends the lead.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_leader_has_the_time_of_the_server() {
    let place = Place::new();
    let lead = Arc::new(Leadership::new(TERMS));
    let log = place.log_with(|settings| settings.lead = Some(Arc::clone(&lead)));
    let mut writer = log.writer().unwrap();
    writer.claim(0, 0).unwrap();
    // One machine: the same clock behind both.
    let apart = lead.now().0 - machine_clock().now().0;
    assert!(apart.abs() < 5_000, "{apart} ms apart");
    log.renew().unwrap();
    lead.renew(lead.own_ms(), lead.now().0 + 3_600_000).unwrap_err();
    assert!(!log.is_led());
    log.renew().unwrap();
    assert!(!log.is_led(), "it does not come back");
    assert!(append(writer.as_mut(), &blocks(1, fresh(), [])).is_err(), "the shard stops");
    assert!(log.writer().unwrap().claim(0, 0).is_err());
    let lease = format!("SELECT lease FROM windfall_log.heads WHERE shard = {SHARD}");
    assert_eq!(place.query(&lease), ["3"], "a claim and two renewals");
}

fn open_more(units: i64) -> ledger::Ask {
    use domain::ledger::{Act, Command, Key, Note};
    let act = Act::PoolAdjust { pool: crate::support::POOL, delta: units };
    Command::direct(Key::of("pool", 0, "more"), Note::default(), act).into()
}
