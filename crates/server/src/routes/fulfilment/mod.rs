//! Giving what was won: for winners, for operators, for the systems that give it, and the messages in between.

pub mod download;
pub mod letters;
pub mod mine;
pub mod queue;
pub mod steps;
