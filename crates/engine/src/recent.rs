//! What was looked up lately, kept for a while: a bounded number of answers, in shards so that nobody waits for another.
//!
//! Deliberately simple: no list of who was used last. A full shard lets go of what is too old, and if that does not help, of
//! everything; what is still needed is looked up once more.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, Instant};

const SHARDS: usize = 64;

#[derive(Debug)]
pub struct Recent<K, V> {
    hasher: RandomState,
    shards: Vec<Shard<K, V>>,
    shard_max: usize,
    keep: Duration,
}

/// Each with the moment it was kept at.
type Shard<K, V> = RwLock<HashMap<K, (Instant, V)>>;

impl<K: Eq + Hash, V: Clone> Recent<K, V> {
    /// Keeps about `max` answers, each for `keep`.
    pub fn new(max: usize, keep: Duration) -> Self {
        let shards = (0..SHARDS).map(|_| RwLock::default()).collect();
        Self { hasher: RandomState::new(), shards, shard_max: max.div_ceil(SHARDS).max(1), keep }
    }

    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let shard = self.shard(key).read().unwrap_or_else(PoisonError::into_inner);
        shard.get(key).filter(|(since, _)| since.elapsed() < self.keep).map(|(_, value)| value.clone())
    }

    pub fn insert(&self, key: K, value: V) {
        let now = Instant::now();
        let mut shard = self.shard(&key).write().unwrap_or_else(PoisonError::into_inner);
        if shard.len() >= self.shard_max && !shard.contains_key(&key) {
            shard.retain(|_, (since, _)| now.saturating_duration_since(*since) < self.keep);
            if shard.len() >= self.shard_max {
                shard.clear();
            }
        }
        shard.insert(key, (now, value));
    }

    pub fn forget(&self, key: &K) {
        self.shard(key).write().unwrap_or_else(PoisonError::into_inner).remove(key);
    }

    /// Forgets everything that fails the test.
    pub fn retain(&self, keep: impl Fn(&V) -> bool) {
        for shard in &self.shards {
            let mut shard = shard.write().unwrap_or_else(PoisonError::into_inner);
            shard.retain(|_, (_, value)| keep(value));
        }
    }

    fn shard<Q: Hash + ?Sized>(&self, key: &Q) -> &Shard<K, V> {
        let at = self.hasher.hash_one(key) % SHARDS as u64;
        &self.shards[usize::try_from(at).unwrap_or(0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3_600);

    #[test]
    fn what_was_kept_is_found_until_it_is_forgotten() {
        let recent = Recent::new(1_000, LONG);
        assert_eq!(recent.get(&7), None);
        recent.insert(7, "seven");
        recent.insert(8, "eight");
        recent.insert(7, "VII");
        assert_eq!((recent.get(&7), recent.get(&8)), (Some("VII"), Some("eight")));
        recent.forget(&7);
        assert_eq!((recent.get(&7), recent.get(&8)), (None, Some("eight")));
        recent.insert(9, "nine");
        recent.retain(|value| *value == "nine");
        assert_eq!((recent.get(&8), recent.get(&9)), (None, Some("nine")));
    }

    #[test]
    fn what_is_too_old_is_not_found() {
        let recent = Recent::new(1_000, Duration::ZERO);
        recent.insert(7, ());
        assert_eq!(recent.get(&7), None);
    }

    #[test]
    fn it_never_holds_more_than_it_may() {
        for keep in [Duration::ZERO, LONG] {
            let recent = Recent::new(640, keep);
            for key in 0..100_000 {
                recent.insert(key, ());
            }
            let held: usize = recent.shards.iter().map(|shard| shard.read().unwrap().len()).sum();
            assert!(held <= 640, "{held}");
        }
    }
}
