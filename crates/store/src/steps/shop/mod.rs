//! The shop: offers, and orders from the payment to their end.

mod columns;
mod events;
mod methods;
mod offers;
mod place;
mod refund;
mod settle;

pub(crate) use events::{tell_given, tell_shipped};
pub(crate) use offers::{find as find_offer, lock as lock_offer, reprice, restock};
pub(crate) use refund::{apply_refund, may as may_refund, refund_not_given, return_units};
