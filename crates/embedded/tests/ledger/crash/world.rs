//! One run: clients, network, ledger, disk and database, one step at a time, everything from one number.
//!
//! The steps are those of the two threads (decide, seal, commit, tell), taken apart so that a crash fits between any
//! two of them.

use std::collections::VecDeque;

use domain::ledger::wire::decode;
use domain::ledger::{Answer, Command, Event, HoldRefusal, HoldState, Key, Ledger, Limits, Refusal};
use domain::time::{CLOCK_SLACK_MS, Timestamp};
use ledger::core::Core;
use ledger::{Ask, Block};

use super::auditor::Auditor;
use super::clients::{Client, everybody};
use super::database::Database;
use super::disk::Disk;
use super::fault::Fault;
use super::random::Random;
use super::truth::Complaint;

const STEPS: usize = 400;
/// Blocks on their way to the disk, as in the real thing.
const FLIGHT_MAX: usize = 2;
pub(super) const LIMITS: Limits =
    Limits { lines_max: 4, ttl_min_ms: 10, ttl_max_ms: 1_000_000, life_max_ms: 500_000, tombstones_max: 4 };

/// A request on its way.
pub(super) struct Message {
    /// Nobody in particular asks at the end.
    client: Option<usize>,
    ask: Ask,
}

/// An answer that waits for its block.
pub(super) type Waiting = (Option<usize>, Command, Answer);

pub(super) struct Sealed {
    pub block: Option<Block>,
    pub waiting: Vec<Waiting>,
}

/// What a run went through.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub events: u64,
    pub told: u64,
    pub crashes: u64,
    pub failures: u64,
    pub look_ups: u64,
    pub fenced: u64,
}

impl Counts {
    pub fn add(&mut self, other: Self) {
        self.events += other.events;
        self.told += other.told;
        self.crashes += other.crashes;
        self.failures += other.failures;
        self.look_ups += other.look_ups;
        self.fenced += other.fenced;
    }
}

pub struct World {
    pub(super) random: Random,
    pub(super) fault: Option<Fault>,
    pub(super) clock: Timestamp,
    pub(super) network: Vec<Message>,
    pub(super) clients: Vec<Client>,
    pub(super) disk: Disk,
    pub(super) database: Database,
    /// Everything in the log, as this life read it and added to it.
    pub(super) journal: Vec<Event>,
    pub(super) core: Core,
    pub(super) flight: VecDeque<Sealed>,
    pub(super) waiting: Vec<Waiting>,
    /// What the projection may read: synced by this life.
    pub(super) synced: u64,
    /// Blocks of a writer that was replaced while it slept.
    pub(super) asleep: VecDeque<Sealed>,
    /// For the fault that remembers what must not be remembered.
    pub(super) refusals: Vec<(Command, Answer)>,
    pub(super) auditor: Auditor,
    /// What was told last.
    pub(super) last: Option<Answer>,
    /// No more faults.
    pub(super) calm: bool,
    pub(super) trace: bool,
    pub(super) counts: Counts,
}

impl World {
    pub fn new(seed: u64, fault: Option<Fault>, trace: bool) -> Self {
        let mut random = Random::new(seed);
        let clients = everybody(&mut random);
        let mut disk = Disk::default();
        let core = Core::begin(Ledger::new(LIMITS), disk.claim(), Timestamp(1_000));
        Self {
            random,
            fault,
            clock: Timestamp(1_000),
            network: Vec::new(),
            clients,
            disk,
            database: Database::new(LIMITS),
            journal: Vec::new(),
            core,
            flight: VecDeque::new(),
            waiting: Vec::new(),
            synced: 0,
            asleep: VecDeque::new(),
            refusals: Vec::new(),
            auditor: Auditor::default(),
            last: None,
            calm: false,
            trace,
            counts: Counts::default(),
        }
    }

