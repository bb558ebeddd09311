//! A journal of its own in a temporary folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::ports::Clock;
use rusqlite::Connection;
use windfall_embedded::SystemClock;
use windfall_embedded::journal::SqliteLog;

pub struct Place {
    _folder: tempfile::TempDir,
    pub path: PathBuf,
}

impl Place {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        Self { _folder: folder, path }
    }

    pub fn log(&self) -> Arc<dyn ledger::Log> {
        Arc::new(SqliteLog::at(&self.path))
    }

    /// From now on a commit is under way for as long as the test wants it to be.
    pub fn stall(&self) -> StalledLog {
        StalledLog::new(&self.path)
    }

    /// The lengths of the blocks after a position, in events.
    pub fn block_lengths_after(&self, position: u64) -> Vec<i64> {
        let journal = Connection::open(&self.path).unwrap();
        let text = "SELECT last_seq - first_seq + 1 FROM segment_1 WHERE first_seq > ?1 ORDER BY first_seq";
        let mut query = journal.prepare(text).unwrap();
        let rows = query.query_map([i64::try_from(position).unwrap()], |row| row.get(0)).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    }
}

/// Holds the journal's write lock until it is dropped.
pub struct StalledLog(Connection);

impl StalledLog {
    fn new(path: &Path) -> Self {
        let connection = Connection::open(path).unwrap();
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        Self(connection)
    }
}

impl Drop for StalledLog {
    fn drop(&mut self) {
        self.0.execute_batch("ROLLBACK").unwrap();
    }
}

pub fn machine_clock() -> Arc<dyn Clock> {
    Arc::new(SystemClock::default())
}
