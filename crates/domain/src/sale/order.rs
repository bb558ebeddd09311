//! What somebody ordered in a sale (订单), from the hold to the hand.
//!
//! ```text
//! unpaid ── taken ─────► paid ── given ─► fulfilled
//!        ── cancelled ─► cancelled ─┐
//!        ── expired ───► expired ───┤ money that comes now: taken ─► paid, gone ─► refund_due
//!        ── gone ──────► refund_due ── money_back ─► refunded
//! paid, fulfilled ── refund_asked ─► refund_due
//! ```
//!
//! One table: [`step`] says what follows an event, that nothing does, or that it cannot be. Where two things happen at once
//! the ledger has decided already which came first; what comes late finds a row that has moved on and leaves it.
//!
//! Deliberately absent: stock, which the ledger keeps, and money, which `payment` judges.

use super::super::Rejection;
use crate::time::Timestamp;

crate::names! {
    /// Names are for good: they stand in the database and in the API.
    pub enum OrderState {
        /// Made; its units are held, or (deducted at payment) still to be taken.
        Unpaid = "unpaid",
        /// The money came, the units are taken, what was bought is on its way.
        Paid = "paid",
        /// All of it is in the buyer's hand.
        Fulfilled = "fulfilled",
        /// By its buyer; the units went back.
        Cancelled = "cancelled",
        /// Nobody paid in time; the units went back.
        Expired = "expired",
        /// The money came and nothing is given for it: it goes back.
        RefundDue = "refund_due",
        Refunded = "refunded",
    }
}

impl OrderState {
    /// Whether money that comes now is taken for it, if its units can be had.
    pub const fn can_be_paid(self) -> bool {
        match self {
            Self::Unpaid | Self::Cancelled | Self::Expired => true,
            Self::Paid | Self::Fulfilled | Self::RefundDue | Self::Refunded => false,
        }
    }

    /// Whether the money that was paid for it is the seller's.
    pub const fn is_paid(self) -> bool {
        match self {
            Self::Paid | Self::Fulfilled => true,
            Self::Unpaid | Self::Cancelled | Self::Expired | Self::RefundDue | Self::Refunded => false,
        }
    }
}

/// Where an order stands at a moment: one that nobody has begun to pay is over at its due time, whether or not that has
/// been written down. Every door asks here.
pub fn state_at(state: OrderState, due: Timestamp, paying: bool, now: Timestamp) -> OrderState {
    if state == OrderState::Unpaid && !paying && now >= due { OrderState::Expired } else { state }
}

/// What happens to an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrderEvent {
    /// Its buyer let it go, and the ledger its units.
    Cancelled,
    /// Its time was over before anybody paid.
    Expired,
    /// The money came, and the ledger took the units.
    Taken,
    /// The money came, and the units are not to be had.
    Gone,
    /// The last thing that was bought has reached its buyer.
    Given,
    /// An operator gives the money back.
    RefundAsked,
    /// The provider has given it back.
    MoneyBack,
}

impl OrderEvent {
    pub const ALL: [Self; 7] = [
        Self::Cancelled,
        Self::Expired,
        Self::Taken,
        Self::Gone,
        Self::Given,
        Self::RefundAsked,
        Self::MoneyBack,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Cancelled => "cancel",
            Self::Expired => "expire",
            Self::Taken => "pay",
            Self::Gone => "pay",
            Self::Given => "fulfil",
            Self::RefundAsked => "refund",
            Self::MoneyBack => "refunded",
        }
    }
}

/// What follows; nothing where it has come to that before, or came too late to change anything.
pub fn step(state: OrderState, event: OrderEvent) -> Result<Option<OrderState>, Rejection> {
    use OrderEvent as E;
    use OrderState as S;
    match (state, event) {
        (S::Unpaid, E::Cancelled) => Ok(Some(S::Cancelled)),
        (S::Unpaid, E::Expired) => Ok(Some(S::Expired)),
        (S::Unpaid | S::Cancelled | S::Expired, E::Taken) => Ok(Some(S::Paid)),
        (S::Unpaid | S::Cancelled | S::Expired, E::Gone) => Ok(Some(S::RefundDue)),
        (S::Paid, E::Given) => Ok(Some(S::Fulfilled)),
        (S::Paid | S::Fulfilled, E::RefundAsked) => Ok(Some(S::RefundDue)),
        (S::RefundDue, E::MoneyBack) => Ok(Some(S::Refunded)),

        // The same again.
        (S::Cancelled, E::Cancelled)
        | (S::Expired, E::Expired)
        | (S::Paid | S::Fulfilled, E::Taken)
        | (S::RefundDue | S::Refunded, E::Gone | E::RefundAsked)
        | (S::Fulfilled, E::Given)
        | (S::Refunded, E::MoneyBack) => Ok(None),

        // The first hold ended, and rows hear of it after the money was taken for other units; or the last parcel arrives
        // after the money went back.
        (S::Paid | S::Fulfilled | S::RefundDue | S::Refunded, E::Expired)
        | (S::RefundDue | S::Refunded, E::Given) => Ok(None),

        (S::Paid | S::Fulfilled | S::RefundDue | S::Refunded | S::Expired, E::Cancelled)
        | (S::Cancelled, E::Expired)
        | (S::RefundDue | S::Refunded, E::Taken)
        | (S::Paid | S::Fulfilled, E::Gone)
        | (S::Unpaid | S::Cancelled | S::Expired, E::Given | E::RefundAsked)
        | (S::Unpaid | S::Cancelled | S::Expired | S::Paid | S::Fulfilled, E::MoneyBack) => {
            Err(Rejection::OrderStepIllegal { state: state.name().to_owned(), step: event.name().to_owned() })
        }
    }
}
