//! Webhooks as admins keep them: made, changed, given new secrets with overlap, switched, tested, replayed, removed.
//!
//! A secret is shown once and kept sealed: deliveries are signed with it.

use domain::Rejection;
use domain::account::Name;
use domain::ids::WebhookId;
use domain::page::{Page, PageRequest};
use domain::rejection::{FieldProblem, MissingThing};
use domain::time::{HOUR_MS, Timestamp};
use domain::webhook::{EventFilter, EventKind, HookFormat, HookUrl};
use serde_json::json;
use store::model::{
    AuditStamp, DeliveryRow, NewMessage, Replay, ReplayCount, ReplayWhich, WebhookCreate, WebhookEdit,
    WebhookRotate, WebhookRow, hook_lane,
};

use crate::access::key_admin::{OVERLAP_MAX_HOURS, principal};
use crate::caller::Repeat;
use crate::failure::Result;
use crate::people::entry::{once, token_of};
use crate::people::tokens::{SecretToken, TokenKind};
use crate::ports::SealContext;
use crate::world::World;

#[derive(Clone, Debug)]
pub struct WebhookSecret {
    pub id: WebhookId,
    pub secret: SecretToken,
}

/// What a subscription begins with.
#[derive(Clone, Debug)]
pub struct NewWebhook {
    pub name: String,
    pub url: String,
    /// The name of a [`HookFormat`].
    pub format: String,
    pub kinds: Vec<String>,
}

/// What a change names; the rest stays.
#[derive(Clone, Debug, Default)]
pub struct WebhookFields {
    pub name: Option<String>,
    pub url: Option<String>,
    pub kinds: Option<Vec<String>>,
}

pub async fn webhook_create(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    given: NewWebhook,
) -> Result<WebhookSecret> {
    let (secret, sealed) = new_secret(world);
    let NewWebhook { name, url, format, kinds } = given;
    let wrong = FieldProblem::NotOneOf { allowed: HookFormat::NAMES };
    let format = HookFormat::parse(&format).ok_or_else(|| Rejection::invalid("format", wrong))?;
    let wants = EventFilter::parse(&kinds)?;
    format.check(&wants)?;
    let step = WebhookCreate {
        id: WebhookId(world.next_id()),
        name: Name::parse(&name)?.as_str().to_owned(),
        url: address(world, &url)?,
        format,
        wants,
        secret: sealed,
        once: repeat.map(|repeat| once(world, principal(signed.actor), repeat, Some(&secret))),
        signed,
    };
    let made = world.db.webhook_create(step).await?;
    Ok(WebhookSecret { id: WebhookId(made.id), secret: token_of(world, &made, secret)? })
}

pub async fn webhook_edit(
    world: &World,
    signed: AuditStamp,
    id: WebhookId,
    given: WebhookFields,
) -> Result<WebhookRow> {
    let WebhookFields { name, url, kinds } = given;
    let name = name.map(|name| Name::parse(&name).map(|name| name.as_str().to_owned())).transpose()?;
    let url = url.map(|url| address(world, &url)).transpose()?;
    let wants = kinds.map(|kinds| EventFilter::parse(&kinds)).transpose()?;
    world.db.webhook_edit(WebhookEdit { id, name, url, wants, signed }).await
}

pub async fn webhook_rotate(
    world: &World,
    signed: AuditStamp,
    repeat: Option<Repeat>,
    id: WebhookId,
    overlap_hours: i64,
) -> Result<WebhookSecret> {
    if !(0..=OVERLAP_MAX_HOURS).contains(&overlap_hours) {
        let problem = FieldProblem::OutOfRange { min: 0, max: OVERLAP_MAX_HOURS };
        return Err(Rejection::invalid("overlap_hours", problem).into());
    }
    let (secret, sealed) = new_secret(world);
    let step = WebhookRotate {
        id,
        secret: sealed,
        overlap_until: world.now() + overlap_hours * HOUR_MS,
        once: repeat.map(|repeat| once(world, principal(signed.actor), repeat, Some(&secret))),
        signed,
    };
    let made = world.db.webhook_rotate(step).await?;
    Ok(WebhookSecret { id: WebhookId(made.id), secret: token_of(world, &made, secret)? })
}

pub async fn webhook_find(world: &World, id: WebhookId) -> Result<WebhookRow> {
    let row = world.db.webhook_find(id).await?;
    Ok(row.ok_or(Rejection::NotFound { what: MissingThing::Webhook })?)
}

/// Sends a delivery that says nothing; answers its id, to find it in the log.
pub async fn webhook_test(world: &World, signed: AuditStamp, id: WebhookId) -> Result<i64> {
    let (delivery, kind, now) = (world.next_id(), EventKind::WebhookTest.name(), signed.at);
    let data = json!({ "webhook_id": id.to_string() });
    let body = json!({ "id": delivery.to_string(), "kind": kind, "at_ms": now.0, "data": data });
    let message = NewMessage {
        id: delivery,
        lane: hook_lane(id),
        user: None,
        kind,
        subject: id.0,
        body: body.to_string(),
        made: now,
        due: now,
    };
    world.db.webhook_tell(id, message, signed).await?;
    Ok(delivery)
}

pub async fn deliveries(
    world: &World,
    id: WebhookId,
    delivery: Option<i64>,
    page: PageRequest,
) -> Result<Page<DeliveryRow>> {
    webhook_find(world, id).await?;
    world.db.deliveries(id, delivery, page).await
}

pub async fn replay_one(world: &World, signed: AuditStamp, id: WebhookId, delivery: i64) -> Result<()> {
    let step = Replay { webhook: id, which: ReplayWhich::One(delivery), signed };
    world.db.delivery_replay(step).await.map(drop)
}

pub async fn replay_between(
    world: &World,
    signed: AuditStamp,
    id: WebhookId,
    (from, until): (Timestamp, Timestamp),
) -> Result<ReplayCount> {
    if from >= until {
        return Err(Rejection::invalid("until_ms", FieldProblem::Malformed).into());
    }
    let which = ReplayWhich::Between { from, until };
    world.db.delivery_replay(Replay { webhook: id, which, signed }).await
}

fn address(world: &World, url: &str) -> Result<String> {
    let url = HookUrl::parse(url)?;
    world.outside.outbound.check(url.as_str())?;
    Ok(url.as_str().to_owned())
}

fn new_secret(world: &World) -> (SecretToken, Vec<u8>) {
    let secret = SecretToken::new(TokenKind::Webhook, world.outside.random.as_ref());
    let sealed = world.outside.vault.seal(SealContext::Webhook, secret.as_str().as_bytes());
    (secret, sealed)
}

/// The newest first.
pub async fn webhook_list(world: &World) -> Result<Vec<WebhookRow>> {
    world.db.webhook_list().await
}

pub async fn webhook_remove(world: &World, signed: AuditStamp, id: WebhookId) -> Result<()> {
    world.db.webhook_remove(id, signed).await
}

/// Switching on what is on, or off what is off, changes nothing.
pub async fn webhook_switch(
    world: &World,
    signed: AuditStamp,
    id: WebhookId,
    on: bool,
) -> Result<WebhookRow> {
    world.db.webhook_switch(id, on, signed).await
}
