//! The shop: offers, and orders from the payment to their end.

mod columns;
mod offers;
mod place;
mod port;
mod settle;
