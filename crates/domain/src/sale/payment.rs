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

/// Names are for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaymentState {
    /// Its order is about to be settled with it.
    Arrived,
    /// It paid for its order.
    Used,
    BackDue,
    Back,
}

impl PaymentState {
    pub const ALL: [Self; 4] = [Self::Arrived, Self::Used, Self::BackDue, Self::Back];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Arrived => "arrived",
            Self::Used => "used",
            Self::BackDue => "back_due",
            Self::Back => "back",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

/// Why money goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// Another payment was first.
    PaidTwice,
    /// Not what the order costs.
    AmountWrong,
    /// The units could not be had.
    Gone,
    /// An operator said so.
    ByHand,
}

impl Why {
    pub const ALL: [Self; 4] = [Self::PaidTwice, Self::AmountWrong, Self::Gone, Self::ByHand];

    pub const fn name(self) -> &'static str {
        match self {
            Self::PaidTwice => "paid_twice",
            Self::AmountWrong => "amount_wrong",
            Self::Gone => "gone",
            Self::ByHand => "by_hand",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|why| why.name() == name)
    }
}

/// What is done with money that came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It is the one that its order is settled with.
    Settles,
    /// It goes back at once.
    Back(Why),
}

/// One payment settles an order, ever: the first of the right amount. `claimed` says that there was one.
pub fn arrival(order: OrderState, claimed: bool, costs: &Money, came: &Money) -> Arrival {
    if claimed || !order.takes_money() {
        return Arrival::Back(Why::PaidTwice);
    }
    if costs != came {
        return Arrival::Back(Why::AmountWrong);
    }
    Arrival::Settles
}
