//! The log under a ledger: blocks of events, durable and in order. SQLite's file in one process, a table of PostgreSQL in a
//! cluster.
//!
//! A log is shared; what writes and what reads it are connections of their own, opened anew after a failure, because what
//! a connection thinks after one is nothing to build on.

use std::error::Error;
use std::fmt;

use domain::ledger::{Event, Ledger};

use crate::core::Block;

/// Events folded between two reports of how far a replay is.
const REPLAY_STEP: usize = 10_000;

pub trait Log: fmt::Debug + Send + Sync {
    fn writer(&self) -> Result<Box<dyn LogWriter>, LogError>;

    /// Reads beside the writer: neither waits for the other. The log must have been opened by a writer once before.
    fn reader(&self) -> Result<Box<dyn LogReader>, LogError>;

    /// What the log needs now and then, away from the writer.
    fn tend(&self) -> Result<(), LogError> {
        Ok(())
    }
}

pub trait LogReader: Send {
    /// The term of the last writer, and the number of the last durable event.
    fn head(&self) -> Result<(u32, u64), LogError>;

    /// Events after `position`, up to about `limit` of them (whole blocks).
    fn read_after(&self, position: u64, limit: usize) -> Result<Vec<Event>, LogError>;
}

pub trait LogWriter: LogReader {
    /// Claims the log for a ledger whose rows have everything up to `seq`. A log that ends before that goes on from there,
    /// and answers where it ended: what is in it is in the rows too.
    fn claim(&mut self, term: u32, seq: u64) -> Result<Option<u64>, LogError>;

    /// Makes blocks durable with one sync, all of them or none. On return they survive anything short of losing the disk.
    fn append(&mut self, blocks: &[&Block]) -> Result<(), LogError>;

    /// Drops whole segments that lie at or before `position`. Answers how many.
    fn drop_through(&mut self, position: u64) -> Result<u32, LogError>;

    /// How large it may become, in pages of 4 KiB. Logs without such a bound ignore it.
    fn set_pages_max(&mut self, _pages: u32) -> Result<(), LogError> {
        Ok(())
    }
}

/// Why a log did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// Nothing is lost, and there may be room later.
    #[error("the journal has no room")]
    Full(#[source] Box<dyn Error + Send + Sync>),
    #[error("the journal's block at {first_seq} cannot be read")]
    Block {
        first_seq: u64,
        #[source]
        source: domain::ledger::wire::WireError,
    },
    /// Another writer has taken over, or a block does not continue where the last one ended.
    #[error("fenced: the journal is at term {term}, event {last_seq}; this block is not its continuation")]
    Fenced { term: u32, last_seq: u64 },
    #[error("the journal has events from {first} on, but {wanted} is needed: it was cut too early")]
    Gap { wanted: u64, first: u64 },
    #[error("the journal")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}

/// Folds everything after its position into a ledger that was loaded at it.
pub fn replay(
    log: &dyn LogReader,
    ledger: &mut Ledger,
    mut progress: impl FnMut(u64),
) -> Result<(), LogError> {
    loop {
        let events = log.read_after(ledger.seq(), REPLAY_STEP)?;
        if events.is_empty() {
            return Ok(());
        }
        for event in &events {
            ledger.fold(event);
        }
        progress(ledger.seq());
    }
}
