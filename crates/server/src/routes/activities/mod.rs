//! Activities for the people who write, review and run them.

pub mod look;
pub mod prizes;
pub mod review;
pub mod run;
mod wire;
pub mod write;
