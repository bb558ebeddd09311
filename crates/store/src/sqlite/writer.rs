//! The one thread that writes, with group commit.
//!
//! Steps queue up while a commit is on its way to the disk; the next commit carries all of them. The
//! busier it is, the cheaper each step gets. Nobody is answered before the commit, because even a refusal
//! may rest on what an earlier step of the same batch wrote.
//!
//! Each step runs in a savepoint of its own: a failed or panicking step takes back only itself. When the commit fails,
//! the outcome of every step in the batch is unknown; a step that had not run yet is `overloaded`.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use domain::Rejection;
use futures::FutureExt;
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::sync::oneshot;

use super::connection::{Connection, lock};
use crate::failure::{Failure, Fault, Result};
use crate::tx::{MetricIncrement, StepFn, Tx};

/// A step awaited something that is not its transaction.
pub(super) const NOT_READY: &str = "a step waits for something else than its transaction";

type Queue = mpsc::Sender<Box<dyn Job>>;

#[derive(Debug)]
pub(super) struct Writer {
    running: Mutex<Option<Running>>,
    /// Why the last batch was lost, until one succeeds.
    trouble: Arc<Mutex<Option<String>>>,
}

struct Running {
    queue: Queue,
    thread: JoinHandle<()>,
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Running({} of {} places free)", self.queue.capacity(), self.queue.max_capacity())
    }
}

impl Writer {
    /// `turn` is held from the beginning of a transaction to its end.
    pub fn start(
        connection: Connection,
        batch_max: usize,
        queue_max: usize,
        turn: Arc<Mutex<()>>,
    ) -> Result<Self, Fault> {
        let (queue, waiting) = mpsc::channel(queue_max);
        let trouble = Arc::new(Mutex::new(None));
        let told = Arc::clone(&trouble);
        let thread = thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || {
                step_back();
                run(connection, waiting, batch_max, (&told, &turn));
            })
            .map_err(|error| Fault::caused("starting the writer thread", error))?;
        Ok(Self { running: Mutex::new(Some(Running { queue, thread })), trouble })
    }

    pub async fn write<I, T>(&self, input: I, step: StepFn<I, T>) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
    {
        let (answer, heard) = oneshot::channel();
        self.submit(Box::new(Task { input, step, outcome: None, answer }))?;
        // No answer means that the thread is gone, and with it the knowledge of what was committed.
        heard.await.unwrap_or_else(|_| Err(Rejection::OutcomeUnknown.into()))
    }

    fn submit(&self, job: Box<dyn Job>) -> Result<()> {
        match self.running().as_ref().map(|running| running.queue.try_send(job)) {
            Some(Ok(())) => Ok(()),
            Some(Err(TrySendError::Full(_))) => Err(Rejection::Overloaded { retry_after_s: 1 }.into()),
            Some(Err(TrySendError::Closed(_))) | None => Err(Fault::new("the database is closed").into()),
        }
    }

    /// Takes no more, finishes what waits, and joins the thread.
    pub fn close(&self) {
        let Some(Running { queue, thread }) = self.running().take() else { return };
        drop(queue);
        if thread.join().is_err() {
            tracing::error!("the writer thread panicked");
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.close();
    }
}

/// A step with its input and the one who waits for it, whatever their types.
trait Job: Send {
    /// Runs the step; says whether what it wrote is to stay.
    fn run(&mut self, tx: &Tx<'_>) -> bool;
    /// The step panicked.
    fn panicked(&mut self, panic: &(dyn Any + Send));
    /// The transaction around the step was lost.
    fn lost(&mut self);
    fn answer(self: Box<Self>);
}

struct Task<I, T> {
    input: I,
    step: StepFn<I, T>,
    outcome: Option<Result<T>>,
    answer: oneshot::Sender<Result<T>>,
}

impl<I: Send + Sync, T: Send> Job for Task<I, T> {
    fn run(&mut self, tx: &Tx<'_>) -> bool {
        let ready = (self.step)(tx, &self.input).now_or_never();
        let outcome = self.outcome.insert(ready.unwrap_or_else(|| Err(Fault::new(NOT_READY).into())));
        outcome.is_ok()
    }

