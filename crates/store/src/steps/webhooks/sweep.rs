//! What is cleared away: attempts that are old or too many, and everything of a subscription that was removed.

use domain::ids::WebhookId;

use crate::failure::Result;
use crate::model::{AttemptRetention, Fence, hook_lane};
use crate::params;
use crate::row::Row;
use crate::steps::jobs::pass_fence;
use crate::tx::Tx;

/// At most `limit` rows.
pub(super) async fn sweep(tx: &Tx<'_>, (fence, keep, limit): &(Fence, AttemptRetention, u32)) -> Result<u64> {
    pass_fence(tx, fence).await?;
    let hooks = tx
        .all("SELECT id, removed_ms FROM webhooks ORDER BY id", params![], |row| {
            Ok((WebhookId(row.int()?), row.opt_time()?.is_some()))
        })
        .await?;
    let (limit, mut gone) = (u64::from(*limit), 0);
    for (id, removed) in hooks {
        if gone >= limit {
            break;
        }
        let left = i64::try_from(limit - gone).unwrap_or(i64::MAX);
        gone += if removed { clear(tx, id, left).await? } else { old(tx, id, *keep, left).await? };
    }
    Ok(gone)
}

async fn old(tx: &Tx<'_>, id: WebhookId, keep: AttemptRetention, limit: i64) -> Result<u64> {
    // The newest that is one too many; it and all before it go.
    let many = tx
        .one(
            "SELECT id FROM deliveries WHERE webhook_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2",
            params![id, keep.rows],
            Row::int,
        )
        .await?;
    tx.execute(
        "DELETE FROM deliveries WHERE webhook_id = $1 AND id IN (
             SELECT id FROM deliveries WHERE webhook_id = $1 AND (at_ms < $2 OR id <= $3) ORDER BY id LIMIT $4)",
        params![id, keep.since, many.unwrap_or(i64::MIN), limit],
    )
    .await
}

async fn clear(tx: &Tx<'_>, id: WebhookId, limit: i64) -> Result<u64> {
    let lane = hook_lane(id);
    let mut gone = tx
        .execute(
            "DELETE FROM deliveries WHERE webhook_id = $1 AND id IN (
                 SELECT id FROM deliveries WHERE webhook_id = $1 ORDER BY id LIMIT $2)",
            params![id, limit],
        )
        .await?;
    for sql in [
        "DELETE FROM outbox_attempts WHERE message_id IN (SELECT id FROM outbox WHERE lane = $1 AND attempts > 0 LIMIT $2)",
        "DELETE FROM outbox WHERE (lane, due_ms, id) IN (SELECT lane, due_ms, id FROM outbox WHERE lane = $1 LIMIT $2)",
        "DELETE FROM outbox_attempts WHERE message_id IN (SELECT id FROM dead_letters WHERE lane = $1 LIMIT $2)",
        "DELETE FROM dead_letters WHERE id IN (SELECT id FROM dead_letters WHERE lane = $1 LIMIT $2)",
    ] {
        gone += tx.execute(sql, params![&lane, limit]).await?;
    }
    if gone == 0 {
        tx.execute("DELETE FROM lanes WHERE lane = $1", params![&lane]).await?;
        gone += tx.execute("DELETE FROM webhooks WHERE id = $1", params![id]).await?;
    }
    Ok(gone)
}
