//! Chunks are added, and their fingerprints are read by whoever imports next.
//!
//! Whether a code is new is found out in memory, against the fingerprints of all pools. A step says what it was checked
//! against, and writes nothing when that is not the newest any more: so no code is kept twice, whoever imports beside.

use domain::Rejection;
use domain::ids::CodePoolId;
use serde_json::json;

use super::pools::{lock, subject};
use crate::each::once_each;
use crate::failure::{Fault, Result};
use crate::model::{ADD_CHUNKS_MAX, CODES_MAX, CodesAdd, CodesAdded, KnownChunk};
use crate::tx::Tx;
use crate::value::{Value, as_i64};
use crate::{audit, params};

/// Winners who are called up by one import; more of them come in their own time.
const WOKEN_MAX: i64 = 10_000;

pub(super) async fn add(tx: &Tx<'_>, step: &CodesAdd) -> Result<CodesAdded> {
    if step.chunks.len() > ADD_CHUNKS_MAX {
        return Err(Fault::new(format!("{} chunks in one step", step.chunks.len())).into());
    }
    tx.exclusive("codes are added").await?;
    let pool = lock(tx, step.pool).await?;
    let newest = tx.count("SELECT COALESCE(MAX(seq), 0) FROM code_chunks", params![]).await?;
    if newest != step.after {
        return Ok(CodesAdded::Behind);
    }
    let added: i64 = step.chunks.iter().map(|chunk| i64::from(chunk.codes)).sum();
    let sum = "SELECT CAST(COALESCE(SUM(imported), 0) AS BIGINT) FROM code_pools";
    if tx.count(sum, params![]).await? + added > i64::from(CODES_MAX) {
        return Err(Rejection::CodesFull { max: CODES_MAX }.into());
    }
    let first = as_i64(pool.imported);
    let mut rows: Vec<[Value; 6]> = Vec::with_capacity(step.chunks.len());
    let (mut number, mut seq) = (first, newest);
    for chunk in &step.chunks {
        seq += 1;
        rows.push([
            step.pool.into(),
            number.into(),
            chunk.codes.into(),
            seq.into(),
            (&chunk.prints).into(),
            (&chunk.sealed).into(),
        ]);
        number += i64::from(chunk.codes);
    }
    once_each(
        tx,
        "INSERT INTO code_chunks (pool_id, first_number, codes, seq, prints, sealed)
         VALUES ($1, $2, $3, $4, $5, $6)",
        rows,
    )
    .await?;
    tx.execute("UPDATE code_pools SET imported = $2 WHERE id = $1", params![step.pool, number]).await?;
    wake(tx, step.pool).await?;
    let after = json!({ "added": added, "imported": number });
    let before = json!({ "imported": first });
    audit::write(tx, &step.signed, "codes.import", &subject(step.pool), &before, &after).await?;
    Ok(CodesAdded::Added(seq))
}

/// Whoever waits for a code of this pool is next, in the order in which they won: nobody who wins now goes before them.
async fn wake(tx: &Tx<'_>, pool: CodePoolId) -> Result<()> {
    tx.execute(
        "UPDATE outbox SET due_ms = made_ms, attempts = 0
         WHERE lane = 'codes' AND attempts > 0 AND id IN
               (SELECT waiting.id FROM outbox waiting JOIN fulfilments ON fulfilments.id = waiting.subject
                WHERE waiting.lane = 'codes' AND waiting.attempts > 0 AND fulfilments.pool_id = $1
                ORDER BY waiting.id LIMIT $2)",
        params![pool, WOKEN_MAX],
    )
    .await?;
    Ok(())
}

pub(super) async fn list_prints(tx: &Tx<'_>, (after, limit): &(i64, u32)) -> Result<Vec<KnownChunk>> {
    tx.all(
        "SELECT seq, prints FROM code_chunks WHERE seq > $1 ORDER BY seq LIMIT $2",
        params![*after, *limit],
        |row| Ok(KnownChunk { seq: row.int()?, prints: row.bytes()? }),
    )
    .await
}
