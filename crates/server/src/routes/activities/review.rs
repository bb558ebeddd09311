//! The review of a version: submit, withdraw, approve, refuse.

use axum::Json;
use axum::extract::State;
use domain::Rejection;
use domain::ids::ActivityId;
use domain::rejection::FieldProblem;
use engine::activities as flow;
use engine::activities::Verdict;
use serde::Deserialize;
use store::model::Seen;
use utoipa::ToSchema;

use super::super::Path;
use super::wire::ActivityBody;
use crate::app::App;
use crate::auth::{Author, Reviewer};
use crate::body::Body;
use crate::forms::form_field;
use crate::problem::{Problem, ProblemBody};

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewGiven {
    #[serde(default)]
    pub reason: String,
}

/// Submit the version in the making for review
///
/// What cannot work is refused as `flawed` with everything that is wrong in `problems`.
#[utoipa::path(post, path = "/activities/{id}/submit", tag = "activities", security(("session" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = Option<String>, Header)), request_body = Option<ReviewGiven>,
    responses((status = 200, body = ActivityBody), (status = "4XX", body = ProblemBody, content_type = "application/problem+json")))]
pub async fn activity_submit(
    State(app): State<App>,
    author: Author,
    Path(id): Path<ActivityId>,
    body: Body<ReviewGiven>,
) -> Result<Json<ActivityBody>, Problem> {
    let signed = author.sign(&app, &body.value.reason);
    Ok(Json(flow::activity_submit(&app.world, signed, body.repeat, id, form_field).await?.into()))
}

/// Take it back from review, by one of its authors
#[utoipa::path(post, path = "/activities/{id}/withdraw", tag = "activities", security(("session" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = Option<String>, Header)), request_body = Option<ReviewGiven>,
    responses((status = 200, body = ActivityBody), (status = "4XX", body = ProblemBody, content_type = "application/problem+json")))]
pub async fn activity_withdraw(
    State(app): State<App>,
    author: Author,
    Path(id): Path<ActivityId>,
    body: Body<ReviewGiven>,
) -> Result<Json<ActivityBody>, Problem> {
    let signed = author.sign(&app, &body.value.reason);
    Ok(Json(flow::activity_withdraw(&app.world, signed, body.repeat, id).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VerdictGiven {
    /// Why; not empty for a refusal.
    #[serde(default)]
    pub reason: String,
    /// The version that was looked at; with its edition or not at all. If another is in review now, nothing is decided.
    pub version: Option<u32>,
    pub edition: Option<u32>,
}

impl VerdictGiven {
    fn verdict(&self, id: ActivityId) -> Result<Verdict, Rejection> {
        let missing = |field| Err(Rejection::invalid(field, FieldProblem::Missing));
        match (self.version, self.edition) {
            (None, None) => Ok(Verdict { id, seen: None }),
            (Some(number), Some(edition)) => Ok(Verdict { id, seen: Some(Seen { number, edition }) }),
            (Some(_), None) => missing("edition"),
            (None, Some(_)) => missing("version"),
        }
    }
}

/// Approve, and put the version in place
///
/// Never by somebody who wrote a part of it. The commitment to its secret is public from here on.
#[utoipa::path(post, path = "/activities/{id}/approve", tag = "activities", security(("session" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = Option<String>, Header)), request_body = Option<VerdictGiven>,
    responses((status = 200, body = ActivityBody), (status = "4XX", body = ProblemBody, content_type = "application/problem+json")))]
pub async fn activity_approve(
    State(app): State<App>,
    reviewer: Reviewer,
    Path(id): Path<ActivityId>,
    body: Body<VerdictGiven>,
) -> Result<Json<ActivityBody>, Problem> {
    let signed = reviewer.sign(&app, &body.value.reason);
    let verdict = body.value.verdict(id)?;
    Ok(Json(flow::activity_approve(&app.world, signed, body.repeat, verdict).await?.into()))
}

/// Refuse, with a reason
#[utoipa::path(post, path = "/activities/{id}/refuse", tag = "activities", security(("session" = [])),
    params(("id" = String, Path), ("Idempotency-Key" = Option<String>, Header)), request_body = Option<VerdictGiven>,
    responses((status = 200, body = ActivityBody), (status = "4XX", body = ProblemBody, content_type = "application/problem+json")))]
pub async fn activity_refuse(
    State(app): State<App>,
    reviewer: Reviewer,
    Path(id): Path<ActivityId>,
    body: Body<VerdictGiven>,
) -> Result<Json<ActivityBody>, Problem> {
    let signed = reviewer.sign(&app, &body.value.reason);
    let verdict = body.value.verdict(id)?;
    Ok(Json(flow::activity_refuse(&app.world, signed, body.repeat, verdict).await?.into()))
}