    fn panicked(&mut self, panic: &(dyn Any + Send)) {
        let text = panic.downcast_ref::<&str>().copied();
        let text =
            text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
        self.outcome = Some(Err(Fault::new(format!("a writing step panicked: {text}")).into()));
    }

    fn lost(&mut self) {
        self.outcome = Some(Err(match self.outcome.take() {
            None => Rejection::Overloaded { retry_after_s: 1 }.into(),
            Some(Err(Failure::Fault(fault))) => fault.into(),
            // A refusal is lost like a success: it may rest on what is now gone.
            Some(Ok(_) | Err(Failure::Rejected(_))) => Rejection::OutcomeUnknown.into(),
        }));
    }

    fn answer(self: Box<Self>) {
        let Some(outcome) = self.outcome else { return };
        // A caller who stopped waiting does not need the answer.
        let _ = self.answer.send(outcome);
    }
}

/// Where the processor is short, whoever waits for the ledger goes before rows that are written behind it: of two threads
/// that both want a core this one gets a quarter. A system that does not allow it is no worse than before.
#[cfg(target_os = "linux")]
fn step_back() {
    const NICE: i32 = 5;
    if let Err(error) = rustix::process::nice(NICE) {
        tracing::debug!(%error, "the writer keeps its priority");
    }
}

/// Elsewhere the priority is the whole program's.
#[cfg(not(target_os = "linux"))]
fn step_back() {}

fn run(
    connection: Connection,
    mut waiting: mpsc::Receiver<Box<dyn Job>>,
    batch_max: usize,
    (trouble, turn): (&Mutex<Option<String>>, &Mutex<()>),
) {
    let connection = Mutex::new(connection);
    let mut batch = Vec::with_capacity(batch_max);
    while waiting.blocking_recv_many(&mut batch, batch_max) > 0 {
        metrics::gauge!("windfall_store_queue_jobs").set(waiting.len() as f64);
        metrics::histogram!("windfall_store_batch_jobs").record(batch.len() as f64);
        let committed = {
            let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
            commit(&connection, &mut batch)
        };
        *trouble.lock().unwrap_or_else(PoisonError::into_inner) = committed.err();
        batch.drain(..).for_each(Job::answer);
    }
}

/// An error is the story of why the batch was lost; its steps have been told.
fn commit(connection: &Mutex<Connection>, batch: &mut [Box<dyn Job>]) -> Result<(), String> {
    let started = Instant::now();
    let done = transact(connection, batch).map_err(|fault| fault.story());
    if let Err(story) = &done {
        tracing::error!(cause = story, steps = batch.len(), "a batch of writes was lost");
        let mut writer = lock(connection);
        if writer.in_transaction()
            && let Err(fault) = writer.execute("ROLLBACK", &[])
        {
            tracing::error!(cause = fault.story(), "rolling back failed");
        }
        batch.iter_mut().for_each(|job| job.lost());
    }
    metrics::histogram!("windfall_store_commit_seconds").record(started.elapsed().as_secs_f64());
    done
}

fn transact(connection: &Mutex<Connection>, batch: &mut [Box<dyn Job>]) -> Result<(), Fault> {
    lock(connection).execute("BEGIN IMMEDIATE", &[])?;
    let mut counted = Vec::new();
    for job in batch {
        counted.extend(run_in_savepoint(connection, job.as_mut())?);
    }
    lock(connection).execute("COMMIT", &[])?;
    counted.into_iter().for_each(MetricIncrement::publish);
    Ok(())
}

/// An error here is not the step's: the transaction itself is gone.
fn run_in_savepoint(
    connection: &Mutex<Connection>,
    job: &mut dyn Job,
) -> Result<Vec<MetricIncrement>, Fault> {
    lock(connection).execute("SAVEPOINT step", &[])?;
    let tx = Tx::sqlite(connection);
    let stays = catch_unwind(AssertUnwindSafe(|| job.run(&tx))).unwrap_or_else(|panic| {
        job.panicked(&*panic);
        false
    });
    let mut writer = lock(connection);
    if !stays {
        writer.execute("ROLLBACK TO step", &[])?;
    }
    writer.execute("RELEASE step", &[])?;
    Ok(if stays { tx.into_counted() } else { Vec::new() })
}
