//! Putting deliveries back, each under its own id: a receiver that keeps ids takes it once.
//!
//! What waits already is not put back a second time. The log tells: a delivery waits after an attempt that is to be
//! repeated, and after it was put back.

use domain::Rejection;
use domain::rejection::MissingThing;
use domain::time::Timestamp;
use serde_json::{Value as Json, json};

use super::columns::{delivery_sql, lock, read_delivery};
use super::write::subject;
use crate::failure::Result;
use crate::model::{AttemptOutcome, DeliveryRow, REPLAY_MAX, Replay, ReplayCount, ReplayWhich, hook_lane};
use crate::tx::Tx;
use crate::{audit, params};

pub(super) async fn replay(tx: &Tx<'_>, step: &Replay) -> Result<ReplayCount> {
    if lock(tx, step.webhook).await?.off.is_some() {
        return Err(Rejection::WebhookIsOff.into());
    }
    let (rows, one) = match step.which {
        ReplayWhich::One(delivery) => {
            let sql = delivery_sql!("AND delivery_id = $2 ORDER BY id DESC LIMIT 1");
            let row = tx.one(sql, params![step.webhook, delivery], read_delivery).await?;
            (vec![row.ok_or(Rejection::NotFound { what: MissingThing::Delivery })?], true)
        }
        ReplayWhich::Between { from, until } => {
            let sql = delivery_sql!(
                "AND at_ms >= $2 AND at_ms < $3 AND came <> 'again' AND replayed_ms IS NULL
                 AND NOT EXISTS (SELECT 1 FROM deliveries e WHERE e.webhook_id = d.webhook_id
                                 AND e.delivery_id = d.delivery_id AND e.id > d.id)
                 ORDER BY id LIMIT $4"
            );
            (tx.all(sql, params![step.webhook, from, until, REPLAY_MAX], read_delivery).await?, false)
        }
    };
    let more = !one && rows.len() == REPLAY_MAX as usize;
    let mut deliveries = 0;
    for row in &rows {
        if requeue(tx, row, step.signed.at).await? {
            deliveries += 1;
        } else if one {
            return Err(Rejection::DeliveryWaiting.into());
        }
    }
    if deliveries > 0 {
        let which = match step.which {
            ReplayWhich::One(delivery) => json!({ "delivery": delivery.to_string() }),
            ReplayWhich::Between { from, until } => {
                json!({ "from": from, "until": until, "deliveries": deliveries })
            }
        };
        audit::write(tx, &step.signed, "webhook.replay", &subject(step.webhook), &Json::Null, &which).await?;
    }
    Ok(ReplayCount { deliveries, more })
}

async fn requeue(tx: &Tx<'_>, row: &DeliveryRow, now: Timestamp) -> Result<bool> {
    if row.replayed.is_some() || row.came == AttemptOutcome::Again {
        return Ok(false);
    }
    tx.execute(
        "UPDATE deliveries SET replayed_ms = $3 WHERE webhook_id = $1 AND id = $2",
        params![row.webhook, row.id, now],
    )
    .await?;
    let lane = hook_lane(row.webhook);
    let dead = "DELETE FROM dead_letters WHERE id = $1 AND lane = $2";
    let buried = tx.execute(dead, params![row.delivery, &lane]).await? > 0;
    if row.came == AttemptOutcome::Dead && !buried {
        // Somebody has redriven it, or it is a prize's message and waits among those.
        return Ok(false);
    }
    tx.execute(
        "INSERT INTO outbox (lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms)
         VALUES ($1, $2, $3, $4, 0, $5, $6, $7, $2)",
        params![
            lane,
            now,
            row.delivery,
            row.user.map_or(0, |user| user.0),
            &row.kind,
            row.subject,
            &row.request_body
        ],
    )
    .await?;
    Ok(true)
}
