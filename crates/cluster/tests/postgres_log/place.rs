//! A database of its own on a server that syncs what it commits.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::{SystemTime, UNIX_EPOCH};

use domain::ledger::{Ledger, Limits};
use domain::time::Timestamp;
use engine::ports::Clock;
use ledger::core::Core;
use ledger::{Ask, Block};
use testkit::{Database, Postgres};
use tokio::runtime::Builder;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};
use windfall_cluster::log::{PostgresLog, PostgresLogSettings, StandbyRule};
use windfall_cluster::shard::ShardNumber;

/// The one shard of these tests.
pub const SHARD: u8 = 3;
/// Locks the head, as a commit does.
const LOCK_HEAD: &str = "BEGIN; SELECT * FROM windfall_log.heads FOR UPDATE";

pub struct Place {
    database: Database,
}

impl Place {
    pub fn new() -> Self {
        let database = on_thread(async || {
            let Some(postgres) = Postgres::durable().await else {
                // The skip has been recorded; nothing in this binary can run.
                std::process::exit(0)
            };
            postgres.database().await
        });
        Self { database }
    }

    /// A log that claims whoever led before.
    pub fn log(&self) -> Arc<dyn ledger::Log> {
        Arc::new(self.log_with(|_| {}))
    }

    pub fn log_with(&self, change: impl FnOnce(&mut PostgresLogSettings)) -> PostgresLog {
        let mut settings = settings_at(self.database.url());
        change(&mut settings);
        PostgresLog::new(settings).unwrap()
    }

    pub fn url(&self) -> String {
        self.database.url()
    }

    /// From now on a commit is under way for as long as the test wants it to be.
    pub fn stall(&self) -> StalledLog {
        self.hold(LOCK_HEAD)
    }

    /// Begins a transaction that lasts until the guard is dropped.
    pub fn hold(&self, sql: &str) -> StalledLog {
        StalledLog::new(self.url(), sql.to_owned())
    }

    /// The lengths of the blocks after a position, in events.
    pub fn block_lengths_after(&self, position: u64) -> Vec<i64> {
        let sql = format!(
            "SELECT last_seq - first_seq + 1 FROM windfall_log.blocks_{SHARD}_1 WHERE first_seq > {position} ORDER BY 1"
        );
        self.query(&sql).iter().map(|length| length.parse().unwrap()).collect()
    }

    /// The first column of what a statement answers.
    pub fn query(&self, sql: &str) -> Vec<String> {
        let (url, sql) = (self.database.url(), sql.to_owned());
        on_thread(async move || query(&connect(&url).await, &sql).await)
    }
}

/// Settings for tests: one server is enough.
pub fn settings_at(url: impl Into<String>) -> PostgresLogSettings {
    let shard = ShardNumber::new(SHARD).unwrap();
    PostgresLogSettings { standby: StandbyRule::NotRequired, ..PostgresLogSettings::at(url, shard) }
}

/// Holds what a transaction locked until it is dropped.
pub struct StalledLog {
    release: Sender<()>,
    thread: Option<JoinHandle<()>>,
}

impl StalledLog {
    fn new(url: String, sql: String) -> Self {
        let (release, released) = channel();
        let (stalled, waited) = channel();
        let thread = std::thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().unwrap();
            let client = runtime.block_on(async {
                let client = connect(&url).await;
                client.batch_execute(&sql).await.unwrap();
                client
            });
            stalled.send(()).unwrap();
            // Until the guard is dropped.
            let _ = released.recv();
            runtime.block_on(client.batch_execute("ROLLBACK")).unwrap();
        });
        waited.recv().unwrap();
        Self { release, thread: Some(thread) }
    }
}

impl Drop for StalledLog {
    fn drop(&mut self) {
        let _ = self.release.send(());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

/// What this machine's clock says.
#[derive(Debug)]
struct MachineClock;

impl Clock for MachineClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Timestamp(i64::try_from(since.as_millis()).unwrap())
    }
}

pub fn machine_clock() -> Arc<dyn Clock> {
    Arc::new(MachineClock)
}

/// Runs on a thread of its own: a test may be inside a runtime already.
pub fn on_thread<T: Send + 'static>(work: impl AsyncFnOnce() -> T + Send + 'static) -> T {
    let run = move || Builder::new_current_thread().enable_all().build().unwrap().block_on(work());
    std::thread::spawn(run).join().unwrap()
}

/// A session of the test's own, which gives nothing up by the clock however its database is set up.
pub async fn connect(url: &str) -> Client {
    let mut config: tokio_postgres::Config = url.parse().unwrap();
    config.options("-c statement_timeout=0 -c lock_timeout=0");
    let (client, connection) = config.connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

pub async fn query(client: &Client, sql: &str) -> Vec<String> {
    let messages = client.simple_query(sql).await.unwrap();
    let row = |message| match message {
        SimpleQueryMessage::Row(row) => Some(row.get(0).unwrap_or_default().to_owned()),
        _ => None,
    };
    messages.into_iter().filter_map(row).collect()
}

/// A ledger in a term, and what it decided of some requests: a block each.
pub fn blocks(term: u32, ledger: Ledger, asks: impl IntoIterator<Item = Ask>) -> Vec<Block> {
    let mut core = Core::begin(ledger, term, Timestamp(0));
    let mut blocks = vec![core.take_block().unwrap()];
    for ask in asks {
        core.decide(Timestamp(1), &ask);
        blocks.push(core.take_block().unwrap());
    }
    blocks
}

/// A ledger that nothing has happened to.
pub fn fresh() -> Ledger {
    Ledger::new(Limits::default())
}

/// Appends all of these at once.
pub fn append(writer: &mut dyn ledger::log::LogWriter, blocks: &[Block]) -> Result<(), ledger::LogError> {
    writer.append(&blocks.iter().collect::<Vec<_>>())
}
