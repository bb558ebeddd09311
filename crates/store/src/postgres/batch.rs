//! One statement for many rows: one round trip and one run of it for a whole batch, where its text allows.

use std::error::Error;

use bytes::BytesMut;
use deadpool_postgres::Transaction;
use futures::future::try_join_all;
use tokio_postgres::Statement;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use super::batch_text::{BatchAnswer, BatchText, rewrite};
use super::{execute, in_statement, row, rows};
use crate::failure::Fault;
use crate::row::Row;
use crate::value::Value;

/// Fewer rows than this are sent one by one: they are no batch, and most steps have only a few.
const BATCH_MIN: usize = 4;
/// Rows of one statement at most.
const BATCH_MAX: usize = 8_192;
/// Statements under way at once, where each row has one of its own.
const UNDER_WAY_MAX: usize = 256;

/// Runs a statement for each row; answers how many rows each run touched.
pub(crate) async fn execute_each<const N: usize>(
    transaction: &Transaction<'_>,
    sql: &'static str,
    given: &[[Value; N]],
) -> Result<Vec<u64>, Fault> {
    if let Some((text, statement)) = prepare(transaction, sql, given.len()).await? {
        let mut counts = Vec::with_capacity(given.len());
        for some in given.chunks(BATCH_MAX) {
            counts.extend(run(transaction, &text, &statement, some).await?);
        }
        return Ok(counts);
    }
    let mut counts = Vec::with_capacity(given.len());
    // The first one alone: after it the statement is prepared.
    let (first, rest) = given.split_at(given.len().min(1));
    for some in std::iter::once(first).chain(rest.chunks(UNDER_WAY_MAX)) {
        counts.extend(try_join_all(some.iter().map(|one| execute(transaction, sql, one))).await?);
    }
    Ok(counts)
}

/// Asks a query for each key; the rows in the order of the keys.
pub(crate) async fn rows_each<const N: usize>(
    transaction: &Transaction<'_>,
    sql: &'static str,
    keys: &[[Value; N]],
) -> Result<Vec<Vec<Row>>, Fault> {
    let mut found = Vec::with_capacity(keys.len());
    if let Some((text, statement)) = prepare(transaction, sql, keys.len()).await? {
        for some in keys.chunks(BATCH_MAX) {
            found.extend(look_up(transaction, &text, &statement, some).await?);
        }
        return Ok(found);
    }
    let (first, rest) = keys.split_at(keys.len().min(1));
    for some in std::iter::once(first).chain(rest.chunks(UNDER_WAY_MAX)) {
        found.extend(try_join_all(some.iter().map(|key| rows(transaction, sql, key))).await?);
    }
    Ok(found)
}

/// The statement for a batch of so many rows, if it is one and its text can be rewritten.
async fn prepare(
    transaction: &Transaction<'_>,
    sql: &'static str,
    count: usize,
) -> Result<Option<(BatchText, Statement)>, Fault> {
    if count < BATCH_MIN {
        return Ok(None);
    }
    let one = transaction.prepare_cached(sql).await.map_err(|error| in_statement(sql, error))?;
    let types: Vec<&str> = one.params().iter().map(Type::name).collect();
    let Some(text) = rewrite(sql, &types) else { return Ok(None) };
    let prepared = transaction.prepare_cached(&text.sql).await;
    let statement = prepared.map_err(|error| in_statement(&text.sql, error))?;
    Ok(Some((text, statement)))
}

async fn run<const N: usize>(
    transaction: &Transaction<'_>,
    text: &BatchText,
    statement: &Statement,
    given: &[[Value; N]],
) -> Result<Vec<u64>, Fault> {
    let trouble = |error| in_statement(&text.sql, error);
    let columns: [Column<'_, N>; N] = std::array::from_fn(|at| Column { rows: given, at });
    let params = columns.each_ref().map(|column| column as &(dyn ToSql + Sync));
    match text.answer {
        // An INSERT that lets no row go writes each of them or fails, and then the server names the row.
        BatchAnswer::Touched => {
            let touched = transaction.execute(statement, &params).await.map_err(trouble)?;
            if touched == given.len() as u64 {
                Ok(vec![1; given.len()])
            } else {
                let sql = &text.sql;
                Err(Fault::new(format!("{touched} of {} rows were written: {sql}", given.len())))
            }
        }
        BatchAnswer::Places | BatchAnswer::Found => {
            let mut counts = vec![0; given.len()];
            for found in transaction.query(statement, &params).await.map_err(trouble)? {
                *place(&mut counts, &found, &text.sql)? += 1;
            }
            Ok(counts)
        }
    }
}

async fn look_up<const N: usize>(
    transaction: &Transaction<'_>,
    text: &BatchText,
    statement: &Statement,
    keys: &[[Value; N]],
) -> Result<Vec<Vec<Row>>, Fault> {
    let trouble = |error| in_statement(&text.sql, error);
    let columns: [Column<'_, N>; N] = std::array::from_fn(|at| Column { rows: keys, at });
    let params = columns.each_ref().map(|column| column as &(dyn ToSql + Sync));
    let mut answers: Vec<Vec<Row>> = keys.iter().map(|_| Vec::new()).collect();
    for found in transaction.query(statement, &params).await.map_err(trouble)? {
        let columns = row(&found, 1).map_err(trouble)?;
        place(&mut answers, &found, &text.sql)?.push(columns);
    }
    Ok(answers)
}

/// What belongs to the row whose place, counted from one, is in the first column.
fn place<'a, T>(of: &'a mut [T], found: &tokio_postgres::Row, sql: &str) -> Result<&'a mut T, Fault> {
    let n: i64 = found.try_get(0).map_err(|error| in_statement(sql, error))?;
    let at = usize::try_from(n - 1).ok().and_then(|at| of.get_mut(at));
    at.ok_or_else(|| Fault::new(format!("no row {n} was given: {sql}")))
}

/// One parameter of all rows, as an array.
#[derive(Debug)]
struct Column<'r, const N: usize> {
    rows: &'r [[Value; N]],
    at: usize,
}

impl<const N: usize> ToSql for Column<'_, N> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        let values: Vec<&Value> = self.rows.iter().map(|row| &row[self.at]).collect();
        values.to_sql(kind, out)
    }

    /// What is in it is judged value by value.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
