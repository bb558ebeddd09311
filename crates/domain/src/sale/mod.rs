//! Flash sales: who may try to buy, and in which order.

pub mod challenge;
pub mod place;
pub mod room;
mod seal;
pub mod sold_out;
#[cfg(test)]
mod tests;
pub mod token;

pub use seal::GateKey;
