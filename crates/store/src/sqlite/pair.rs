//! The writer and the readers of one file.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::connection::Connection;
use super::log::LogKeeper;
use super::readers::Readers;
use super::writer::Writer;
use crate::failure::{Fault, Result};
use crate::tx::StepFn;

#[derive(Clone, Debug)]
pub struct SqliteSettings {
    pub path: PathBuf,
    /// Read-only connections, and so reads at the same time.
    pub readers: usize,
    /// How long a read may wait for a connection before the answer is `overloaded`.
    pub read_wait_ms: u32,
    /// Steps that may share one commit.
    pub batch_max: usize,
    /// Steps that may wait for the writer; beyond it the answer is `overloaded`.
    pub queue_max: usize,
    /// How long to wait for another process (a backup, a shell) that holds the file.
    pub busy_timeout_ms: u32,
    /// A file in another folder that follows this one.
    pub standby: Option<PathBuf>,
}

impl SqliteSettings {
    /// The usual figures for a file.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            readers: 4,
            read_wait_ms: 5_000,
            batch_max: 256,
            queue_max: 4_096,
            busy_timeout_ms: 5_000,
            standby: None,
        }
    }

    /// For work that nobody waits for: however slow the machine, a step takes its time.
    #[must_use]
    pub fn unhurried(self) -> Self {
        Self { read_wait_ms: 600_000, busy_timeout_ms: 600_000, ..self }
    }
}

/// Fields drop in order: readers let go of the file, the writer finishes, and what is left in the log is moved.
#[derive(Debug)]
pub(crate) struct Sqlite {
    readers: Readers,
    writer: Arc<Writer>,
    log: Arc<LogKeeper>,
}

impl Sqlite {
    pub fn open(settings: &SqliteSettings) -> Result<Self, Fault> {
        // The writer first: it makes the file and puts it into WAL mode.
        let connection = Connection::writing(&settings.path, settings.busy_timeout_ms)?;
        let readers: Result<Vec<_>, Fault> = (0..settings.readers.max(1))
            .map(|_| Connection::reading(&settings.path, settings.busy_timeout_ms))
            .collect();
        let turn = Arc::new(Mutex::new(()));
        let (batch_max, queue_max) = (settings.batch_max.max(1), settings.queue_max.max(1));
        let writer = Writer::start(connection, batch_max, queue_max, Arc::clone(&turn))?;
        let log = LogKeeper::start(&settings.path, settings.standby.as_deref(), turn)?;
        let readers = Readers::new(readers?, Duration::from_millis(settings.read_wait_ms.into()));
        Ok(Self { readers, writer: Arc::new(writer), log: Arc::new(log) })
    }

    pub async fn write<I, T>(&self, input: I, step: StepFn<I, T>) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.writer.write(input, step).await
    }

    pub async fn read<I, T>(&self, input: I, step: StepFn<I, T>) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.readers.read(input, step).await
    }

    pub fn trouble(&self) -> Option<String> {
        self.writer.trouble()
    }

    pub fn standby_seq(&self) -> u64 {
        self.log.standby_seq()
    }

    pub async fn close(&self) {
        self.readers.close();
        let (writer, log) = (Arc::clone(&self.writer), Arc::clone(&self.log));
        // Joining a thread blocks; a panic of that thread was reported by its own callers.
        let _ = tokio::task::spawn_blocking(move || {
            writer.close();
            log.close();
        })
        .await;
    }
}
