//! A leader's clock: the time of the log's server as of the last renewal, carried on by a clock of its own that only
//! counts. Leaders that follow each other so have one source of time.

/// A renewal whose time is off by more than this is not adopted.
pub const TIME_OFF_MAX_MS: i64 = 500;

/// The server's time moved otherwise than time passed here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the time of the log's server is off by {by_ms} ms; what counts here says otherwise")]
pub struct TimeOff {
    /// Above zero the server is ahead.
    pub by_ms: i64,
}

/// What the server's time is, as far as it is known here.
#[derive(Clone, Copy, Debug, Default)]
pub struct ServerTime {
    /// Unknown before the first renewal.
    known: Option<Known>,
}

/// The server's milliseconds when this machine's counting clock was at zero.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// What is counted with: the earliest that it can have been.
    offset_ms: i64,
    /// By how much it may be later, because the answers so far were on their way for so long.
    slack_ms: i64,
}

impl ServerTime {
    /// A renewal, sent and heard at these moments of the own clock, said what time the server has. It was that time at some
    /// moment in between: if that fits what is known, nothing changes; if it is a little off, it is followed.
    pub fn adopt(&mut self, server_ms: i64, sent_ms: u64, heard_ms: u64) -> Result<(), TimeOff> {
        let (latest, earliest) = (server_ms - whole(sent_ms), server_ms - whole(heard_ms));
        let Some(Known { offset_ms, slack_ms }) = self.known else {
            self.known = Some(Known { offset_ms: earliest, slack_ms: latest - earliest });
            return Ok(());
        };
        let nearest = offset_ms.clamp(earliest, latest);
        let moved = nearest - offset_ms;
        // Later by no more than what was left open is what was always true.
        let by_ms = if moved > 0 { (moved - slack_ms).max(0) } else { moved };
        if by_ms.abs() > TIME_OFF_MAX_MS {
            return Err(TimeOff { by_ms });
        }
        let latest = if by_ms > 0 { latest } else { latest.min(offset_ms + slack_ms) };
        self.known = Some(Known { offset_ms: nearest, slack_ms: (latest - nearest).max(0) });
        Ok(())
    }

    /// Nothing before the first renewal.
    pub fn now(self, own_ms: u64) -> Option<i64> {
        self.known.map(|known| known.offset_ms + whole(own_ms))
    }
}

fn whole(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After a first renewal at 1,000 (heard at once) that said 50,000: another one as (sent, heard, server's time).
    #[test]
    fn a_time_that_is_off_by_more_than_half_a_second_is_not_adopted() {
        for (sent, heard, server, expected) in [
            (2_000, 2_010, 51_005, Ok(51_010)),
            // The answer took long: nothing is known to be wrong.
            (2_000, 5_000, 51_000, Ok(54_000)),
            (2_000, 5_000, 54_000, Ok(54_000)),
            // A little ahead, a little behind: followed.
            (2_000, 2_000, 51_500, Ok(51_500)),
            (2_000, 2_000, 50_500, Ok(50_500)),
            (2_000, 2_000, 51_501, Err(TimeOff { by_ms: 501 })),
            (2_000, 2_000, 50_499, Err(TimeOff { by_ms: -501 })),
            (2_000, 2_100, 3_651_000, Err(TimeOff { by_ms: 3_599_900 })),
        ] {
            let mut time = ServerTime::default();
            assert_eq!(time.now(0), None);
            time.adopt(50_000, 1_000, 1_000).unwrap();
            let adopted = time.adopt(server, sent, heard);
            assert_eq!(adopted.map(|()| time.now(heard).unwrap()), expected, "{sent} {heard} {server}");
        }
    }

    /// The first renewal was sent at 0 and heard at 1,000, and said 50,000. Then others come as (sent, heard, server's time).
    #[test]
    fn what_a_slow_answer_left_open_is_no_fault_of_the_server() {
        for (renewals, expected) in [
            // It was said as soon as it was asked, or just before it was heard.
            (&[(2_000, 2_010, 52_000)][..], Ok(52_000)),
            (&[(2_000, 2_010, 51_010)], Ok(51_010)),
            // Half a second more than that is followed, and no more.
            (&[(2_000, 2_010, 52_510)], Ok(52_510)),
            (&[(2_000, 2_010, 52_511)], Err(TimeOff { by_ms: 501 })),
            (&[(2_000, 2_010, 50_499)], Err(TimeOff { by_ms: -501 })),
            // A quick answer leaves nothing open for the next one.
            (&[(2_000, 2_000, 51_000), (3_000, 3_000, 52_501)], Err(TimeOff { by_ms: 501 })),
            (&[(2_000, 2_000, 51_000), (3_000, 3_000, 52_500)], Ok(52_500)),
            (&[(2_000, 2_400, 51_400), (3_000, 3_000, 52_901)], Err(TimeOff { by_ms: 501 })),
        ] {
            let mut time = ServerTime::default();
            time.adopt(50_000, 0, 1_000).unwrap();
            let mut told = Ok(0);
            for (sent, heard, server) in renewals {
                told = time.adopt(*server, *sent, *heard).map(|()| time.now(*heard).unwrap());
            }
            assert_eq!(told, expected, "{renewals:?}");
        }
    }
}
