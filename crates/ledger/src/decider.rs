//! The thread that decides: takes what waits, judges it in memory, fills a block, and goes on while that block is synced.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use domain::ledger::{ClockSays, ClockWatch};
use domain::time::Timestamp;

use super::clock::Clock;
use super::core::{Ask, Core};
use super::log::{Log, reason};
use super::pace::{BLOCK_MAX, Pace};
use super::queue::Taken;
use super::sync::{Deadline, SyncSender};
use super::tally::{AnswerCounts, LedgerGauges};
use super::writer::{Answered, Job, Load, Look, NoAnswer, Recovered, Sealed, Shared, Tell, Waiting, recover};

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
    pub log: Arc<dyn Log>,
    pub sealed: SyncSender<Sealed>,
    pub tally: AnswerCounts,
    pub watch: ClockWatch,
    pub clock_said: ClockSays,
}

impl Decider {
    pub fn run(mut self, mut core: Core) {
        loop {
            let pace = self.shared.pace(core.ledger().seq());
            if !pace.pause.is_zero() {
                self.shared.queue.rest(pace.pause);
            }
            let taken = self.shared.queue.take(pace.block_max, self.patience(&core));
            let over = matches!(taken, Taken::Over);
            let jobs = if let Taken::Some(jobs) = taken { jobs } else { Vec::new() };
            // Looked at after taking: whoever has heard of a failure and asks again is not answered from the memory
            // that is to go, not even with a "no".
            if self.shared.failed_era.load(Ordering::Acquire) >= self.era {
                unavailable(jobs);
                core = match self.start_over() {
                    Some(core) => core,
                    None => return,
                };
                continue;
            }
            let durable = self.shared.durable.load(Ordering::Acquire);
            if durable > core.durable() {
                core.committed(durable);
            }
            self.keep_time(&mut core);
            let waiting = self.decide(&mut core, jobs);
            self.expire(&mut core);
            self.forget(&mut core);
            self.tally.publish(self.standing(&core, pace));
            let block = core.take_block();
            if (block.is_some() || !waiting.is_empty())
                && self.sealed.send(Sealed { era: self.era, journal: None, block, waiting }).is_err()
            {
                return;
            }
            if over {
                return;
            }
        }
    }

