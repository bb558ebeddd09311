//! Making, changing, switching and removing subscriptions.

use domain::Rejection;
use domain::ids::WebhookId;
use domain::webhook::EventFilter;
use serde_json::{Value as Json, json};

use super::columns::lock;
use crate::each::once_each;
use crate::failure::Result;
use crate::model::{
    AuditStamp, CreateOutcome, NewMessage, OffReason, WEBHOOKS_MAX, WebhookCreate, WebhookEdit,
    WebhookRotate, WebhookRow,
};
use crate::steps::outbox;
use crate::tx::Tx;
use crate::value::Value;
use crate::{audit, once, params};

pub(super) async fn create(tx: &Tx<'_>, step: &WebhookCreate) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    tx.exclusive("webhooks").await?;
    let there = tx.count("SELECT COUNT(*) FROM webhooks WHERE removed_ms IS NULL", params![]).await?;
    if there >= i64::from(WEBHOOKS_MAX) {
        return Err(Rejection::WebhooksFull { max: WEBHOOKS_MAX }.into());
    }
    tx.execute(
        "INSERT INTO webhooks (id, name, url, format, secret, created_ms) VALUES ($1, $2, $3, $4, $5, $6)",
        params![step.id, &step.name, &step.url, step.format.name(), &step.secret, step.signed.at],
    )
    .await?;
    want(tx, step.id, &step.wants).await?;
    let after = json!({ "name": step.name, "format": step.format.name(), "kinds": step.wants.names() });
    audit::write(tx, &step.signed, "webhook.create", &subject(step.id), &Json::Null, &after).await?;
    once::record(tx, step.once.as_ref(), step.id.0, step.signed.at).await
}

/// The address may hold a secret of the receiver's: that it changed is told, and not to what.
pub(super) async fn edit(tx: &Tx<'_>, step: &WebhookEdit) -> Result<WebhookRow> {
    let before = lock(tx, step.id).await?;
    if let Some(wants) = &step.wants {
        before.format.check(wants)?;
    }
    let after = WebhookRow {
        name: step.name.clone().unwrap_or_else(|| before.name.clone()),
        url: step.url.clone().unwrap_or_else(|| before.url.clone()),
        wants: step.wants.clone().unwrap_or_else(|| before.wants.clone()),
        ..before.clone()
    };
    if after == before {
        return Ok(after);
    }
    tx.execute(
        "UPDATE webhooks SET name = $2, url = $3 WHERE id = $1",
        params![step.id, &after.name, &after.url],
    )
    .await?;
    if after.wants != before.wants {
        tx.execute("DELETE FROM webhook_kinds WHERE webhook_id = $1", params![step.id]).await?;
        want(tx, step.id, &after.wants).await?;
    }
    let told = |row: &WebhookRow, moved: bool| json!({ "name": row.name, "kinds": row.wants.names(), "new_url": moved });
    let (was, is) = (told(&before, false), told(&after, after.url != before.url));
    audit::write(tx, &step.signed, "webhook.edit", &subject(step.id), &was, &is).await?;
    Ok(after)
}

/// The secret before the previous one ends here: at most two sign.
pub(super) async fn rotate(tx: &Tx<'_>, step: &WebhookRotate) -> Result<CreateOutcome> {
    if let Some(made) = once::replay(tx, step.once.as_ref()).await? {
        return Ok(made);
    }
    let before = lock(tx, step.id).await?;
    tx.execute(
        "UPDATE webhooks SET previous = secret, previous_until = $2, secret = $3 WHERE id = $1",
        params![step.id, step.overlap_until, &step.secret],
    )
    .await?;
    let was = json!({ "previous_until": before.previous.map(|(_, until)| until) });
    let is = json!({ "previous_until": step.overlap_until });
    audit::write(tx, &step.signed, "webhook.rotate", &subject(step.id), &was, &is).await?;
    once::record(tx, step.once.as_ref(), step.id.0, step.signed.at).await
}

/// Whoever is switched on begins anew: earlier failures are forgotten.
pub(super) async fn switch(
    tx: &Tx<'_>,
    (id, on, signed): &(WebhookId, bool, AuditStamp),
) -> Result<WebhookRow> {
    let row = lock(tx, *id).await?;
    match (on, row.off) {
        (true, Some((why, _))) => {
            let sql = "UPDATE webhooks SET off_why = NULL, off_ms = NULL, failing_since = NULL, failures = 0
                       WHERE id = $1";
            tx.execute(sql, params![*id]).await?;
            let before = json!({ "off": why.name() });
            audit::write(tx, signed, "webhook.on", &subject(*id), &before, &json!({ "off": null })).await?;
        }
        (false, None) => off(tx, *id, OffReason::ByHand, signed).await?,
        (true, None) | (false, Some(_)) => {}
    }
    lock(tx, *id).await
}

pub(super) async fn off(tx: &Tx<'_>, id: WebhookId, why: OffReason, signed: &AuditStamp) -> Result<()> {
    tx.execute(
        "UPDATE webhooks SET off_why = $2, off_ms = $3 WHERE id = $1",
        params![id, why.name(), signed.at],
    )
    .await?;
    let (before, after) = (json!({ "off": null }), json!({ "off": why.name() }));
    audit::write(tx, signed, "webhook.off", &subject(id), &before, &after).await
}

/// Its secrets go at once, the rest step by step.
pub(super) async fn remove(tx: &Tx<'_>, (id, signed): &(WebhookId, AuditStamp)) -> Result<()> {
    let row = lock(tx, *id).await?;
    tx.execute("DELETE FROM webhook_kinds WHERE webhook_id = $1", params![*id]).await?;
    tx.execute(
        "UPDATE webhooks SET removed_ms = $2, secret = $3, previous = NULL, previous_until = NULL WHERE id = $1",
        params![*id, signed.at, Vec::<u8>::new()],
    )
    .await?;
    let before = json!({ "name": row.name, "kinds": row.wants.names() });
    audit::write(tx, signed, "webhook.remove", &subject(*id), &before, &Json::Null).await
}

/// A message for one subscription alone, such as a test.
pub(super) async fn tell(
    tx: &Tx<'_>,
    (id, message, signed): &(WebhookId, NewMessage, AuditStamp),
) -> Result<()> {
    let row = lock(tx, *id).await?;
    if row.off.is_some() {
        return Err(Rejection::WebhookIsOff.into());
    }
    outbox::put(tx, std::slice::from_ref(message)).await?;
    let after = json!({ "delivery": message.id.to_string() });
    audit::write(tx, signed, "webhook.test", &subject(*id), &Json::Null, &after).await
}

async fn want(tx: &Tx<'_>, id: WebhookId, wants: &EventFilter) -> Result<()> {
    let rows = wants.names().into_iter().map(|kind| -> [Value; 2] { [id.into(), kind.into()] });
    once_each(tx, "INSERT INTO webhook_kinds (webhook_id, kind) VALUES ($1, $2)", rows).await
}

pub(super) fn subject(id: WebhookId) -> String {
    format!("webhook:{id}")
}
