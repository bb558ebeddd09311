//! Subscriptions: made, changed, given new secrets, switched, removed.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::ids::WebhookId;
use domain::webhook::HookFormat;
use engine::webhooks::subscriptions as flow;
use engine::webhooks::subscriptions::{NewWebhook, WebhookFields, WebhookSecret};
use serde::{Deserialize, Serialize};
use store::model::WebhookRow;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Admin;
use crate::body::Body;
use crate::problem::Problem;
use crate::routes::Path;

#[derive(Serialize, ToSchema)]
pub struct WebhookBody {
    pub id: String,
    pub name: String,
    pub url: String,
    /// `event`, or the chat that a sentence goes to: `slack`, `feishu`, `dingtalk`, `wecom`.
    pub format: &'static str,
    #[schema(example = json!(["win.made", "win.given"]))]
    pub kinds: Vec<&'static str>,
    pub created_ms: i64,
    pub on: bool,
    /// Why it is off: `by_hand`, or `failing` after three days of nothing but failures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub off_why: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub off_ms: Option<i64>,
    /// Since when every attempt has failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing_since_ms: Option<i64>,
    /// Attempts that failed since the last one that did not.
    pub failures: u32,
    /// After a rotation: until when deliveries are signed with the secret before, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_until_ms: Option<i64>,
}

impl From<WebhookRow> for WebhookBody {
    fn from(row: WebhookRow) -> Self {
        Self {
            id: row.id.to_string(),
            name: row.name,
            url: row.url,
            format: row.format.name(),
            kinds: row.wants.names(),
            created_ms: row.created.0,
            on: row.off.is_none(),
            off_why: row.off.map(|(why, _)| why.name()),
            off_ms: row.off.map(|(_, at)| at.0),
            failing_since_ms: row.health.failing_since.map(|at| at.0),
            failures: row.health.failures,
            previous_until_ms: row.previous.map(|(_, until)| until.0),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct WebhooksBody {
    pub items: Vec<WebhookBody>,
}

/// The secret is shown this once.
#[derive(Serialize, ToSchema)]
pub struct WebhookSecretBody {
    pub id: String,
    #[schema(example = "wfh_…")]
    pub secret: String,
}

impl From<WebhookSecret> for WebhookSecretBody {
    fn from(made: WebhookSecret) -> Self {
        Self { id: made.id.to_string(), secret: made.secret.as_str().to_owned() }
    }
}

/// All webhooks, the newest first
#[utoipa::path(get, path = "/webhooks", tag = "webhooks", responses((status = 200, body = WebhooksBody)))]
pub async fn webhook_list(State(app): State<App>, _: Admin) -> Result<Json<WebhooksBody>, Problem> {
    let rows = flow::webhook_list(&app.world).await?;
    Ok(Json(WebhooksBody { items: rows.into_iter().map(WebhookBody::from).collect() }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookRequest {
    pub name: String,
    #[schema(example = "https://example.com/windfall")]
    pub url: String,
    /// Kinds of events, or `*` for all of them but `coupon.due`, which is asked for by name.
    #[schema(example = json!(["win.made", "win.given"]))]
    pub kinds: Vec<String>,
    /// `event`, the default, for programs. For a chat that takes incoming messages at an address: `slack` (and what takes the
    /// same), `feishu`, `dingtalk` or `wecom`; a chat gets a sentence, and only kinds that tell nothing about players.
    #[serde(default = "event_format")]
    pub format: String,
}

fn event_format() -> String {
    HookFormat::Event.name().to_owned()
}

/// Subscribe to events
#[utoipa::path(post, path = "/webhooks", tag = "webhooks",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 201, body = WebhookSecretBody)))]
pub async fn webhook_create(
    State(app): State<App>,
    admin: Admin,
    body: Body<WebhookRequest>,
) -> Result<Response, Problem> {
    let WebhookRequest { name, url, kinds, format } = body.value;
    let given = NewWebhook { name, url, format, kinds };
    let made = flow::webhook_create(&app.world, admin.sign(&app, ""), body.repeat, given).await?;
    Ok((StatusCode::CREATED, Json(WebhookSecretBody::from(made))).into_response())
}

/// One webhook
#[utoipa::path(get, path = "/webhooks/{id}", tag = "webhooks", responses((status = 200, body = WebhookBody)))]
pub async fn webhook(
    State(app): State<App>,
    _: Admin,
    Path(id): Path<WebhookId>,
) -> Result<Json<WebhookBody>, Problem> {
    Ok(Json(flow::webhook_find(&app.world, id).await?.into()))
}

/// What is left out stays.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookUpdateRequest {
    pub name: Option<String>,
    pub url: Option<String>,
    pub kinds: Option<Vec<String>>,
}

/// Change a webhook
#[utoipa::path(patch, path = "/webhooks/{id}", tag = "webhooks",
    responses((status = 200, body = WebhookBody)))]
pub async fn webhook_edit(
    State(app): State<App>,
    admin: Admin,
    Path(id): Path<WebhookId>,
    body: Body<WebhookUpdateRequest>,
) -> Result<Json<WebhookBody>, Problem> {
    let WebhookUpdateRequest { name, url, kinds } = body.value;
    let given = WebhookFields { name, url, kinds };
    Ok(Json(flow::webhook_edit(&app.world, admin.sign(&app, ""), id, given).await?.into()))
}

/// Remove a webhook
///
/// What waits for it is not delivered any more, and its log goes.
#[utoipa::path(delete, path = "/webhooks/{id}", tag = "webhooks", responses((status = 204)))]
pub async fn webhook_remove(
    State(app): State<App>,
    admin: Admin,
    Path(id): Path<WebhookId>,
) -> Result<StatusCode, Problem> {
    flow::webhook_remove(&app.world, admin.sign(&app, ""), id).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookRotationRequest {
    /// How long deliveries are signed with the secret before, too; 24 unless told, 720 at most.
    #[serde(default = "one_day")]
    pub overlap_hours: i64,
}

fn one_day() -> i64 {
    24
}

/// Give a webhook a new secret
#[utoipa::path(post, path = "/webhooks/{id}/rotate", tag = "webhooks",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = WebhookSecretBody)))]
pub async fn webhook_rotate(
    State(app): State<App>,
    admin: Admin,
    Path(id): Path<WebhookId>,
    body: Body<WebhookRotationRequest>,
) -> Result<Json<WebhookSecretBody>, Problem> {
    let hours = body.value.overlap_hours;
    let made = flow::webhook_rotate(&app.world, admin.sign(&app, ""), body.repeat, id, hours).await?;
    Ok(Json(made.into()))
}

/// Switch a webhook on
///
/// What waited for it is delivered; earlier failures are forgotten.
#[utoipa::path(post, path = "/webhooks/{id}/on", tag = "webhooks",
    responses((status = 200, body = WebhookBody)))]
pub async fn webhook_on(
    State(app): State<App>,
    admin: Admin,
    Path(id): Path<WebhookId>,
) -> Result<Json<WebhookBody>, Problem> {
    Ok(Json(flow::webhook_switch(&app.world, admin.sign(&app, ""), id, true).await?.into()))
}

/// Switch a webhook off
///
/// It gets nothing from now on; what waits for it goes on waiting.
#[utoipa::path(post, path = "/webhooks/{id}/off", tag = "webhooks",
    responses((status = 200, body = WebhookBody)))]
pub async fn webhook_off(
    State(app): State<App>,
    admin: Admin,
    Path(id): Path<WebhookId>,
) -> Result<Json<WebhookBody>, Problem> {
    Ok(Json(flow::webhook_switch(&app.world, admin.sign(&app, ""), id, false).await?.into()))
}
