//! What players see and do: activities, their odds, draws, entries, chances.

pub mod about;
pub mod draws;
mod wire;
