//! The threads of a lease: one renews it while its node leads, the other waits until it may be claimed.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use ledger::LogError;

use crate::lease::{LapseWatch, LeaseClock, LeaseTerms};
use crate::log::{Candidacy, PostgresLog};

/// Renews a lease until it is stopped, or until the lead is over. Dropping it stops it; the lease then lapses by itself.
#[derive(Debug)]
pub struct LeaseKeeper {
    stop: Arc<StopSignal>,
    thread: Option<JoinHandle<()>>,
}

/// Ends a wait early.
#[derive(Debug, Default)]
pub struct StopSignal {
    stopped: Mutex<bool>,
    changed: Condvar,
}

impl StopSignal {
    pub fn stop(&self) {
        *self.stopped.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    /// Waits so long at most; answers whether it was stopped.
    pub fn wait(&self, pause: Duration) -> bool {
        let stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(stopped, pause, |stopped| !*stopped);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

impl LeaseKeeper {
    /// Of a log that was claimed.
    pub fn start(log: Arc<PostgresLog>) -> std::io::Result<Self> {
        let stop = Arc::new(StopSignal::default());
        let signal = Arc::clone(&stop);
        let keep = move || {
            let Some(lead) = log.lead().cloned() else { return };
            let pause = Duration::from_millis(lead.terms().renew_ms);
            while !signal.wait(pause) {
                match log.renew() {
                    Ok(()) => {}
                    Err(LogError::Fenced { term, .. }) => {
                        tracing::error!(term, "another node leads the shard: this one tells nothing more");
                        return;
                    }
                    Err(error) if lead.is_over() => {
                        tracing::error!(why = ledger::log::story(&error), "the lead is over");
                        return;
                    }
                    // The next one may come through while the lease lasts.
                    Err(error) => {
                        tracing::warn!(why = ledger::log::story(&error), "a lease was not renewed");
                    }
                }
            }
        };
        let thread = Builder::new().name("ledger-lease".to_owned()).spawn(keep)?;
        Ok(Self { stop, thread: Some(thread) })
    }
}

impl Drop for LeaseKeeper {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread of a lease ended in a panic");
        }
    }
}

/// Looks at a shard until its leader was not heard of for a lease and a margin, or gave it up. Answers on what grounds it may
/// be claimed; nothing when it was stopped. `log` is only looked at.
pub fn wait_for_lapse(log: &PostgresLog, terms: LeaseTerms, stop: &StopSignal) -> Option<Candidacy> {
    let (clock, mut watch) = (LeaseClock::default(), LapseWatch::default());
    loop {
        match log.look() {
            Ok(seen) => {
                if watch.look(seen, clock.now_ms(), terms) {
                    return Some(Candidacy::Lapsed { term: seen.term, lease: seen.counter });
                }
            }
            Err(error) => {
                tracing::warn!(why = ledger::log::story(&error), "the shard's leader cannot be looked at");
            }
        }
        if stop.wait(Duration::from_millis(terms.renew_ms)) {
            return None;
        }
    }
}