    fn decide(&mut self, core: &mut Core, jobs: Vec<Job>) -> Vec<Waiting> {
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
    fn decide_one(&mut self, core: &mut Core, job: Job) -> Option<Waiting> {
        let (asks, reply) = match job {
            Job::Ask { asks, reply } => (asks, reply),
            Job::Look(look) => return self.see(core, look),
            Job::LookAtHold(hold, look) => {
                self.tally.expired(usize::from(core.end_due(self.clock.now(), hold)));
                return self.see(core, look);
            }
            Job::Glance(look) => {
                let tell = look(core.ledger());
                return match core.has_begun() {
                    true => self.tell_seen(tell),
                    false => Some(Waiting::Seen(tell)),
                };
            }
        };
        let now = self.clock.now();
        let mut at_once = true;
        let decide = |ask: &Ask| {
            let answer = core.decide(now, ask);
            self.tally.answered(&ask.command, &answer);
            at_once &= core.leaves_at_once(&answer);
            answer
        };
        let answers = asks.iter().map(decide).collect();
        let answered = Answered { asks, answers };
        if at_once {
            let _ = reply.send(if self.log.is_led() { Ok(answered) } else { Err(NoAnswer::Unavailable) });
            None
        } else {
            Some(Waiting::Answers { answered, reply })
        }
    }

    /// What was seen leaves with the block that is being filled, or at once when nothing of it could be lost.
    fn see(&self, core: &Core, look: Look) -> Option<Waiting> {
        let tell = look(core.ledger());
        if core.all_durable() {
            return self.tell_seen(tell);
        }
        Some(Waiting::Seen(tell))
    }

    /// Dropped untold, the reader hears that there is no answer.
    fn tell_seen(&self, tell: Tell) -> Option<Waiting> {
        if self.log.is_led() {
            tell();
        }
        None
    }

    /// Notices a clock that is behind the ledger's time, says so once, and follows it back when it was put right.
    fn keep_time(&mut self, core: &mut Core) {
        let clock = self.clock.now();
        let says = self.watch.look(core.ledger().now(), clock);
        let whole = |ms: i64| u64::try_from(ms).unwrap_or(0);
        let behind = match says {
            ClockSays::Right => 0,
            ClockSays::Behind { ms } | ClockSays::TooFar { ms } => whole(ms),
            ClockSays::PutRight { ms } => {
                core.put_back(clock);
                self.shared.put_back_ms.store(whole(ms), Ordering::Release);
                0
            }
        };
        if std::mem::discriminant(&says) != std::mem::discriminant(&self.clock_said) {
            self.clock_said = says;
            told(says);
        }
        self.shared.clock_behind_ms.store(behind, Ordering::Release);
    }

    /// A bounded number of holds per block; when more are due, the next block follows at once.
    fn expire(&mut self, core: &mut Core) {
        for _ in 0..EXPIRE_STEPS_MAX {
            let expired = core.expire(self.clock.now());
            if expired == 0 {
                return;
            }
            self.tally.expired(expired);
        }
    }

    fn forget(&self, core: &mut Core) {
        let projected = self.shared.projected.load(Ordering::Acquire).min(core.durable());
        core.projected(projected, FORGET_STEP);
    }

    fn standing(&self, core: &Core, pace: Pace) -> LedgerGauges {
        let due = core.ledger().next_expiry();
        LedgerGauges {
            waiting: self.shared.queue.waiting(),
            open_holds: core.ledger().open_holds(),
            expiry_lag: due.map_or(Duration::ZERO, |at| between(at, self.clock.now())),
            clock_behind: Duration::from_millis(self.shared.clock_behind_ms.load(Ordering::Acquire)),
            pause: pace.pause,
        }
    }

    /// Until the next hold is due, but never so long that a clock that was set goes unnoticed.
    fn patience(&self, core: &Core) -> Duration {
        core.ledger().next_expiry().map_or(IDLE, |at| between(self.clock.now(), at).min(IDLE))
    }

    /// After a failed commit: memory holds things that may never have happened. Those who ask meanwhile are told, and as
    /// soon as the journal can be read and written again it decides.
    fn start_over(&mut self) -> Option<Core> {
        self.era += 1;
        loop {
            let retry = Deadline::after(RETRY);
            while let Some(left) = retry.left() {
                match self.shared.queue.take(BLOCK_MAX, left) {
                    Taken::Some(jobs) => unavailable(jobs),
                    Taken::Nothing => {}
                    Taken::Over => return None,
                }
            }
            let recovered = self.log.writer().map_err(|error| reason(&error)).and_then(|mut journal| {
                let recovered = recover(journal.as_mut(), &self.load)?;
                Ok((recovered, journal))
            });
            match recovered {
                Ok((Recovered { ledger, term, .. }, journal)) => {
                    let mut core = Core::begin(ledger, term, self.clock.now());
                    // The first block of the new term is the probe: it goes through, or all this happens again.
                    let (block, waiting) = (core.take_block(), Vec::new());
                    let first = Sealed { era: self.era, journal: Some(journal), block, waiting };
                    return self.sealed.send(first).is_ok().then_some(core);
                }
                Err(why) => self.shared.tell(&why),
            }
        }
    }
}

/// In the log, once for each change.
fn told(says: ClockSays) {
    match says {
        ClockSays::Right => tracing::info!("the clock and the ledger agree"),
        ClockSays::Behind { ms } => {
            tracing::warn!(
                behind_ms = ms,
                "the clock is behind the ledger: nothing new is begun until it has settled"
            );
        }
        ClockSays::TooFar { ms } => tracing::error!(
            behind_ms = ms,
            "the clock is too far behind the ledger to be believed: set it right, or raise ledger.clock_back_max_s"
        ),
        ClockSays::PutRight { ms } => {
            metrics::counter!("windfall_clock_put_back_total").increment(1);
            tracing::warn!(
                by_ms = ms,
                "the clock had been ahead and was put right: the ledger follows it back"
            );
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

/// However this thread ends, nobody waits for it in vain: after a panic, or when the committer is gone, the queue is
/// closed and those in it are told.
impl Drop for Decider {
    fn drop(&mut self) {
        if self.shared.queue.close() {
            self.shared.tell("a thread of the ledger has ended: the process has to be started anew");
        }
        while let Taken::Some(jobs) = self.shared.queue.take(BLOCK_MAX, Duration::ZERO) {
            unavailable(jobs);
        }
    }
}

/// Who only wanted to look hears it too, when the look is dropped.
fn unavailable(jobs: Vec<Job>) {
    for job in jobs {
        if let Job::Ask { reply, .. } = job {
            let _ = reply.send(Err(NoAnswer::Unavailable));
        }
    }
}

/// How long it is from one moment to a later one.
fn between(from: Timestamp, to: Timestamp) -> Duration {
    Duration::from_millis(u64::try_from(to.0.saturating_sub(from.0)).unwrap_or(0))
}
