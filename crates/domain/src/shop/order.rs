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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderState {
    /// Paid; the units are held, and are about to be taken.
    Placed,
    /// The units are taken; what was bought is on its way.
    Done,
    /// The units were gone, or it was refunded; the points are back.
    Reversed,
}

impl OrderState {
    pub const ALL: [Self; 3] = [Self::Placed, Self::Done, Self::Reversed];

    pub const NAMES: &'static str = "placed, done, reversed";

    pub const fn name(self) -> &'static str {
        match self {
            Self::Placed => "placed",
            Self::Done => "done",
            Self::Reversed => "reversed",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
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
pub fn settle(state: OrderState, settling: &Settling) -> Result<Option<OrderState>, Rejection> {
    match (state, settling) {
        (OrderState::Placed, Settling::Confirmed) => Ok(Some(OrderState::Done)),
        (OrderState::Placed, Settling::Gone { .. }) => Ok(Some(OrderState::Reversed)),
        (OrderState::Done, Settling::Confirmed) | (OrderState::Reversed, Settling::Gone { .. }) => Ok(None),
        (OrderState::Done, Settling::Gone { .. }) => Err(Rejection::AlreadyConfirmed),
        (OrderState::Reversed, Settling::Confirmed) => Err(Rejection::AlreadyCancelled),
    }
}

/// What follows when the points are to go back after all; nothing where they are back. What is placed is about to end by
/// itself.
pub fn refund(state: OrderState) -> Result<Option<OrderState>, Rejection> {
    match state {
        OrderState::Done => Ok(Some(OrderState::Reversed)),
        OrderState::Reversed => Ok(None),
        OrderState::Placed => {
            Err(Rejection::OrderStepIllegal { state: state.name().to_owned(), step: "refund".to_owned() })
        }
    }
}
