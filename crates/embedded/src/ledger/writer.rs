//! The two threads: one decides, the other makes durable. While a block is being synced, the next one is decided.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use domain::ledger::{Answer, Ledger};
use engine::ports::Clock;
use tokio::sync::oneshot;

use super::core::{Ask, Block, Core};
use super::journal::{Journal, JournalError};
use super::queue::{Lane, NotTaken, Queue, Taken};

/// Requests in one block at most: a block that takes too long to write delays its first request.
const BLOCK_MAX: usize = 8_192;
/// Steps of expiry in one block ([`Core::expire`]).
const EXPIRE_STEPS_MAX: usize = 32;
/// Records forgotten between two blocks.
const FORGET_STEP: usize = 16_384;
/// How long the decider sleeps when nothing is asked and nothing is due.
const IDLE: Duration = Duration::from_millis(20);
/// How often a failed journal is tried again.
const RETRY: Duration = Duration::from_millis(200);

/// Loads a ledger at the database's position; called at start and whenever memory had to be thrown away.
pub type Load = Box<dyn Fn() -> Result<Ledger, String> + Send>;

#[derive(Clone, Copy, Debug)]
pub struct WriterSettings {
    /// Requests that may wait at once.
    pub queue_max: usize,
    /// The journal's file may grow to so many pages of 4 KiB; beyond it the disk counts as full.
    pub journal_pages_max: u32,
    /// Events that may be durable and not yet projected; at it, nothing more is taken in.
    pub lag_max: u64,
}

/// What a caller hears instead of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// Not taken in: try again in a moment.
    Overloaded,
    /// Taken in, and then the disk failed: it may or may not have happened. Ask again with the same id.
    Unknown,
    /// The journal cannot be written now; see [`LedgerWriter::trouble`].
    Unavailable,
    Closed,
}

pub type Reply = Result<Vec<Answer>, NoAnswer>;

struct Job {
    asks: Vec<Ask>,
    reply: oneshot::Sender<Reply>,
}

/// Answers that leave with their block.
struct Waiting {
    answers: Vec<Answer>,
    reply: oneshot::Sender<Reply>,
}

struct Sealed {
    /// Which life of the memory it was decided in; a failed commit ends one.
    era: u64,
    /// Nothing when only answers wait, for the block before.
    block: Option<Block>,
    waiting: Vec<Waiting>,
}

/// The running ledger. Dropping it finishes what was taken in.
#[derive(Debug)]
pub struct LedgerWriter {
    shared: Arc<Shared>,
    lag_max: u64,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    queue: Queue<Job>,
    durable: AtomicU64,
    projected: AtomicU64,
    /// The last life of the memory that had to be thrown away.
    failed_era: AtomicU64,
    journal_pages_max: AtomicU32,
    trouble: Mutex<Option<String>>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("durable", &self.durable).finish_non_exhaustive()
    }
}

impl LedgerWriter {
    /// Recovers (load, then fold what the journal has beyond it) and starts both threads.
    pub fn start(
        path: &Path,
        settings: WriterSettings,
        clock: Arc<dyn Clock>,
        load: Load,
    ) -> Result<Self, String> {
        let journal = Journal::open(path).map_err(|error| story(&error))?;
        let (ledger, loaded_at) = recover(&journal, &load)?;
        let shared = Arc::new(Shared {
            queue: Queue::new(settings.queue_max),
            // What was read back may not have been synced; the first block of the term syncs it, and then it counts.
            durable: AtomicU64::new(0),
            projected: AtomicU64::new(loaded_at),
            failed_era: AtomicU64::new(0),
            journal_pages_max: AtomicU32::new(settings.journal_pages_max),
            trouble: Mutex::new(None),
        });
        let core = Core::begin(ledger, clock.now());
        // One block on its way and one being synced: more would only add latency.
        let (sealed, blocks) = sync_channel(1);
        let decider =
            Decider { shared: Arc::clone(&shared), era: 1, clock, load, path: path.to_owned(), sealed };
        let committer =
            Committer { shared: Arc::clone(&shared), path: path.to_owned(), journal: Some(journal), blocks };
        let threads = vec![
            spawn("ledger-decide", move || decider.run(core))?,
            spawn("ledger-commit", move || committer.run())?,
        ];
        Ok(Self { shared, lag_max: settings.lag_max, threads: Mutex::new(threads) })
    }

    /// Asks for several things at once, in order; one future for all of them.
    pub async fn ask(&self, lane: Lane, asks: Vec<Ask>) -> Reply {
        if self.lag() >= self.lag_max {
            return Err(NoAnswer::Overloaded);
        }
        let (reply, answer) = oneshot::channel();
        let weight = asks.len().max(1);
        match self.shared.queue.push(lane, weight, Job { asks, reply }) {
            Ok(()) => answer.await.unwrap_or(Err(NoAnswer::Unknown)),
            Err((NotTaken::Full, _)) => Err(NoAnswer::Overloaded),
            Err((NotTaken::Closed, _)) => Err(NoAnswer::Closed),
        }
    }

