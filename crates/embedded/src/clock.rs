//! The machine's clock and randomness, read here and nowhere else.
//!
//! A clock can be wrong. One that is set back a little was corrected, and time stands still for that long; one that is set
//! back further was ahead before, and is followed: what the ledger makes of that is its own business. Whether the clock
//! jumped is found by counting beside it ([`SystemClock::notice`]).

use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use domain::time::{CLOCK_SLACK_MS, Timestamp};
use engine::ports::{Clock, Random};
use ring::rand::{SecureRandom, SystemRandom as RingRandom};

/// Where tests say what time it is: the name of a file. A number in it is by how many milliseconds the clock is off; one
/// after an equals sign is the moment at which the clock stands. Only builds with debug assertions look at it.
pub const TEST_CLOCK: &str = "WINDFALL_TEST_CLOCK";

/// The clock moved otherwise than time passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockJump {
    /// When it was noticed, by the clock as it was then.
    pub at: Timestamp,
    /// By so much it went ahead; below zero it went back.
    pub by_ms: i64,
}

/// Wall-clock milliseconds.
#[derive(Debug)]
pub struct SystemClock {
    last_ms: AtomicI64,
    /// A file that tests move the clock with.
    moved_by: Option<PathBuf>,
    /// The last time somebody counted beside it.
    counted: Mutex<(Instant, Timestamp)>,
    jumped: Mutex<Option<ClockJump>>,
}

impl Default for SystemClock {
    fn default() -> Self {
        let moved_by = std::env::var_os(TEST_CLOCK).map(PathBuf::from).filter(|_| cfg!(debug_assertions));
        let wall = wall(moved_by.as_ref());
        Self {
            last_ms: AtomicI64::new(wall.0),
            moved_by,
            counted: Mutex::new((Instant::now(), wall)),
            jumped: Mutex::new(None),
        }
    }
}

impl SystemClock {
    /// Compares how far the clock went with how much time passed since the last look, and remembers a jump. To be called
    /// every second or so; answers a jump once.
    pub fn notice(&self) -> Option<ClockJump> {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, before) = *counted;
        let (moment, at) = (Instant::now(), wall(self.moved_by.as_ref()));
        *counted = (moment, at);
        let passed_ms = i64::try_from(moment.duration_since(since).as_millis()).unwrap_or(i64::MAX);
        let by_ms = at.0.saturating_sub(before.0).saturating_sub(passed_ms);
        if by_ms.abs() <= CLOCK_SLACK_MS {
            return None;
        }
        let jump = ClockJump { at, by_ms };
        *self.jumped.lock().unwrap_or_else(PoisonError::into_inner) = Some(jump);
        Some(jump)
    }

    /// The last jump that was noticed in this process.
    pub fn jumped(&self) -> Option<ClockJump> {
        *self.jumped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file that moves it, in a test.
    pub fn moved_by(&self) -> Option<&PathBuf> {
        self.moved_by.as_ref()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let now = wall(self.moved_by.as_ref());
        let before = self.last_ms.fetch_max(now.0, Ordering::Relaxed);
        if before - now.0 <= CLOCK_SLACK_MS {
            return now.max(Timestamp(before));
        }
        // Read once more: whoever slept between the two lines above has an old reading, and the clock is right.
        let now = wall(self.moved_by.as_ref());
        if before - now.0 > CLOCK_SLACK_MS {
            self.last_ms.store(now.0, Ordering::Relaxed);
        }
        now
    }
}

fn wall(moved_by: Option<&PathBuf>) -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now_ms = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
    let said = moved_by.and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    match said.trim().strip_prefix('=') {
        Some(moment) => Timestamp(moment.parse().unwrap_or(now_ms)),
        None => Timestamp(now_ms.saturating_add(said.trim().parse().unwrap_or(0))),
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

    const HOUR_MS: i64 = 3_600_000;

    /// A clock that a file moves.
    fn moved(name: &str) -> (PathBuf, SystemClock) {
        let file = std::env::temp_dir().join(format!("windfall-clock-{name}-{}", std::process::id()));
        let _ = std::fs::remove_file(&file);
        (file.clone(), SystemClock { moved_by: Some(file), ..SystemClock::default() })
    }

    #[test]
    fn a_clock_that_is_corrected_stands_still_and_one_that_was_ahead_is_followed() {
        let (file, clock) = moved("followed");
        let begun = clock.now();
        for (off_ms, least, most) in [
            (0, 0, HOUR_MS),
            (HOUR_MS, HOUR_MS, 2 * HOUR_MS),
            (HOUR_MS - 4_000, HOUR_MS, 2 * HOUR_MS),
            (0, 0, HOUR_MS),
            (-HOUR_MS, -HOUR_MS, 0),
        ] {
            std::fs::write(&file, off_ms.to_string()).unwrap();
            let passed = clock.now().0 - begun.0;
            assert!((least..most).contains(&passed), "off by {off_ms}: {passed}");
        }
        std::fs::remove_file(file).unwrap();
    }

    #[test]
    fn a_jump_is_noticed_once_in_either_direction() {
        let (file, clock) = moved("jumps");
        assert_eq!((clock.notice(), clock.jumped()), (None, None));
        for (off_ms, by_ms) in [(HOUR_MS, HOUR_MS), (0, -HOUR_MS)] {
            std::fs::write(&file, off_ms.to_string()).unwrap();
            let jump = clock.notice().unwrap();
            assert!((jump.by_ms - by_ms).abs() < 1_000, "{jump:?}");
            assert_eq!((clock.notice(), clock.jumped()), (None, Some(jump)));
        }
        std::fs::remove_file(file).unwrap();
    }

    #[test]
    fn random_bytes_differ() {
        let (mut one, mut two) = ([0; 32], [0; 32]);
        SystemRandom::default().fill(&mut one);
        SystemRandom::default().fill(&mut two);
        assert_ne!(one, two);
    }
}
