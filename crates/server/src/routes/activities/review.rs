//! The review of a version: submit, withdraw, approve, refuse.

use axum::Json;
use axum::extract::State;
use domain::Rejection;
use domain::ids::ActivityId;
use domain::rejection::FieldProblem;
use engine::activities as flow;
use engine::activities::ReviewTarget;
use serde::Deserialize;
use store::model::SeenEdition;
use utoipa::ToSchema;

use super::super::Path;
use super::wire::ActivityBody;
use crate::app::App;
use crate::auth::{Author, Reviewer};
use crate::body::Body;
use crate::forms::form_field;
use crate::problem::Problem;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    #[serde(default)]
    pub reason: String,
}

/// Submit the version in the making for review
///
/// What cannot work is refused as `flawed` with everything that is wrong in `problems`.
#[utoipa::path(post, path = "/activities/{id}/submit", tag = "activities",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = ActivityBody)))]
pub async fn activity_submit(
    State(app): State<App>,
    author: Author,
    Path(id): Path<ActivityId>,
    body: Body<ReviewRequest>,
) -> Result<Json<ActivityBody>, Problem> {
    let signed = author.sign(&app, &body.value.reason);
    Ok(Json(flow::activity_submit(&app.world, signed, body.repeat, id, form_field).await?.into()))
}

/// Take it back from review, by one of its authors
#[utoipa::path(post, path = "/activities/{id}/withdraw", tag = "activities",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = ActivityBody)))]
pub async fn activity_withdraw(
    State(app): State<App>,
    author: Author,
    Path(id): Path<ActivityId>,
    body: Body<ReviewRequest>,
) -> Result<Json<ActivityBody>, Problem> {
    let signed = author.sign(&app, &body.value.reason);
    Ok(Json(flow::activity_withdraw(&app.world, signed, body.repeat, id).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VerdictRequest {
    /// Why; not empty for a refusal.
    #[serde(default)]
    pub reason: String,
    /// The version that was looked at; with its edition or not at all. If another is in review now, nothing is decided.
    pub version: Option<u32>,
    pub edition: Option<u32>,
}

impl VerdictRequest {
    fn verdict(&self, id: ActivityId) -> Result<ReviewTarget, Rejection> {
        let missing = |field| Err(Rejection::invalid(field, FieldProblem::Missing));
        match (self.version, self.edition) {
            (None, None) => Ok(ReviewTarget { id, seen: None }),
            (Some(number), Some(edition)) => {
                Ok(ReviewTarget { id, seen: Some(SeenEdition { number, edition }) })
            }
            (Some(_), None) => missing("edition"),
            (None, Some(_)) => missing("version"),
        }
    }
}

/// Approve, and put the version in place
///
/// Never by somebody who wrote a part of it. The commitment to its secret is public from here on.
#[utoipa::path(post, path = "/activities/{id}/approve", tag = "activities",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = ActivityBody)))]
pub async fn activity_approve(
    State(app): State<App>,
    reviewer: Reviewer,
    Path(id): Path<ActivityId>,
    body: Body<VerdictRequest>,
) -> Result<Json<ActivityBody>, Problem> {
    let signed = reviewer.sign(&app, &body.value.reason);
    let verdict = body.value.verdict(id)?;
    Ok(Json(flow::activity_approve(&app.world, signed, body.repeat, verdict).await?.into()))
}

/// Refuse, with a reason
#[utoipa::path(post, path = "/activities/{id}/refuse", tag = "activities",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = ActivityBody)))]
pub async fn activity_refuse(
    State(app): State<App>,
    reviewer: Reviewer,
    Path(id): Path<ActivityId>,
    body: Body<VerdictRequest>,
) -> Result<Json<ActivityBody>, Problem> {
    let signed = reviewer.sign(&app, &body.value.reason);
    let verdict = body.value.verdict(id)?;
    Ok(Json(flow::activity_refuse(&app.world, signed, body.repeat, verdict).await?.into()))
}
