//! Buying in a sale: attempts, orders, payments, and what operators see of them.

pub mod attempts;
pub mod mine;
pub mod operators;
pub mod payments;
pub mod sandbox;
pub mod wire;
