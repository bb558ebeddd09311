//! The sold-out flags of the sales that people ask for, in this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use domain::ids::ActivityId;
use domain::sale::sold_out::{SoldOutAdvice, SoldOutFlag};
use domain::time::Timestamp;

/// Flags kept at once; beyond it all are let go of. Nobody is told anything wrong by that: an unknown flag asks the ledger.
const FLAGS_MAX: usize = 10_000;

#[derive(Debug, Default)]
pub struct Flags(RwLock<HashMap<ActivityId, Arc<Mutex<SoldOutFlag>>>>);

impl Flags {
    /// To be taken before the ledger is asked.
    pub fn version(&self, sale: ActivityId) -> u64 {
        self.kept(sale).map_or(0, |flag| lock(&flag).version())
    }

    pub fn says(&self, sale: ActivityId, now: Timestamp) -> SoldOutAdvice {
        self.kept(sale).map_or(SoldOutAdvice::Unknown, |flag| lock(&flag).says(now))
    }

    /// Whether [`Flags::says`] would say so, without sending anybody to look.
    pub fn is_gone(&self, sale: ActivityId, now: Timestamp) -> bool {
        self.kept(sale).is_some_and(|flag| lock(&flag).is_gone(now))
    }

    /// So many units were free when the ledger was asked, at that version.
    pub fn seen(&self, sale: ActivityId, version: u64, free: u64, now: Timestamp) {
        match self.kept(sale) {
            Some(flag) => lock(&flag).seen(version, free, now),
            None if free == 0 => lock(&self.make(sale)).seen(version, free, now),
            // There is no flag to be cleared.
            None => {}
        }
    }

    /// Units came back, or new ones came.
    pub fn returned(&self, sale: ActivityId) {
        lock(&self.make(sale)).returned();
    }

    fn kept(&self, sale: ActivityId) -> Option<Arc<Mutex<SoldOutFlag>>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&sale).cloned()
    }

    fn make(&self, sale: ActivityId) -> Arc<Mutex<SoldOutFlag>> {
        let mut flags = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if flags.len() >= FLAGS_MAX && !flags.contains_key(&sale) {
            flags.clear();
        }
        Arc::clone(flags.entry(sale).or_default())
    }
}

fn lock(flag: &Mutex<SoldOutFlag>) -> MutexGuard<'_, SoldOutFlag> {
    flag.lock().unwrap_or_else(PoisonError::into_inner)
}
