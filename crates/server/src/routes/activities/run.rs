//! A published activity by hand: close, reopen, pause, resume. What starts and ends by the clock needs nobody.

use axum::Json;
use axum::extract::State;
use domain::ids::ActivityId;
use engine::flows::activity as flow;
use serde::Deserialize;
use utoipa::ToSchema;

use super::super::Path;
use super::wire::ActivityBody;
use crate::app::App;
use crate::auth::Operator;
use crate::body::Body;
use crate::problem::{Problem, ProblemBody};

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunGiven {
    /// For the audit log; not empty.
    pub reason: String,
}

/// End it before its time
#[utoipa::path(post, path = "/activities/{id}/close", tag = "activities", security(("session" = []), ("key" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = Option<String>, Header)), request_body = RunGiven,
    responses((status = 200, body = ActivityBody), (status = "4XX", body = ProblemBody, content_type = "application/problem+json")))]
pub async fn activity_close(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<ActivityId>,
    body: Body<RunGiven>,
) -> Result<Json<ActivityBody>, Problem> {
    let signed = operator.sign(&app, &body.value.reason);
    Ok(Json(flow::activity_close(&app.world, signed, body.repeat, id).await?.into()))
}

/// Stop draws for a while: the kill switch of one activity
#[utoipa::path(post, path = "/activities/{id}/pause", tag = "activities", security(("session" = []), ("key" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = Option<String>, Header)), request_body = RunGiven,
    responses((status = 200, body = ActivityBody), (status = "4XX", body = ProblemBody, content_type = "application/problem+json")))]
pub async fn activity_pause(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<ActivityId>,
    body: Body<RunGiven>,
) -> Result<Json<ActivityBody>, Problem> {
    let signed = operator.sign(&app, &body.value.reason);
    Ok(Json(flow::activity_pause(&app.world, signed, body.repeat, id).await?.into()))
}

/// Allow draws again
#[utoipa::path(post, path = "/activities/{id}/resume", tag = "activities", security(("session" = []), ("key" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = Option<String>, Header)), request_body = RunGiven,
    responses((status = 200, body = ActivityBody), (status = "4XX", body = ProblemBody, content_type = "application/problem+json")))]
pub async fn activity_resume(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<ActivityId>,
    body: Body<RunGiven>,
) -> Result<Json<ActivityBody>, Problem> {
    let signed = operator.sign(&app, &body.value.reason);
    Ok(Json(flow::activity_resume(&app.world, signed, body.repeat, id).await?.into()))
}

/// Open a closed one for another round
///
/// Under a new secret; its pools keep what is left. Its window must not be over: a later one is a new version.
#[utoipa::path(post, path = "/activities/{id}/reopen", tag = "activities", security(("session" = []), ("key" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = Option<String>, Header)), request_body = RunGiven,
    responses((status = 200, body = ActivityBody), (status = "4XX", body = ProblemBody, content_type = "application/problem+json")))]
pub async fn activity_reopen(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<ActivityId>,
    body: Body<RunGiven>,
) -> Result<Json<ActivityBody>, Problem> {
    let signed = operator.sign(&app, &body.value.reason);
    Ok(Json(flow::activity_reopen(&app.world, signed, body.repeat, id).await?.into()))
}
