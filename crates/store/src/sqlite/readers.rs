//! A few read-only connections. A read sees the last commit before it began, and never waits for the
//! writer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::Rejection;
use futures::FutureExt;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::connection::{Connection, lock};
use super::writer::NOT_READY;
use crate::failure::{Fault, Result};
use crate::tx::{StepFn, Tx};

#[derive(Debug)]
pub(super) struct Readers {
    idle: Arc<Idle>,
    /// As many permits as connections: whoever has a permit finds a connection.
    permits: Arc<Semaphore>,
    wait_max: Duration,
}

#[derive(Debug)]
struct Idle(Mutex<Vec<Mutex<Connection>>>);

impl Readers {
    pub fn new(connections: Vec<Connection>, wait_max: Duration) -> Self {
        let permits = Arc::new(Semaphore::new(connections.len()));
        let idle = Arc::new(Idle(Mutex::new(connections.into_iter().map(Mutex::new).collect())));
        Self { idle, permits, wait_max }
    }

    pub async fn read<I, T>(&self, input: I, step: StepFn<I, T>) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
    {
        let permit = timeout(self.wait_max, Arc::clone(&self.permits).acquire_owned())
            .await
            .map_err(|_| Rejection::Overloaded { retry_after_s: 1 })?
            .map_err(|_| Fault::new("the database is closed"))?;
        let idle = Arc::clone(&self.idle);
        let reading = tokio::task::spawn_blocking(move || {
            // Dropped in reverse: the connection is back before its permit.
            let _permit = permit;
            let lent = Lent::take(&idle)?;
            lent.read(&input, step)
        });
        reading.await.map_err(|error| Fault::caused("a reading step panicked", error))?
    }

    /// Refuses new reads and lets go of the file; reads under way close their connection when they end.
    pub fn close(&self) {
        self.permits.close();
        self.idle.lock().clear();
    }
}

impl Idle {
    fn lock(&self) -> MutexGuard<'_, Vec<Mutex<Connection>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that goes back whatever happens, with its transaction ended.
struct Lent<'i> {
    idle: &'i Idle,
    connection: Option<Mutex<Connection>>,
}

impl<'i> Lent<'i> {
    fn take(idle: &'i Idle) -> Result<Self, Fault> {
        let connection = idle.lock().pop().ok_or_else(|| Fault::new("the database is closed"))?;
        Ok(Self { idle, connection: Some(connection) })
    }

    fn read<I, T>(&self, input: &I, step: StepFn<I, T>) -> Result<T> {
        let Some(connection) = &self.connection else {
            return Err(Fault::new("the database is closed").into());
        };
        lock(connection).execute("BEGIN DEFERRED", &[])?;
        step(&Tx::sqlite(connection), input)
            .now_or_never()
            .unwrap_or_else(|| Err(Fault::new(NOT_READY).into()))
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        let mut reader = lock(&connection);
        // Nothing was written, so rolling back is the cheapest way to end the view.
        let ended = !reader.in_transaction() || reader.execute("ROLLBACK", &[]).is_ok();
        drop(reader);
        if ended {
            self.idle.lock().push(connection);
        }
    }
}