    /// Everything up to here is on disk.
    pub fn durable(&self) -> u64 {
        self.shared.durable.load(Ordering::Acquire)
    }

    /// The database has everything up to `position`; what finished by then may leave memory.
    pub fn projected(&self, position: u64) {
        self.shared.projected.fetch_max(position, Ordering::AcqRel);
        self.shared.queue.nudge();
    }

    /// Events that are durable and not yet projected.
    pub fn lag(&self) -> u64 {
        self.durable().saturating_sub(self.shared.projected.load(Ordering::Acquire))
    }

    /// Takes nothing more in and finishes what was taken in. Waits for that; a second call does nothing.
    pub fn close(&self) {
        self.shared.queue.close();
        for thread in self.threads.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            if thread.join().is_err() {
                tracing::error!("a ledger thread ended in a panic");
            }
        }
    }

    /// Gives the journal more room, or less.
    pub fn set_journal_pages_max(&self, pages: u32) {
        self.shared.journal_pages_max.store(pages, Ordering::Release);
    }

    pub fn waiting(&self) -> usize {
        self.shared.queue.waiting()
    }

    /// Why nothing is being accepted, if so.
    pub fn trouble(&self) -> Option<String> {
        self.shared.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for LedgerWriter {
    fn drop(&mut self) {
        self.close();
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, String> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map_err(|error| error.to_string())
}

/// Answers the ledger, and the position it was loaded at: what is projected.
fn recover(journal: &Journal, load: &Load) -> Result<(Ledger, u64), String> {
    let started = Instant::now();
    let mut ledger = load()?;
    let loaded_at = ledger.seq();
    let mut told = started;
    journal
        .replay(&mut ledger, |seq| {
            if told.elapsed() >= Duration::from_secs(1) {
                told = Instant::now();
                tracing::info!(seq, elapsed_s = started.elapsed().as_secs(), "recovering the ledger");
            }
        })
        .map_err(|error| story(&error))?;
    Ok((ledger, loaded_at))
}

/// An error with its causes, on one line.
fn story(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

struct Decider {
    shared: Arc<Shared>,
    era: u64,
    clock: Arc<dyn Clock>,
    load: Load,
    path: PathBuf,
    sealed: SyncSender<Sealed>,
}

impl Decider {
    fn run(mut self, mut core: Core) {
        loop {
            if self.shared.failed_era.load(Ordering::Acquire) >= self.era {
                core = match self.start_over() {
                    Some(core) => core,
                    None => return,
                };
            }
            let taken = self.shared.queue.take(BLOCK_MAX, self.patience(&core));
            let over = matches!(taken, Taken::Over);
            let jobs = if let Taken::Some(jobs) = taken { jobs } else { Vec::new() };
            let durable = self.shared.durable.load(Ordering::Acquire);
            if durable > core.durable() {
                core.committed(durable);
            }
            let waiting = self.decide(&mut core, jobs);
            self.expire(&mut core);
            self.forget(&mut core);
            let block = core.take_block();
            if (block.is_some() || !waiting.is_empty())
                && self.sealed.send(Sealed { era: self.era, block, waiting }).is_err()
            {
                return;
            }
            if over {
                return;
            }
        }
    }

    fn decide(&self, core: &mut Core, jobs: Vec<Job>) -> Vec<Waiting> {
        let mut waiting = Vec::with_capacity(jobs.len());
        for Job { asks, reply } in jobs {
            let now = self.clock.now();
            let mut at_once = true;
            let answers: Vec<Answer> = asks
                .iter()
                .map(|ask| {
                    let answer = core.decide(now, ask);
                    at_once &= core.leaves_at_once(&answer);
                    answer
                })
                .collect();
            if at_once {
                let _ = reply.send(Ok(answers));
            } else {
                waiting.push(Waiting { answers, reply });
            }
        }
        waiting
    }

    /// A bounded number of holds per block; when more are due, the next block follows at once.
    fn expire(&self, core: &mut Core) {
        for _ in 0..EXPIRE_STEPS_MAX {
            if core.expire(self.clock.now()) == 0 {
                return;
            }
        }
    }

    fn forget(&self, core: &mut Core) {
        let projected = self.shared.projected.load(Ordering::Acquire).min(core.durable());
        core.projected(projected, FORGET_STEP);
    }

    /// Until the next hold is due, but never so long that a failure goes unnoticed.
    fn patience(&self, core: &Core) -> Duration {
        let now = self.clock.now();
        let due = core
            .ledger()
            .next_expiry()
            .map_or(IDLE, |at| Duration::from_millis(u64::try_from((at.0 - now.0).max(0)).unwrap_or(0)));
        due.min(IDLE)
    }

    /// After a failed commit: memory holds things that may never have happened. Those who ask meanwhile are told, and as
    /// soon as the journal can be read and written again it decides.
    fn start_over(&mut self) -> Option<Core> {
        self.era += 1;
        loop {
            let retry_at = Instant::now() + RETRY;
            while let Some(left) = retry_at.checked_duration_since(Instant::now()) {
                match self.shared.queue.take(BLOCK_MAX, left) {
                    Taken::Some(jobs) => {
                        for job in jobs {
                            let _ = job.reply.send(Err(NoAnswer::Unavailable));
                        }
                    }
                    Taken::Nothing => {}
                    Taken::Over => return None,
                }
            }
            let core = Journal::open(&self.path).map_err(|error| story(&error)).and_then(|journal| {
                let (ledger, _) = recover(&journal, &self.load)?;
                Ok(Core::begin(ledger, self.clock.now()))
            });
            match core {
                Ok(mut core) => {
                    // The first block of the new term is the probe: it goes through, or all this happens again.
                    let block = core.take_block();
                    if self.sealed.send(Sealed { era: self.era, block, waiting: Vec::new() }).is_err() {
                        return None;
                    }
                    return Some(core);
                }
                Err(why) => self.shared.tell(&why),
            }
        }
    }
}

impl Shared {
    /// Says why, once per reason.
    fn tell(&self, why: &str) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        if trouble.as_deref() != Some(why) {
            tracing::error!(why, "the ledger accepts nothing");
            *trouble = Some(why.to_owned());
        }
    }

    fn well(&self) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        if trouble.take().is_some() {
            tracing::info!("the ledger accepts again");
        }
    }
}

struct Committer {
    shared: Arc<Shared>,
    path: PathBuf,
    /// Opened anew after a failure: what a connection thinks after one is nothing to build on.
    journal: Option<Journal>,
    blocks: Receiver<Sealed>,
}

impl Committer {
    fn run(mut self) {
        while let Ok(sealed) = self.blocks.recv() {
            if sealed.era <= self.shared.failed_era.load(Ordering::Acquire) {
                sealed.lost();
                continue;
            }
            match sealed.block.as_ref().map_or(Ok(()), |block| self.commit(block)) {
                Ok(()) => {
                    sealed.told();
                    self.drop_segments();
                }
                Err(error) => self.failed(sealed, &error),
            }
        }
    }

    fn commit(&mut self, block: &Block) -> Result<(), JournalError> {
        let started = Instant::now();
        self.append(block)?;
        metrics::histogram!("windfall_journal_commit_seconds").record(started.elapsed().as_secs_f64());
        let events = block.last_seq + 1 - block.first_seq;
        #[expect(clippy::cast_precision_loss, reason = "a histogram needs no more")]
        metrics::histogram!("windfall_journal_block_events").record(events as f64);
        self.shared.durable.store(block.last_seq, Ordering::Release);
        self.shared.well();
        Ok(())
    }

    /// What the database has is no longer needed here. Nobody waits for this.
    fn drop_segments(&mut self) {
        let projected = self.shared.projected.load(Ordering::Acquire);
        if let Some(journal) = &mut self.journal
            && let Err(error) = journal.drop_through(projected)
        {
            tracing::warn!(
                error = story(&error),
                "an old segment of the journal stays; the next block tries again"
            );
        }
    }

    fn append(&mut self, block: &Block) -> Result<(), JournalError> {
        let mut journal = match self.journal.take() {
            Some(journal) => journal,
            None => Journal::open(&self.path)?,
        };
        journal.set_pages_max(self.shared.journal_pages_max.load(Ordering::Acquire))?;
        journal.append(block)?;
        self.journal = Some(journal);
        Ok(())
    }

    /// Everybody in this block, and in those decided on top of it, hears "unknown"; the decider starts over.
    fn failed(&self, sealed: Sealed, error: &JournalError) {
        metrics::counter!("windfall_journal_failures_total").increment(1);
        let why =
            if error.disk_full() { "disk_full: the journal has no room".to_owned() } else { story(error) };
        self.shared.tell(&why);
        // First the mark, then the answers: whoever asks again is not answered from the memory that is to go.
        self.shared.failed_era.store(sealed.era, Ordering::Release);
        sealed.lost();
    }
}

impl Sealed {
    fn told(self) {
        for waiting in self.waiting {
            let _ = waiting.reply.send(Ok(waiting.answers));
        }
    }

    fn lost(self) {
        for waiting in self.waiting {
            let _ = waiting.reply.send(Err(NoAnswer::Unknown));
        }
    }
}
