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
    /// The server's milliseconds when this machine's counting clock was at zero. Unknown before the first renewal.
    offset_ms: Option<i64>,
}

impl ServerTime {
    /// A renewal, sent and heard at these moments of the own clock, said what time the server has. It was that time at some
    /// moment in between: if that fits what is known, nothing changes; if it is a little off, it is followed.
    pub fn adopt(&mut self, server_ms: i64, sent_ms: u64, heard_ms: u64) -> Result<(), TimeOff> {
        let (latest, earliest) = (server_ms - whole(sent_ms), server_ms - whole(heard_ms));
        let Some(known) = self.offset_ms else {
            self.offset_ms = Some(earliest);
            return Ok(());
        };
        let nearest = known.clamp(earliest, latest);
        if (nearest - known).abs() > TIME_OFF_MAX_MS {
            return Err(TimeOff { by_ms: nearest - known });
        }
        self.offset_ms = Some(nearest);
        Ok(())
    }

    /// Nothing before the first renewal.
    pub fn now(self, own_ms: u64) -> Option<i64> {
        self.offset_ms.map(|offset| offset + whole(own_ms))
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
}
