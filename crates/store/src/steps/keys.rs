//! API keys of the company's backend. Only hashes of secrets are kept.
//!
//! A key has the person who made it and ends with them: a key whose maker is banned, deleted or no admin any more is not
//! found. One with `admin` works once a second person has approved it.

use domain::Rejection;
use domain::access::{Role, Roles, Scope, Scopes};
use domain::ids::{ApprovalId, KeyId, UserId};
use domain::rejection::MissingThing;
use domain::time::Timestamp;
use serde_json::{Value as Json, json};

use super::approvals;
use crate::failure::{Fault, Result};
use crate::model::{Actor, AuditStamp, CreateOutcome, KeyCreate, KeyMade, KeyRotate, KeyRow, Request};
use crate::row::Row;
use crate::tx::Tx;
use crate::{audit, once, params};

/// `SELECT` of a whole key, to be read with [`read`].
macro_rules! key_sql {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, scopes, created, last_used, previous_until, revoked, maker, approval FROM api_keys ",
            $rest
        )
    };
}

pub(crate) async fn create(tx: &Tx<'_>, step: &KeyCreate) -> Result<KeyMade> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        let waits = lock(tx, KeyId(made.id)).await?.waits;
        return Ok(KeyMade { made, waits });
    }
    let maker = maker(&step.signed)?;
    room_for_one(tx, maker, step.live_max).await?;
    let waits = (step.scopes.has(Scope::Admin) && maker.is_some()).then_some(step.second.approval);
    tx.execute(
        "INSERT INTO api_keys (id, name, scopes, secret_hash, created, maker, approval)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        params![step.id, &step.name, step.scopes, step.secret_hash, step.signed.at, maker, waits],
    )
    .await?;
    let after = json!({ "name": step.name, "scopes": step.scopes.names(), "approval": waits });
    audit::write(tx, &step.signed, "key.create", &subject(step.id), &Json::Null, &after).await?;
    if waits.is_some() {
        let request = Request::ActivateKey { key: step.id, name: step.name.clone(), scopes: step.scopes };
        approvals::open(tx, step.second, &request, &step.signed).await?;
    }
    let made = once::record(tx, step.once.as_ref(), step.id.0, step.signed.at).await?;
    Ok(KeyMade { made, waits })
}

/// Whoever makes a key answers for it: a person, or nobody for the command line. A key makes no key.
fn maker(signed: &AuditStamp) -> Result<Option<UserId>, Rejection> {
    match signed.actor {
        Actor::Person(user) => Ok(Some(user)),
        Actor::Console | Actor::System => Ok(None),
        Actor::Key(_) => Err(Rejection::PeopleOnly),
    }
}

async fn room_for_one(tx: &Tx<'_>, maker: Option<UserId>, max: u32) -> Result<()> {
    let Some(maker) = maker else { return Ok(()) };
    tx.exclusive(&format!("keys of {maker}")).await?;
    let sql = "SELECT COUNT(*) FROM api_keys WHERE maker = $1 AND revoked IS NULL";
    if tx.count(sql, params![maker]).await? >= i64::from(max) {
        return Err(Rejection::KeysFull { max }.into());
    }
    Ok(())
}

/// The secret before the previous one ends here: at most two work at a time. Whoever has the new secret answers for the key;
/// one with `admin` is nobody's to take over.
pub(crate) async fn rotate(tx: &Tx<'_>, step: &KeyRotate) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    let key = lock(tx, step.id).await?;
    if key.revoked.is_some() {
        return Err(Rejection::NotFound { what: MissingThing::Key }.into());
    }
    let by = maker(&step.signed)?;
    if by.is_some() && by != key.maker {
        if key.scopes.has(Scope::Admin) {
            return Err(Rejection::KeyOfAnother.into());
        }
        room_for_one(tx, by, step.live_max).await?;
    }
    let maker = by.or(key.maker);
    tx.execute(
        "UPDATE api_keys SET previous_hash = secret_hash, previous_until = $2, secret_hash = $3, maker = $4
         WHERE id = $1",
        params![step.id, step.overlap_until, step.secret_hash, maker],
    )
    .await?;
    let before = json!({ "previous_until": key.previous_until, "maker": key.maker });
    let after = json!({ "previous_until": step.overlap_until, "maker": maker });
    audit::write(tx, &step.signed, "key.rotate", &subject(step.id), &before, &after).await?;
    once::record(tx, step.once.as_ref(), step.id.0, step.signed.at).await
}

pub(crate) async fn revoke(tx: &Tx<'_>, (key, signed): &(KeyId, AuditStamp)) -> Result<()> {
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

/// Ends the keys of somebody who may not make any: banned, deleted, or no admin any more. Answers which.
pub(crate) async fn revoke_made_by(tx: &Tx<'_>, maker: UserId, now: Timestamp) -> Result<Vec<KeyId>> {
    let sql = "UPDATE api_keys SET revoked = $2, previous_hash = NULL, previous_until = NULL
               WHERE maker = $1 AND revoked IS NULL RETURNING id";
    tx.all(sql, params![maker, now], |row| row.int().map(KeyId)).await
}

/// Carried out by the approval of a second person.
pub(crate) async fn activate(tx: &Tx<'_>, key: KeyId, signed: &AuditStamp) -> Result<()> {
    let row = lock(tx, key).await?;
    if row.revoked.is_some() {
        return Err(Rejection::NotFound { what: MissingThing::Key }.into());
    }
    tx.execute("UPDATE api_keys SET approval = NULL WHERE id = $1", params![key]).await?;
    let (before, after) = (json!({ "approval": row.waits }), json!({ "approval": null }));
    audit::write(tx, signed, "key.activate", &subject(key), &before, &after).await
}

/// Newest first.
pub(crate) async fn list(tx: &Tx<'_>) -> Result<Vec<KeyRow>> {
    tx.all(key_sql!("ORDER BY id DESC"), params![], read).await
}

pub(crate) async fn find(tx: &Tx<'_>, (secret, now): &([u8; 32], Timestamp)) -> Result<Option<KeyRow>> {
    tx.one(
        key_sql!(
            "WHERE revoked IS NULL AND approval IS NULL
               AND (secret_hash = $1 OR (previous_hash = $1 AND previous_until > $2))
               AND (maker IS NULL OR EXISTS (
                   SELECT 1 FROM users WHERE users.id = api_keys.maker AND deleted_at IS NULL AND (roles & $3) = $3
                      AND (ban_until IS NULL OR ban_until <= $2)))"
        ),
        params![secret, *now, Roles::of(&[Role::Admin])],
        read,
    )
    .await
}

pub(crate) async fn touch(tx: &Tx<'_>, (key, now): &(KeyId, Timestamp)) -> Result<()> {
    tx.execute(
        "UPDATE api_keys SET last_used = $2 WHERE id = $1 AND (last_used IS NULL OR last_used < $2)",
        params![*key, *now],
    )
    .await?;
    Ok(())
}

async fn lock(tx: &Tx<'_>, key: KeyId) -> Result<KeyRow> {
    let found = tx.one(key_sql!("WHERE id = $1 FOR UPDATE"), params![key], read).await?;
    Ok(found.ok_or(Rejection::NotFound { what: MissingThing::Key })?)
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
        maker: row.opt_int()?.map(UserId),
        waits: row.opt_int()?.map(ApprovalId),
    })
}
