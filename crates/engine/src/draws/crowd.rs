//! Whether a crowd is here.
//!
//! Giving prizes, telling webhooks and the like can wait; people in front of a page cannot. On a small machine both want
//! the same processor, so that work asks here how it stands and rests for longer while a crowd is being answered. It
//! rests, it does not stop: a crowd that stays for hours holds nothing up for good.
//!
//! Only what people ask for counts. Work that goes through the ledger makes events too, and would take itself for a crowd.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use domain::time::Timestamp;
use ledger::background::CROWD_PER_S;

/// How long is looked at.
const WINDOW_MS: i64 = 250;

#[derive(Debug)]
pub struct Crowd {
    came: AtomicU64,
    seen: Mutex<Seen>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    at: Timestamp,
    came: u64,
    crowd: bool,
}

impl Default for Crowd {
    fn default() -> Self {
        Self { came: AtomicU64::new(0), seen: Mutex::new(Seen { at: Timestamp(0), came: 0, crowd: false }) }
    }
}

impl Crowd {
    /// Somebody asked for something and waits.
    pub fn came(&self) {
        self.came.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether so many came since it was last looked at that work should wait.
    pub fn is_here(&self, now: Timestamp) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let elapsed = now.0.saturating_sub(seen.at.0);
        if elapsed >= WINDOW_MS {
            let came = self.came.load(Ordering::Relaxed);
            let more = u128::from(came.wrapping_sub(seen.came)) * 1_000;
            let crowd = more >= u128::from(CROWD_PER_S) * u128::from(elapsed.unsigned_abs());
            *seen = Seen { at: now, came, crowd };
        }
        seen.crowd
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_is_many_within_a_window() {
        let crowd = Crowd::default();
        let mut now = Timestamp(1_000_000);
        assert!(!crowd.is_here(now), "nobody came");
        for (ms, came, expected) in [
            (WINDOW_MS, 499, false),
            (WINDOW_MS, 500, true),
            (WINDOW_MS - 1, 0, true),
            (1, 0, false),
            (WINDOW_MS, 500, true),
            (WINDOW_MS, 0, false),
            (10_000, 19_999, false),
            (10_000, 20_000, true),
        ] {
            (0..came).for_each(|_| crowd.came());
            now = now + ms;
            assert_eq!(crowd.is_here(now), expected, "{came} in {ms} ms");
        }
    }
}
