//! Retiring codes that nobody has: single ones by their numbers, or all that are left.
//!
//! A retired code keeps its number and its chunk; whoever gives codes goes past it. The pool is locked first, so that no code
//! is given and retired at once.

use domain::Rejection;
use domain::rejection::FieldProblem;
use serde_json::json;

use super::pools::{lock, subject};
use crate::failure::{Fault, Result};
use crate::model::{
    CodePoolRow, CodesRetire, CodesRetired, NumberedChunk, RETIRE_MAX, RETIRED_MAX, RetireWhich,
};
use crate::row::Row;
use crate::tx::Tx;
use crate::value::as_i64;
use crate::{audit, params};

/// The numbers that the cursor will go past, in order.
pub(super) async fn list_ahead(tx: &Tx<'_>, pool: &CodePoolRow) -> Result<Vec<u64>> {
    if pool.retired == 0 {
        return Ok(Vec::new());
    }
    let sql = "SELECT number FROM retired_codes WHERE pool_id = $1 AND number >= $2 ORDER BY number";
    tx.all(sql, params![pool.id, as_i64(pool.given)], Row::unsigned).await
}

/// The next code is that with this number: what is retired before it was passed.
pub(in crate::steps) async fn move_cursor(
    tx: &Tx<'_>,
    pool: &CodePoolRow,
    given: u64,
) -> Result<CodePoolRow> {
    let passed = if pool.retired == 0 {
        0
    } else {
        let sql = "SELECT COUNT(*) FROM retired_codes WHERE pool_id = $1 AND number >= $2 AND number < $3";
        tx.count(sql, params![pool.id, as_i64(pool.given), as_i64(given)]).await?.unsigned_abs()
    };
    let moved = CodePoolRow {
        given,
        retired: pool.retired.saturating_sub(passed),
        passed: pool.passed.saturating_add(passed),
        ..pool.clone()
    };
    write(tx, &moved).await?;
    Ok(moved)
}

async fn write(tx: &Tx<'_>, pool: &CodePoolRow) -> Result<()> {
    let sql = "UPDATE code_pools SET given = $2, retired = $3, passed = $4 WHERE id = $1";
    let values = params![pool.id, as_i64(pool.given), as_i64(pool.retired), as_i64(pool.passed)];
    tx.execute(sql, values).await.map(drop)
}

/// The same again retires nothing more.
pub(super) async fn retire(tx: &Tx<'_>, step: &CodesRetire) -> Result<CodesRetired> {
    let row = lock(tx, step.pool).await?;
    let (pool, retired, given) = match &step.which {
        RetireWhich::Numbers(numbers) => retire_numbers(tx, step, &row, numbers).await?,
        RetireWhich::Rest => {
            let left = row.left();
            // Everything from the cursor on is retired, with or without a row of its own.
            let passed = row.passed + row.imported.saturating_sub(row.given);
            (CodePoolRow { given: row.imported, retired: 0, passed, ..row.clone() }, left, 0)
        }
    };
    if retired > 0 {
        write(tx, &pool).await?;
        let (before, after) =
            (json!({ "left": row.left() }), json!({ "left": pool.left(), "retired": retired }));
        audit::write(tx, &step.signed, "codes.retire", &subject(step.pool), &before, &after).await?;
    }
    Ok(CodesRetired { retired, given, pool })
}

async fn retire_numbers(
    tx: &Tx<'_>,
    step: &CodesRetire,
    row: &CodePoolRow,
    numbers: &[u64],
) -> Result<(CodePoolRow, u64, u64)> {
    if numbers.len() > RETIRE_MAX {
        return Err(Fault::new(format!("{} codes retired in one step", numbers.len())).into());
    }
    let (mut retired, mut given) = (0, 0);
    for number in numbers {
        if *number < row.given {
            given += 1;
            continue;
        }
        retired += tx
            .execute(
                "INSERT INTO retired_codes (pool_id, number, retired_ms) VALUES ($1, $2, $3)
                 ON CONFLICT (pool_id, number) DO NOTHING",
                params![step.pool, as_i64(*number), step.signed.at],
            )
            .await?;
    }
    if row.retired + retired > RETIRED_MAX {
        return Err(Rejection::invalid("codes", FieldProblem::TooLong { max: RETIRED_MAX }).into());
    }
    Ok((CodePoolRow { retired: row.retired + retired, ..row.clone() }, retired, given))
}

/// Chunks of a pool from a number on, in order.
pub(super) async fn list_chunks(
    tx: &Tx<'_>,
    (pool, after, limit): &(domain::ids::CodePoolId, i64, u32),
) -> Result<Vec<NumberedChunk>> {
    tx.all(
        "SELECT first_number, prints, sealed FROM code_chunks WHERE pool_id = $1 AND first_number > $2
         ORDER BY first_number LIMIT $3",
        params![*pool, *after, *limit],
        |row: &mut Row| {
            Ok(NumberedChunk { first_number: row.unsigned()?, prints: row.bytes()?, sealed: row.bytes()? })
        },
    )
    .await
}
