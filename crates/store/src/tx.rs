//! What a step sees of its transaction.
//!
//! A step is written once, as `async fn step(tx: &Tx<'_>, input: &Input) -> Result<T>`. On PostgreSQL its
//! awaits are round trips; on SQLite every method is ready at once, so the writer thread polls the step a
//! single time. A step therefore awaits nothing but its `Tx`.
//!
//! The rules of a text:
//! - parameters are `$1`, `$2`, …; only `BIGINT`, `TEXT` and `BYTEA` go in and come out;
//! - it is a `&'static str`: both databases keep it prepared, and nothing can be pasted into it;
//! - PostgreSQL cannot guess the type of `$1 IS NULL`: write `CAST($1 AS BIGINT) IS NULL`;
//! - a trailing `FOR UPDATE` (with or without `SKIP LOCKED`) locks rows on PostgreSQL and is dropped on
//!   SQLite, whose one writer is the lock. Lock what you judge before you judge it: PostgreSQL runs steps
//!   side by side.

use std::sync::{Mutex, PoisonError};

use futures::future::{BoxFuture, ready};

use crate::failure::{Fault, Result};
use crate::postgres;
use crate::row::Row;
use crate::sqlite::{self, Connection};
use crate::value::Value;

/// A step as [`crate::Db`] runs it: it may be called again with the same input when PostgreSQL asks for it.
pub type StepFn<I, T> = for<'t> fn(&'t Tx<'t>, &'t I) -> BoxFuture<'t, Result<T>>;

/// An open transaction. It ends with the step: committed when the step succeeds, rolled back otherwise.
#[derive(Debug)]
pub struct Tx<'c> {
    side: Side<'c>,
    counted: Mutex<Vec<MetricIncrement>>,
}

/// What a step adds to a counter of the metrics, once its transaction is committed.
#[derive(Debug)]
pub(crate) struct MetricIncrement {
    counter: &'static str,
    label: (&'static str, &'static str),
    more: u64,
}

impl MetricIncrement {
    pub fn publish(self) {
        let (name, value) = self.label;
        metrics::counter!(self.counter, name => value).increment(self.more);
    }
}

enum Side<'c> {
    /// The mutex is never contended. It makes the reference `Sync`, so that a step's future is `Send`.
    Sqlite(&'c Mutex<Connection>),
    Postgres(&'c deadpool_postgres::Transaction<'c>),
}

impl<'c> Tx<'c> {
    pub(crate) fn sqlite(connection: &'c Mutex<Connection>) -> Self {
        Self { side: Side::Sqlite(connection), counted: Mutex::default() }
    }

    pub(crate) fn postgres(transaction: &'c deadpool_postgres::Transaction<'c>) -> Self {
        Self { side: Side::Postgres(transaction), counted: Mutex::default() }
    }

    /// Counts what this step writes, at the place that writes it: a step that is rolled back counts nothing, and one that
    /// finds its work done already writes and counts nothing.
    pub(crate) fn count_on_commit(
        &self,
        counter: &'static str,
        label: (&'static str, &'static str),
        more: u64,
    ) {
        if more > 0 {
            let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
            counted.push(MetricIncrement { counter, label, more });
        }
    }

