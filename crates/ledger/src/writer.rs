//! The two threads: one decides, the other makes durable. While a block is being synced, the next one is decided.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use domain::ledger::{Answer, ClockSays, ClockWatch, Key, Ledger};
use domain::time::DAY_MS;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::clock::Clock;
use super::committer::Committer;
use super::core::{Ask, Block, Core};
use super::decider::Decider;
use super::log::{Log, LogWriter, reason, replay};
use super::pace::Pace;
use super::queue::{NotTaken, Queue, QueueLane};
use super::sync::{AtomicU32, AtomicU64, Builder, JoinHandle, Mutex, sync_channel};
use super::tally::AnswerCounts;

/// Loads a ledger at the database's position; called at start and whenever memory had to be thrown away.
pub type Load = Box<dyn Fn() -> Result<Ledger, String> + Send>;

/// Blocks that wait for the commit under way: they share the next one. When there are more, the decider waits and the
/// next block grows.
const BLOCKS_READY_MAX: usize = 16;

/// A clock that was ahead by up to two days is followed back without asking anybody.
pub const CLOCK_BACK_MAX_MS: i64 = 2 * DAY_MS;

#[derive(Clone, Copy, Debug)]
pub struct WriterSettings {
    /// Requests that may wait at once.
    pub queue_max: usize,
    /// The journal's file may grow to so many pages of 4 KiB; beyond it the disk counts as full.
    pub journal_pages_max: u32,
    /// Events that may be durable and not yet projected; near it the ledger slows down, at it nothing more is taken in.
    pub lag_max: u64,
    /// The furthest that the ledger follows a clock back which was ahead; beyond it a person has to say so.
    pub clock_back_max_ms: i64,
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

/// What was asked goes back with its answers: some of it may have to be asked again, and the rest is let go of where it
/// was made.
pub(super) struct Answered {
    pub asks: Vec<Ask>,
    pub answers: Vec<Answer>,
}

pub(super) type ReplyTo = oneshot::Sender<Result<Answered, NoAnswer>>;

pub(super) enum Job {
    Ask {
        asks: Vec<Ask>,
        reply: ReplyTo,
    },
    Look(Look),
    /// The same about a hold, which ends first if its time is over: what is told of it stays so.
    LookAtHold(Key, Look),
    /// What is seen is not told to anybody, so it need not be durable.
    Glance(Look),
}

impl Job {
    /// What is asked; a reader asks for nothing.
    pub fn asks(&self) -> &[Ask] {
        match self {
            Self::Ask { asks, .. } => asks,
            Self::Look(_) | Self::LookAtHold(..) | Self::Glance(_) => &[],
        }
    }
}

/// Reads the ledger's memory; what it saw leaves with the block that is being filled.
pub(super) type Look = Box<dyn FnOnce(&Ledger) -> Tell + Send>;
/// Tells what was seen. Dropped untold, the reader hears that there is no answer.
pub(super) type Tell = Box<dyn FnOnce() + Send>;

/// Answers that leave with their block.
pub(super) enum Waiting {
    Answers { answered: Answered, reply: ReplyTo },
    Seen(Tell),
}

pub(super) struct Sealed {
    /// Which life of the memory it was decided in; a failed commit ends one.
    pub era: u64,
    /// What claimed the log for this life, with the first block after a failure.
    pub journal: Option<Box<dyn LogWriter>>,
    /// Nothing when only answers wait, for the block before.
    pub block: Option<Block>,
    pub waiting: Vec<Waiting>,
}

/// The running ledger. Dropping it finishes what was taken in.
#[derive(Debug)]
pub struct LedgerWriter {
    shared: Arc<Shared>,
    term: u32,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

pub(super) struct Shared {
    pub queue: Queue<Job>,
    pub durable: AtomicU64,
    pub projected: AtomicU64,
    /// The last life of the memory that had to be thrown away.
    pub failed_era: AtomicU64,
    lag_max: u64,
    pub journal_pages_max: AtomicU32,
    /// What this life read back: somebody may have been told of all of it before.
    recovered: u64,
    /// By how much the clock is behind the ledger's time, beyond what is nothing; and how often it was put right.
    pub clock_behind_ms: AtomicU64,
    pub put_back_ms: AtomicU64,
    trouble: Mutex<Option<String>>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("durable", &self.durable).finish_non_exhaustive()
    }
}

impl LedgerWriter {
    /// Recovers (load, then fold what the journal has beyond it) and starts both threads. Within a runtime, answers are
    /// told on it; without one, by the committing thread.
    pub fn start(
        log: Arc<dyn Log>,
        settings: WriterSettings,
        clock: Arc<dyn Clock>,
        load: Load,
    ) -> Result<Self, String> {
        let mut journal = log.writer().map_err(|error| reason(&error))?;
        let Recovered { ledger, term, loaded_at } = recover(journal.as_mut(), &load)?;
        let recovered = ledger.seq();
        let shared = Arc::new(Shared {
            queue: Queue::new(settings.queue_max),
            // What was read back may not have been synced; the first block of the term syncs it, and then it counts.
            durable: AtomicU64::new(0),
            projected: AtomicU64::new(loaded_at),
            failed_era: AtomicU64::new(0),
            lag_max: settings.lag_max,
            journal_pages_max: AtomicU32::new(settings.journal_pages_max),
            recovered,
            clock_behind_ms: AtomicU64::new(0),
            put_back_ms: AtomicU64::new(0),
            trouble: Mutex::new(None),
        });
        let core = Core::begin(ledger, term, clock.now());
        let (sealed, blocks) = sync_channel(BLOCKS_READY_MAX);
        let decider = Decider {
            shared: Arc::clone(&shared),
            era: 1,
            clock,
            load,
            log: Arc::clone(&log),
            sealed,
            tally: AnswerCounts::default(),
            watch: ClockWatch::new(settings.clock_back_max_ms),
            clock_said: ClockSays::Right,
        };
        let committer = Committer {
            shared: Arc::clone(&shared),
            log,
            journal: Some(journal),
            blocks,
            runtime: Handle::try_current().ok(),
        };
        let threads = vec![
            spawn("ledger-decide", move || decider.run(core))?,
            spawn("ledger-commit", move || committer.run())?,
        ];
        Ok(Self { shared, term, threads: Mutex::new(threads) })
    }

