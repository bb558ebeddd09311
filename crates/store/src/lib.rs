//! SQL shared by both profiles: migrations, steps, queries, the projection.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`db`] | [`Db`], the one handle: `write` and `read` run a step in a transaction |
//! | [`tx`], [`value`], [`row`] | what a step sees of its transaction: SQL text, values in, rows out |
//! | `sqlite/` | one writer thread with group commit, a few readers, the `$N` rewriter |
//! | [`postgres`] | the pool, and when a transaction is tried again |
//! | [`migrate`] | numbered, forward-only changes of the schema; one text for both databases |
//! | `each` | one statement for many rows; on PostgreSQL without waiting for each |
//! | `once`, `audit` | same key same answer; who did what, before and after |
//! | `steps/` | one file per subject: the steps themselves, each written once for both databases |
//! | [`ledger`] | the projection of the ledger's journal, and starting a ledger from it |
//! | [`model`] | what steps take and give: their arguments, and rows as they are read |
//! | `methods` | the steps as methods of [`Db`], one line each |
//!
//! A step decides nothing that `domain` can decide. It locks what it is about to judge, asks `domain`, and
//! writes what came out. Deliberately absent: an ORM, queries built at run time, and a way to hold a
//! transaction open from outside a step.

pub mod db;
pub mod failure;
#[cfg(debug_assertions)]
pub mod interruption;
pub mod ledger;
pub mod migrate;
pub mod model;
pub mod postgres;
pub mod row;
pub mod tx;
pub mod value;

mod audit;
mod each;
mod methods;
mod once;
mod sqlite;
mod steps;

pub use db::Db;
pub use migrate::MigrateReport;
pub use postgres::PostgresSettings;
pub use sqlite::{CopyFigures, DatabaseCopy, QUIET_LOG_BYTES, SqliteSettings, check_copy};
