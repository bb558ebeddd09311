//! The ledger's driver without threads or IO: takes requests, fills a block, hands out answers once the block is
//! durable.

use domain::ledger::wire::BatchWriter;
use domain::ledger::{Answer, Command, Event, Key, Ledger};
use domain::time::Timestamp;

/// One request: what is asked, and what the database said if this is a second try.
#[derive(Clone, Debug)]
pub struct Ask {
    pub command: Command,
    pub absent_at: Option<u64>,
}

impl From<Command> for Ask {
    fn from(command: Command) -> Self {
        Self { command, absent_at: None }
    }
}

/// Events that are durable together or not at all.
#[derive(Clone, Debug)]
pub struct Block {
    pub term: u32,
    pub first_seq: u64,
    pub last_seq: u64,
    pub at: Timestamp,
    pub bytes: Vec<u8>,
}

/// Expirations carried out between two requests: enough to keep up, few enough to hold nobody up.
const EXPIRE_STEP: usize = 64;

#[derive(Debug)]
pub struct Core {
    ledger: Ledger,
    writer: BatchWriter,
    first_seq: u64,
    /// The event that began this term. Until it is on disk, another writer may still be adding to the journal.
    began: u64,
    /// Everything up to here is on disk.
    durable: u64,
}

impl Core {
    /// A ledger that has folded everything durable; it begins the term that it claimed, which is the first event of its
    /// first block.
    pub fn begin(mut ledger: Ledger, term: u32, clock: Timestamp) -> Self {
        let durable = ledger.seq();
        let began = ledger.begin_claimed_term(term, clock);
        let mut writer = BatchWriter::default();
        writer.push(&began);
        Self { first_seq: began.seq, began: began.seq, ledger, writer, durable }
    }

    /// Fetches what these requests will need from memory; see [`Ledger::look_ahead`].
    pub fn look_ahead<'a>(&self, asks: impl IntoIterator<Item = &'a Ask>) {
        self.ledger.look_ahead(asks.into_iter().map(|ask| &ask.command));
    }

    /// Decides one request. The answer may leave at once if [`Core::leaves_at_once`] says so, else with its block.
    ///
    /// A hold that is over ends before anything is told of it: a "no" for that reason rests on its end, and stays true
    /// whatever the clock says after a restart.
    pub fn decide(&mut self, clock: Timestamp, ask: &Ask) -> Answer {
        if let Some(hold) = ask.command.hold() {
            self.end_due(clock, hold);
        }
        let answer = self.ledger.apply_after_look_up(clock, &ask.command, ask.absent_at);
        if let Answer::Accepted { event, .. } = &answer {
            self.push(event.seq, event);
        }
        answer
    }

    /// Ends a hold whose time is over; answers whether it did.
    pub fn end_due(&mut self, clock: Timestamp, hold: Key) -> bool {
        match self.ledger.end_due(clock, hold) {
            Some(event) => {
                self.push(event.seq, &event);
                true
            }
            None => false,
        }
    }

    /// The clock was ahead and has been put right.
    pub fn put_back(&mut self, clock: Timestamp) {
        let event = self.ledger.put_back(clock);
        self.push(event.seq, &event);
    }

    /// Ends holds that are due, a bounded number; answers how many, so that the caller knows whether to come again.
    pub fn expire(&mut self, clock: Timestamp) -> usize {
        for done in 0..EXPIRE_STEP {
            match self.ledger.apply(clock, &Command::ExpireOne) {
                Answer::Accepted { event, .. } => self.push(event.seq, &event),
                Answer::Replayed(_) | Answer::Refused(_) | Answer::LookUp => return done,
            }
        }
        EXPIRE_STEP
    }

    /// Whether this writer's term is on disk: until it is, another may still be adding to the journal.
    pub fn has_begun(&self) -> bool {
        self.durable >= self.began
    }

    /// Whether an answer rests on nothing that could still be lost. A refusal rests on nothing: it is not remembered,
    /// and the same id may be tried again. A repetition rests on what it repeats, and so does a refusal that tells of
    /// an outcome ("already confirmed"). Before the term is on disk every "no" waits: a writer that is being replaced
    /// may have granted the same id a moment ago.
    pub fn leaves_at_once(&self, answer: &Answer) -> bool {
        match answer {
            Answer::LookUp => true,
            Answer::Refused(refusal) if !refusal.tells_of_an_outcome() => self.has_begun(),
            Answer::Refused(_) | Answer::Replayed(_) => self.all_durable(),
            Answer::Accepted { .. } => false,
        }
    }

    /// The block filled so far, if there is anything in it.
    pub fn take_block(&mut self) -> Option<Block> {
        if self.writer.is_empty() {
            return None;
        }
        let block = Block {
            term: self.ledger.term(),
            first_seq: self.first_seq,
            last_seq: self.ledger.seq(),
            at: self.ledger.now(),
            bytes: self.writer.finish(),
        };
        Some(block)
    }

    /// A block reached the disk.
    pub fn committed(&mut self, last_seq: u64) {
        assert!(last_seq > self.durable, "blocks become durable in order");
        self.durable = last_seq;
    }

    /// The database has everything up to `position`; what finished by then may leave memory, a bounded number at a time.
    pub fn projected(&mut self, position: u64, limit: usize) -> usize {
        assert!(position <= self.durable, "nothing is projected before it is durable");
        self.ledger.forget(position, limit)
    }

    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Whether memory holds nothing that could still be lost.
    pub fn all_durable(&self) -> bool {
        self.durable == self.ledger.seq()
    }

    pub fn durable(&self) -> u64 {
        self.durable
    }

    fn push(&mut self, seq: u64, event: &Event) {
        if self.writer.is_empty() {
            self.first_seq = seq;
        }
        self.writer.push(event);
    }
}