    /// The term it began in.
    pub fn term(&self) -> u32 {
        self.term
    }

    /// Asks for several things at once, in order; one future for all of them.
    pub async fn ask(&self, lane: QueueLane, asks: Vec<Ask>) -> Reply {
        self.ask_and_keep(lane, asks).await.map(|answered| answered.answers)
    }

    /// The same, and what was asked comes back with the answers.
    pub(super) async fn ask_and_keep(&self, lane: QueueLane, asks: Vec<Ask>) -> Result<Answered, NoAnswer> {
        if self.lag() >= self.shared.lag_max {
            return Err(NoAnswer::Overloaded);
        }
        let (reply, answer) = oneshot::channel();
        let weight = asks.len().max(1);
        match self.shared.queue.push(lane, weight, Job::Ask { asks, reply }) {
            Ok(()) => answer.await.unwrap_or(Err(NoAnswer::Unknown)),
            Err((NotTaken::Full, _)) => Err(NoAnswer::Overloaded),
            Err((NotTaken::Closed, _)) => Err(NoAnswer::Closed),
        }
    }

    /// Reads the ledger as it is after everything asked before; what is told is durable. `look` runs on the deciding
    /// thread, between two requests: it must be short.
    pub async fn look<T: Send + 'static>(
        &self,
        lane: QueueLane,
        look: impl FnOnce(&Ledger) -> T + Send + 'static,
    ) -> Result<T, NoAnswer> {
        self.see(lane, Job::Look, look).await
    }

