//! Raffles: from the closed round to winners that anybody can draw again.

mod checking;
pub mod fixtures;
mod http;
mod steps;

pub use fixtures::{VALUE, closed};
