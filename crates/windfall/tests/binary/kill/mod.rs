//! Killed at random moments under load, again and again: nothing that was told is missing, nothing is oversold.

mod client;
mod op;
mod suite;
