//! Giving codes: the pool's cursor moves, and each code has a row that says what it was given for.
//!
//! [`take`] belongs inside the transaction that finishes what the code is given for. The pool is locked first, so takers
//! take turns; two unique keys hold even if they did not: one code per fulfilment, one fulfilment per code.

use std::collections::{HashMap, HashSet};

use domain::ids::{CodePoolId, FulfilmentId};
use domain::time::Timestamp;

use super::pools::lock;
use super::retire;
use crate::each::{all_each, once_each};
use crate::failure::{Fault, Result};
use crate::model::CodeOutcome;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::{Value, as_i64};

/// One code for each that has none yet, in their order, while there are any. Answers in the order of `ids`.
pub(crate) async fn take(
    tx: &Tx<'_>,
    pool: CodePoolId,
    ids: &[FulfilmentId],
    now: Timestamp,
) -> Result<Vec<CodeOutcome>> {
    let row = lock(tx, pool).await?;
    let mut numbers = find_given(tx, ids).await?;
    let mut asked = HashSet::new();
    let fresh: Vec<FulfilmentId> =
        ids.iter().copied().filter(|id| !numbers.contains_key(id) && asked.insert(*id)).collect();
    let waits = row.quarantined_since.is_some();
    let left = if waits { row.given..row.given } else { row.given..row.imported };
    let retired = retire::list_ahead(tx, &row).await?;
    let left = left.filter(|number| retired.binary_search(number).is_err());
    let taken: Vec<(FulfilmentId, u64)> = fresh.into_iter().zip(left).collect();
    if !taken.is_empty() {
        let rows: Vec<[Value; 4]> = taken
            .iter()
            .map(|(id, number)| [(*id).into(), pool.into(), as_i64(*number).into(), now.into()])
            .collect();
        once_each(
            tx,
            "INSERT INTO given_codes (fulfilment_id, pool_id, number, given_ms) VALUES ($1, $2, $3, $4)",
            rows,
        )
        .await?;
        let given = taken.last().map_or(row.given, |(_, number)| number + 1);
        retire::move_cursor(tx, &row, given).await?;
    }
    numbers.extend(taken);
    let none = if waits { CodeOutcome::Quarantined } else { CodeOutcome::NoneLeft };
    Ok(ids.iter().map(|id| numbers.get(id).map_or(none, |number| CodeOutcome::Code(*number))).collect())
}

async fn find_given(tx: &Tx<'_>, ids: &[FulfilmentId]) -> Result<HashMap<FulfilmentId, u64>> {
    let keys: Vec<[Value; 1]> = ids.iter().map(|id| [(*id).into()]).collect();
    let read = |row: &mut Row| -> Result<u64, Fault> { row.unsigned() };
    let found = all_each(tx, "SELECT number FROM given_codes WHERE fulfilment_id = $1", &keys, read).await?;
    Ok(ids.iter().copied().zip(found).filter_map(|(id, rows)| Some((id, *rows.first()?))).collect())
}
