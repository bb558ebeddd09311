//! The shop: what points buy, buying, and what operators do.

pub mod offers;
pub mod orders;
pub mod wire;