    pub fn run(mut self) -> Result<Counts, Complaint> {
        for _ in 0..STEPS {
            self.step()?;
        }
        self.end()?;
        self.counts.events = self.journal.len() as u64;
        self.counts.told = self.auditor.told;
        Ok(self.counts)
    }

    fn step(&mut self) -> Result<(), Complaint> {
        match self.random.weighted(&[28, 26, 12, 14, 4, 5, 4, 4, 2, 3]) {
            0 => self.send(),
            1 => self.deliver()?,
            2 => self.seal(),
            3 => self.commit()?,
            4 => {
                self.core.expire(self.clock);
            }
            5 => self.project()?,
            6 => self.forget(),
            7 => self.move_clock(),
            8 => self.crash()?,
            _ => self.wake()?,
        }
        Ok(())
    }

    pub(super) fn send(&mut self) {
        let at = self.random.below(self.clients.len());
        for command in self.clients[at].turn(&mut self.random) {
            self.ask(Some(at), command);
        }
    }

    /// Puts a request on the wire.
    pub(super) fn ask(&mut self, client: Option<usize>, command: Command) {
        self.auditor.asked(&command);
        self.network.push(Message { client, ask: command.into() });
    }

    /// Any message may be next; mostly it is the oldest.
    pub(super) fn deliver(&mut self) -> Result<(), Complaint> {
        if self.network.is_empty() {
            return Ok(());
        }
        let at = if self.random.percent(70) { 0 } else { self.random.below(self.network.len()) };
        let message = self.network.remove(at);
        self.decide(message)
    }

    fn decide(&mut self, mut message: Message) -> Result<(), Complaint> {
        let original = message.ask.command.clone();
        if self.fault == Some(Fault::DuplicatesNotRecognised)
            && let Command::Reserve { key, .. } = &mut message.ask.command
        {
            *key = Key(u128::from(self.random.next()) << 64);
        }
        if self.fault == Some(Fault::RefusalsRemembered)
            && let Some((_, before)) = self.refusals.iter().find(|(command, _)| *command == original)
        {
            let before = before.clone();
            return self.tell((message.client, original, before));
        }
        let answer = match (self.fault, message.ask.command.hold()) {
            (Some(Fault::ExpiryNotWritten), Some(hold)) if self.is_over(hold) => {
                Answer::Refused(Refusal::Hold(HoldRefusal::Expired))
            }
            _ => self.core.decide(self.clock, &message.ask),
        };
        self.say(|| format!("decide {original:?} -> {answer:?}"));
        if answer == Answer::LookUp {
            return self.look_up(message);
        }
        if matches!(answer, Answer::Refused(_)) && matches!(original, Command::Reserve { .. }) {
            self.refusals.push((original.clone(), answer.clone()));
        }
        let early = match self.fault {
            Some(Fault::AnswersBeforeCommit) => true,
            Some(Fault::RepetitionsBeforeCommit) => matches!(answer, Answer::Replayed(_)),
            Some(Fault::OutcomesBeforeCommit) => {
                matches!(&answer, Answer::Refused(refusal) if refusal.tells_of_an_outcome())
            }
            Some(Fault::ClaimWithoutFence) => {
                matches!(&answer, Answer::Refused(refusal) if !refusal.tells_of_an_outcome())
            }
            _ => false,
        };
        if early || self.core.leaves_at_once(&answer) {
            self.tell((message.client, original, answer))
        } else {
            self.waiting.push((message.client, original, answer));
            Ok(())
        }
    }

    /// On the caller's side: the database is asked, and what it never heard of comes again.
    pub(super) fn look_up(&mut self, mut message: Message) -> Result<(), Complaint> {
        self.counts.look_ups += 1;
        if self.fault == Some(Fault::LookUpsSkipped) {
            message.ask.absent_at = Some(u64::MAX);
            return self.decide(message);
        }
        match self.database.look_up(&message.ask.command) {
            Some(Answer::Accepted { event, .. }) => Err(format!("left memory unfinished: {event:?}")),
            Some(answer) => self.tell((message.client, message.ask.command, answer)),
            None => {
                let wrong = self.fault == Some(Fault::ForgottenBeforeProjected);
                let position = if wrong { self.core.durable() } else { self.database.position() };
                message.ask.absent_at = Some(position);
                self.network.push(message);
                Ok(())
            }
        }
    }

