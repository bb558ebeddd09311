//! The bounded steps of jobs: rows past their use go, sealed values are replaced. Each checks its fence in
//! the transaction that writes.

use super::jobs::pass_fence;
use crate::failure::Result;
use crate::model::{Fence, SealedColumn, SealedRow, Sweep};
use crate::params;
use crate::tx::Tx;

/// Deletes at most `limit` rows; answers how many.
pub(crate) async fn sweep(tx: &Tx<'_>, (fence, sweep, limit): &(Fence, Sweep, u32)) -> Result<u64> {
    pass_fence(tx, fence).await?;
    let limit = i64::from(*limit);
    match *sweep {
        Sweep::Sessions { idle_before, started_before } => {
            tx.execute(SESSIONS, params![idle_before, started_before, limit]).await
        }
        Sweep::Codes { sent_before, day_before } => {
            let codes = tx.execute(CODES, params![sent_before, limit]).await?;
            let left = limit - i64::try_from(codes).unwrap_or(limit);
            Ok(codes + tx.execute(SEND_COUNTS, params![day_before, left]).await?)
        }
        Sweep::Links { expired_before } => tx.execute(LINKS, params![expired_before, limit]).await,
        Sweep::Answers { made_before } => tx.execute(ANSWERS, params![made_before, limit]).await,
        Sweep::Devices { seen_before } => tx.execute(DEVICES, params![seen_before, limit]).await,
        Sweep::FormerAccounts { ended_before } => {
            tx.execute(FORMER_ACCOUNTS, params![ended_before, limit]).await
        }
        Sweep::Notifications { made_before } => {
            let groups = tx.execute(NOTIFICATION_GROUPS, params![made_before, limit]).await?;
            let left = limit - i64::try_from(groups).unwrap_or(limit);
            Ok(groups + tx.execute(NOTIFICATIONS, params![made_before, left]).await?)
        }
        Sweep::Statistics { day_before } => {
            let counts = tx.execute(VISIT_COUNTS, params![day_before, limit]).await?;
            let left = limit - i64::try_from(counts).unwrap_or(limit);
            Ok(counts + tx.execute(ACTIVE_DAYS, params![day_before, left]).await?)
        }
        Sweep::Runs { started_before } => tx.execute(RUNS, params![started_before, limit]).await,
    }
}

const SESSIONS: &str = "DELETE FROM sessions WHERE (user_id, id) IN (
    SELECT user_id, id FROM sessions WHERE seen < $1 OR started < $2 LIMIT $3)";
const CODES: &str = "DELETE FROM codes WHERE (phone_index, purpose, holder) IN (
    SELECT phone_index, purpose, holder FROM codes WHERE sent < $1 LIMIT $2)";
const SEND_COUNTS: &str = "DELETE FROM send_counts WHERE (day, kind, subject) IN (
    SELECT day, kind, subject FROM send_counts WHERE day < $1 LIMIT $2)";
const LINKS: &str = "DELETE FROM links WHERE token_hash IN (
    SELECT token_hash FROM links WHERE expires < $1 LIMIT $2)";
const ANSWERS: &str = "DELETE FROM answers WHERE (principal, idem_key) IN (
    SELECT principal, idem_key FROM answers WHERE made < $1 LIMIT $2)";
const DEVICES: &str = "DELETE FROM devices WHERE (user_id, token_hash) IN (
    SELECT user_id, token_hash FROM devices WHERE seen < $1 LIMIT $2)";
const NOTIFICATION_GROUPS: &str = "DELETE FROM notification_groups
    WHERE (user_id, kind, about, about_id) IN (
        SELECT user_id, kind, about, about_id FROM notification_groups WHERE newest_ms < $1 LIMIT $2)";
const NOTIFICATIONS: &str = "DELETE FROM notifications WHERE (user_id, kind, actor_id, object_id) IN (
    SELECT user_id, kind, actor_id, object_id FROM notifications WHERE made_ms < $1 LIMIT $2)";
const VISIT_COUNTS: &str = "DELETE FROM visit_counts WHERE (activity_id, round, step, day) IN (
    SELECT activity_id, round, step, day FROM visit_counts WHERE day < $1 LIMIT $2)";
const ACTIVE_DAYS: &str = "DELETE FROM active_days WHERE (day, kind, chunk) IN (
    SELECT day, kind, chunk FROM active_days WHERE day < $1 LIMIT $2)";
const FORMER_ACCOUNTS: &str = "DELETE FROM former_accounts WHERE mark IN (
    SELECT mark FROM former_accounts WHERE until_ms <= $1 LIMIT $2)";
/// Finished runs, and those whose worker died: the job has had another term since.
const RUNS: &str = "DELETE FROM job_runs WHERE id IN (
    SELECT r.id FROM job_runs r JOIN jobs j ON j.name = r.job
    WHERE r.started < $1 AND (r.outcome IS NOT NULL OR r.term < j.term) LIMIT $2)";

