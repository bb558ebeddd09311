//! What is good once, and was used: tokens and pictures, until they would have run out anyway.
//!
//! The memory is bounded and never forgets too early: when it is full of what could still be shown again, whoever comes is
//! asked to come back. After a restart it is empty; what could be used a second time then is still bounded by the ledger's
//! limits, which forget nothing.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

use domain::Rejection;
use domain::time::Timestamp;

const SHARDS: usize = 64;
/// Ids that are remembered at once.
pub const SPENT_MAX: usize = 1_600_000;
const RETRY_AFTER_S: i64 = 5;

type Id = [u8; 16];

#[derive(Debug)]
pub struct SpentTokens {
    hasher: RandomState,
    /// Each until when it has to be remembered.
    shards: Vec<Mutex<HashMap<Id, Timestamp>>>,
    shard_max: usize,
}

impl Default for SpentTokens {
    fn default() -> Self {
        Self::with_max(SPENT_MAX)
    }
}

impl SpentTokens {
    fn with_max(max: usize) -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self { hasher: RandomState::new(), shards, shard_max: max.div_ceil(SHARDS) }
    }

    /// Whether it was used before, as far as is known now.
    pub fn is_used(&self, id: &Id) -> bool {
        self.shard(id).lock().unwrap_or_else(PoisonError::into_inner).contains_key(id)
    }

    /// Uses it up: true for the first, false for everybody after.
    pub fn use_up(&self, id: Id, until: Timestamp, now: Timestamp) -> Result<bool, Rejection> {
        let mut shard = self.shard(&id).lock().unwrap_or_else(PoisonError::into_inner);
        if shard.contains_key(&id) {
            return Ok(false);
        }
        if shard.len() >= self.shard_max {
            shard.retain(|_, until| *until > now);
            if shard.len() >= self.shard_max {
                return Err(Rejection::Overloaded { retry_after_s: RETRY_AFTER_S });
            }
        }
        shard.insert(id, until);
        Ok(true)
    }

    fn shard(&self, id: &Id) -> &Mutex<HashMap<Id, Timestamp>> {
        let at = self.hasher.hash_one(id) % SHARDS as u64;
        &self.shards[usize::try_from(at).unwrap_or(0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u64) -> Id {
        (u128::from(number) << 64).to_be_bytes()
    }

    #[test]
    fn once_and_never_again() {
        let spent = SpentTokens::default();
        for (number, first) in [(1, true), (1, false), (2, true), (1, false), (2, false)] {
            assert_eq!(spent.is_used(&id(number)), !first);
            assert_eq!(spent.use_up(id(number), Timestamp(9), Timestamp(1)), Ok(first), "{number}");
        }
    }

    #[test]
    fn what_could_be_shown_again_is_never_forgotten_and_what_could_not_makes_room() {
        let spent = SpentTokens::with_max(SHARDS * 10);
        let mut kept = Vec::new();
        for number in 0..10_000 {
            if spent.use_up(id(number), Timestamp(100), Timestamp(1)) == Ok(true) {
                kept.push(number);
            }
        }
        assert_eq!(kept.len(), SHARDS * 10, "every shard is full");
        assert!(
            kept.iter().all(|number| spent.use_up(id(*number), Timestamp(100), Timestamp(99)) == Ok(false))
        );
        for number in 10_000..11_000 {
            let came = spent.use_up(id(number), Timestamp(200), Timestamp(99));
            assert_eq!(came, Err(Rejection::Overloaded { retry_after_s: RETRY_AFTER_S }));
        }
        assert_eq!(
            spent.use_up(id(20_000), Timestamp(200), Timestamp(100)),
            Ok(true),
            "the others have run out"
        );
    }
}
