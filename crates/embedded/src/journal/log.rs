//! `journal.db` as the log of a ledger.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use domain::ledger::Event;
use ledger::core::Block;
use ledger::log::{Log, LogClaim, LogError, LogReader, LogWriter};

use super::file::{Checkpointer, Journal, JournalError, JournalReader};

/// Connections are made as they are asked for; the file is made by the first writer.
#[derive(Debug)]
pub struct SqliteLog {
    path: PathBuf,
    checkpointer: Mutex<Option<Checkpointer>>,
}

impl SqliteLog {
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_owned(), checkpointer: Mutex::default() }
    }
}

impl Log for SqliteLog {
    fn writer(&self) -> Result<Box<dyn LogWriter>, LogError> {
        Ok(Box::new(Journal::open(&self.path)?))
    }

    fn reader(&self) -> Result<Box<dyn LogReader>, LogError> {
        Ok(Box::new(JournalReader::open(&self.path)?))
    }

    /// Moves the write-ahead log into the file.
    fn tend(&self) -> Result<(), LogError> {
        let mut checkpointer = self.checkpointer.lock().unwrap_or_else(PoisonError::into_inner);
        let open = match checkpointer.take() {
            Some(open) => open,
            None => Checkpointer::open(&self.path)?,
        };
        open.run()?;
        *checkpointer = Some(open);
        Ok(())
    }
}

impl LogReader for JournalReader {
    fn head(&self) -> Result<(u32, u64), LogError> {
        Ok(Self::head(self)?)
    }

    fn read_after(&self, position: u64, limit: usize) -> Result<Vec<Event>, LogError> {
        Ok(Self::read_after(self, position, limit)?)
    }
}

impl LogReader for Journal {
    fn head(&self) -> Result<(u32, u64), LogError> {
        Ok(Self::head(self)?)
    }

    fn read_after(&self, position: u64, limit: usize) -> Result<Vec<Event>, LogError> {
        Ok(Self::read_after(self, position, limit)?)
    }
}

impl LogWriter for Journal {
    fn claim(&mut self, term: u32, seq: u64) -> Result<LogClaim, LogError> {
        Ok(Self::claim(self, term, seq)?)
    }

    fn append(&mut self, blocks: &[&Block]) -> Result<(), LogError> {
        Ok(self.append_all(blocks.iter().copied())?)
    }

    fn drop_through(&mut self, position: u64) -> Result<u32, LogError> {
        Ok(Self::drop_through(self, position)?)
    }

    fn set_pages_max(&mut self, pages: u32) -> Result<(), LogError> {
        Ok(Self::set_pages_max(self, pages)?)
    }
}

impl From<JournalError> for LogError {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::Block { first_seq, source } => Self::Block { first_seq, source },
            JournalError::Fenced { term, last_seq } => Self::Fenced { term, last_seq },
            JournalError::Gap { wanted, first } => Self::Gap { wanted, first },
            JournalError::Sqlite(error) if is_full(&error) => Self::Full(Box::new(error)),
            JournalError::Sqlite(error) => Self::Failed(Box::new(error)),
        }
    }
}

fn is_full(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull)
}
