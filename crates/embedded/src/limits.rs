//! Limits in memory: one integer per key, in a bounded number of shards.
//!
//! After a restart everybody starts with a full allowance; what must survive a restart (daily caps on
//! codes) is counted in the database instead.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use domain::account::{FailedTries, begin_try};
use domain::limit::{Allowance, Quota, decide, look};
use domain::time::Timestamp;
use engine::Fault;
use engine::ports::RateLimiter;

const SHARDS: usize = 64;
/// Keys one shard may hold; beyond it, keys whose allowance is whole again are dropped.
const SHARD_MAX: usize = 20_000;

/// There are few classes: a short list beats a map, and a key that is known costs no memory to look up.
#[derive(Debug, Default)]
struct Shard {
    classes: Vec<(&'static str, Arrivals)>,
    keys: usize,
}

/// By key, in microseconds.
type Arrivals = HashMap<Box<str>, i64>;

type Tries = HashMap<Box<str>, FailedTries>;

#[derive(Debug)]
pub struct MemoryLimits {
    hasher: RandomState,
    shards: Vec<Mutex<Shard>>,
    /// Wrong tries, by guesser and account.
    tries: Vec<Mutex<Tries>>,
    shard_max: usize,
}

impl Default for MemoryLimits {
    fn default() -> Self {
        Self::with(SHARDS, SHARD_MAX)
    }
}

impl MemoryLimits {
    fn with(shards: usize, shard_max: usize) -> Self {
        Self {
            hasher: RandomState::new(),
            shards: (0..shards).map(|_| Mutex::default()).collect(),
            tries: (0..shards).map(|_| Mutex::default()).collect(),
            shard_max,
        }
    }

    fn tries_of(&self, key: &str) -> MutexGuard<'_, Tries> {
        let at = usize::try_from(self.hasher.hash_one(key) % self.tries.len() as u64).unwrap_or(0);
        self.tries[at].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bounded like the allowances: when none of a full shard can be forgotten, it starts over.
    fn begin_try_now(&self, key: &str, free: u32, now: Timestamp) -> Result<(), i64> {
        let mut tries = self.tries_of(key);
        if tries.len() >= self.shard_max && !tries.contains_key(key) {
            tries.retain(|_, tried| !tried.is_forgotten(now));
            if tries.len() >= self.shard_max {
                tries.clear();
            }
        }
        let tried = begin_try(free, tries.get(key).copied(), now)?;
        tries.insert(key.into(), tried);
        Ok(())
    }

    fn take_now(&self, class: &'static str, key: &str, quota: Quota, now: Timestamp) -> Allowance {
        let mut shard = self.shard(class, key).lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(arrival_us) = shard.class(class).get_mut(key) {
            let (allowance, kept) = decide(quota, *arrival_us, now);
            *arrival_us = kept;
            return allowance;
        }
        if shard.keys >= self.shard_max {
            shard.make_room(now, self.shard_max);
        }
        let (allowance, kept) = decide(quota, 0, now);
        shard.class(class).insert(key.into(), kept);
        shard.keys += 1;
        allowance
    }
}

impl MemoryLimits {
    fn look_now(&self, class: &'static str, key: &str, quota: Quota, now: Timestamp) -> Allowance {
        let shard = self.shard(class, key).lock().unwrap_or_else(PoisonError::into_inner);
        let known = shard.classes.iter().find(|(known, _)| *known == class);
        let arrival_us = known.and_then(|(_, arrivals)| arrivals.get(key)).copied().unwrap_or(0);
        look(quota, arrival_us, now)
    }

    fn shard(&self, class: &'static str, key: &str) -> &Mutex<Shard> {
        let at = usize::try_from(self.hasher.hash_one((class, key)) % self.shards.len() as u64).unwrap_or(0);
        &self.shards[at]
    }
}

impl Shard {
    fn class(&mut self, class: &'static str) -> &mut Arrivals {
        let at = self.classes.iter().position(|(known, _)| *known == class).unwrap_or_else(|| {
            self.classes.push((class, HashMap::new()));
            self.classes.len() - 1
        });
        &mut self.classes[at].1
    }

