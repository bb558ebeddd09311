//! Activities for the people who write, review and run them.

pub mod diff;
pub mod downloads;
pub mod look;
pub mod prizes;
pub mod report;
pub mod review;
pub mod run;
pub mod timeline;
pub mod winners;
pub(super) mod wire;
pub mod write;
