//! The threads of a lease: one renews it while its node leads, the other waits until it may be claimed.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use ledger::LogError;

use crate::lease::{LapseWatch, LeaderLook, LeaseClock, LeaseTerms};
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
    /// Of a log that is claimed, or will be: it may be started before, so that a long start does not outlast the lease.
    /// When the lead is over, `over` is told why, once.
    pub fn start(log: Arc<PostgresLog>, over: impl FnOnce(String) + Send + 'static) -> std::io::Result<Self> {
        let stop = Arc::new(StopSignal::default());
        let signal = Arc::clone(&stop);
        let keep = move || {
            let Some(lead) = log.lead().cloned() else { return };
            let pause = Duration::from_millis(lead.terms().renew_ms);
            while !signal.wait(pause) {
                if !log.has_claimed() {
                    continue;
                }
                match log.renew() {
                    Ok(()) => {}
                    Err(LogError::Fenced { term, .. }) => {
                        tracing::error!(term, "another node leads the shard: this one tells nothing more");
                        return over(format!("another node leads the shard since term {term}"));
                    }
                    Err(error) if lead.is_over() => {
                        let why = ledger::log::story(&error);
                        tracing::error!(why, "the lead is over");
                        return over(why);
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
/// be claimed; nothing when it was stopped. `log` is only looked at; each look is told, or why there was none.
pub fn wait_for_lapse(
    log: &PostgresLog,
    terms: LeaseTerms,
    stop: &StopSignal,
    mut tell: impl FnMut(Result<LeaderLook, String>),
) -> Option<Candidacy> {
    let (clock, mut watch) = (LeaseClock::default(), LapseWatch::default());
    loop {
        match log.look() {
            Ok(seen) => {
                let lease = seen.lease;
                tell(Ok(seen));
                if watch.look(lease, clock.now_ms(), terms) {
                    return Some(Candidacy::Lapsed { term: lease.term, lease: lease.counter });
                }
            }
            Err(error) => {
                let why = ledger::log::story(&error);
                tracing::warn!(why, "the shard's leader cannot be looked at");
                tell(Err(why));
            }
        }
        if stop.wait(Duration::from_millis(terms.renew_ms)) {
            return None;
        }
    }
}
