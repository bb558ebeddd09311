//! One statement for many rows.
//!
//! On SQLite the statement is looked up once and run row by row, each row made just before: a batch is thousands of rows,
//! and neither its statement nor its memory should be asked for thousands of times. On PostgreSQL the statement is rewritten
//! for arrays (`postgres/batch_text.rs`), so that a batch is one statement; where its text does not allow that, its runs
//! are sent without waiting for each other. So no two rows of a batch are for the same row of the table.

use futures::TryFutureExt;
use futures::future::BoxFuture;

use crate::failure::{Fault, Result};
use crate::row::Row;
use crate::tx::Tx;
use crate::value::Value;

/// Runs a statement for each row; it must touch exactly one row each time.
pub(crate) fn once_each<'t, const N: usize>(
    tx: &'t Tx<'_>,
    sql: &'static str,
    rows: impl IntoIterator<Item = [Value; N]>,
) -> BoxFuture<'t, Result<()>> {
    Box::pin(tx.execute_each(sql, rows.into_iter(), once).map_ok(drop))
}

/// Runs a statement for each row; answers how many rows each run touched.
pub(crate) fn count_each<'t, const N: usize>(
    tx: &'t Tx<'_>,
    sql: &'static str,
    rows: impl IntoIterator<Item = [Value; N]>,
) -> BoxFuture<'t, Result<Vec<u64>>> {
    tx.execute_each(sql, rows.into_iter(), |_, _, _| Ok(()))
}

fn once<const N: usize>(sql: &'static str, row: &[Value; N], touched: u64) -> Result<(), Fault> {
    match touched {
        1 => Ok(()),
        other => Err(Fault::new(format!("{other} rows touched where one was expected, with {row:?}: {sql}"))),
    }
}

/// Asks a query for each key; the answers in the order of the keys.
pub(crate) async fn all_each<T: Send, const N: usize>(
    tx: &Tx<'_>,
    sql: &'static str,
    keys: &[[Value; N]],
    read: fn(&mut Row) -> Result<T, Fault>,
) -> Result<Vec<Vec<T>>> {
    tx.all_each(sql, keys, read).await
}
