//! The pools themselves.

use domain::Rejection;
use domain::ids::CodePoolId;
use domain::page::{Page, PageRequest};
use domain::rejection::MissingThing;
use serde_json::{Value as Json, json};

use crate::failure::{Fault, Result};
use crate::model::{CODE_POOLS_MAX, CodePoolEdit, CodePoolMake, CodePoolRow, CreateOutcome};
use crate::row::Row;
use crate::tx::Tx;
use crate::{audit, once, params};

macro_rules! pool_sql {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, low_below, made_ms, imported, given, retired, passed, low_since, quarantined_since
             FROM code_pools ",
            $rest
        )
    };
}
pub(super) use pool_sql;

pub(super) async fn make(tx: &Tx<'_>, step: &CodePoolMake) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    tx.exclusive("code pools").await?;
    if tx.count("SELECT COUNT(*) FROM code_pools", params![]).await? >= i64::from(CODE_POOLS_MAX) {
        return Err(Rejection::CodePoolsFull { max: CODE_POOLS_MAX }.into());
    }
    let made = tx
        .execute(
            "INSERT INTO code_pools (id, name, low_below, made_ms) VALUES ($1, $2, $3, $4)
             ON CONFLICT (name) DO NOTHING",
            params![step.id, &step.name, step.low_below, step.signed.at],
        )
        .await?;
    if made == 0 {
        return Err(Rejection::CodePoolExists.into());
    }
    let after = json!({ "name": step.name, "low_below": step.low_below });
    audit::write(tx, &step.signed, "code_pool.make", &subject(step.id), &Json::Null, &after).await?;
    once::record(tx, step.once.as_ref(), step.id.0, step.signed.at).await
}

/// The same threshold again is no news. Whether the pool is low by it now, the job `low_codes` says.
pub(super) async fn edit(tx: &Tx<'_>, step: &CodePoolEdit) -> Result<CodePoolRow> {
    let row = lock(tx, step.pool).await?;
    if row.low_below == step.low_below {
        return Ok(row);
    }
    let sql = "UPDATE code_pools SET low_below = $2 WHERE id = $1";
    tx.execute(sql, params![step.pool, step.low_below]).await?;
    let (before, after) = (json!({ "low_below": row.low_below }), json!({ "low_below": step.low_below }));
    audit::write(tx, &step.signed, "code_pool.edit", &subject(step.pool), &before, &after).await?;
    Ok(CodePoolRow { low_below: step.low_below, ..row })
}

pub(super) async fn find(tx: &Tx<'_>, pool: &CodePoolId) -> Result<Option<CodePoolRow>> {
    tx.one(pool_sql!("WHERE id = $1"), params![*pool], read).await
}

/// Nobody else gives or adds codes of this pool until the transaction ends.
pub(in crate::steps) async fn lock(tx: &Tx<'_>, pool: CodePoolId) -> Result<CodePoolRow> {
    let found = tx.one(pool_sql!("WHERE id = $1 FOR UPDATE"), params![pool], read).await?;
    Ok(found.ok_or(Rejection::NotFound { what: MissingThing::CodePool })?)
}

pub(in crate::steps) async fn list_quarantined(tx: &Tx<'_>, limit: i64) -> Result<Vec<CodePoolRow>> {
    let sql = pool_sql!("WHERE quarantined_since IS NOT NULL ORDER BY id LIMIT $1");
    tx.all(sql, params![limit], read).await
}

pub(super) async fn list(
    tx: &Tx<'_>,
    (name, page): &(Option<String>, PageRequest),
) -> Result<Page<CodePoolRow>> {
    let rows = tx
        .all(
            pool_sql!("WHERE id < $1 AND (CAST($2 AS TEXT) IS NULL OR name = $2) ORDER BY id DESC LIMIT $3"),
            params![page.before(), name.as_ref(), page.fetch()],
            read,
        )
        .await?;
    Ok(Page::cut(rows, *page, |row| row.id.0))
}

pub(super) fn subject(pool: CodePoolId) -> String {
    format!("code_pool:{pool}")
}

pub(super) fn read(row: &mut Row) -> Result<CodePoolRow, Fault> {
    Ok(CodePoolRow {
        id: CodePoolId(row.int()?),
        name: row.text()?,
        low_below: u32::try_from(row.int()?).map_err(|error| Fault::caused("a pool's threshold", error))?,
        made: row.time()?,
        imported: row.unsigned()?,
        given: row.unsigned()?,
        retired: row.unsigned()?,
        passed: row.unsigned()?,
        low_since: row.opt_time()?,
        quarantined_since: row.opt_time()?,
    })
}
