//! Raffles: from the closed round to winners that anybody can draw again.

mod checking;
pub mod given;
mod http;
mod steps;

pub use given::{VALUE, closed};
