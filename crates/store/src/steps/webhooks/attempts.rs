//! Copies of events for those who want them, and what came of delivering them.

use domain::ids::{UserId, WebhookId};
use domain::page::{Page, PageRequest};
use domain::webhook::EventKind;
use serde_json::json;

use super::columns::{delivery_sql, find_locked, read_delivery};
use super::write;
use crate::each::{all_each, once_each};
use crate::failure::{Fault, Result};
use crate::model::{AttemptBatch, AttemptOutcome, DeliveryOutcome, DeliveryRow, FanOut, Finish, OffReason};
use crate::params;
use crate::row::Row;
use crate::steps::events::{NewEvent, tell};
use crate::steps::outbox;
use crate::tx::Tx;
use crate::value::Value;

pub(super) async fn fan_out(tx: &Tx<'_>, step: &FanOut) -> Result<()> {
    let came = step.events.iter().map(|event| (event.clone(), DeliveryOutcome::Done)).collect();
    outbox::finish(tx, &Finish { fence: step.fence.clone(), came, now: step.now }).await?;
    outbox::put(tx, &step.copies).await
}

/// Writes the batch down, and how its receiver does. Answers whether it was given up just now.
pub(super) async fn record_attempts(tx: &Tx<'_>, step: &AttemptBatch) -> Result<bool> {
    // Removed meanwhile: nobody reads its log any more.
    let Some(row) = find_locked(tx, step.webhook).await? else { return Ok(false) };
    insert(tx, &step.rows).await?;
    let now = step.signed.at;
    let succeeded = step.rows.iter().filter(|row| row.came == AttemptOutcome::Done).count();
    let health = row.health.after(succeeded, step.rows.len() - succeeded, now);
    if health != row.health {
        tx.execute(
            "UPDATE webhooks SET failing_since = $2, failures = $3 WHERE id = $1",
            params![step.webhook, health.failing_since, health.failures],
        )
        .await?;
    }
    if row.off.is_some() || !health.gives_up(now) {
        return Ok(false);
    }
    write::off(tx, step.webhook, OffReason::Failing, &step.signed).await?;
    let data = json!({
        "webhook_id": step.webhook.to_string(),
        "name": row.name,
        "failing_since_ms": health.failing_since,
        "failures": health.failures,
    });
    let (id, kind, subject) = (step.signed.audit_id, EventKind::WebhookOff, step.webhook.0);
    tell(tx, &[NewEvent { id, kind, user: None, subject, data, at: now }]).await?;
    Ok(true)
}

async fn insert(tx: &Tx<'_>, rows: &[DeliveryRow]) -> Result<()> {
    let rows = rows.iter().map(|row| -> [Value; 15] {
        [
            row.webhook.into(),
            row.id.into(),
            row.delivery.into(),
            row.user.map_or(0, |user| user.0).into(),
            (&row.kind).into(),
            row.subject.into(),
            row.attempt.into(),
            row.at.into(),
            row.took_ms.into(),
            row.came.name().into(),
            row.status.map(u32::from).into(),
            row.error.as_ref().into(),
            (&row.request_head).into(),
            (&row.request_body).into(),
            (&row.answer).into(),
        ]
    });
    once_each(
        tx,
        "INSERT INTO deliveries (webhook_id, id, delivery_id, user_id, kind, subject, attempt, at_ms, took_ms, came,
                                 status, error, request_head, request_body, answer)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
        rows,
    )
    .await
}

/// The newest attempt first.
pub(super) async fn list(
    tx: &Tx<'_>,
    (id, delivery, page): &(WebhookId, Option<i64>, PageRequest),
) -> Result<Page<DeliveryRow>> {
    let rows = match delivery {
        None => {
            let sql = delivery_sql!("AND id < $2 ORDER BY id DESC LIMIT $3");
            tx.all(sql, params![*id, page.before(), page.fetch()], read_delivery).await?
        }
        Some(delivery) => {
            let sql = delivery_sql!("AND delivery_id = $4 AND id < $2 ORDER BY id DESC LIMIT $3");
            tx.all(sql, params![*id, page.before(), page.fetch(), *delivery], read_delivery).await?
        }
    };
    Ok(Page::cut(rows, *page, |row| row.id))
}

pub(super) async fn external_ids(tx: &Tx<'_>, users: &[UserId]) -> Result<Vec<(UserId, String)>> {
    let keys: Vec<[Value; 1]> = users.iter().map(|user| [(*user).into()]).collect();
    let sql = "SELECT id, external_id FROM users WHERE id = $1 AND external_id IS NOT NULL";
    let read = |row: &mut Row| -> Result<(UserId, String), Fault> { Ok((UserId(row.int()?), row.text()?)) };
    Ok(all_each(tx, sql, &keys, read).await?.into_iter().flatten().collect())
}
