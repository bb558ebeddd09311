//! Seconds until a ledger with a past serves again: so many finished holds in the database, so many events that only
//! the journal has. From the call to the first durable answer; the disk's cache is warm.
//!
//! The past is made by the ledger itself, through its journal and its projection. That takes minutes.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use domain::ledger::{Answer, Limits};
use embedded::SystemClock;
use embedded::journal::SqliteLog;
use engine::ports::{Stock, StockAnswer};
use ledger::{Ask, LedgerWriter};
use store::Db;

use super::requests::{PLENTY, RequestMix};
use super::test_ledger::{Ground, settings, start};

const POOLS: u64 = 1_000;
/// Users the finished holds belong to; each is counted in one pool.
pub const OWNERS: u64 = 1_000_000;
/// Reservations in one batch of the past.
const BATCH: u64 = 512;
/// The past waits for its projection when it is this far ahead.
const LAG_MAX: u64 = 1 << 17;
const PAUSE: Duration = Duration::from_millis(5);

#[derive(Clone, Copy, Debug)]
pub struct Restart {
    pub finished: u64,
    pub unprojected: u64,
    pub seconds: f64,
    /// How fast the past was made: holds that were reserved, confirmed and projected.
    pub finished_per_s: f64,
}

pub async fn measure(
    parent: &Path,
    finished: u64,
    unprojected: u64,
    mut progress: impl FnMut(u64),
) -> anyhow::Result<Restart> {
    let ground = Ground::open(parent).await?;
    let requests = RequestMix::over(POOLS).of_owners(OWNERS);
    ground.prepare(requests.open(PLENTY)).await?;
    let started = Instant::now();
    for first in (0..finished).step_by(usize::try_from(BATCH)?) {
        finish(&ground, requests, first..finished.min(first + BATCH)).await?;
        progress(first);
    }
    ground.stock.close().await;
    let finished_per_s = finished as f64 / started.elapsed().as_secs_f64();
    only_journal(&ground.journal(), &ground.db, requests, finished..finished + unprojected).await?;

    let started = Instant::now();
    let stock = start(&ground.journal(), &ground.db, u64::MAX).await?;
    let answers = stock.ask(0, vec![requests.reserve(finished + unprojected)?]).await?;
    let seconds = started.elapsed().as_secs_f64();
    ensure!(matches!(answers.as_slice(), [StockAnswer::Accepted(_)]), "after the restart: {answers:?}");
    drop(stock);
    ground.leave().await?;
    Ok(Restart { finished, unprojected, seconds, finished_per_s })
}

/// Reserves and confirms, waiting while the projection is too far behind.
async fn finish(ground: &Ground, requests: RequestMix, range: std::ops::Range<u64>) -> anyhow::Result<()> {
    while ground.stock.lag() > LAG_MAX {
        tokio::time::sleep(PAUSE).await;
    }
    let mut commands = Vec::new();
    for n in range {
        commands.push(requests.reserve(n)?);
        commands.push(RequestMix::confirm(n));
    }
    let answers = ground.stock.ask(0, commands).await?;
    match answers.iter().find(|answer| !matches!(answer, StockAnswer::Accepted(_))) {
        None => Ok(()),
        Some(other) => bail!("making the past: {other:?}"),
    }
}

/// Reservations that are durable and that no projection has seen.
async fn only_journal(
    journal: &Path,
    db: &Db,
    requests: RequestMix,
    range: std::ops::Range<u64>,
) -> anyhow::Result<()> {
    let (path, store, runtime) =
        (journal.to_owned(), Arc::new(db.clone()), tokio::runtime::Handle::current());
    let load = move || {
        let image = runtime.block_on(store.ledger_load()).map_err(|failure| failure.to_string())?;
        image.restore(Limits::default()).map_err(|fault| fault.story())
    };
    let clock = Arc::new(SystemClock::default());
    let started = tokio::task::spawn_blocking(move || {
        LedgerWriter::start(Arc::new(SqliteLog::at(&path)), settings(u64::MAX), clock, Box::new(load))
    });
    let writer = started.await?.map_err(anyhow::Error::msg)?;
    let end = range.end;
    for first in range.step_by(usize::try_from(BATCH)?) {
        let asks = (first..end.min(first + BATCH)).map(|n| anyhow::Ok(Ask::from(requests.reserve(n)?)));
        let asks = asks.collect::<anyhow::Result<_>>()?;
        let answers = writer.ask(0, asks).await.ok().context("the journal took nothing more in")?;
        ensure!(
            answers.iter().all(|answer| matches!(answer, Answer::Accepted { .. })),
            "the journal refused"
        );
    }
    tokio::task::spawn_blocking(move || writer.close()).await?;
    Ok(())
}
