//! Processor time of this process, as Linux tells it; nothing elsewhere.

use std::time::{Duration, Instant};

/// Linux counts in hundredths of a second, on every machine it runs on.
const TICKS_PER_S: f64 = 100.0;

/// Where a row began.
#[derive(Clone, Copy, Debug)]
pub struct CpuTimer {
    at: Instant,
    ticks: Option<u64>,
}

impl CpuTimer {
    pub fn begin() -> Self {
        Self { at: Instant::now(), ticks: ticks() }
    }

    /// Microseconds for each of so many a second since then.
    pub fn us_each(self, per_s: f64) -> Option<f64> {
        let spent = ticks()?.saturating_sub(self.ticks?);
        us_each(spent, self.at.elapsed(), per_s)
    }
}

fn us_each(ticks: u64, elapsed: Duration, per_s: f64) -> Option<f64> {
    let seconds = elapsed.as_secs_f64();
    let busy = ticks as f64 / TICKS_PER_S / seconds;
    (seconds > 0.0 && per_s > 0.0).then(|| busy / per_s * 1e6)
}

/// In the program and in the system on its behalf.
fn ticks() -> Option<u64> {
    read(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// The 14th and 15th field; the second is a name in brackets, which may hold anything.
fn read(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_times_are_added() {
        for (stat, expected) in [
            ("7 (windfall) S 1 7 7 0 -1 4194560 9 0 0 0 120 34 0 0 20 0 8 0", Some(154)),
            ("7 (a) b) S 1 7 7 0 -1 4194560 9 0 0 0 1 2 0 0 20 0 8 0", Some(3)),
            ("7 (short) S 1", None),
            ("", None),
        ] {
            assert_eq!(read(stat), expected, "{stat}");
        }
    }

    #[test]
    fn time_is_shared_among_the_requests() {
        // Two processors busy for ten seconds, at 50,000 a second: 40 microseconds each.
        let each = us_each(2_000, Duration::from_secs(10), 50_000.0).unwrap();
        assert!((each - 40.0).abs() < 1e-9, "{each}");
        assert_eq!(us_each(2_000, Duration::from_secs(10), 0.0), None);
    }
}
