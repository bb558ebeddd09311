//! What somebody bought.
//!
//! ```text
//! placed ── confirmed ─► done
//!        ── gone ──────► reversed (the points are back, nothing is given)
//! done   ── refund ────► reversed (two people said so, or what was bought could never be given)
//! ```
//!
//! A refusal (too few points, sold out, not on offer) leaves no order: it is the answer, and the key may be tried again.

use crate::Rejection;

crate::names! {
    pub enum ShopOrderState {
        /// Paid; the units are held, and are about to be taken.
        Placed = "placed",
        /// The units are taken; what was bought is on its way.
        Done = "done",
        /// The units were gone, or it was refunded; the points are back.
        Reversed = "reversed",
    }
}

/// How an order ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settling {
    /// The ledger took the units.
    Confirmed,
    /// They are not to be had any more, and why.
    Gone { why: String },
}

/// What follows; nothing where it has ended so before.
pub fn settle(state: ShopOrderState, settling: &Settling) -> Result<Option<ShopOrderState>, Rejection> {
    match (state, settling) {
        (ShopOrderState::Placed, Settling::Confirmed) => Ok(Some(ShopOrderState::Done)),
        (ShopOrderState::Placed, Settling::Gone { .. }) => Ok(Some(ShopOrderState::Reversed)),
        (ShopOrderState::Done, Settling::Confirmed) | (ShopOrderState::Reversed, Settling::Gone { .. }) => {
            Ok(None)
        }
        (ShopOrderState::Done, Settling::Gone { .. }) => Err(Rejection::AlreadyConfirmed),
        (ShopOrderState::Reversed, Settling::Confirmed) => Err(Rejection::AlreadyCancelled),
    }
}

/// What follows when the points are to go back after all; nothing where they are back. What is placed is about to end by
/// itself.
pub fn refund(state: ShopOrderState) -> Result<Option<ShopOrderState>, Rejection> {
    match state {
        ShopOrderState::Done => Ok(Some(ShopOrderState::Reversed)),
        ShopOrderState::Reversed => Ok(None),
        ShopOrderState::Placed => {
            Err(Rejection::OrderStepIllegal { state: state.name().to_owned(), step: "refund".to_owned() })
        }
    }
}
