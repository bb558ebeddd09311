//! Sessions: begun under the user's lock, found by the hash of their token.
//!
//! A row alone does not make a session alive: its epoch has to be the user's. Steps that end all sessions
//! raise the epoch, which reaches nodes that have the row cached.

use domain::account::{SessionPolicy, SessionTimes};
use domain::ids::{SessionId, UserId};
use domain::time::Timestamp;

use super::users::{self, User};
use super::{consents, devices};
use crate::failure::{Fault, Result};
use crate::model::{AccountStatus, NewSession, SessionRow};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

/// Sessions one user may have; a new one beyond it ends the one that was not seen for the longest time.
pub(crate) const SESSIONS_MAX: u32 = 20;

/// Starts a session. The caller holds the user's lock, or has just made the user.
pub(crate) async fn start(
    tx: &Tx<'_>,
    user: UserId,
    epoch: i64,
    new: &NewSession,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "DELETE FROM sessions WHERE user_id = $1 AND id NOT IN (
             SELECT id FROM sessions WHERE user_id = $1 ORDER BY seen DESC, id DESC LIMIT $2)",
        params![user, SESSIONS_MAX - 1],
    )
    .await?;
    tx.execute(
        "INSERT INTO sessions (user_id, id, token_hash, started, seen, epoch, agent, address)
         VALUES ($1, $2, $3, $4, $4, $5, $6, $7)",
        params![user, new.id, new.token_hash, now, epoch, &new.agent, &new.address],
    )
    .await?;
    consents::record(tx, user, &new.consent, now).await?;
    devices::bind(tx, user, &new.device_hash, now).await
}

pub(crate) async fn find(tx: &Tx<'_>, token_hash: &[u8; 32]) -> Result<Option<SessionRow>> {
    tx.one(
        "SELECT id, user_id, started, seen, epoch, agent, address FROM sessions WHERE token_hash = $1",
        params![token_hash],
        read,
    )
    .await
}

/// Never moves backwards: two nodes may report in either order. Answers whether the session is still there.
pub(crate) async fn touch(tx: &Tx<'_>, (session, now): &(SessionId, Timestamp)) -> Result<bool> {
    let touched = tx
        .execute(
            "UPDATE sessions SET seen = CASE WHEN seen < $2 THEN $2 ELSE seen END WHERE id = $1",
            params![*session, *now],
        )
        .await?;
    Ok(touched > 0)
}

/// Those that are alive, newest first.
pub(crate) async fn list(
    tx: &Tx<'_>,
    (user, policy, now): &(UserId, SessionPolicy, Timestamp),
) -> Result<Vec<SessionRow>> {
    let mut sessions = tx
        .all(
            "SELECT s.id, s.user_id, s.started, s.seen, s.epoch, s.agent, s.address
             FROM sessions s JOIN users u ON u.id = s.user_id AND u.epoch = s.epoch
             WHERE s.user_id = $1 ORDER BY s.id DESC",
            params![*user],
            read,
        )
        .await?;
    sessions.retain(|session| policy.alive(session.times, *now));
    Ok(sessions)
}

pub(crate) async fn end(tx: &Tx<'_>, (user, session): &(UserId, SessionId)) -> Result<Option<[u8; 32]>> {
    tx.one(
        "DELETE FROM sessions WHERE user_id = $1 AND id = $2 RETURNING token_hash",
        params![*user, *session],
        Row::hash,
    )
    .await
}

pub(crate) async fn end_all(tx: &Tx<'_>, user: &UserId) -> Result<()> {
    users::raise_epoch(tx, *user).await
}

/// Every other session of a user ends; this one moves on into the new epoch. The caller holds the user's lock.
pub(crate) async fn end_others(tx: &Tx<'_>, user: &User, keep: SessionId) -> Result<()> {
    users::raise_epoch_but(tx, user.id(), keep).await?;
    tx.execute(
        "UPDATE sessions SET epoch = $3 WHERE user_id = $1 AND id = $2 AND epoch = $4",
        params![user.id(), keep, user.epoch + 1, user.epoch],
    )
    .await?;
    Ok(())
}

pub(crate) async fn standing(tx: &Tx<'_>, user: &UserId) -> Result<Option<AccountStatus>> {
    let found = users::find(tx, *user).await?;
    Ok(found.map(|user| AccountStatus {
        user: user.id(),
        roles: user.account.roles,
        ban: user.account.ban,
        epoch: user.epoch,
        deleted: user.account.deleted,
        second_factor: user.account.second_factor,
        revived: user.revived,
    }))
}

fn read(row: &mut Row) -> Result<SessionRow, Fault> {
    Ok(SessionRow {
        id: SessionId(row.int()?),
        user: UserId(row.int()?),
        times: SessionTimes { started: row.time()?, seen: row.time()? },
        epoch: row.int()?,
        agent: row.text()?,
        address: row.text()?,
    })
}
