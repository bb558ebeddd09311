//! The names of the ledger's `sync.rs`, schedulable: the scheduler under test decides at each of them who goes on, and
//! whether time passes.

use std::cell::Cell;
use std::time::Duration;

use shuttle::rand::Rng;

pub use shuttle::sync::atomic::{AtomicU32, AtomicU64};
pub use shuttle::sync::mpsc::{Receiver, SyncSender, sync_channel};
pub use shuttle::sync::{Condvar, Mutex, MutexGuard};
pub use shuttle::thread::{Builder, JoinHandle};

/// So long nobody waits: the end of such a wait has to be somebody else's doing.
pub const FOREVER: Duration = Duration::from_secs(3_600);

thread_local! {
    // A schedule's threads all run on the one real thread that runs the schedule.
    static STANDS_STILL: Cell<bool> = const { Cell::new(false) };
}

/// Whether waits end by themselves in this scenario. Where they do not, a wakeup that is lost shows as a deadlock.
pub fn time_stands_still(still: bool) {
    STANDS_STILL.set(still);
}

pub fn wait<'a, T>(
    condvar: &Condvar,
    mut guard: MutexGuard<'a, T>,
    patience: Duration,
    mut idle: impl FnMut(&mut T) -> bool,
) -> MutexGuard<'a, T> {
    while idle(&mut guard) {
        let over = patience.is_zero() || (patience < FOREVER && !STANDS_STILL.get() && toss());
        if over {
            return guard;
        }
        guard = condvar.wait(guard).unwrap();
    }
    guard
}

/// A pause may have any length, since others may do any number of steps meanwhile: here it is over at once.
pub fn pause<'a, T>(
    condvar: &Condvar,
    guard: MutexGuard<'a, T>,
    pause: Duration,
    idle: impl FnMut(&mut T) -> bool,
) -> MutexGuard<'a, T> {
    if pause < FOREVER { guard } else { wait(condvar, guard, pause, idle) }
}

#[derive(Clone, Copy, Debug)]
pub struct Deadline;

impl Deadline {
    pub fn after(_pause: Duration) -> Self {
        Self
    }

    /// Passes by the schedule's choice. Where time stands still it has passed: nobody else would end that wait.
    pub fn left(self) -> Option<Duration> {
        (!STANDS_STILL.get() && toss()).then_some(Duration::from_millis(1))
    }
}

/// Yes or no, by the schedule's choice.
pub fn toss() -> bool {
    shuttle::rand::thread_rng().gen_range(0..2) == 0
}
