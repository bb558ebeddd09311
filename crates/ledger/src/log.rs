//! The log under a ledger: blocks of events, durable and in order. SQLite's file in one process, a table of PostgreSQL in a
//! cluster.
//!
//! A log is shared; what writes and what reads it are connections of their own, opened anew after a failure, because what
//! a connection thinks after one is nothing to build on.

use std::error::Error;
use std::fmt;

use domain::ledger::{BlockDigest, Event, Ledger};

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

    /// Whether this process may still tell anything of what the log holds. Asked after deciding and before telling: a
    /// leader whose lease is over may have a successor that decides otherwise. A log of one process has no lease.
    fn is_led(&self) -> bool {
        true
    }
}

/// What a claim gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogClaim {
    /// Later than any term before; what this writer appends is of this term.
    pub term: u32,
    /// Where the log ended, if it ended before the rows and goes on behind them.
    pub ended_at: Option<u64>,
}

pub trait LogReader: Send {
    /// The term of the last writer, and the number of the last durable event.
    fn head(&self) -> Result<(u32, u64), LogError>;

    /// Events after `position`, up to about `limit` of them (whole blocks).
    fn read_after(&self, position: u64, limit: usize) -> Result<Vec<Event>, LogError>;

    /// The digest of the block that holds an event, if the log chains its blocks and still has it.
    fn digest_at(&self, _seq: u64) -> Result<Option<BlockDigest>, LogError> {
        Ok(None)
    }
}

pub trait LogWriter: LogReader {
    /// Claims the log for a ledger whose rows have everything up to `seq`, the last of it decided in `term`. From now on
    /// no writer that claimed before can append. Whether a log that ends before `seq` goes on from there is up to the log.
    fn claim(&mut self, term: u32, seq: u64) -> Result<LogClaim, LogError>;

    /// Makes blocks durable with one sync, all of them or none. On return they survive anything short of losing the disk.
    /// Their term is the one this writer claimed.
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
    /// The log is behind a position that was kept elsewhere, or has something else there: it lost commits that were
    /// acknowledged. A person has to decide.
    #[error("{keeper} has event {seq} of term {term}, and the journal does not have it")]
    Rewound { keeper: &'static str, seq: u64, term: u32 },
    /// What is in it may hold events that this program does not know.
    #[error("the journal is written in format {format}; this program knows formats up to {known}")]
    Format { format: u32, known: u32 },
    #[error("the journal has events from {first} on, but {wanted} is needed: it was cut too early")]
    Gap { wanted: u64, first: u64 },
    #[error("the journal")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}

/// Why, on one line; what a person has to do something about begins with its code.
pub fn reason(error: &LogError) -> String {
    match error {
        LogError::Full(_) => format!("disk_full: {error}"),
        LogError::Rewound { .. } => format!("journal_rewound: {error}"),
        LogError::Format { .. } => format!("journal_format: {error}"),
        LogError::Block { .. } | LogError::Fenced { .. } | LogError::Gap { .. } | LogError::Failed(_) => {
            story(error)
        }
    }
}

/// An error with its causes, on one line.
pub fn story(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
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
