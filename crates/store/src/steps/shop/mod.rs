//! The shop: offers, and orders from the payment to their end.

mod columns;
mod offers;
mod place;
mod port;
mod refund;
mod settle;

pub(crate) use refund::{may as may_refund, not_given, put_back, refunded};
