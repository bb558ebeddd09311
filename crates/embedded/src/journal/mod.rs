//! The log of the one-process profile: `journal.db`, an SQLite file of its own, and copies of it that follow.

mod file;
mod log;
mod shipping;

pub use file::{Checkpointer, Journal, JournalError, JournalReader};
pub use log::SqliteLog;
pub use shipping::{JournalCopy, JournalFollower, copy_journal};
