//! A clock that is behind the ledger's time: was it ahead before and is right now, or is it wrong now?
//!
//! Nobody can tell from one look. A clock that is a little behind was corrected, and time stands still until it has caught
//! up. One that is further behind and goes on from there for a while is believed, and the ledger follows it back; unless
//! that would be too far to believe, which is for a person to say.

use crate::time::{CLOCK_SLACK_MS, SECOND_MS, Timestamp};

/// For so long a clock has to go on from where it was put before it is believed.
pub const CLOCK_SETTLE_MS: i64 = 3 * SECOND_MS;

/// What to do about the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockSays {
    /// The time, as far as anybody knows.
    Right,
    /// It is behind by so much, and not for long enough to be believed.
    Behind { ms: i64 },
    /// It is behind by so much, which is too far to follow without a person's word.
    TooFar { ms: i64 },
    /// It was ahead by so much and was put right: follow it.
    PutRight { ms: i64 },
}

/// Watches the clock against the ledger's time.
#[derive(Clone, Copy, Debug)]
pub struct ClockWatch {
    /// The furthest that the ledger follows without a person's word.
    back_max_ms: i64,
    /// Where the clock was when it was first seen behind.
    since: Option<Timestamp>,
}

impl ClockWatch {
    pub fn new(back_max_ms: i64) -> Self {
        Self { back_max_ms, since: None }
    }

    pub fn look(&mut self, now: Timestamp, clock: Timestamp) -> ClockSays {
        let ms = now.since_ms(clock);
        if ms <= CLOCK_SLACK_MS {
            self.since = None;
            return ClockSays::Right;
        }
        // One that goes back again has to settle again.
        let since = self.since.filter(|since| *since <= clock).unwrap_or(clock);
        self.since = Some(since);
        if ms > self.back_max_ms {
            ClockSays::TooFar { ms }
        } else if clock.since_ms(since) >= CLOCK_SETTLE_MS {
            self.since = None;
            ClockSays::PutRight { ms }
        } else {
            ClockSays::Behind { ms }
        }
    }
}

#[cfg(test)]
mod rows {
    use super::*;
    use crate::time::{DAY_MS, HOUR_MS};

    const NOW: Timestamp = Timestamp(100 * DAY_MS);

    /// Looks at a clock, one after the other: how far behind it is, and what follows.
    #[test]
    fn a_clock_is_believed_once_it_has_settled() {
        use ClockSays::{Behind, PutRight, Right, TooFar};
        let slack = CLOCK_SLACK_MS;
        for (name, looks) in [
            ("right", vec![(0, Right), (-50, Right)]),
            ("corrected", vec![(1, Right), (slack, Right)]),
            (
                "put right",
                vec![
                    (HOUR_MS, Behind { ms: HOUR_MS }),
                    (HOUR_MS - 2_999, Behind { ms: HOUR_MS - 2_999 }),
                    (HOUR_MS - 3_000, PutRight { ms: HOUR_MS - 3_000 }),
                ],
            ),
            (
                "caught up before it settled",
                vec![(slack + 900, Behind { ms: slack + 900 }), (slack, Right), (0, Right)],
            ),
            (
                "back twice",
                vec![
                    (HOUR_MS, Behind { ms: HOUR_MS }),
                    (HOUR_MS + 10_000, Behind { ms: HOUR_MS + 10_000 }),
                    (HOUR_MS + 7_001, Behind { ms: HOUR_MS + 7_001 }),
                    (HOUR_MS + 7_000, PutRight { ms: HOUR_MS + 7_000 }),
                ],
            ),
            (
                "too far",
                vec![
                    (3 * DAY_MS, TooFar { ms: 3 * DAY_MS }),
                    (3 * DAY_MS - 60_000, TooFar { ms: 3 * DAY_MS - 60_000 }),
                    (2 * DAY_MS, PutRight { ms: 2 * DAY_MS }),
                ],
            ),
        ] {
            let mut watch = ClockWatch::new(2 * DAY_MS);
            for (behind, expected) in looks {
                assert_eq!(watch.look(NOW, NOW - behind), expected, "{name}: {behind}");
            }
        }
    }
}