/// Sealed values after a key, in key order. A phone has its user's id and no other.
pub(crate) async fn sealed_rows(
    tx: &Tx<'_>,
    (kind, (user, id), limit): &(SealedColumn, (i64, i64), u32),
) -> Result<Vec<SealedRow>> {
    let kind = *kind;
    match kind {
        SealedColumn::Phone => {
            tx.all(
                "SELECT id, phone_sealed FROM users WHERE id > $1 AND phone_sealed IS NOT NULL
                 ORDER BY id LIMIT $2",
                params![*user, *limit],
                |row| Ok(SealedRow { kind, user: row.int()?, id: 0, sealed: row.bytes()? }),
            )
            .await
        }
        SealedColumn::Address => {
            tx.all(
                "SELECT user_id, id, sealed FROM addresses WHERE (user_id, id) > ($1, $2)
                 ORDER BY user_id, id LIMIT $3",
                params![*user, *id, *limit],
                |row| Ok(SealedRow { kind, user: row.int()?, id: row.int()?, sealed: row.bytes()? }),
            )
            .await
        }
        SealedColumn::Secret => {
            tx.all(
                "SELECT activity_id, round * 4294967296 + version, sealed FROM activity_secrets
                 WHERE (activity_id, round * 4294967296 + version) > ($1, $2)
                 ORDER BY activity_id, round, version LIMIT $3",
                params![*user, *id, *limit],
                |row| Ok(SealedRow { kind, user: row.int()?, id: row.int()?, sealed: row.bytes()? }),
            )
            .await
        }
        SealedColumn::Parcel => {
            tx.all(
                "SELECT id, address FROM fulfilments WHERE id > $1 AND address IS NOT NULL ORDER BY id LIMIT $2",
                params![*user, *limit],
                |row| Ok(SealedRow { kind, user: row.int()?, id: 0, sealed: row.bytes()? }),
            )
            .await
        }
        SealedColumn::Code => {
            tx.all(
                "SELECT pool_id, first_number, sealed FROM code_chunks WHERE (pool_id, first_number) > ($1, $2)
                 ORDER BY pool_id, first_number LIMIT $3",
                params![*user, *id, *limit],
                |row| Ok(SealedRow { kind, user: row.int()?, id: row.int()?, sealed: row.bytes()? }),
            )
            .await
        }
        SealedColumn::SecondFactor => {
            tx.all(
                "SELECT user_id, sealed FROM second_factors WHERE user_id > $1 ORDER BY user_id LIMIT $2",
                params![*user, *limit],
                |row| Ok(SealedRow { kind, user: row.int()?, id: 0, sealed: row.bytes()? }),
            )
            .await
        }
        SealedColumn::PrivateMessage => {
            tx.all(
                "SELECT conversation_id, n, sealed FROM private_messages
                 WHERE (conversation_id, n) > ($1, $2) AND sealed IS NOT NULL
                 ORDER BY conversation_id, n LIMIT $3",
                params![*user, *id, *limit],
                |row| Ok(SealedRow { kind, user: row.int()?, id: row.int()?, sealed: row.bytes()? }),
            )
            .await
        }
        SealedColumn::Webhook => {
            tx.all(
                "SELECT id, which, sealed FROM (
                     SELECT id, CAST(0 AS BIGINT) AS which, secret AS sealed FROM webhooks WHERE removed_ms IS NULL
                     UNION ALL SELECT id, CAST(1 AS BIGINT), previous FROM webhooks WHERE previous IS NOT NULL) AS secrets
                 WHERE (id, which) > ($1, $2) ORDER BY id, which LIMIT $3",
                params![*user, *id, *limit],
                |row| Ok(SealedRow { kind, user: row.int()?, id: row.int()?, sealed: row.bytes()? }),
            )
            .await
        }
    }
}

/// Replaces a sealed value if it is still the one that was read; its owner may have changed it.
pub(crate) async fn reseal(tx: &Tx<'_>, (fence, row, sealed): &(Fence, SealedRow, Vec<u8>)) -> Result<bool> {
    pass_fence(tx, fence).await?;
    let touched = match row.kind {
        SealedColumn::Phone => {
            let sql = "UPDATE users SET phone_sealed = $3 WHERE id = $1 AND phone_sealed = $2";
            tx.execute(sql, params![row.user, &row.sealed, sealed]).await?
        }
        SealedColumn::Address => {
            let sql = "UPDATE addresses SET sealed = $4 WHERE user_id = $1 AND id = $2 AND sealed = $3";
            tx.execute(sql, params![row.user, row.id, &row.sealed, sealed]).await?
        }
        SealedColumn::SecondFactor => {
            let sql = "UPDATE second_factors SET sealed = $3 WHERE user_id = $1 AND sealed = $2";
            tx.execute(sql, params![row.user, &row.sealed, sealed]).await?
        }
        SealedColumn::PrivateMessage => {
            let sql = "UPDATE private_messages SET sealed = $4 WHERE conversation_id = $1 AND n = $2 AND sealed = $3";
            tx.execute(sql, params![row.user, row.id, &row.sealed, sealed]).await?
        }
        SealedColumn::Webhook if row.id == 0 => {
            let sql = "UPDATE webhooks SET secret = $3 WHERE id = $1 AND secret = $2";
            tx.execute(sql, params![row.user, &row.sealed, sealed]).await?
        }
        SealedColumn::Webhook => {
            let sql = "UPDATE webhooks SET previous = $3 WHERE id = $1 AND previous = $2";
            tx.execute(sql, params![row.user, &row.sealed, sealed]).await?
        }
        SealedColumn::Secret => {
            let sql = "UPDATE activity_secrets SET sealed = $4
                       WHERE activity_id = $1 AND round * 4294967296 + version = $2 AND sealed = $3";
            tx.execute(sql, params![row.user, row.id, &row.sealed, sealed]).await?
        }
        SealedColumn::Parcel => {
            let sql = "UPDATE fulfilments SET address = $3 WHERE id = $1 AND address = $2";
            tx.execute(sql, params![row.user, &row.sealed, sealed]).await?
        }
        SealedColumn::Code => {
            let sql = "UPDATE code_chunks SET sealed = $4
                       WHERE pool_id = $1 AND first_number = $2 AND sealed = $3";
            tx.execute(sql, params![row.user, row.id, &row.sealed, sealed]).await?
        }
    };
    Ok(touched > 0)
}
