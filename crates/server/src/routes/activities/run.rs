//! A published activity by hand: close, reopen, pause, resume. What starts and ends by the clock needs nobody.

use axum::Json;
use axum::extract::State;
use domain::ids::ActivityId;
use engine::activities::{Run, activity_run};
use serde::Deserialize;
use utoipa::ToSchema;

use super::super::Path;
use super::wire::ActivityBody;
use crate::app::App;
use crate::auth::Operator;
use crate::body::Body;
use crate::problem::Problem;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunRequest {
    /// For the audit log. Not empty where a round is closed or opened again.
    #[serde(default)]
    pub reason: String,
}

async fn run(
    app: &App,
    operator: &Operator,
    id: ActivityId,
    body: Body<RunRequest>,
    run: Run,
) -> Result<Json<ActivityBody>, Problem> {
    let signed = operator.sign(app, &body.value.reason);
    Ok(Json(activity_run(&app.world, signed, body.repeat, id, run).await?.into()))
}

/// End it before its time
#[utoipa::path(post, path = "/activities/{id}/close", tag = "activities",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = ActivityBody)))]
pub async fn activity_close(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<ActivityId>,
    body: Body<RunRequest>,
) -> Result<Json<ActivityBody>, Problem> {
    run(&app, &operator, id, body, Run::Close).await
}

/// Stop draws for a while: the kill switch of one activity
///
/// One that is paused stays so.
#[utoipa::path(post, path = "/activities/{id}/pause", tag = "activities",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = ActivityBody)))]
pub async fn activity_pause(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<ActivityId>,
    body: Body<RunRequest>,
) -> Result<Json<ActivityBody>, Problem> {
    run(&app, &operator, id, body, Run::Pause).await
}

/// Allow draws again
///
/// One that runs goes on.
#[utoipa::path(post, path = "/activities/{id}/resume", tag = "activities",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = ActivityBody)))]
pub async fn activity_resume(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<ActivityId>,
    body: Body<RunRequest>,
) -> Result<Json<ActivityBody>, Problem> {
    run(&app, &operator, id, body, Run::Resume).await
}

/// Open a closed one for another round
///
/// Under a new secret; its pools keep what is left. Its window must not be over: a later one is a new version.
#[utoipa::path(post, path = "/activities/{id}/reopen", tag = "activities",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = ActivityBody)))]
pub async fn activity_reopen(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<ActivityId>,
    body: Body<RunRequest>,
) -> Result<Json<ActivityBody>, Problem> {
    run(&app, &operator, id, body, Run::Reopen).await
}
