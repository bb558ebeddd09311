//! Attempts to buy that wait for the ledger's decision, and what came of them lately.
//!
//! An attempt is made in memory and asks the ledger in the background, many of them in one batch; whoever made it has its
//! number at once. Nothing of it is written down unless it becomes an order: that is the ledger's hold. So after a restart
//! an attempt is an order, or nothing will ever come of it.
//!
//! What always holds:
//! - An attempt has one final answer, which never changes.
//! - One person has one attempt under way for one sale.
//! - A "no" is told only where it is certain that no order comes: an attempt whose outcome is not known goes on asking.
//! - What waits and what is remembered is bounded; beyond it the answer is `too_busy`, and no attempt is made.

mod ask;
mod buyers;
mod counters;
mod deciding;
mod memory;
pub(crate) mod reserve;

pub use ask::{AttemptView, RequestedLine, attempt, attempt_follow, attempt_look, attempt_view};
pub use buyers::{Buyers, is_first};
pub use counters::{AttemptCounts, AttemptHour, DecidedCounts};
pub use deciding::{find_order_under, run_until};
pub use memory::{Attempt, AttemptLine, AttemptStart, Attempts};
