//! SQLite: one writer thread with group commit, a few read-only connections beside it.

mod connection;
mod copy;
mod follower;
mod log;
mod pair;
mod readers;
mod text;
mod wal;
mod writer;

pub(crate) use connection::{Connection, lock};
pub use copy::{CopyFigures, DatabaseCopy, check_copy};
pub use log::QUIET_LOG_BYTES;
pub(crate) use pair::Sqlite;
pub use pair::SqliteSettings;
