//! Giving what was won or bought: from the win or the order to the hand of its owner. What is said of prizes here holds for
//! both; what it is given for is its [`FulfilmentSource`].
//!
//! A small machine. [`FulfilmentStatus::begin`] says where a prize stands when it is won, [`FulfilmentStatus::take`] what follows a step or
//! why not, and [`FulfilmentStatus::follows`] what has to be told to others with it. A step happens in one transaction with the
//! message that it makes, so nothing is given without a row and no row waits for a message that was never written.
//!
//! ```text
//! waiting     ── release, due ─► claimable, ready, or given (a text)
//! claimable   ── claim ────────► to_ship (a parcel), ready, or given (a text)     ── lapse ─► unclaimed
//! ready       ── give ─────────► given        ── hand_over ─► handed_over         ── fail ──► failed
//! handed_over ── report_given ─► given        ── report_failed ─► failed
//! to_ship     ── ship ─────────► shipped
//! shipped     ── deliver ──────► given        ── report_failed ─► failed (lost, or come back)
//! failed      ── redrive ──────► ready, or to_ship (a parcel)
//! waiting, claimable, to_ship, handed_over, failed ── void ─► voided
//! ```
//!
//! What always holds:
//! - What waits for a time is not given before it, and what waits for a person is not given by the clock.
//! - What is given, unclaimed or voided stays so.
//! - While a message is under way (`ready`) nobody voids: whether it was given would be anybody's guess.
//!
//! Deliberately absent: how each kind is given, who may take a step, where rows and messages are kept.

mod granting;
mod kind;
mod shipment;
mod source;
mod state;
mod status;
#[cfg(test)]
mod tests;

pub use granting::{CLAIM_WITHIN_MS_MAX, CLAIM_WITHIN_MS_MIN, Grant};
pub use kind::{Gift, PrizeKind, Returnable};
pub use shipment::{CARRIER_MAX, NOTE_MAX, Shipment, TRACKING_MAX, report_note};
pub use source::FulfilmentSource;
pub use state::{FulfilmentState, FulfilmentStep};
pub use status::{FollowUp, FulfilmentStatus};
