//! A temporary folder with a database and a ledger running in it, as the binary puts them together.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use domain::ledger::{Command, Limits};
use embedded::SystemClock;
use embedded::journal::SqliteLog;
use engine::ports::{Clock, Stock, StockAnswer};
use ledger::{RunningLedger, WriterSettings};
use store::{Db, SqliteSettings};
use tempfile::TempDir;

/// Commands asked for at once where nothing is measured.
const SETUP_BATCH: usize = 1_024;
const LOOK_EVERY: Duration = Duration::from_millis(1);

#[derive(Debug)]
pub struct Ground {
    pub stock: Arc<RunningLedger>,
    pub db: Db,
    folder: TempDir,
}

/// What is left to project after a row, and how long that takes.
#[derive(Clone, Copy, Debug)]
pub struct Drain {
    pub events: u64,
    pub seconds: f64,
    pub per_s: f64,
}

impl Ground {
    /// A new folder below `parent`, with nothing in it.
    pub async fn open(parent: &Path) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("windfall-bench-").tempdir_in(parent)?;
        let db = Db::open_sqlite(&SqliteSettings::at(folder.path().join("windfall.db")))?;
        db.migrate(SystemClock::default().now()).await?;
        let stock = start(&journal(folder.path()), &db, u64::MAX).await?;
        Ok(Self { stock: Arc::new(stock), db, folder })
    }

    /// Asks for what has to be there before a row, and waits until it is projected.
    pub async fn prepare(
        &self,
        commands: impl Iterator<Item = anyhow::Result<Command>>,
    ) -> anyhow::Result<()> {
        prepare(&self.stock, commands).await
    }

    /// Watches the projection catch up; see [`drain`].
    pub async fn drain(&self, patience: Duration) -> Drain {
        drain(&self.stock, patience).await
    }

    /// Leaves what is not projected in the journal, which goes with the folder.
    pub async fn leave(self) -> anyhow::Result<()> {
        let Self { stock, db, folder } = self;
        drop(stock);
        db.close().await;
        folder.close().context("removing the folder of the bench")
    }

    pub fn journal(&self) -> PathBuf {
        journal(self.folder.path())
    }
}

/// Asks for what has to be there before a row, and waits until it is projected.
pub async fn prepare(
    stock: &RunningLedger,
    commands: impl Iterator<Item = anyhow::Result<Command>>,
) -> anyhow::Result<()> {
    let mut commands = commands.peekable();
    while commands.peek().is_some() {
        let batch = commands.by_ref().take(SETUP_BATCH).collect::<anyhow::Result<_>>()?;
        for answer in stock.ask(0, batch).await? {
            if !matches!(answer, StockAnswer::Accepted(_)) {
                bail!("a bench could not be prepared: {answer:?}");
            }
        }
    }
    while stock.lag() > 0 {
        tokio::time::sleep(LOOK_EVERY).await;
    }
    Ok(())
}

/// Watches the projection catch up, for about so long and at least one batch; what takes longer is computed from its rate
/// meanwhile.
pub async fn drain(stock: &RunningLedger, patience: Duration) -> Drain {
    let (events, started) = (stock.lag(), Instant::now());
    let watched = |lag| lag == 0 || (lag < events && started.elapsed() >= patience);
    while !watched(stock.lag()) {
        tokio::time::sleep(LOOK_EVERY).await;
    }
    let (left, elapsed) = (stock.lag(), started.elapsed().as_secs_f64());
    let per_s = events.saturating_sub(left) as f64 / elapsed;
    Drain { events, seconds: if left == 0 { elapsed } else { events as f64 / per_s }, per_s }
}

pub async fn start(journal: &Path, db: &Db, lag_max: u64) -> anyhow::Result<RunningLedger> {
    let clock = Arc::new(SystemClock::default());
    Ok(RunningLedger::start(
        Arc::new(SqliteLog::at(journal)),
        settings(lag_max),
        Limits::default(),
        clock,
        db.clone(),
    )
    .await?)
}

/// Room for everything a row asks: what is measured is the ledger, not its limits.
pub fn settings(lag_max: u64) -> WriterSettings {
    WriterSettings {
        queue_max: 200_000,
        journal_pages_max: 1 << 24,
        lag_max,
        clock_back_max_ms: ledger::CLOCK_BACK_MAX_MS,
    }
}

fn journal(folder: &Path) -> PathBuf {
    folder.join("journal.db")
}
