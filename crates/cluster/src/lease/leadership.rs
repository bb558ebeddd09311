//! What a node knows of its own lead of a shard: shared by the thread that renews it and those that decide and tell.

use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::time::Timestamp;
use ledger::Clock;

use super::lease_clock::LeaseClock;
use super::server_time::{ServerTime, TimeOff};
use super::tenure::Tenure;
use super::terms::LeaseTerms;

#[derive(Debug)]
pub struct Leadership {
    clock: LeaseClock,
    terms: LeaseTerms,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    tenure: Tenure,
    time: ServerTime,
    /// Once it is over it does not come back.
    over: bool,
}

impl Leadership {
    /// Of a candidate that does not lead yet.
    pub fn new(terms: LeaseTerms) -> Self {
        Self { clock: LeaseClock::default(), terms, state: Mutex::default() }
    }

    pub fn terms(&self) -> LeaseTerms {
        self.terms
    }

    /// Own time, for the moments that [`Self::renew`] is told.
    pub fn own_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    /// Whether this node leads, at this moment. A lead that was given up or lost does not come back.
    pub fn is_held(&self) -> bool {
        let now = self.clock.now_ms();
        let state = self.lock();
        !state.over && state.tenure.holds(now)
    }

    /// A claim or renewal that was sent at this moment has been acknowledged, with the server's time. If that time cannot
    /// be, nothing is renewed and the lead is over: a person has to look at the clocks.
    pub fn renew(&self, sent_ms: u64, server_ms: i64) -> Result<(), TimeOff> {
        let heard_ms = self.clock.now_ms();
        let mut state = self.lock();
        let adopted = state.time.adopt(server_ms, sent_ms, heard_ms);
        match adopted {
            Ok(()) => state.tenure.renew(sent_ms, self.terms),
            Err(_) => state.over = true,
        }
        adopted
    }

    /// Whether this lead can never be held again.
    pub fn is_over(&self) -> bool {
        self.lock().over
    }

    /// Given up, or taken over by another.
    pub fn end(&self) {
        self.lock().over = true;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The time of the log's server. Before the first renewal nothing is decided, so nobody asks.
impl Clock for Leadership {
    fn now(&self) -> Timestamp {
        let own = self.clock.now_ms();
        Timestamp(self.lock().time.now(own).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_begins_with_a_renewal_and_never_comes_back() {
        let terms = LeaseTerms { lease_ms: 3_600_000, margin_ms: 10, renew_ms: 20 };
        let lead = Leadership::new(terms);
        assert!(!lead.is_held());
        assert_eq!(lead.now(), Timestamp(0));
        lead.renew(lead.own_ms(), 1_700_000_000_000).unwrap();
        assert!(lead.is_held());
        assert!(lead.now() >= Timestamp(1_700_000_000_000));
        lead.end();
        lead.renew(lead.own_ms(), 1_700_000_000_001).unwrap();
        assert!(!lead.is_held());
    }

    #[test]
    fn a_server_whose_time_jumped_ends_the_lead() {
        let terms = LeaseTerms { lease_ms: 3_600_000, margin_ms: 10, renew_ms: 20 };
        let lead = Leadership::new(terms);
        lead.renew(lead.own_ms(), 1_700_000_000_000).unwrap();
        lead.renew(lead.own_ms(), 1_700_003_600_000).unwrap_err();
        assert!(!lead.is_held());
        assert!(lead.now() < Timestamp(1_700_003_600_000), "not adopted");
    }
}
