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

use super::background::{CROWD_PER_S, PieceSize, Situation, rest_after};
use super::barrier::Barrier;
use super::log::{Log, LogError, LogReader};
use super::writer::LedgerWriter;

/// Events in one transaction of the database: at most so many, so that others have the database's writer in between, and
/// at least so many, which change few rows more than one does. How many it is in between is a matter of time
/// ([`PieceSize`]).
const BATCH_MAX: usize = 8_192;
const BATCH_MIN: usize = 64;
/// How long to wait when there is nothing to do, and how long after a failure.
const IDLE: Duration = Duration::from_millis(5);
const RETRY: Duration = Duration::from_millis(500);
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
        let (mut position, mut size) = (None, PieceSize::between(BATCH_MIN, BATCH_MAX));
        let mut last = Look { at: Instant::now(), durable: self.writer.durable() };
        let mut situation = Situation::Quiet;
        loop {
            let stopping = *stop.borrow();
            let batch = if stopping { BATCH_MAX } else { size.items(situation) };
            let started = Instant::now();
            let done = self.step(&mut position, batch, stopping).await;
            let look = Look { at: Instant::now(), durable: self.writer.durable() };
            situation = match (look.is_crowded_since(last), self.writer.has_room()) {
                (false, _) => Situation::Quiet,
                (true, true) => Situation::Crowded,
                (true, false) => Situation::FarBehind,
            };
            last = look;
            let pause = match done {
                Ok(0) if stopping => return,
                Ok(0) => IDLE,
                Ok(events) => {
                    size.took(events, started.elapsed());
                    match situation {
                        Situation::Crowded if !stopping => rest_after(started.elapsed()),
                        Situation::Quiet | Situation::Crowded | Situation::FarBehind => continue,
                    }
                }
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
        self.read(seq, BATCH_MAX).await
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
    async fn step(&self, position: &mut Option<u64>, batch: usize, stopping: bool) -> Result<usize> {
        let at = match *position {
            Some(at) => at,
            None => self.store.ledger_position().await?.seq,
        };
        *position = Some(at);
        self.barrier.reached(at);
        let durable = self.writer.durable();
        if durable <= at || (!stopping && self.barrier.is_at(at)) {
            return Ok(0);
        }
        let journal = Arc::clone(&self.journal);
        let mut events: Vec<Event> = on_thread(move || lock(&journal).read_after(at, batch)).await?;
        // What was not acknowledged may be in a shared log and still be lost with it.
        events.truncate(events.partition_point(|event| event.seq <= durable));
        if !stopping {
            events = self.barrier.cut(events);
        }
        let Some(last) = events.last().map(|event| event.seq) else { return Ok(0) };
        let (count, journal) = (events.len(), Arc::clone(&self.journal));
        let digest = on_thread(move || lock(&journal).digest_at(last)).await?;
        let reached = self.store.ledger_project_chained(events, digest).await?.seq;
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

/// What was durable at a moment.
#[derive(Clone, Copy, Debug)]
struct Look {
    at: Instant,
    durable: u64,
}

impl Look {
    /// Callers over HTTP wait for an answer before they ask again, so that a crowd does not show in the queue: it shows in
    /// what becomes durable.
    fn is_crowded_since(self, before: Self) -> bool {
        let elapsed_ms = self.at.duration_since(before.at).as_millis().max(1);
        let more = u128::from(self.durable.saturating_sub(before.durable));
        more * 1_000 >= u128::from(CROWD_PER_S) * elapsed_ms
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