    /// The same about one hold, as it stands at this moment by the clock that every command is judged by.
    pub async fn look_at_hold<T: Send + 'static>(
        &self,
        lane: QueueLane,
        hold: Key,
        look: impl FnOnce(&Ledger) -> T + Send + 'static,
    ) -> Result<T, NoAnswer> {
        self.see(lane, move |look| Job::LookAtHold(hold, look), look).await
    }

    /// A look whose answer goes no further than the caller: it does not wait for the disk.
    pub async fn glance<T: Send + 'static>(
        &self,
        lane: QueueLane,
        look: impl FnOnce(&Ledger) -> T + Send + 'static,
    ) -> Result<T, NoAnswer> {
        self.see(lane, Job::Glance, look).await
    }

    async fn see<T: Send + 'static>(
        &self,
        lane: QueueLane,
        job: impl FnOnce(Look) -> Job,
        look: impl FnOnce(&Ledger) -> T + Send + 'static,
    ) -> Result<T, NoAnswer> {
        let (reply, seen) = oneshot::channel();
        let look: Look = Box::new(move |ledger| {
            let found = look(ledger);
            Box::new(move || drop(reply.send(found)))
        });
        match self.shared.queue.push(lane, 1, job(look)) {
            Ok(()) => seen.await.map_err(|_| NoAnswer::Unavailable),
            Err((NotTaken::Full, _)) => Err(NoAnswer::Overloaded),
            Err((NotTaken::Closed, _)) => Err(NoAnswer::Closed),
        }
    }

    /// Everything up to here is on disk.
    pub fn durable(&self) -> u64 {
        self.shared.durable.load(Ordering::Acquire)
    }

    /// Nobody was told of anything beyond this event, by this life or by one before.
    pub fn told(&self) -> u64 {
        self.durable().max(self.shared.recovered)
    }

    /// The last event that is known to be in the database.
    pub fn reached(&self) -> u64 {
        self.shared.projected.load(Ordering::Acquire)
    }

    /// By how much the clock is behind the ledger's time; zero for what is nothing.
    pub fn clock_behind_ms(&self) -> u64 {
        self.shared.clock_behind_ms.load(Ordering::Acquire)
    }

    /// By how much the ledger last followed the clock back; zero if it never did.
    pub fn put_back_ms(&self) -> u64 {
        self.shared.put_back_ms.load(Ordering::Acquire)
    }

    /// The database has everything up to `position`; what finished by then may leave memory.
    pub fn projected(&self, position: u64) {
        self.shared.projected.fetch_max(position, Ordering::AcqRel);
        self.shared.queue.nudge();
    }

    /// Events that are durable and not yet projected.
    pub fn lag(&self) -> u64 {
        self.shared.lag()
    }

    /// Whether the lag is far from its bound: then the projection may wait while a crowd is answered.
    pub fn has_room(&self) -> bool {
        self.lag() < self.shared.lag_max / 4
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
    Builder::new().name(name.to_owned()).spawn(work).map_err(|error| error.to_string())
}

/// A ledger that has folded everything durable.
pub(super) struct Recovered {
    pub ledger: Ledger,
    /// The term that was claimed for it.
    pub term: u32,
    /// What is projected.
    pub loaded_at: u64,
}

/// Loads, claims, and only then reads: what a writer before may still have had under way is in the log by then, or never
/// comes.
pub(super) fn recover(journal: &mut dyn LogWriter, load: &Load) -> Result<Recovered, String> {
    let started = Instant::now();
    let mut ledger = load()?;
    let loaded_at = ledger.seq();
    let claim = journal.claim(ledger.term(), loaded_at).map_err(|error| reason(&error))?;
    if let Some(end) = claim.ended_at {
        // Nothing is projected before it is durable: this database came here without its journal.
        tracing::warn!(
            journal = end,
            database = loaded_at,
            "the journal ends before the database: going on from the database, as after restoring a copy"
        );
    }
    let mut told = started;
    let report = |seq| {
        if told.elapsed() >= Duration::from_secs(1) {
            told = Instant::now();
            tracing::info!(seq, elapsed_s = started.elapsed().as_secs(), "recovering the ledger");
        }
    };
    replay(journal, &mut ledger, report).map_err(|error| reason(&error))?;
    Ok(Recovered { ledger, term: claim.term, loaded_at })
}

impl Shared {
    fn lag(&self) -> u64 {
        self.durable.load(Ordering::Acquire).saturating_sub(self.projected.load(Ordering::Acquire))
    }

    /// How fast to go on when events up to `decided` are durable or on their way: what is on its way will lag too.
    pub fn pace(&self, decided: u64) -> Pace {
        Pace::at(decided.saturating_sub(self.projected.load(Ordering::Acquire)), self.lag_max)
    }

    /// Says why, once per reason.
    pub fn tell(&self, why: &str) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        if trouble.as_deref() != Some(why) {
            tracing::error!(why, "the ledger accepts nothing");
            *trouble = Some(why.to_owned());
        }
    }

    pub fn well(&self) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        if trouble.take().is_some() {
            tracing::info!("the ledger accepts again");
        }
    }
}

impl Sealed {
    pub fn told(self) {
        for waiting in self.waiting {
            match waiting {
                Waiting::Answers { answered, reply } => drop(reply.send(Ok(answered))),
                Waiting::Seen(tell) => tell(),
            }
        }
    }

    pub fn lost(self) {
        for waiting in self.waiting {
            if let Waiting::Answers { reply, .. } = waiting {
                let _ = reply.send(Err(NoAnswer::Unknown));
            }
        }
    }
}
