//! Subscriptions and attempts as columns and back.

use std::collections::HashMap;

use domain::Rejection;
use domain::ids::{UserId, WebhookId};
use domain::rejection::MissingThing;
use domain::webhook::{EventFilter, HookFormat, ReceiverHealth};

use crate::failure::{Fault, Result};
use crate::model::{AttemptOutcome, DeliveryRow, OffReason, WebhookRow};
use crate::params;
use crate::row::Row;
use crate::steps::activities::columns::number;
use crate::tx::Tx;

macro_rules! webhook_sql {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, url, format, secret, previous, previous_until, created_ms, off_why, off_ms, failing_since, failures
             FROM webhooks WHERE removed_ms IS NULL ",
            $rest
        )
    };
}

macro_rules! delivery_sql {
    ($rest:literal) => {
        concat!(
            "SELECT webhook_id, id, delivery_id, user_id, kind, subject, attempt, at_ms, took_ms, came, status, error,
                    request_head, request_body, answer, replayed_ms
             FROM deliveries d WHERE webhook_id = $1 ",
            $rest
        )
    };
}
pub(super) use delivery_sql;

/// The newest first.
pub(super) async fn list(tx: &Tx<'_>) -> Result<Vec<WebhookRow>> {
    let mut rows = tx.all(webhook_sql!("ORDER BY id DESC"), params![], read).await?;
    let kinds = tx.all("SELECT webhook_id, kind FROM webhook_kinds", params![], kind).await?;
    let mut of: HashMap<WebhookId, Vec<String>> = HashMap::new();
    for (id, kind) in kinds {
        of.entry(id).or_default().push(kind);
    }
    for row in &mut rows {
        row.wants = parse_filter(&of.remove(&row.id).unwrap_or_default())?;
    }
    Ok(rows)
}

pub(super) async fn find(tx: &Tx<'_>, id: &WebhookId) -> Result<Option<WebhookRow>> {
    let row = tx.one(webhook_sql!("AND id = $1"), params![*id], read).await?;
    with_wants(tx, row).await
}

/// Holds it until the transaction ends.
pub(super) async fn lock(tx: &Tx<'_>, id: WebhookId) -> Result<WebhookRow> {
    let row = find_locked(tx, id).await?;
    Ok(row.ok_or(Rejection::NotFound { what: MissingThing::Webhook })?)
}

/// The same where it may be gone.
pub(super) async fn find_locked(tx: &Tx<'_>, id: WebhookId) -> Result<Option<WebhookRow>> {
    let row = tx.one(webhook_sql!("AND id = $1 FOR UPDATE"), params![id], read).await?;
    with_wants(tx, row).await
}

async fn with_wants(tx: &Tx<'_>, row: Option<WebhookRow>) -> Result<Option<WebhookRow>> {
    let Some(mut row) = row else { return Ok(None) };
    let sql = "SELECT webhook_id, kind FROM webhook_kinds WHERE webhook_id = $1";
    let kinds = tx.all(sql, params![row.id], kind).await?;
    let kinds: Vec<String> = kinds.into_iter().map(|(_, kind)| kind).collect();
    row.wants = parse_filter(&kinds)?;
    Ok(Some(row))
}

fn kind(row: &mut Row) -> Result<(WebhookId, String), Fault> {
    Ok((WebhookId(row.int()?), row.text()?))
}

fn parse_filter(kinds: &[String]) -> Result<EventFilter, Fault> {
    EventFilter::parse(kinds).map_err(|wrong| Fault::caused(format!("kinds of a webhook: {kinds:?}"), wrong))
}

fn read(row: &mut Row) -> Result<WebhookRow, Fault> {
    let (id, name, url) = (WebhookId(row.int()?), row.text()?, row.text()?);
    let (format, secret) = (row.named(HookFormat::parse)?, row.bytes()?);
    let (previous, previous_until, created) = (row.opt_bytes()?, row.opt_time()?, row.time()?);
    let (off_why, off) = (row.opt_named(OffReason::parse)?, row.opt_time()?);
    Ok(WebhookRow {
        id,
        name,
        url,
        format,
        wants: EventFilter::default(),
        secret,
        previous: previous.zip(previous_until),
        created,
        off: off_why.zip(off),
        health: ReceiverHealth { failing_since: row.opt_time()?, failures: number(row)? },
    })
}

pub(super) fn read_delivery(row: &mut Row) -> Result<DeliveryRow, Fault> {
    Ok(DeliveryRow {
        webhook: WebhookId(row.int()?),
        id: row.int()?,
        delivery: row.int()?,
        user: Some(row.int()?).filter(|user| *user != 0).map(UserId),
        kind: row.text()?,
        subject: row.int()?,
        attempt: number(row)?,
        at: row.time()?,
        took_ms: row.int()?,
        came: row.named(AttemptOutcome::parse)?,
        status: row.opt_int()?.and_then(|status| u16::try_from(status).ok()),
        error: row.opt_text()?,
        request_head: row.text()?,
        request_body: row.text()?,
        answer: row.text()?,
        replayed: row.opt_time()?,
    })
}
