//! A log in memory: commits take their time, and fail by the schedule's choice, with
//! the block there or not. What is there and was not synced counts only when a later commit has synced it.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard};

use domain::ledger::wire::decode;
use domain::ledger::{Answer, Command, Event, Ledger, Limits};
use domain::time::Timestamp;
use ledger::Block;
use ledger::log::{Log, LogClaim, LogError, LogReader, LogWriter};
use shuttle::rand::Rng;
use shuttle::thread::yield_now;

thread_local! {
    // A schedule's threads all run on the one real thread that runs the schedule; each run has one disk.
    static DISK: RefCell<Option<Arc<Disk>>> = const { RefCell::new(None) };
}

/// What the journal lies on. Its lock is an ordinary one, never held while the schedule may switch.
#[derive(Debug, Default)]
pub struct Disk(Mutex<Platter>);

#[derive(Debug, Default)]
struct Platter {
    blocks: Vec<Block>,
    term: u32,
    last_seq: u64,
    /// So many blocks are synced.
    synced: usize,
    /// Commits that may still fail.
    failures_left: usize,
    /// No more commits are expected.
    closed: bool,
    late: usize,
    /// Somebody else may lead by now.
    lease_over: bool,
}

impl Disk {
    /// The disk of this run.
    pub fn insert() -> Arc<Self> {
        let disk = Arc::new(Self::default());
        DISK.set(Some(Arc::clone(&disk)));
        disk
    }

    /// From now on so many commits fail, at moments of the schedule's choice.
    pub fn fail(&self, times: usize) {
        self.platter().failures_left = times;
    }

    /// From now on a commit is one too many.
    pub fn close(&self) {
        self.platter().closed = true;
    }

    /// From now on nothing may be told.
    pub fn end_lease(&self) {
        self.platter().lease_over = true;
    }

    pub fn is_led(&self) -> bool {
        !self.platter().lease_over
    }

    pub fn commits_after_close(&self) -> usize {
        self.platter().late
    }

    /// The ledger as a restart after a loss of power would find it.
    pub fn synced(&self) -> Ledger {
        let platter = self.platter();
        let mut ledger = Ledger::new(Limits::default());
        fold(&platter.blocks[..platter.synced], &mut ledger);
        ledger
    }

    /// Whether that ledger would know the command again.
    pub fn has(&self, command: &Command) -> bool {
        match self.synced().apply(Timestamp(1), command) {
            Answer::Replayed(_) => true,
            Answer::Refused(refusal) => refusal.tells_of_an_outcome(),
            Answer::Accepted { .. } | Answer::LookUp => false,
        }
    }

    fn platter(&self) -> MutexGuard<'_, Platter> {
        self.0.lock().unwrap()
    }
}

/// The log on the disk of this run.
#[derive(Debug)]
pub struct MemoryLog;

impl Log for MemoryLog {
    fn writer(&self) -> Result<Box<dyn LogWriter>, LogError> {
        yield_now();
        let disk = DISK.with_borrow(Option::clone).ok_or_else(failure)?;
        Ok(Box::new(Connection(disk)))
    }

    fn reader(&self) -> Result<Box<dyn LogReader>, LogError> {
        Ok(self.writer()?)
    }

    fn is_led(&self) -> bool {
        yield_now();
        DISK.with_borrow(Option::clone).is_some_and(|disk| disk.is_led())
    }
}

#[derive(Debug)]
struct Connection(Arc<Disk>);

impl LogReader for Connection {
    fn head(&self) -> Result<(u32, u64), LogError> {
        let platter = self.0.platter();
        Ok((platter.term, platter.last_seq))
    }

    fn read_after(&self, position: u64, _limit: usize) -> Result<Vec<Event>, LogError> {
        yield_now();
        let platter = self.0.platter();
        let events = platter.blocks.iter().flat_map(|block| decode(&block.bytes).unwrap());
        Ok(events.filter(|event| event.seq > position).collect())
    }
}

impl LogWriter for Connection {
    /// Nothing is ever projected here, so no database is ahead.
    fn claim(&mut self, _: u32, _: u64) -> Result<LogClaim, LogError> {
        yield_now();
        let mut platter = self.0.platter();
        platter.term += 1;
        Ok(LogClaim { term: platter.term, ended_at: None })
    }

    fn append(&mut self, blocks: &[&Block]) -> Result<(), LogError> {
        yield_now();
        let fate = shuttle::rand::thread_rng().gen_range(0..4);
        let done = self.0.platter().append(blocks, fate);
        // It may be there while nobody knows yet.
        yield_now();
        done
    }

    fn drop_through(&mut self, _position: u64) -> Result<u32, LogError> {
        Ok(0)
    }
}

fn failure() -> LogError {
    LogError::Failed("the disk failed".into())
}

impl Platter {
    fn append(&mut self, blocks: &[&Block], fate: u32) -> Result<(), LogError> {
        self.late += usize::from(self.closed);
        let mut last_seq = self.last_seq;
        for block in blocks {
            if block.first_seq != last_seq + 1 || block.term != self.term {
                return Err(failure());
            }
            last_seq = block.last_seq;
        }
        let fails = fate < 2 && self.failures_left > 0;
        self.failures_left -= usize::from(fails);
        if fails && fate == 0 {
            return Err(failure());
        }
        self.last_seq = last_seq;
        self.blocks.extend(blocks.iter().copied().cloned());
        if fails {
            return Err(failure());
        }
        self.synced = self.blocks.len();
        Ok(())
    }
}

fn fold(blocks: &[Block], ledger: &mut Ledger) {
    for event in blocks.iter().flat_map(|block| decode(&block.bytes).unwrap()) {
        if event.seq > ledger.seq() {
            ledger.fold(&event);
        }
    }
}
