//! Looking at activities and their versions; and, for everybody, what was published of their secrets.

use axum::Json;
use axum::extract::State;
use domain::Rejection;
use domain::activity::LifeState as Stage;
use domain::ids::ActivityId;
use domain::rejection::FieldProblem;
use domain::time::Timestamp;
use engine::activities as flow;
use serde::Deserialize;
use store::model::ActivitySearch;
use utoipa::IntoParams;

use super::super::{Path, Query};
use super::diff::DiffBody;
use super::wire::{ActivityBody, DetailBody, SecretBody, SecretsBody, VersionBody, VersionNote};
use crate::app::App;
use crate::auth::Reader;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;

const STATES: &str = "editing, in_review, approved, refused, running, paused, closed, reopened";

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ActivityFilter {
    /// `editing`, `in_review`, `approved`, `refused`, `running`, `paused`, `closed` or `reopened`.
    state: Option<String>,
    /// What stands anywhere in the name, in upper or lower case.
    q: Option<String>,
    /// Only what is closed and ended at this moment or later, in milliseconds since 1970.
    ended_from_ms: Option<i64>,
}

/// Activities, newest first
#[utoipa::path(get, path = "/activities", tag = "activities",
    params(ActivityFilter, PageQuery), responses((status = 200, body = PageBody<ActivityBody>)))]
pub async fn activity_list(
    State(app): State<App>,
    _: Reader,
    Paged(page): Paged,
    Query(filter): Query<ActivityFilter>,
) -> Result<Json<PageBody<ActivityBody>>, Problem> {
    let wrong = FieldProblem::NotOneOf { allowed: STATES };
    let state = match filter.state {
        None => None,
        Some(text) => Some(Stage::parse(&text).ok_or(Rejection::invalid("state", wrong))?),
    };
    let search = ActivitySearch {
        state,
        now: app.world.now(),
        text: filter.q.unwrap_or_default(),
        ended_from: filter.ended_from_ms.map(Timestamp),
    };
    let rows = flow::activity_list(&app.world, search, page).await?;
    Ok(Json(PageBody::of(rows, ActivityBody::from)))
}

/// An activity: how it stands, what it says, and what it is to say next
#[utoipa::path(get, path = "/activities/{id}", tag = "activities",
    responses((status = 200, body = DetailBody)))]
pub async fn activity_get(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<ActivityId>,
) -> Result<Json<DetailBody>, Problem> {
    Ok(Json(flow::activity_detail(&app.world, id).await?.into()))
}

/// Its versions, newest first
#[utoipa::path(get, path = "/activities/{id}/versions", tag = "activities",
    params(PageQuery), responses((status = 200, body = PageBody<VersionNote>)))]
pub async fn version_list(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<ActivityId>,
    Paged(page): Paged,
) -> Result<Json<PageBody<VersionNote>>, Problem> {
    let rows = flow::version_list(&app.world, id, page).await?;
    Ok(Json(PageBody::of(rows, |row| VersionNote::from(&row))))
}

/// A version and everything it says
#[utoipa::path(get, path = "/activities/{id}/versions/{number}", tag = "activities",
    params(("id" = String, Path), ("number" = u32, Path)), responses((status = 200, body = VersionBody)))]
pub async fn version(
    State(app): State<App>,
    _: Reader,
    Path((id, number)): Path<(ActivityId, u32)>,
) -> Result<Json<VersionBody>, Problem> {
    Ok(Json(flow::version_find(&app.world, id, number).await?.into()))
}

/// What a version changes from the one before it
///
/// With what its fields point to: the versions of the rule tree, what things are called, what it can cost at most, and
/// prizes for which there are not enough codes. Units of prizes and entries are a difference that is applied to the pool at approval; `stock` says which, and what
/// becomes of those already given.
#[utoipa::path(get, path = "/activities/{id}/versions/{number}/diff", tag = "activities",
    params(("id" = String, Path), ("number" = u32, Path)), responses((status = 200, body = DiffBody)))]
pub async fn version_diff(
    State(app): State<App>,
    reader: Reader,
    Path((id, number)): Path<(ActivityId, u32)>,
) -> Result<Json<DiffBody>, Problem> {
    let shown = flow::version_diff(&app.world, id, number).await?;
    Ok(Json(DiffBody::of(shown, reader.context.lang)))
}

/// What was published before the first draw, per round and version
///
/// For everybody. A secret itself is told only when every draw under it is over.
#[utoipa::path(get, path = "/activities/{id}/secrets", tag = "activities",
    responses((status = 200, body = SecretsBody)))]
pub async fn activity_secrets(
    State(app): State<App>,
    Path(id): Path<ActivityId>,
) -> Result<Json<SecretsBody>, Problem> {
    let rows = flow::activity_secrets(&app.world, id).await?;
    Ok(Json(SecretsBody { items: rows.into_iter().map(SecretBody::from).collect() }))
}
