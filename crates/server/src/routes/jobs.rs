//! Recurring jobs: look, change, pause, run now.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use engine::operations::job_admin;
use engine::operations::job_admin::JobChange;
use serde::{Deserialize, Serialize};
use store::model::{JobRow, RunRow};
use utoipa::ToSchema;

use super::Path;
use crate::app::App;
use crate::auth::{Admin, Reader};
use crate::body::Body;
use crate::openapi::PREFIX;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;

#[derive(Serialize, ToSchema)]
pub struct JobBody {
    pub name: String,
    /// `every 5m`, or `cron 0 4 * * *` in the site's time zone.
    pub schedule: String,
    #[schema(value_type = Object)]
    pub parameters: serde_json::Value,
    pub paused: bool,
    pub next_due_ms: i64,
    /// The worker that has it now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holder: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_run: Option<RunBody>,
}

impl From<JobRow> for JobBody {
    fn from(row: JobRow) -> Self {
        Self {
            parameters: serde_json::from_str(&row.parameters).unwrap_or(serde_json::Value::Null),
            name: row.name,
            schedule: row.schedule,
            paused: row.paused,
            next_due_ms: row.next_due.0,
            holder: row.holder,
            last_run: row.last_run.map(RunBody::from),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct RunBody {
    pub id: String,
    pub started_ms: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<i64>,
    /// `done`, `more`, `failed`; absent while it runs or when its worker died.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<&'static str>,
    /// How many things it dealt with.
    pub handled: i64,
    pub detail: String,
}

impl From<RunRow> for RunBody {
    fn from(row: RunRow) -> Self {
        Self {
            id: row.id.to_string(),
            started_ms: row.started.0,
            duration_ms: row.finished.map(|finished| finished.since_ms(row.started)),
            outcome: row.outcome.map(domain::job::RunOutcome::name),
            handled: row.handled,
            detail: row.detail,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct JobsBody {
    pub items: Vec<JobBody>,
}

/// All jobs with their last run
#[utoipa::path(get, path = "/admin/jobs", tag = "admin", responses((status = 200, body = JobsBody)))]
pub async fn job_list(State(app): State<App>, _: Reader) -> Result<Json<JobsBody>, Problem> {
    let rows = job_admin::job_list(&app.world).await?;
    Ok(Json(JobsBody { items: rows.into_iter().map(JobBody::from).collect() }))
}

/// One job
#[utoipa::path(get, path = "/admin/jobs/{name}", tag = "admin", responses((status = 200, body = JobBody)))]
pub async fn job(
    State(app): State<App>,
    _: Reader,
    Path(name): Path<String>,
) -> Result<Json<JobBody>, Problem> {
    Ok(Json(job_admin::job_find(&app.world, &name).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JobUpdateRequest {
    #[serde(default)]
    pub schedule: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub parameters: Option<serde_json::Value>,
    #[serde(default)]
    pub paused: Option<bool>,
}

/// Change a job's schedule or parameters, pause or resume it
#[utoipa::path(patch, path = "/admin/jobs/{name}", tag = "admin", responses((status = 200, body = JobBody)))]
pub async fn job_edit(
    State(app): State<App>,
    admin: Admin,
    Path(name): Path<String>,
    body: Body<JobUpdateRequest>,
) -> Result<Json<JobBody>, Problem> {
    let JobUpdateRequest { schedule, parameters, paused } = body.value;
    let change = JobChange { schedule, parameters, paused };
    Ok(Json(job_admin::job_edit(&app.world, admin.sign(&app, ""), &name, change).await?.into()))
}

/// A job's runs, newest first
#[utoipa::path(get, path = "/admin/jobs/{name}/runs", tag = "admin",
    params(PageQuery), responses((status = 200, body = PageBody<RunBody>)))]
pub async fn job_runs(
    State(app): State<App>,
    _: Reader,
    Path(name): Path<String>,
    Paged(page): Paged,
) -> Result<Json<PageBody<RunBody>>, Problem> {
    let runs = job_admin::job_runs(&app.world, &name, page).await?;
    Ok(Json(PageBody::of(runs, RunBody::from)))
}

/// Run a job now
///
/// The next free worker takes it, paused or not; its run appears under the address in `Location`.
#[utoipa::path(post, path = "/admin/jobs/{name}/run", tag = "admin",
    responses((status = 202, body = JobBody)))]
pub async fn job_run_now(
    State(app): State<App>,
    admin: Admin,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    let job = job_admin::job_run_now(&app.world, admin.sign(&app, ""), &name).await?;
    let place = format!("{PREFIX}/admin/jobs/{}/runs", job.name);
    Ok((StatusCode::ACCEPTED, [(header::LOCATION, place)], Json(JobBody::from(job))).into_response())
}
