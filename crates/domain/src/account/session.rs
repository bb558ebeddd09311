//! How long a session lives: a sliding idle time under an absolute cap.

use crate::time::Timestamp;

#[derive(Clone, Copy, Debug)]
pub struct SessionPolicy {
    pub idle_ms: i64,
    pub absolute_ms: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionTimes {
    pub started: Timestamp,
    pub seen: Timestamp,
}

/// Writing "seen just now" on each request would make every read a write: it is worth one only after
/// this share of the idle time.
const TOUCH_SHARE: i64 = 20;

impl SessionPolicy {
    pub fn ends(self, times: SessionTimes) -> Timestamp {
        (times.seen + self.idle_ms).min(times.started + self.absolute_ms)
    }

    pub fn alive(self, times: SessionTimes, now: Timestamp) -> bool {
        now < self.ends(times)
    }

    /// Whether `seen` should be written anew.
    pub fn touch_due(self, times: SessionTimes, now: Timestamp) -> bool {
        now.since_ms(times.seen) >= self.idle_ms / TOUCH_SHARE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_and_absolute_ends() {
        let policy = SessionPolicy { idle_ms: 100, absolute_ms: 250 };
        for (started, seen, now, alive) in [
            (0, 0, 99, true),
            (0, 0, 100, false),
            (0, 90, 189, true),
            (0, 240, 249, true),
            (0, 240, 250, false),
        ] {
            let times = SessionTimes { started: Timestamp(started), seen: Timestamp(seen) };
            assert_eq!(policy.alive(times, Timestamp(now)), alive, "{started} {seen} {now}");
        }
        let times = SessionTimes { started: Timestamp(0), seen: Timestamp(0) };
        assert!(!policy.touch_due(times, Timestamp(4)));
        assert!(policy.touch_due(times, Timestamp(5)));
    }
}
