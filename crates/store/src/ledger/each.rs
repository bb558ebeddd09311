//! One statement for many rows.
//!
//! On SQLite each run is ready at once. On PostgreSQL a run is sent without waiting for the one before it, so that a
//! batch costs a few round trips and not one per row; the server runs them in the order they were sent.

use engine::{Fault, Outcome};
use futures::future::try_join_all;

use crate::row::Row;
use crate::tx::Tx;
use crate::value::Value;

/// Statements under way at once.
const UNDER_WAY_MAX: usize = 256;

/// Runs a statement for each row; it must touch exactly one row each time.
pub(crate) async fn once_each<const N: usize>(
    tx: &Tx<'_>,
    sql: &'static str,
    rows: Vec<[Value; N]>,
) -> Outcome<()> {
    let touched = count_each(tx, sql, &rows).await?;
    match touched.iter().position(|count| *count != 1) {
        None => Ok(()),
        Some(at) => Err(Fault::new(format!(
            "{} rows touched where one was expected, with {:?}: {sql}",
            touched[at], rows[at]
        ))
        .into()),
    }
}

/// Runs a statement for each row; answers how many rows each run touched.
pub(crate) async fn count_each<const N: usize>(
    tx: &Tx<'_>,
    sql: &'static str,
    rows: &[[Value; N]],
) -> Outcome<Vec<u64>> {
    let mut touched = Vec::with_capacity(rows.len());
    let Some((first, rest)) = rows.split_first() else { return Ok(touched) };
    // The first one alone: after it the statement is prepared.
    touched.push(tx.execute(sql, first).await?);
    for some in rest.chunks(UNDER_WAY_MAX) {
        touched.extend(try_join_all(some.iter().map(|row| tx.execute(sql, row))).await?);
    }
    Ok(touched)
}

/// Asks a query for each key; the answers in the order of the keys.
pub(crate) async fn all_each<T: Send, const N: usize>(
    tx: &Tx<'_>,
    sql: &'static str,
    keys: &[[Value; N]],
    read: fn(&mut Row) -> Result<T, Fault>,
) -> Outcome<Vec<Vec<T>>> {
    let mut found = Vec::with_capacity(keys.len());
    let Some((first, rest)) = keys.split_first() else { return Ok(found) };
    found.push(tx.all(sql, first, read).await?);
    for some in rest.chunks(UNDER_WAY_MAX) {
        found.extend(try_join_all(some.iter().map(|key| tx.all(sql, key, read))).await?);
    }
    Ok(found)
}
