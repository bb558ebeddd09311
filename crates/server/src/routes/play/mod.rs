//! What players see and do: activities, their odds, draws, entries, chances.

pub mod about;
pub mod draws;
pub mod raffle;
mod wire;
