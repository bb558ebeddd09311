//! Carries the journal into the database: in order, in batches, exactly once, as fast as the database takes them.
//!
//! The journal is read by a connection of its own, so that nothing here makes a commit wait. What has been projected may
//! leave the ledger's memory, and whole segments of the journal that lie behind it are dropped.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use domain::ledger::Event;
use store::Db;
use store::failure::{Fault, Result};
use tokio::sync::watch;

use super::barrier::Barrier;
use super::log::{Log, LogError, LogReader};
use super::writer::LedgerWriter;

/// Events in one transaction of the database: large enough to fold a hot pool into one row, small enough to leave the
/// database's writer to others in between.
const BATCH: usize = 8_192;
/// How long to wait when there is nothing to do, and how long after a failure.
const IDLE: Duration = Duration::from_millis(5);
const RETRY: Duration = Duration::from_millis(500);
/// While a crowd keeps the ledger busy, the projection rests so many times as long as its batch took, and no longer than
/// this: on a small machine the crowd needs the processor more. See [`LedgerWriter::has_room`] for where that ends.
const YIELD_TIMES: u32 = 15;
const YIELD_MAX: Duration = Duration::from_secs(5);
/// So many events a second are a crowd. Whoever comes over HTTP waits for an answer before asking again, so that a crowd
/// does not show in the queue.
const CROWD_PER_S: u64 = 2_000;
/// How often the log is tended.
const TEND: Duration = Duration::from_millis(500);

pub(super) struct Projector {
    log: Arc<dyn Log>,
    journal: Arc<Mutex<Box<dyn LogReader>>>,
    store: Db,
    writer: Arc<LedgerWriter>,
    barrier: Barrier,
    /// Why the last batch was not taken, if so.
    trouble: Mutex<Option<String>>,
}

impl Projector {
    pub fn new(log: Arc<dyn Log>, store: Db, writer: Arc<LedgerWriter>) -> Result<Self, LogError> {
        let journal = Arc::new(Mutex::new(log.reader()?));
        let (barrier, trouble) = (Barrier::new(), Mutex::new(None));
        Ok(Self { log, journal, store, writer, barrier, trouble })
    }

    /// Runs until told to stop, and then until everything durable is projected.
    pub async fn run(self: Arc<Self>, mut stop: watch::Receiver<bool>) {
        let mut position = None;
        loop {
            let stopping = *stop.borrow();
            let (started, durable) = (Instant::now(), self.writer.durable());
            let pause = match self.step(&mut position, stopping).await {
                Ok(0) if stopping => return,
                Ok(0) => IDLE,
                Ok(_) if !stopping && self.is_crowded(durable, started.elapsed()) => {
                    (started.elapsed() * YIELD_TIMES).min(YIELD_MAX)
                }
                Ok(_) => continue,
                Err(failure) => {
                    metrics::counter!("windfall_projection_failures_total").increment(1);
                    tracing::error!(%failure, "events could not be projected");
                    *lock(&self.trouble) = Some(failure.to_string());
                    if stopping {
                        return;
                    }
                    position = None;
                    RETRY
                }
            };
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = self.barrier.moved() => {}
                _ = stop.changed(), if !stopping => {}
            }
        }
    }

    /// Whether so much became durable within a batch's time that answering goes before projecting.
    fn is_crowded(&self, durable: u64, elapsed: Duration) -> bool {
        let more = u128::from(self.writer.durable().saturating_sub(durable));
        self.writer.has_room() && more * 1_000 >= u128::from(CROWD_PER_S) * elapsed.as_millis().max(1)
    }

    /// What makes the projection wait at an event.
    pub fn barrier(&self) -> &Barrier {
        &self.barrier
    }

    /// Why the last batch was not taken, if so.
    pub fn trouble(&self) -> Option<String> {
        lock(&self.trouble).clone()
    }

    /// The last event in the database.
    pub async fn position(&self) -> Result<u64> {
        Ok(self.store.ledger_position().await?.seq)
    }

    /// The next batch after an event; nothing when the journal no longer has what follows it.
    pub async fn events_after(&self, seq: u64) -> Result<Vec<Event>> {
        self.read(seq, BATCH).await
    }

    /// One event, if the journal still has it.
    pub async fn event(&self, seq: u64) -> Result<Option<Event>> {
        let Some(before) = seq.checked_sub(1) else { return Ok(None) };
        Ok(self.read(before, 1).await?.into_iter().find(|event| event.seq == seq))
    }

    async fn read(&self, after: u64, limit: usize) -> Result<Vec<Event>> {
        let journal = Arc::clone(&self.journal);
        on_thread(move || match lock(&journal).read_after(after, limit) {
            Err(LogError::Gap { .. }) => Ok(Vec::new()),
            read => read,
        })
        .await
    }

    /// Does what the log needs now and then, away from the writer, until told to stop.
    pub async fn tend(self: Arc<Self>, mut stop: watch::Receiver<bool>) {
        while !*stop.borrow() {
            tokio::select! {
                () = tokio::time::sleep(TEND) => {}
                _ = stop.changed() => return,
            }
            let log = Arc::clone(&self.log);
            if let Err(failure) = on_thread(move || log.tend()).await {
                tracing::warn!(%failure, "a checkpoint of the journal failed; the next one makes up for it");
            }
        }
    }

    /// Projects one batch; answers how many events it held. At the end of the program nobody makes it wait.
    async fn step(&self, position: &mut Option<u64>, stopping: bool) -> Result<usize> {
        let at = match *position {
            Some(at) => at,
            None => self.store.ledger_position().await?.seq,
        };
        *position = Some(at);
        self.barrier.reached(at);
        if self.writer.durable() <= at || (!stopping && self.barrier.is_at(at)) {
            return Ok(0);
        }
        let journal = Arc::clone(&self.journal);
        let mut events: Vec<Event> = on_thread(move || lock(&journal).read_after(at, BATCH)).await?;
        if !stopping {
            events = self.barrier.cut(events);
        }
        if events.is_empty() {
            return Ok(0);
        }
        let count = events.len();
        let reached = self.store.ledger_project(events).await?.seq;
        *position = Some(reached);
        metrics::counter!("windfall_projection_batches_total").increment(1);
        *lock(&self.trouble) = None;
        self.barrier.reached(reached);
        self.writer.projected(reached);
        #[expect(clippy::cast_precision_loss, reason = "a gauge needs no more")]
        metrics::gauge!("windfall_projection_lag_events")
            .set(self.writer.durable().saturating_sub(reached) as f64);
        Ok(count)
    }
}

/// Disk work, away from the runtime's own threads.
async fn on_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, LogError> + Send + 'static,
) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    let done = done.map_err(|error| Fault::caused("reading the journal", error))?;
    Ok(done.map_err(|error| Fault::caused("reading the journal", error))?)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
