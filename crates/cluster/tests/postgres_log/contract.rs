//! The ledger over this log, with its rows in PostgreSQL, keeps the whole contract of its port and says what
//! `domain::ledger` says to random sequences. The projection's position has a digest, and every restart compares it.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use domain::ledger::{Command, Key, Limits, Take};
use domain::time::Timestamp;
use engine::ports::{Clock, Stock};
use ledger::RunningLedger;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use store::{Db, PostgresSettings};
use testkit::contract::compare::STRETCHED;
use testkit::contract::stories::STORIES;
use testkit::contract::{LIMITS, Subject, check, compare};
use testkit::model::{Shape, rows};
use testkit::wait::PATIENCE;
use tokio::runtime::{Builder, Handle};
use windfall_cluster::log::keep_projected;

use crate::place::Place;
use crate::support::{HandClock, ROOMY_SETTINGS};

struct Clustered {
    place: Place,
    db: Db,
    clock: Arc<HandClock>,
    limits: Limits,
    /// Only nothing while it starts again.
    stock: Option<RunningLedger>,
}

impl Clustered {
    async fn new(limits: Limits) -> Self {
        let (place, clock) = (Place::new(), Arc::new(HandClock::default()));
        clock.set(Timestamp(1_700_000_000_000));
        let db = Db::connect_postgres(&PostgresSettings::at(place.url()).unhurried()).await.unwrap();
        db.migrate(clock.now()).await.unwrap();
        let mut clustered = Self { place, db, clock, limits, stock: None };
        clustered.start().await;
        clustered
    }

    async fn start(&mut self) {
        let kept = keep_projected(self.db.clone(), Handle::current());
        let log = Arc::new(self.place.log_with(|settings| settings.kept = kept));
        let clock = Arc::clone(&self.clock) as Arc<dyn Clock>;
        let settings = ledger::WriterSettings { lag_max: 1 << 20, ..ROOMY_SETTINGS };
        let started = RunningLedger::start(log, settings, self.limits, clock, self.db.clone()).await;
        self.stock = Some(started.unwrap());
    }

    fn running(&self) -> &RunningLedger {
        self.stock.as_ref().unwrap()
    }
}

#[async_trait]
impl Subject for Clustered {
    fn stock(&self) -> &dyn Stock {
        self.running()
    }

    async fn now(&mut self) -> Timestamp {
        self.clock.now()
    }

    async fn pass(&mut self, ms: i64) {
        self.clock.set(self.clock.get() + ms);
    }

    /// It comes by itself, once the ledger has looked at the clock: a question about nothing makes it look.
    async fn sweep(&mut self) {
        let nothing = Command::Confirm { hold: Key(0), take: Take::All };
        self.running().ask(0, vec![nothing]).await.unwrap();
    }

    async fn caught_up(&mut self) {
        let started = Instant::now();
        while self.running().lag() > 0 {
            assert!(started.elapsed() < PATIENCE, "the projection does not catch up");
            tokio::task::yield_now().await;
        }
    }

    /// From the database alone: whatever had ended has left memory.
    async fn restart(&mut self) {
        self.stock.take().unwrap().close().await;
        let position = self.db.ledger_position().await.unwrap();
        assert!(position.digest.is_some(), "the position of a chained log has a digest");
        self.start().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_clustered_ledger_keeps_the_whole_contract() {
    let report = check(&mut Clustered::new(LIMITS).await).await;
    assert_eq!((report.ran, report.left_out.len()), (STORIES.len(), 0));
}

#[test]
fn the_clustered_ledger_compares_equal() {
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let config = Config { cases: 6, failure_persistence: None, max_shrink_iters: 50, ..Config::default() };
    let outcome = TestRunner::new(config).run(
        &rows(Shape { rows_max: 60, expire: false, play: false, put_back: false }),
        |rows| {
            let compared = runtime.block_on(async {
                let mut clustered = Clustered::new(STRETCHED).await;
                let compared = compare(&mut clustered, &rows).await;
                clustered.running().close().await;
                compared
            });
            compared.map_err(TestCaseError::fail)
        },
    );
    outcome.unwrap();
}

/// Rows that another history left behind: the ledger does not start, and says why.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_of_another_history_stop_the_ledger() {
    let mut clustered = Clustered::new(LIMITS).await;
    let nothing = Command::Confirm { hold: Key(0), take: Take::All };
    clustered.running().ask(0, vec![nothing]).await.unwrap();
    clustered.caught_up().await;
    clustered.stock.take().unwrap().close().await;
    clustered.place.query("UPDATE ledger_position SET digest = decode(repeat('ab', 32), 'hex')");
    let kept = keep_projected(clustered.db.clone(), Handle::current());
    let log = Arc::new(clustered.place.log_with(|settings| settings.kept = kept));
    let clock = Arc::clone(&clustered.clock) as Arc<dyn Clock>;
    let started = RunningLedger::start(log, ROOMY_SETTINGS, LIMITS, clock, clustered.db.clone()).await;
    let why = started.map(drop).unwrap_err().story();
    assert!(why.contains("journal_rewound: the projection has event"), "{why}");
}
