//! The secrets that draws are derived from: sealed, committed to, never replaced, revealed when nothing can be drawn from
//! them any more.

use domain::ids::ActivityId;
use domain::lottery::publish::StrategyHash;
use domain::lottery::random::Commitment;
use domain::time::Timestamp;
use serde_json::{Value as Json, json};

use super::columns::number;
use super::state::subject;
use crate::failure::{Fault, Result};
use crate::model::{AuditStamp, Fence, NewSecret, SecretRow, VersionRow};
use crate::row::Row;
use crate::steps::jobs::pass_fence;
use crate::tx::Tx;
use crate::{audit, params};

macro_rules! secret_sql {
    ($rest:literal) => {
        concat!(
            "SELECT round, version, sealed, commitment, strategy_hash, made_at, revealed_at FROM activity_secrets ",
            $rest
        )
    };
}

/// The secret of a round and version. The first one stays.
pub(super) async fn insert(
    tx: &Tx<'_>,
    id: ActivityId,
    round: u32,
    version: &VersionRow,
    (secret, at): (Option<&NewSecret>, Timestamp),
) -> Result<()> {
    let secret = secret.ok_or_else(|| Fault::new("a version is put in place without a secret"))?;
    tx.execute(
        "INSERT INTO activity_secrets (activity_id, round, version, sealed, commitment, strategy_hash, made_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (activity_id, round, version) DO NOTHING",
        params![
            id,
            round,
            version.number,
            &secret.sealed,
            secret.commitment.0,
            version.content.plan.hash().0,
            at
        ],
    )
    .await?;
    Ok(())
}

pub(crate) async fn list(tx: &Tx<'_>, id: &ActivityId) -> Result<Vec<SecretRow>> {
    tx.all(secret_sql!("WHERE activity_id = $1 ORDER BY round, version"), params![*id], read).await
}

/// One that must be there.
pub(super) async fn get(tx: &Tx<'_>, id: ActivityId, round: u32, version: u32) -> Result<SecretRow> {
    let sql = secret_sql!("WHERE activity_id = $1 AND round = $2 AND version = $3");
    let found = tx.one(sql, params![id, round, version], read).await?;
    Ok(found.ok_or_else(|| {
        Fault::new(format!("activity {id} has no secret for round {round}, version {version}"))
    })?)
}

/// The first of a round: what a raffle is drawn with, since nobody had entered when it was committed to.
pub(super) async fn first(tx: &Tx<'_>, id: ActivityId, round: u32) -> Result<SecretRow> {
    let sql = secret_sql!("WHERE activity_id = $1 AND round = $2 ORDER BY version LIMIT 1");
    let found = tx.one(sql, params![id, round], read).await?;
    Ok(found.ok_or_else(|| Fault::new(format!("activity {id} has no secret for round {round}")))?)
}

/// A round that is closed in the ledger's rows is drawn from no more: every draw under its secrets is there to be checked.
/// One round at a time: each has its line in the audit log.
pub(crate) async fn reveal(
    tx: &Tx<'_>,
    (fence, signed): &(Fence, AuditStamp),
) -> Result<Option<(ActivityId, u32)>> {
    pass_fence(tx, fence).await?;
    let over = tx
        .one(
            "SELECT s.activity_id, s.round FROM activity_secrets s
             JOIN play_rounds r ON r.activity_id = s.activity_id AND r.round = s.round AND r.state = 'closed'
             JOIN activity_versions v ON v.activity_id = s.activity_id AND v.number = s.version
             WHERE s.revealed_at IS NULL AND v.kind = 'instant'
             ORDER BY s.activity_id, s.round LIMIT 1",
            params![],
            |row| Ok((ActivityId(row.int()?), number(row)?)),
        )
        .await?;
    let Some((id, round)) = over else { return Ok(None) };
    tx.execute(
        "UPDATE activity_secrets SET revealed_at = $3 WHERE activity_id = $1 AND round = $2 AND revealed_at IS NULL",
        params![id, round, signed.at],
    )
    .await?;
    audit::write(tx, signed, "activity.reveal", &subject(id), &Json::Null, &json!({ "round": round }))
        .await?;
    Ok(over)
}

fn read(row: &mut Row) -> Result<SecretRow, Fault> {
    Ok(SecretRow {
        round: number(row)?,
        version: number(row)?,
        sealed: row.bytes()?,
        commitment: Commitment(row.hash()?),
        strategy: StrategyHash(row.hash()?),
        made_at: row.time()?,
        revealed_at: row.opt_time()?,
    })
}