    /// Keys with a whole allowance carry no information. If all of them are in use, the shard starts over:
    /// memory stays bounded, and the worst that happens is one free burst.
    fn make_room(&mut self, now: Timestamp, max: usize) {
        for (_, arrivals) in &mut self.classes {
            arrivals.retain(|_, arrival_us| *arrival_us > now.0 * 1_000);
        }
        self.keys = self.classes.iter().map(|(_, arrivals)| arrivals.len()).sum();
        if self.keys >= max {
            self.classes.clear();
            self.keys = 0;
        }
    }
}

#[async_trait]
impl RateLimiter for MemoryLimits {
    async fn begin_try(&self, key: &str, free: u32, now: Timestamp) -> Result<Result<(), i64>, Fault> {
        Ok(self.begin_try_now(key, free, now))
    }

    async fn forget_tries(&self, key: &str) -> Result<(), Fault> {
        self.tries_of(key).remove(key);
        Ok(())
    }

    async fn take(
        &self,
        class: &'static str,
        key: &str,
        quota: Quota,
        now: Timestamp,
    ) -> Result<Allowance, Fault> {
        Ok(self.take_now(class, key, quota, now))
    }

    async fn look(
        &self,
        class: &'static str,
        key: &str,
        quota: Quota,
        now: Timestamp,
    ) -> Result<Allowance, Fault> {
        Ok(self.look_now(class, key, quota, now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_and_keys_are_counted_apart() {
        let limits = MemoryLimits::default();
        let quota = Quota::per_minute(1);
        for (class, key, allowed) in
            [("ip", "a", true), ("ip", "a", false), ("ip", "b", true), ("user", "a", true)]
        {
            assert_eq!(
                limits.take_now(class, key, quota, Timestamp(1_000)).allowed,
                allowed,
                "{class} {key}"
            );
        }
    }

    #[test]
    fn looking_counts_nothing() {
        let (limits, quota, now) = (MemoryLimits::default(), Quota::per_minute(1), Timestamp(1_000));
        for _ in 0..3 {
            assert!(limits.look_now("ip", "a", quota, now).allowed);
        }
        assert!(limits.take_now("ip", "a", quota, now).allowed);
        assert!(!limits.look_now("ip", "a", quota, now).allowed);
        assert!(limits.look_now("user", "a", quota, now).allowed);
    }

    #[test]
    fn tries_are_counted_by_key_and_forgotten_when_right() {
        let limits = MemoryLimits::default();
        let begin = |key| limits.begin_try_now(key, 2, Timestamp(1_000));
        for (key, fits) in [("a", true), ("a", true), ("a", false), ("b", true)] {
            assert_eq!(begin(key).is_ok(), fits, "{key}");
        }
        limits.tries_of("a").remove("a");
        assert!(begin("a").is_ok());
        let small = MemoryLimits::with(2, 10);
        for key in 0..1_000 {
            let _ = small.begin_try_now(&key.to_string(), 2, Timestamp(1));
        }
        assert!(small.tries.iter().all(|shard| shard.lock().unwrap().len() <= 10));
    }

    #[test]
    fn memory_is_bounded() {
        let (shards, max) = (4, 100);
        let limits = MemoryLimits::with(shards, max);
        for key in 0..shards * max * 20 {
            limits.take_now("ip", &key.to_string(), Quota::per_minute(10), Timestamp(1));
        }
        for shard in &limits.shards {
            let shard = shard.lock().unwrap();
            let kept: usize = shard.classes.iter().map(|(_, arrivals)| arrivals.len()).sum();
            assert!(kept <= max && kept == shard.keys, "{kept} of {}", shard.keys);
        }
    }
}
