//! Writing activities. What is published changes by a new version only.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use domain::activity::Content;
use domain::flaw::Flaw;
use domain::ids::ActivityId;
use engine::activities as flow;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::super::{Path, Query};
use super::wire::DetailBody;
use crate::app::App;
use crate::auth::Author;
use crate::body::Body;
use crate::forms::ActivityForm;
use crate::openapi::PREFIX;
use crate::problem::Problem;

/// Write an activity
///
/// It is not published yet, and may be half thought out: whether it can work is asked when it is submitted.
#[utoipa::path(post, path = "/activities", tag = "activities",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 201, body = DetailBody)))]
pub async fn activity_create(
    State(app): State<App>,
    author: Author,
    body: Body<ActivityForm>,
) -> Result<Response, Problem> {
    let content = content(&body.value)?;
    let id = flow::activity_create(&app.world, author.sign(&app, ""), body.repeat, content).await?;
    made(&app, id).await
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EditionSeen {
    /// The edition of the version in the making that was read; 0 where none was, which begins the next version.
    edition: u32,
}

/// Change the version in the making
///
/// On a published activity without one, this begins the next version. Nobody writes over what they have not seen: the
/// edition has to be the newest.
#[utoipa::path(put, path = "/activities/{id}", tag = "activities",
    params(EditionSeen, ("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = DetailBody)))]
pub async fn activity_edit(
    State(app): State<App>,
    author: Author,
    Path(id): Path<ActivityId>,
    Query(seen): Query<EditionSeen>,
    body: Body<ActivityForm>,
) -> Result<Json<DetailBody>, Problem> {
    let content = content(&body.value)?;
    let signed = author.sign(&app, "");
    flow::activity_edit(&app.world, signed, body.repeat, id, seen.edition, content).await?;
    Ok(Json(flow::activity_detail(&app.world, id).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CloneRequest {}

/// A new activity from an old one
///
/// It says what the old one says, under a name with "(copy)" behind it. State, secrets and draws stay behind.
#[utoipa::path(post, path = "/activities/{id}/clone", tag = "activities",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 201, body = DetailBody)))]
pub async fn activity_clone(
    State(app): State<App>,
    author: Author,
    Path(id): Path<ActivityId>,
    body: Body<CloneRequest>,
) -> Result<Response, Problem> {
    let id = flow::activity_clone(&app.world, author.sign(&app, ""), body.repeat, id).await?;
    made(&app, id).await
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DiscardRequest {
    /// The edition of the version in the making that was read.
    pub edition: u32,
    #[serde(default)]
    pub reason: String,
}

/// Take the version in the making back
///
/// An activity that was never published is deleted with it; a published one goes on as it is. What is in review is withdrawn
/// first.
#[utoipa::path(post, path = "/activities/{id}/discard", tag = "activities",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 204)))]
pub async fn activity_discard(
    State(app): State<App>,
    author: Author,
    Path(id): Path<ActivityId>,
    body: Body<DiscardRequest>,
) -> Result<StatusCode, Problem> {
    let DiscardRequest { edition, reason } = body.value;
    flow::activity_discard(&app.world, author.sign(&app, &reason), body.repeat, id, edition).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn made(app: &App, id: ActivityId) -> Result<Response, Problem> {
    let detail = DetailBody::from(flow::activity_detail(&app.world, id).await?);
    let location = [(header::LOCATION, format!("{PREFIX}/activities/{id}"))];
    Ok((StatusCode::CREATED, location, Json(detail)).into_response())
}

/// What the form says, or everything that is wrong with it. Its pools and version are put in place by the flow.
fn content(form: &ActivityForm) -> Result<Content, Rejection> {
    match form.read(ActivityId(0), 0) {
        Ok(content) => Ok(content),
        Err(wrong) => {
            Rejection::of_flaws(wrong.into_iter().map(Flaw::from))?;
            Err(Rejection::BodyMalformed { detail: "nothing could be read".to_owned() })
        }
    }
}
