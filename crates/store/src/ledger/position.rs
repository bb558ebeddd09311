//! How far the projection has come.

use domain::ledger::{BlockDigest, Event};

use crate::failure::{Fault, Result};
use crate::model::LedgerPosition;
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::as_i64;

/// The embedded ledger is one shard.
const SHARD: i64 = 0;

pub(crate) async fn read(tx: &Tx<'_>) -> Result<LedgerPosition> {
    one(tx, "SELECT seq, term, at_ms, digest FROM ledger_position WHERE shard = $1").await
}

/// Holds the position still until the transaction ends: one projector at a time.
pub(super) async fn lock(tx: &Tx<'_>) -> Result<LedgerPosition> {
    one(tx, "SELECT seq, term, at_ms, digest FROM ledger_position WHERE shard = $1 FOR UPDATE").await
}

pub(super) async fn advance(
    tx: &Tx<'_>,
    last: &Event,
    digest: Option<BlockDigest>,
) -> Result<LedgerPosition> {
    let reached = LedgerPosition { seq: last.seq, term: last.term, at: last.at, digest };
    let bytes = digest.map(|digest| digest.0.to_vec());
    tx.execute(
        "UPDATE ledger_position SET seq = $2, term = $3, at_ms = $4, digest = $5 WHERE shard = $1",
        params![SHARD, as_i64(reached.seq), reached.term, reached.at, bytes],
    )
    .await?;
    Ok(reached)
}

async fn one(tx: &Tx<'_>, sql: &'static str) -> Result<LedgerPosition> {
    let found = tx.one(sql, params![SHARD], read_position).await?;
    Ok(found.ok_or_else(|| Fault::new("the ledger's position is missing"))?)
}

fn read_position(row: &mut Row) -> Result<LedgerPosition, Fault> {
    let (seq, term, at) = (row.unsigned()?, row.u32()?, row.time()?);
    Ok(LedgerPosition { seq, term, at, digest: row.opt_hash()?.map(BlockDigest) })
}
