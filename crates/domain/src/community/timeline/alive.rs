//! Which timelines are delivered to: those that were read lately.

use crate::time::{DAY_MS, Timestamp};

/// A timeline that nobody has read for so long gets no more deliveries.
pub const ALIVE_MS: i64 = 7 * DAY_MS;

/// Whether a timeline is still delivered to. The clock may have gone back since it was read.
pub fn is_alive(last_read: Timestamp, now: Timestamp) -> bool {
    now.0.saturating_sub(last_read.0) < ALIVE_MS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeline_is_alive_for_seven_days() {
        for (last_read, now, alive) in [
            (0, 0, true),
            (0, ALIVE_MS - 1, true),
            (0, ALIVE_MS, false),
            (ALIVE_MS, 0, true),
            (i64::MIN, i64::MAX, false),
        ] {
            assert_eq!(is_alive(Timestamp(last_read), Timestamp(now)), alive, "{last_read} {now}");
        }
    }
}
