//! Same key, same answer: the first outcome under an idempotency key is kept with its effect.
//!
//! A creating step begins with [`replay`] and ends with [`record`], in one transaction. Refusals are not
//! kept: the same key may be tried again.

use domain::Rejection;
use domain::time::Timestamp;

use crate::failure::Result;
use crate::model::{CreateOutcome, Once};
use crate::params;
use crate::tx::Tx;

/// What the first request under this key made, if there was one. A second request waits here for the
/// first, so that it sees the answer and not the half-spent state around it.
pub(crate) async fn replay(tx: &Tx<'_>, once: Option<&Once>) -> Result<Option<CreateOutcome>> {
    replay_since(tx, once, Timestamp(i64::MIN)).await
}

/// The same for an answer that opens a door: an older one is not given again.
pub(crate) async fn replay_since(
    tx: &Tx<'_>,
    once: Option<&Once>,
    since: Timestamp,
) -> Result<Option<CreateOutcome>> {
    let Some(once) = once else { return Ok(None) };
    tx.exclusive(&format!("once {} {}", once.principal, once.key)).await?;
    let kept = tx
        .one(
            "SELECT fingerprint, reference, sealed, made FROM answers WHERE principal = $1 AND idem_key = $2",
            params![&once.principal, &once.key],
            |row| Ok((row.hash()?, row.int()?, row.opt_bytes()?, row.time()?)),
        )
        .await?;
    match kept {
        None => Ok(None),
        Some((fingerprint, id, sealed, made)) if fingerprint == once.fingerprint.0 && made >= since => {
            Ok(Some(CreateOutcome { id, replayed: Some(sealed) }))
        }
        Some(_) => Err(Rejection::IdempotencyConflict.into()),
    }
}

/// Keeps what this request made.
pub(crate) async fn record(
    tx: &Tx<'_>,
    once: Option<&Once>,
    id: i64,
    now: Timestamp,
) -> Result<CreateOutcome> {
    if let Some(once) = once {
        tx.execute(
            "INSERT INTO answers (principal, idem_key, fingerprint, made, reference, sealed)
             VALUES ($1, $2, $3, $4, $5, $6)",
            params![&once.principal, &once.key, once.fingerprint.0, now, id, once.sealed.as_ref()],
        )
        .await?;
    }
    Ok(CreateOutcome::now(id))
}
