//! Slowing down before the lag's bound is reached.
//!
//! Below three quarters of the bound the ledger runs as fast as it can. From there on the decider rests before each
//! block and takes smaller blocks, the more the nearer the bound is, so that the projection has time to catch up and
//! callers feel a longer answer before they hear a refusal. At the bound the writer takes nothing in; what was taken in
//! before is still decided, at the slowest pace.

use std::time::Duration;

/// Requests in one block at most: a block that takes too long to write delays its first request.
pub const BLOCK_MAX: usize = 8_192;
/// Requests in one block at the slowest pace.
pub const BLOCK_MIN: usize = 64;
/// The rest before a block at the slowest pace.
pub const PAUSE_MAX: Duration = Duration::from_millis(50);
/// Quarters of the bound that may lag before the ledger slows down.
const FREE_QUARTERS: u64 = 3;
/// How finely the way from there to the bound is divided.
const STEPS: u32 = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    pub block_max: usize,
    pub pause: Duration,
}

impl Pace {
    pub fn at(lag: u64, lag_max: u64) -> Self {
        let free = lag_max / 4 * FREE_QUARTERS;
        if lag < free {
            return Self { block_max: BLOCK_MAX, pause: Duration::ZERO };
        }
        let way = (lag_max - free).max(1);
        let gone = (lag - free).min(way);
        let steps = u128::from(gone) * u128::from(STEPS) / u128::from(way);
        let steps = u32::try_from(steps).unwrap_or(STEPS).min(STEPS);
        let (left, whole) = ((STEPS - steps) as usize, STEPS as usize);
        // The square: near the bound the block shrinks faster than the rest before it grows.
        let block_max = BLOCK_MAX * left / whole * left / whole;
        let pause = PAUSE_MAX * steps / STEPS;
        Self { block_max: block_max.max(BLOCK_MIN), pause }
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn the_ledger_slows_down_near_the_bound() {
        for (lag, lag_max, block_max, pause_ms) in [
            (0, 1_000, BLOCK_MAX, 0),
            (749, 1_000, BLOCK_MAX, 0),
            (750, 1_000, BLOCK_MAX, 0),
            (800, 1_000, 5_242, 10),
            (875, 1_000, 2_048, 25),
            (950, 1_000, 327, 40),
            (999, 1_000, BLOCK_MIN, 49),
            (1_000, 1_000, BLOCK_MIN, 50),
            (5_000, 1_000, BLOCK_MIN, 50),
            (u64::MAX / 2, u64::MAX, BLOCK_MAX, 0),
            (u64::MAX, u64::MAX, BLOCK_MIN, 50),
            (0, 1, BLOCK_MAX, 0),
            (1, 1, BLOCK_MIN, 50),
        ] {
            let pace = Pace::at(lag, lag_max);
            assert_eq!((pace.block_max, pace.pause.as_millis()), (block_max, pause_ms), "{lag} of {lag_max}");
        }
    }

    #[test]
    fn nearer_is_never_faster() {
        let paces: Vec<Pace> = (0..=1_200).map(|lag| Pace::at(lag, 1_000)).collect();
        assert!(paces.is_sorted_by(|a, b| a.block_max >= b.block_max && a.pause <= b.pause));
    }
}
