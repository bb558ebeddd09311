//! Three ways to ask: batches made beforehand, one future per request, and a light load at a fixed rate.
//!
//! A request counts when its answer has come within the span, and the answer must be the one the row expects.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use domain::ledger::{Command, PoolRefusal, Refusal};
use engine::ports::{Lane, Stock, StockAnswer};
use hdrhistogram::Histogram;
use ledger::RunningLedger;
use tokio::runtime::Handle;
use tokio::task::JoinSet;

use super::requests::RequestMix;

/// Requests in one batch.
pub const BATCH: usize = 1_024;
/// Batches under way at once: what the next blocks are filled from while one is being synced.
const BATCHES_UNDER_WAY: usize = 32;
/// All requests of a row wait in one line: a crowd for one thing.
const LANE: Lane = 1;

/// The answer every request of a row must hear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedHold {
    Held,
    SoldOut,
}

#[derive(Clone, Copy, Debug)]
pub struct Throughput {
    pub answers: u64,
    pub seconds: f64,
}

impl Throughput {
    pub fn per_s(self) -> f64 {
        self.answers as f64 / self.seconds
    }
}

/// Makes the batches of a row: ids are hashed and commands built here, outside the span.
pub fn batches(requests: RequestMix, count: u64) -> anyhow::Result<Vec<Vec<Command>>> {
    let mut batches = Vec::new();
    let mut next = 0;
    while next < count {
        let end = count.min(next + BATCH as u64);
        batches.push((next..end).map(|n| requests.reserve(n)).collect::<anyhow::Result<_>>()?);
        next = end;
    }
    Ok(batches)
}

/// Asks batch after batch, several under way at once, until all are answered or the time is over.
pub async fn in_batches(
    stock: &Arc<RunningLedger>,
    batches: Vec<Vec<Command>>,
    expected: ExpectedHold,
    limit: Duration,
) -> anyhow::Result<Throughput> {
    let batches = Arc::new(Mutex::new(batches));
    let started = Instant::now();
    let mut tasks = JoinSet::new();
    for _ in 0..BATCHES_UNDER_WAY {
        let (stock, batches) = (Arc::clone(stock), Arc::clone(&batches));
        tasks.spawn(async move {
            let mut answered = 0;
            while started.elapsed() < limit {
                let Some(batch) = batches.lock().unwrap_or_else(PoisonError::into_inner).pop() else { break };
                let answers = stock.ask(LANE, batch).await?;
                for answer in &answers {
                    check(answer, expected)?;
                }
                answered += answers.len() as u64;
            }
            anyhow::Ok(answered)
        });
    }
    let mut answers = 0;
    while let Some(done) = tasks.join_next().await {
        answers += done.context("a task of the bench failed")??;
    }
    // To the last answer: batches that were under way at the limit count, and so does their time.
    Ok(Throughput { answers, seconds: started.elapsed().as_secs_f64() })
}

/// One future per request, so many at once. The id is made and hashed, and the command built, within the span.
pub async fn one_by_one(
    stock: &Arc<RunningLedger>,
    requests: RequestMix,
    at_once: u64,
    expected: ExpectedHold,
    limit: Duration,
) -> anyhow::Result<Throughput> {
    let next = Arc::new(AtomicU64::new(0));
    let started = Instant::now();
    let mut tasks = JoinSet::new();
    for _ in 0..at_once {
        let (stock, next) = (Arc::clone(stock), Arc::clone(&next));
        tasks.spawn(async move {
            let mut answered = 0_u64;
            while started.elapsed() < limit {
                let command = requests.reserve(next.fetch_add(1, Ordering::Relaxed))?;
                ask(&stock, command, expected).await?;
                answered += 1;
            }
            anyhow::Ok(answered)
        });
    }
    let mut answers = 0;
    while let Some(done) = tasks.join_next().await {
        answers += done.context("a task of the bench failed")??;
    }
    Ok(Throughput { answers, seconds: started.elapsed().as_secs_f64() })
}

/// Requests that are due at fixed times, whatever the ledger does; a wait counts from the due time. Microseconds.
pub async fn at_rate(
    stock: &Arc<RunningLedger>,
    requests: RequestMix,
    per_s: f64,
    span: Duration,
) -> anyhow::Result<Histogram<u64>> {
    ensure!(per_s > 0.0, "a load needs a rate");
    let (stock, runtime) = (Arc::clone(stock), Handle::current());
    // The runtime's timers are a millisecond coarse, which would drown what is measured: a thread keeps the time.
    let pacing = tokio::task::spawn_blocking(move || {
        let mut tasks = JoinSet::new();
        let started = Instant::now();
        for n in 0_u32.. {
            let due = started + Duration::from_secs_f64(f64::from(n) / per_s);
            if due >= started + span {
                break;
            }
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            let (stock, command) = (Arc::clone(&stock), requests.reserve(n.into())?);
            let task = async move {
                ask(&stock, command, ExpectedHold::Held).await?;
                anyhow::Ok(due.elapsed())
            };
            tasks.spawn_on(task, &runtime);
        }
        anyhow::Ok(tasks)
    });
    let mut tasks = pacing.await.context("the pace of the bench failed")??;
    let mut histogram = Histogram::new(3)?;
    while let Some(waited) = tasks.join_next().await {
        let waited = waited.context("a task of the bench failed")??;
        histogram.record(u64::try_from(waited.as_micros()).unwrap_or(u64::MAX).max(1))?;
    }
    Ok(histogram)
}

async fn ask(stock: &RunningLedger, command: Command, expected: ExpectedHold) -> anyhow::Result<()> {
    let answers = stock.ask(LANE, vec![command]).await?;
    check(answers.first().context("a request without an answer")?, expected)
}

fn check(answer: &StockAnswer, expected: ExpectedHold) -> anyhow::Result<()> {
    match (answer, expected) {
        (StockAnswer::Accepted(_), ExpectedHold::Held)
        | (StockAnswer::Refused(Refusal::Pool(PoolRefusal::SoldOut { .. })), ExpectedHold::SoldOut) => Ok(()),
        (other, _) => bail!("the ledger answered {other:?} where {expected:?} was expected"),
    }
}
