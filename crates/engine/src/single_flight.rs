//! Of those who look for the same thing at once, one looks and the others wait for it; who looks for something else does not.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OwnedMutexGuard;

/// The things that are being looked for.
#[derive(Debug)]
pub(crate) struct SingleFlight<K: Eq + Hash>(Mutex<HashMap<K, Arc<tokio::sync::Mutex<()>>>>);

/// The turn to look for one thing.
#[derive(Debug)]
pub(crate) struct Turn<'a, K: Copy + Eq + Hash> {
    flights: &'a SingleFlight<K>,
    key: K,
    /// Given up before the others are counted.
    turn: Option<OwnedMutexGuard<()>>,
}

impl<K: Eq + Hash> Default for SingleFlight<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Copy + Eq + Hash> SingleFlight<K> {
    /// Waits for whoever looks for the same.
    pub async fn turn(&self, key: K) -> Turn<'_, K> {
        let lock = {
            let mut flights = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(flights.entry(key).or_default())
        };
        // Made first, so that whoever stops waiting leaves nothing behind.
        let mut turn = Turn { flights: self, key, turn: None };
        turn.turn = Some(lock.lock_owned().await);
        turn
    }
}

impl<K: Copy + Eq + Hash> Drop for Turn<'_, K> {
    fn drop(&mut self) {
        self.turn = None;
        let mut flights = self.flights.0.lock().unwrap_or_else(PoisonError::into_inner);
        // One is in the map; every other belongs to somebody who waits or looks.
        if flights.get(&self.key).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            flights.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn the_same_is_waited_for_and_something_else_is_not() {
        let flights = SingleFlight::<u32>::default();
        let first = flights.turn(7).await;
        assert!(flights.turn(7).now_or_never().is_none(), "somebody looks for it");
        assert!(flights.turn(8).now_or_never().is_some());
        drop(first);
        assert!(flights.turn(7).now_or_never().is_some());
        assert!(flights.0.lock().unwrap().is_empty(), "nothing is left behind");
    }
}
