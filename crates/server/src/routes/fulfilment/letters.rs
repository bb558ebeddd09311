//! Messages that nobody could deliver.

use axum::Json;
use axum::extract::State;
use engine::fulfilment as flow;
use engine::fulfilment::LetterStory;
use serde::{Deserialize, Serialize};
use store::model::DeadLetter;
use utoipa::{IntoParams, ToSchema};

use super::super::{Path, Query};
use super::steps::StepReasonRequest;
use crate::app::App;
use crate::auth::{Operator, Reader};
use crate::body::Body;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;

#[derive(Serialize, ToSchema)]
pub struct DeadLetterBody {
    /// What a receiver knows the delivery by.
    pub id: String,
    /// Whose queue it was in.
    #[schema(example = "coupons")]
    pub lane: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    pub kind: String,
    /// What it is about: for `fulfil` and `return` a prize on its way.
    pub subject: String,
    pub attempts: u32,
    pub made_at_ms: i64,
    pub died_at_ms: i64,
    /// The last.
    pub error: String,
}

impl From<DeadLetter> for DeadLetterBody {
    fn from(letter: DeadLetter) -> Self {
        Self {
            id: letter.id.to_string(),
            lane: letter.lane,
            user_id: letter.user.map(|user| user.to_string()),
            kind: letter.kind,
            subject: letter.subject.to_string(),
            attempts: letter.attempts,
            made_at_ms: letter.made.0,
            died_at_ms: letter.died.0,
            error: letter.error,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LetterFilter {
    /// `points`, `chances`, `codes`, `coupons`, `returns` and so on.
    lane: Option<String>,
}

/// Dead letters, newest first
#[utoipa::path(get, path = "/outbox/dead-letters", tag = "fulfilment",
    params(LetterFilter, PageQuery), responses((status = 200, body = PageBody<DeadLetterBody>)))]
pub async fn letter_list(
    State(app): State<App>,
    _: Reader,
    Paged(page): Paged,
    Query(filter): Query<LetterFilter>,
) -> Result<Json<PageBody<DeadLetterBody>>, Problem> {
    let page = flow::letter_list(&app.world, filter.lane, page).await?;
    Ok(Json(PageBody::of(page, DeadLetterBody::from)))
}

#[derive(Serialize, ToSchema)]
pub struct FailedAttemptBody {
    pub n: u32,
    pub at_ms: i64,
    pub error: String,
}

#[derive(Serialize, ToSchema)]
pub struct LetterStoryBody {
    #[serde(flatten)]
    pub letter: DeadLetterBody,
    pub body: String,
    /// The last fifty, the oldest first.
    pub story: Vec<FailedAttemptBody>,
}

impl From<LetterStory> for LetterStoryBody {
    fn from(LetterStory { letter, attempts }: LetterStory) -> Self {
        let story =
            attempts.into_iter().map(|one| FailedAttemptBody { n: one.n, at_ms: one.at.0, error: one.error });
        Self { body: letter.body.clone(), letter: letter.into(), story: story.collect() }
    }
}

/// One dead letter with its whole story
#[utoipa::path(get, path = "/outbox/dead-letters/{id}", tag = "fulfilment",
    params(("id" = String, Path)), responses((status = 200, body = LetterStoryBody)))]
pub async fn letter(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<i64>,
) -> Result<Json<LetterStoryBody>, Problem> {
    Ok(Json(flow::letter(&app.world, id).await?.into()))
}

#[derive(Serialize, ToSchema)]
pub struct RedrivenBody {
    /// Messages that were put back.
    pub redriven: u64,
}

/// Put a dead letter back
///
/// Under the same id, so that a receiver knows the delivery.
#[utoipa::path(post, path = "/outbox/dead-letters/{id}/redrive", tag = "fulfilment",
    params(("id" = String, Path)), responses((status = 200, body = RedrivenBody)))]
pub async fn letter_redrive(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<i64>,
    body: Body<StepReasonRequest>,
) -> Result<Json<RedrivenBody>, Problem> {
    let signed = operator.sign(&app, &body.value.reason);
    Ok(Json(RedrivenBody { redriven: flow::redrive_one(&app.world, signed, id).await? }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RedriveRequest {
    #[schema(example = "coupons")]
    pub lane: String,
    /// The oldest so many, 1 to 1,000.
    pub limit: i64,
    /// For the audit log; not empty.
    pub reason: String,
}

/// Put the oldest dead letters of a lane back
#[utoipa::path(post, path = "/outbox/dead-letters/redrive", tag = "fulfilment",
    responses((status = 200, body = RedrivenBody)))]
pub async fn letters_redrive(
    State(app): State<App>,
    operator: Operator,
    body: Body<RedriveRequest>,
) -> Result<Json<RedrivenBody>, Problem> {
    let RedriveRequest { lane, limit, reason } = body.value;
    let signed = operator.sign(&app, &reason);
    Ok(Json(RedrivenBody { redriven: flow::redrive_lane(&app.world, signed, lane, limit).await? }))
}
