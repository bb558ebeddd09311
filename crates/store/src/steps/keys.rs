//! API keys of the company's backend. Only hashes of secrets are kept.

use domain::Rejection;
use domain::access::Scopes;
use domain::ids::KeyId;
use domain::rejection::Subject;
use domain::time::Timestamp;
use engine::ports::{KeyCreate, KeyRotate, KeyRow, Made, Signed};
use engine::{Fault, Outcome};
use serde_json::{Value as Json, json};

use crate::row::Row;
use crate::tx::Tx;
use crate::{audit, once, params};

/// `SELECT` of a whole key, to be read with [`read`].
macro_rules! key_sql {
    ($rest:literal) => {
        concat!("SELECT id, name, scopes, created, last_used, previous_until, revoked FROM api_keys ", $rest)
    };
}

pub(crate) async fn create(tx: &Tx<'_>, step: &KeyCreate) -> Outcome<Made> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    tx.execute(
        "INSERT INTO api_keys (id, name, scopes, secret_hash, created) VALUES ($1, $2, $3, $4, $5)",
        params![step.id, &step.name, step.scopes, step.secret_hash, step.signed.at],
    )
    .await?;
    let after = json!({ "name": step.name, "scopes": step.scopes.names() });
    audit::write(tx, &step.signed, "key.create", &subject(step.id), &Json::Null, &after).await?;
    once::record(tx, step.once.as_ref(), step.id.0, step.signed.at).await
}

/// The secret before the previous one ends here: at most two work at a time.
pub(crate) async fn rotate(tx: &Tx<'_>, step: &KeyRotate) -> Outcome<Made> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    let key = lock(tx, step.id).await?;
    if key.revoked.is_some() {
        return Err(Rejection::NotFound { what: Subject::Key }.into());
    }
    tx.execute(
        "UPDATE api_keys SET previous_hash = secret_hash, previous_until = $2, secret_hash = $3
         WHERE id = $1",
        params![step.id, step.overlap_until, step.secret_hash],
    )
    .await?;
    let before = json!({ "previous_until": key.previous_until });
    let after = json!({ "previous_until": step.overlap_until });
    audit::write(tx, &step.signed, "key.rotate", &subject(step.id), &before, &after).await?;
    once::record(tx, step.once.as_ref(), step.id.0, step.signed.at).await
}

pub(crate) async fn revoke(tx: &Tx<'_>, (key, signed): &(KeyId, Signed)) -> Outcome<()> {
    if lock(tx, *key).await?.revoked.is_some() {
        return Ok(());
    }
    tx.execute(
        "UPDATE api_keys SET revoked = $2, previous_hash = NULL, previous_until = NULL WHERE id = $1",
        params![*key, signed.at],
    )
    .await?;
    let (before, after) = (json!({ "revoked": null }), json!({ "revoked": signed.at }));
    audit::write(tx, signed, "key.revoke", &subject(*key), &before, &after).await
}

/// Newest first.
pub(crate) async fn list(tx: &Tx<'_>) -> Outcome<Vec<KeyRow>> {
    tx.all(key_sql!("ORDER BY id DESC"), params![], read).await
}

pub(crate) async fn find(tx: &Tx<'_>, (secret, now): &([u8; 32], Timestamp)) -> Outcome<Option<KeyRow>> {
    tx.one(
        key_sql!(
            "WHERE revoked IS NULL AND (secret_hash = $1 OR (previous_hash = $1 AND previous_until > $2))"
        ),
        params![secret, *now],
        read,
    )
    .await
}

pub(crate) async fn touch(tx: &Tx<'_>, (key, now): &(KeyId, Timestamp)) -> Outcome<()> {
    tx.execute(
        "UPDATE api_keys SET last_used = $2 WHERE id = $1 AND (last_used IS NULL OR last_used < $2)",
        params![*key, *now],
    )
    .await?;
    Ok(())
}

async fn lock(tx: &Tx<'_>, key: KeyId) -> Outcome<KeyRow> {
    let found = tx.one(key_sql!("WHERE id = $1 FOR UPDATE"), params![key], read).await?;
    Ok(found.ok_or(Rejection::NotFound { what: Subject::Key })?)
}

fn subject(key: KeyId) -> String {
    format!("key:{key}")
}

fn read(row: &mut Row) -> Result<KeyRow, Fault> {
    Ok(KeyRow {
        id: KeyId(row.int()?),
        name: row.text()?,
        scopes: Scopes::from_bits(row.int()?),
        created: row.time()?,
        last_used: row.opt_time()?,
        previous_until: row.opt_time()?,
        revoked: row.opt_time()?,
    })
}
