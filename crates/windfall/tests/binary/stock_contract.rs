//! The embedded ledger keeps the whole contract of its port, on a real disk and a real database, and says what
//! `domain::ledger` says to random sequences.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use async_trait::async_trait;
use domain::ledger::{Command, Key, Limits, Take};
use domain::time::Timestamp;
use embedded::journal::SqliteLog;
use engine::ports::{Clock, Stock};
use ledger::{RunningLedger, WriterSettings};
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use store::{Db, SqliteSettings};
use testkit::contract::compare::STRETCHED;
use testkit::contract::stories::STORIES;
use testkit::contract::{LIMITS, Subject, check, compare};
use testkit::model::{Shape, rows};

use crate::process::LIMIT;

/// A clock that says what it was set to.
#[derive(Debug)]
struct HandClock(AtomicI64);

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::Acquire))
    }
}

struct Embedded {
    folder: tempfile::TempDir,
    db: Db,
    clock: Arc<HandClock>,
    limits: Limits,
    /// Only nothing while it starts again.
    stock: Option<RunningLedger>,
}

impl Embedded {
    async fn new(limits: Limits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(HandClock(AtomicI64::new(1_700_000_000_000)));
        let db = Db::open_sqlite(&SqliteSettings::at(folder.path().join("windfall.db")).unhurried()).unwrap();
        db.migrate(clock.now()).await.unwrap();
        let mut embedded = Self { folder, db, clock, limits, stock: None };
        embedded.start().await;
        embedded
    }

    async fn start(&mut self) {
        let settings = WriterSettings {
            queue_max: 100_000,
            journal_pages_max: 1 << 20,
            lag_max: 1 << 20,
            clock_back_max_ms: ledger::CLOCK_BACK_MAX_MS,
        };
        let store = self.db.clone();
        let clock = Arc::clone(&self.clock) as Arc<dyn Clock>;
        let journal = self.folder.path().join("journal.db");
        self.stock = Some(
            RunningLedger::start(Arc::new(SqliteLog::at(&journal)), settings, self.limits, clock, store)
                .await
                .unwrap(),
        );
    }

    fn running(&self) -> &RunningLedger {
        self.stock.as_ref().unwrap()
    }
}

#[async_trait]
impl Subject for Embedded {
    fn stock(&self) -> &dyn Stock {
        self.running()
    }

    async fn now(&mut self) -> Timestamp {
        self.clock.now()
    }

    async fn pass(&mut self, ms: i64) {
        self.clock.0.fetch_add(ms, Ordering::AcqRel);
    }

    /// It comes by itself, once the ledger has looked at the clock: a question about nothing makes it look.
    async fn sweep(&mut self) {
        let nothing = Command::Confirm { hold: Key(0), take: Take::All };
        self.running().ask(0, vec![nothing]).await.unwrap();
    }

    async fn caught_up(&mut self) {
        let started = Instant::now();
        while self.running().lag() > 0 {
            assert!(started.elapsed() < LIMIT, "the projection does not catch up");
            tokio::task::yield_now().await;
        }
    }

    /// From the database alone: whatever had ended has left memory.
    async fn restart(&mut self) {
        self.stock.take().unwrap().close().await;
        self.start().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_embedded_ledger_keeps_the_whole_contract() {
    let report = check(&mut Embedded::new(LIMITS).await).await;
    assert_eq!((report.ran, report.left_out.len()), (STORIES.len(), 0));
}

#[test]
fn the_embedded_ledger_compares_equal() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let config = Config { cases: 12, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let outcome = TestRunner::new(config).run(
        &rows(Shape { rows_max: 60, expire: false, play: false, put_back: false }),
        |rows| {
            let compared = runtime.block_on(async {
                let mut embedded = Embedded::new(STRETCHED).await;
                let compared = compare(&mut embedded, &rows).await;
                embedded.running().close().await;
                compared
            });
            compared.map_err(TestCaseError::fail)
        },
    );
    outcome.unwrap();
}
