//! SQLite: one writer thread with group commit, a few read-only connections beside it.

mod connection;
mod pair;
mod readers;
mod text;
mod writer;

pub(crate) use connection::{Connection, lock};
pub(crate) use pair::Sqlite;
pub use pair::SqliteSettings;
