//! Killed at random moments under load, again and again: nothing that was told is missing, nothing is oversold.

pub mod client;
pub mod op;
pub mod suite;
