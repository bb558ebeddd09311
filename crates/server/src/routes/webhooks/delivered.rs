//! What was delivered, again if asked for, and a test.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::ids::WebhookId;
use domain::time::Timestamp;
use engine::webhooks::subscriptions as flow;
use serde::{Deserialize, Serialize};
use store::model::DeliveryRow;
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::auth::Admin;
use crate::body::Body;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;
use crate::routes::{Path, Query};

/// One attempt.
#[derive(Serialize, ToSchema)]
pub struct DeliveryBody {
    pub id: String,
    /// The same in every attempt: the receiver's `Windfall-Delivery`.
    pub delivery_id: String,
    #[schema(example = "win.made")]
    pub kind: String,
    pub attempt: u32,
    pub at_ms: i64,
    pub took_ms: i64,
    /// `done`, `again` (another attempt follows) or `dead` (none does).
    pub came: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    pub request_head: String,
    pub request_body: String,
    /// The first 4 KiB.
    pub answer: String,
    /// When it was put back after this attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed_ms: Option<i64>,
}

impl From<DeliveryRow> for DeliveryBody {
    fn from(row: DeliveryRow) -> Self {
        Self {
            id: row.id.to_string(),
            delivery_id: row.delivery.to_string(),
            kind: row.kind,
            attempt: row.attempt,
            at_ms: row.at.0,
            took_ms: row.took_ms,
            came: row.came.name(),
            status: row.status,
            error: row.error,
            request_head: row.request_head,
            request_body: row.request_body,
            answer: row.answer,
            replayed_ms: row.replayed.map(|at| at.0),
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DeliveryQuery {
    /// Attempts of this delivery alone.
    #[param(value_type = Option<String>)]
    pub delivery: Option<i64>,
}

/// Attempts to deliver, the newest first
#[utoipa::path(get, path = "/webhooks/{id}/deliveries", tag = "webhooks",
    params(DeliveryQuery, PageQuery), responses((status = 200, body = PageBody<DeliveryBody>)))]
pub async fn delivery_list(
    State(app): State<App>,
    _: Admin,
    Path(id): Path<WebhookId>,
    Query(query): Query<DeliveryQuery>,
    Paged(page): Paged,
) -> Result<Json<PageBody<DeliveryBody>>, Problem> {
    let found = flow::deliveries(&app.world, id, query.delivery, page).await?;
    Ok(Json(PageBody::of(found, DeliveryBody::from)))
}

/// Deliver once more
///
/// Under the same id and with the same body. What waits for its next attempt already is refused.
#[utoipa::path(post, path = "/webhooks/{id}/deliveries/{delivery}/replay", tag = "webhooks",
    params(("id" = String, Path), ("delivery" = String, Path)), responses((status = 202)))]
pub async fn delivery_replay(
    State(app): State<App>,
    admin: Admin,
    Path((id, delivery)): Path<(WebhookId, i64)>,
) -> Result<StatusCode, Problem> {
    flow::replay_one(&app.world, admin.sign(&app, ""), id, delivery).await?;
    Ok(StatusCode::ACCEPTED)
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplayRangeRequest {
    pub from_ms: i64,
    /// Not included.
    pub until_ms: i64,
}

#[derive(Serialize, ToSchema)]
pub struct ReplayedBody {
    pub deliveries: u64,
    /// Asking the same again goes on.
    pub more: bool,
}

/// Deliver what was tried in a span of time once more
///
/// The oldest first, a thousand at a time; each under its own id. What waits already is left alone.
#[utoipa::path(post, path = "/webhooks/{id}/replay", tag = "webhooks",
    responses((status = 202, body = ReplayedBody)))]
pub async fn webhook_replay(
    State(app): State<App>,
    admin: Admin,
    Path(id): Path<WebhookId>,
    body: Body<ReplayRangeRequest>,
) -> Result<Response, Problem> {
    let between = (Timestamp(body.value.from_ms), Timestamp(body.value.until_ms));
    let replayed = flow::replay_between(&app.world, admin.sign(&app, ""), id, between).await?;
    let told = ReplayedBody { deliveries: replayed.deliveries, more: replayed.more };
    Ok((StatusCode::ACCEPTED, Json(told)).into_response())
}

#[derive(Serialize, ToSchema)]
pub struct TestBody {
    /// Look for it among the deliveries.
    pub delivery_id: String,
}

/// Send a test
///
/// A delivery of the kind `webhook.test`, whatever kinds it asks for.
#[utoipa::path(post, path = "/webhooks/{id}/test", tag = "webhooks",
    responses((status = 202, body = TestBody)))]
pub async fn webhook_test(
    State(app): State<App>,
    admin: Admin,
    Path(id): Path<WebhookId>,
) -> Result<Response, Problem> {
    let delivery = flow::webhook_test(&app.world, admin.sign(&app, ""), id).await?;
    Ok((StatusCode::ACCEPTED, Json(TestBody { delivery_id: delivery.to_string() })).into_response())
}
