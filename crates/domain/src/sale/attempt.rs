//! One attempt to buy (抢购): asked for, waiting for the ledger's decision, and its one final answer.
//!
//! Deliberately absent: where attempts wait and how long their answers are kept.

use crate::Rejection;
use crate::ids::OrderId;

/// Lines in one cart.
pub const CART_LINES_MAX: usize = 20;
/// The longest an attempt may be waited for with one request.
pub const WAIT_MS_MAX: i64 = 25_000;

/// So many attempts are decided in a second on a small machine: what the spread reckons with, and nothing else.
const DECIDED_PER_S: u64 = 5_000;
/// Nobody is told to come again sooner.
const ASK_AGAIN_MS_MIN: u64 = 500;
const ASK_AGAIN_MS_MAX: u64 = 10_000;

/// Where an attempt stands. Once it is `Ordered` or `Refused` it stays so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptState {
    Queued,
    Ordered(OrderId),
    Refused(Rejection),
}

impl AttemptState {
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Ordered(_) => "ordered",
            Self::Refused(_) => "refused",
        }
    }

    /// What integrators of older systems know: 0 queued, above 0 the order, -1 refused.
    pub const fn classic(&self) -> i64 {
        match self {
            Self::Queued => 0,
            Self::Ordered(order) => order.0,
            Self::Refused(_) => -1,
        }
    }

    pub const fn is_final(&self) -> bool {
        match self {
            Self::Queued => false,
            Self::Ordered(_) | Self::Refused(_) => true,
        }
    }
}

/// Milliseconds after which asking for an attempt again makes sense, if so many wait: about as long as deciding them takes,
/// and up to twice that, spread by the attempt's own number, so that those who came together do not ask together.
pub fn ask_again_ms(waiting: u64, attempt: OrderId) -> u64 {
    let base = (waiting.saturating_mul(1_000) / DECIDED_PER_S).clamp(ASK_AGAIN_MS_MIN, ASK_AGAIN_MS_MAX);
    base + mix(attempt.0.cast_unsigned()) % base
}

/// Ids that were made one after the other must not end up beside each other.
fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
