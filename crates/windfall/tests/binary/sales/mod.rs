//! Buying in flash sales: attempts, orders, payments.

mod attempts;
pub mod given;
mod operators;
mod payments;
mod provider;
