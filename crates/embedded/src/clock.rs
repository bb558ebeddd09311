//! The machine's clock and randomness, read here and nowhere else.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use domain::time::Timestamp;
use engine::ports::{Clock, Random};
use ring::rand::{SecureRandom, SystemRandom as RingRandom};

/// Wall-clock milliseconds that never go back while the process lives.
#[derive(Debug, Default)]
pub struct SystemClock {
    last_ms: AtomicI64,
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now_ms = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
        let before = self.last_ms.fetch_max(now_ms, Ordering::Relaxed);
        Timestamp(now_ms.max(before))
    }
}

#[derive(Debug)]
pub struct SystemRandom(RingRandom);

impl Default for SystemRandom {
    fn default() -> Self {
        Self(RingRandom::new())
    }
}

impl Random for SystemRandom {
    /// # Panics
    /// When the operating system has no randomness to give: going on would make guessable tokens.
    fn fill(&self, bytes: &mut [u8]) {
        self.0.fill(bytes).expect("the operating system gives random bytes");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_never_goes_back() {
        let clock = SystemClock { last_ms: AtomicI64::new(i64::MAX - 1) };
        assert_eq!(clock.now(), Timestamp(i64::MAX - 1));
    }

    #[test]
    fn random_bytes_differ() {
        let (mut one, mut two) = ([0; 32], [0; 32]);
        SystemRandom::default().fill(&mut one);
        SystemRandom::default().fill(&mut two);
        assert_ne!(one, two);
    }
}
