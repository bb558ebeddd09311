//! Money that came for an order (支付), and money that goes back.
//!
//! ```text
//! arrived ── the units are taken ─► used ── an operator refunds ─┐
//!         ── they are gone ────────────────────────────────────┬─┴► back_due ── the provider gave it back ─► back
//! wrong amount, or paid by another before ─────────────────────┘
//! ```
//!
//! So at every moment: money taken = orders paid + refunds + refunds due + what has arrived and is not settled yet.

use super::currency::Money;
use super::order::OrderState;

/// The longest reference of a provider, in bytes.
pub const REFERENCE_MAX: usize = 128;

crate::names! {
    /// Names are for good.
    pub enum PaymentState {
        /// Its order is about to be settled with it.
        Arrived = "arrived",
        /// It paid for its order.
        Used = "used",
        BackDue = "back_due",
        Back = "back",
    }
}

crate::names! {
    /// Why money goes back.
    pub enum RefundReason {
        /// Another payment was first.
        PaidTwice = "paid_twice",
        /// Not what the order costs.
        AmountWrong = "amount_wrong",
        /// The units could not be had.
        Gone = "gone",
        /// An operator said so.
        ByHand = "by_hand",
    }
}

/// What is done with money that came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It is the one that its order is settled with.
    Settles,
    /// It goes back at once.
    Back(RefundReason),
}

/// One payment settles an order, ever: the first of the right amount. `claimed` says that there was one.
pub fn arrival(order: OrderState, claimed: bool, costs: &Money, came: &Money) -> Arrival {
    if claimed || !order.can_be_paid() {
        return Arrival::Back(RefundReason::PaidTwice);
    }
    if costs != came {
        return Arrival::Back(RefundReason::AmountWrong);
    }
    Arrival::Settles
}
