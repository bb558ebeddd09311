//! What players see and do: activities, their odds, draws, entries, chances, wins and proofs; and who wins.

pub mod about;
pub mod draws;
pub mod mine;
pub mod raffle;
pub mod winners;
pub(super) mod wire;
