//! Where the ledger's threads meet: the locks, channels, atomics and waits of the queue, the writer, the decider and the
//! committer all come from here, and nothing else in those files blocks or shares.
//!
//! `crates/schedules` compiles the same four files against a file with the same names, in which every meeting is a
//! point where the scheduler under test may switch, and in which waits end early by its choice. What is not meant to be
//! explored (reference counts, the replies' channels) is used directly.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

pub use std::sync::atomic::{AtomicU32, AtomicU64};
pub use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
pub use std::sync::{Condvar, Mutex, MutexGuard};
pub use std::thread::{Builder, JoinHandle};

/// Waits while `idle` says so, at most `patience`.
pub fn wait<'a, T>(
    condvar: &Condvar,
    guard: MutexGuard<'a, T>,
    patience: Duration,
    idle: impl FnMut(&mut T) -> bool,
) -> MutexGuard<'a, T> {
    condvar.wait_timeout_while(guard, patience, idle).unwrap_or_else(PoisonError::into_inner).0
}

/// The same where nothing but time and an exception ends the wait.
pub fn pause<'a, T>(
    condvar: &Condvar,
    guard: MutexGuard<'a, T>,
    pause: Duration,
    idle: impl FnMut(&mut T) -> bool,
) -> MutexGuard<'a, T> {
    wait(condvar, guard, pause, idle)
}

/// A moment after which something is tried again.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Instant);

impl Deadline {
    pub fn after(pause: Duration) -> Self {
        Self(Instant::now() + pause)
    }

    /// Nothing once it has passed.
    pub fn left(self) -> Option<Duration> {
        self.0.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
    }
}
