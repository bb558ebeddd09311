//! Attempts: what is told of them, and how a crowd is spread.

use super::super::{AttemptState, ask_again_ms};
use crate::Rejection;
use crate::ids::OrderId;

#[test]
fn what_is_told_of_an_attempt() {
    for (state, name, classic, is_final) in [
        (AttemptState::Queued, "queued", 0, false),
        (AttemptState::Ordered(OrderId(77)), "ordered", 77, true),
        (AttemptState::Refused(Rejection::AttemptLost), "refused", -1, true),
    ] {
        assert_eq!((state.name(), state.classic(), state.is_final()), (name, classic, is_final));
    }
}

/// Hole 35: a hundred thousand people who poll must not be half a million requests a second.
#[test]
fn hole_35_a_crowd_is_spread_over_the_time_it_takes() {
    for (waiting, least, most) in [
        (0, 500, 1_000),
        (2_500, 500, 1_000),
        (10_000, 2_000, 4_000),
        (100_000, 10_000, 20_000),
        (u64::MAX, 10_000, 20_000),
    ] {
        let mut quarters = [0_u32; 4];
        for number in 0..10_000_i64 {
            // As they are made one after the other: a step of the sequence in the lowest bits.
            let ms = ask_again_ms(waiting, OrderId((1 << 40) + number));
            assert!((least..most).contains(&ms), "{waiting}: {ms}");
            quarters[usize::try_from((ms - least) * 4 / (most - least)).unwrap()] += 1;
        }
        assert!(quarters.iter().all(|count| (2_200..2_800).contains(count)), "{waiting}: {quarters:?}");
    }
}
