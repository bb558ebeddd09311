//! The thread that decides: takes what waits, judges it in memory, fills a block, and goes on while that block is synced.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use engine::ports::Clock;

use super::core::Core;
use super::journal::Journal;
use super::queue::Taken;
use super::writer::{Answered, Job, Load, NoAnswer, Sealed, Shared, Waiting, recover, story};

/// Requests in one block at most: a block that takes too long to write delays its first request.
const BLOCK_MAX: usize = 8_192;
/// Requests whose places in memory are fetched together: what they touch fits the processor's own cache.
const LOOK_AHEAD: usize = 64;
/// Steps of expiry in one block ([`Core::expire`]).
const EXPIRE_STEPS_MAX: usize = 32;
/// Records forgotten between two blocks.
const FORGET_STEP: usize = 16_384;
/// How long the decider sleeps when nothing is asked and nothing is due.
const IDLE: Duration = Duration::from_millis(20);
/// How often a failed journal is tried again.
const RETRY: Duration = Duration::from_millis(200);

pub(super) struct Decider {
    pub shared: Arc<Shared>,
    pub era: u64,
    pub clock: Arc<dyn Clock>,
    pub load: Load,
    pub path: PathBuf,
    pub sealed: SyncSender<Sealed>,
}

impl Decider {
    pub fn run(mut self, mut core: Core) {
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
        let mut jobs = jobs.into_iter();
        while !jobs.as_slice().is_empty() {
            let near = near(jobs.as_slice());
            core.look_ahead(jobs.as_slice()[..near].iter().flat_map(Job::asks));
            for job in jobs.by_ref().take(near) {
                waiting.extend(self.decide_one(core, job));
            }
        }
        waiting
    }

    /// Answers at once what rests on nothing that could be lost; the rest waits for its block.
    fn decide_one(&self, core: &mut Core, job: Job) -> Option<Waiting> {
        let (asks, reply) = match job {
            Job::Ask { asks, reply } => (asks, reply),
            Job::Look(look) => {
                let tell = look(core.ledger());
                if core.all_durable() {
                    tell();
                    return None;
                }
                return Some(Waiting::Seen(tell));
            }
        };
        let now = self.clock.now();
        let mut at_once = true;
        let decide = |ask| {
            let answer = core.decide(now, ask);
            at_once &= core.leaves_at_once(&answer);
            answer
        };
        let answers = asks.iter().map(decide).collect();
        let answered = Answered { asks, answers };
        if at_once {
            let _ = reply.send(Ok(answered));
            None
        } else {
            Some(Waiting::Answers { answered, reply })
        }
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
                            if let Job::Ask { reply, .. } = job {
                                let _ = reply.send(Err(NoAnswer::Unavailable));
                            }
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

/// How many jobs, at least one, make up so many requests.
fn near(jobs: &[Job]) -> usize {
    let mut requests = 0;
    let enough = |job: &&Job| {
        let more = requests < LOOK_AHEAD;
        requests += job.asks().len().max(1);
        more
    };
    jobs.iter().take_while(enough).count()
}