    pub(super) fn tell(&mut self, (client, command, answer): Waiting) -> Result<(), Complaint> {
        self.auditor.told(&command, &answer)?;
        self.last = Some(answer.clone());
        if let Some(client) = client {
            // An answer may get lost on its way; then it was as good as not given.
            if self.calm || !self.random.percent(10) {
                self.clients[client].heard(&command, &answer, &mut self.random);
            }
        }
        Ok(())
    }

    pub(super) fn seal(&mut self) {
        if self.flight.len() >= FLIGHT_MAX {
            return;
        }
        let (block, waiting) = (self.core.take_block(), std::mem::take(&mut self.waiting));
        if block.is_some() || !waiting.is_empty() {
            self.flight.push_back(Sealed { block, waiting });
        }
    }

    pub(super) fn commit(&mut self) -> Result<(), Complaint> {
        let Some(Sealed { block, waiting }) = self.flight.pop_front() else { return Ok(()) };
        if let Some(block) = block {
            let fate = self.fate();
            let before = self.disk.len();
            if let Err(why) = self.disk.append(&block, fate, &mut self.random) {
                self.counts.failures += 1;
                self.say(|| format!("commit of {}..{} failed: {why:?}", block.first_seq, block.last_seq));
                return self.start_over();
            }
            if self.fault == Some(Fault::SyncSkipped) {
                self.disk.unsync(before);
            }
            self.say(|| format!("committed {}..{}", block.first_seq, block.last_seq));
            self.journal.extend(decode(&block.bytes).unwrap());
            self.core.committed(block.last_seq);
            self.synced = block.last_seq;
            if !self.calm && self.random.percent(4) {
                return self.crash();
            }
        }
        for waiting in waiting {
            self.tell(waiting)?;
        }
        Ok(())
    }

    pub(super) fn project(&mut self) -> Result<(), Complaint> {
        let to = if self.calm { usize::MAX } else { self.random.below(12) };
        for _ in 0..to {
            let position = self.database.position();
            if position >= self.synced {
                return Ok(());
            }
            let event = &self.journal[usize::try_from(position).unwrap()];
            if event.seq != position + 1 {
                return Err(format!("the journal has {event:?} after {position}"));
            }
            self.database.project(event);
        }
        Ok(())
    }

    fn forget(&mut self) {
        let limit = self.random.pick(&[1, 3, usize::MAX]);
        let position = match self.fault {
            Some(Fault::ForgottenBeforeProjected) => self.core.durable(),
            _ => self.database.position().min(self.core.durable()),
        };
        self.core.projected(position, limit);
    }

    /// For the fault that tells of an end without writing it down.
    fn is_over(&self, hold: Key) -> bool {
        let now = self.core.ledger().now().max(self.clock);
        self.core.ledger().hold(hold).is_some_and(|view| view.state == HoldState::Held && now >= view.due)
    }

    fn move_clock(&mut self) {
        // A clock that was far ahead and is put right; sometimes it is believed.
        if self.core.ledger().now() > self.clock + CLOCK_SLACK_MS && self.random.percent(30) {
            self.core.put_back(self.clock);
            self.say(|| "the clock was put right".to_owned());
            return;
        }
        let ms = match self.random.below(10) {
            0 => self.random.between(-20_000, 0),
            1 => self.random.between(1_000, 20_000),
            _ => self.random.between(0, 120),
        };
        self.clock = self.clock + ms;
        self.say(|| format!("the clock moves by {ms}"));
    }

    pub(super) fn say(&self, what: impl FnOnce() -> String) {
        if self.trace {
            println!("{}", what());
        }
    }
}