    pub(crate) fn into_counted(self) -> Vec<MetricIncrement> {
        self.counted.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a statement; answers how many rows it touched.
    pub async fn execute(&self, sql: &'static str, params: &[Value]) -> Result<u64> {
        match self.side {
            Side::Sqlite(connection) => Ok(sqlite::lock(connection).execute(sql, params)?),
            Side::Postgres(transaction) => Ok(postgres::execute(transaction, sql, params).await?),
        }
    }

    /// The rows of a query, or of a statement with `RETURNING`.
    pub async fn all<T>(
        &self,
        sql: &'static str,
        params: &[Value],
        read: impl FnMut(&mut Row) -> Result<T, Fault> + Send,
    ) -> Result<Vec<T>> {
        let mut rows = self.rows(sql, params).await?;
        let values: Result<Vec<T>, Fault> = rows.iter_mut().map(read).collect();
        Ok(values?)
    }

    /// The row of a query that has one or none; several are a fault.
    pub async fn one<T>(
        &self,
        sql: &'static str,
        params: &[Value],
        read: impl FnOnce(&mut Row) -> Result<T, Fault> + Send,
    ) -> Result<Option<T>> {
        let mut rows = self.rows(sql, params).await?;
        match rows.as_mut_slice() {
            [] => Ok(None),
            [row] => Ok(Some(read(row)?)),
            more => Err(Fault::new(format!("{} rows where one was expected: {sql}", more.len())).into()),
        }
    }

    /// Runs a statement for each row; `ran` judges how many rows each run touched. See `ledger::each`.
    ///
    /// On SQLite all of it has happened when the future is given: no row waits for another in memory.
    pub(crate) fn execute_each<'t, const N: usize>(
        &'t self,
        sql: &'static str,
        rows: impl Iterator<Item = [Value; N]>,
        ran: fn(&'static str, &[Value; N], u64) -> Result<(), Fault>,
    ) -> BoxFuture<'t, Result<Vec<u64>>> {
        match self.side {
            Side::Sqlite(connection) => {
                let counts = sqlite::lock(connection).execute_each(sql, rows, ran);
                Box::pin(ready(counts.map_err(Into::into)))
            }
            Side::Postgres(transaction) => {
                let rows: Vec<[Value; N]> = rows.collect();
                Box::pin(async move {
                    let counts = postgres::execute_each(transaction, sql, &rows).await?;
                    for (row, count) in rows.iter().zip(&counts) {
                        ran(sql, row, *count)?;
                    }
                    Ok(counts)
                })
            }
        }
    }

    /// Asks a query for each key; the answers in the order of the keys.
    pub(crate) async fn all_each<T: Send, const N: usize>(
        &self,
        sql: &'static str,
        keys: &[[Value; N]],
        read: fn(&mut Row) -> Result<T, Fault>,
    ) -> Result<Vec<Vec<T>>> {
        let read_all = |mut rows: Vec<Row>| rows.iter_mut().map(read).collect::<Result<Vec<T>, Fault>>();
        match self.side {
            Side::Sqlite(connection) => Ok(sqlite::lock(connection).rows_each(sql, keys, read_all)?),
            Side::Postgres(transaction) => {
                let found = postgres::rows_each(transaction, sql, keys).await?;
                Ok(found.into_iter().map(read_all).collect::<Result<Vec<Vec<T>>, Fault>>()?)
            }
        }
    }

    /// The one integer of a query such as `SELECT COUNT(*)`.
    pub async fn count(&self, sql: &'static str, params: &[Value]) -> Result<i64> {
        let count = self.one(sql, params, Row::int).await?;
        Ok(count.ok_or_else(|| Fault::new(format!("no row: {sql}")))?)
    }

    /// Holds a name until the transaction ends, for what no single row can lock: two requests under one
    /// idempotency key, the last two admins. On SQLite the one writer is the queue.
    pub async fn exclusive(&self, name: &str) -> Result<()> {
        match self.side {
            Side::Sqlite(_) => Ok(()),
            Side::Postgres(transaction) => Ok(postgres::exclusive(transaction, name).await?),
        }
    }

    /// Several statements without parameters. `text` is made for the database at hand: a migration is
    /// expanded from its template by it.
    pub(crate) async fn script(&self, text: impl FnOnce(Dialect) -> String + Send) -> Result<()> {
        match self.side {
            Side::Sqlite(connection) => Ok(sqlite::lock(connection).script(&text(Dialect::Sqlite))?),
            Side::Postgres(transaction) => Ok(postgres::script(transaction, &text(Dialect::Postgres)).await?),
        }
    }

    /// For the few texts that one database alone has, such as those of its index of words.
    pub(crate) fn dialect(&self) -> Dialect {
        match self.side {
            Side::Sqlite(_) => Dialect::Sqlite,
            Side::Postgres(_) => Dialect::Postgres,
        }
    }

    async fn rows(&self, sql: &'static str, params: &[Value]) -> Result<Vec<Row>, Fault> {
        match self.side {
            Side::Sqlite(connection) => sqlite::lock(connection).rows(sql, params),
            Side::Postgres(transaction) => postgres::rows(transaction, sql, params).await,
        }
    }
}

/// Which database a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl std::fmt::Debug for Side<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Side::Sqlite(_) => "SQLite",
            Side::Postgres(_) => "PostgreSQL",
        })
    }
}
