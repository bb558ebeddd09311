//! Texts that wait for a moderator; decisions about one's own texts, and appeals against them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::Rejection;
use domain::account::Reason;
use domain::community::AppealState;
use domain::rejection::{FieldProblem, MissingThing};
use engine::community::appeals as flow;
use serde::{Deserialize, Serialize};
use store::model::{AppealCaseRow, AppealRow, AppealsFind, DecisionRow, HeldRow};
use utoipa::{IntoParams, ToSchema};

use super::wire::PersonBody;
use crate::app::App;
use crate::auth::{Moderator, Person};
use crate::body::Body;
use crate::feed_page::{FeedPaged, FeedQuery, feed_body};
use crate::page::PageBody;
use crate::problem::Problem;
use crate::routes::{Path, Query};

/// A text that only its author and the moderators see.
#[derive(Serialize, ToSchema)]
pub struct HeldTextBody {
    /// `post` or `comment`.
    pub on: &'static str,
    #[schema(example = "7318349394477056")]
    pub id: String,
    pub author: PersonBody,
    /// Words of the filter that are in it.
    pub words: Vec<String>,
    pub held_at_ms: i64,
    /// How it begins.
    pub excerpt: String,
    /// The thread to read it in.
    pub thread_on: &'static str,
    pub thread: String,
}

impl From<HeldRow> for HeldTextBody {
    fn from(HeldRow { subject, id, author, words, held, excerpt, thread }: HeldRow) -> Self {
        Self {
            on: subject.name(),
            id: id.to_string(),
            author: author.into(),
            words,
            held_at_ms: held.0,
            excerpt,
            thread_on: thread.subject.name(),
            thread: thread.id.to_string(),
        }
    }
}

/// Texts that wait for a moderator, newest first
///
/// They are released or removed as posts and comments are: `restore` or `remove`.
#[utoipa::path(get, path = "/admin/held", tag = "moderation",
    params(FeedQuery), responses((status = 200, body = PageBody<HeldTextBody>)))]
pub async fn held_list(
    State(app): State<App>,
    _: Moderator,
    FeedPaged(page): FeedPaged,
) -> Result<Json<PageBody<HeldTextBody>>, Problem> {
    Ok(Json(feed_body(flow::held_list(&app.world, page).await?, HeldTextBody::from)))
}

/// An appeal, as the one who made it sees it.
#[derive(Serialize, ToSchema)]
pub struct AppealBody {
    pub text: String,
    pub state: &'static str,
    pub made_at_ms: i64,
    /// What the moderator says who decided it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub answer: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_at_ms: Option<i64>,
}

impl From<AppealRow> for AppealBody {
    fn from(AppealRow { text, state, made, answer, closed }: AppealRow) -> Self {
        Self { text, state: state.name(), made_at_ms: made.0, answer, closed_at_ms: closed.map(|at| at.0) }
    }
}

/// A text of mine that was removed.
#[derive(Serialize, ToSchema)]
pub struct DecisionBody {
    #[schema(example = "7318349394477056")]
    pub id: String,
    /// `post` or `comment`.
    pub on: &'static str,
    /// Its id.
    pub subject: String,
    pub thread_on: &'static str,
    pub thread: String,
    /// How it begins.
    pub excerpt: String,
    /// Why, in the moderator's words.
    pub reason: String,
    pub decided_at_ms: i64,
    /// Since when it is not in effect any more: the text is back, or was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_at_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub appeal: Option<AppealBody>,
}

impl From<DecisionRow> for DecisionBody {
    fn from(row: DecisionRow) -> Self {
        Self {
            id: row.id.to_string(),
            on: row.subject.name(),
            subject: row.subject_id.to_string(),
            thread_on: row.thread.subject.name(),
            thread: row.thread.id.to_string(),
            excerpt: row.excerpt,
            reason: row.reason,
            decided_at_ms: row.decided.0,
            over_at_ms: row.over.map(|at| at.0),
            appeal: row.appeal.map(AppealBody::from),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct DecisionsBody {
    /// Newest first, 50 at most.
    pub items: Vec<DecisionBody>,
}

/// What moderators decided about my texts
#[utoipa::path(get, path = "/me/decisions", tag = "community", responses((status = 200, body = DecisionsBody)))]
pub async fn my_decisions(State(app): State<App>, person: Person) -> Result<Json<DecisionsBody>, Problem> {
    let items = flow::my_decisions(&app.world, person.who.user).await?;
    Ok(Json(DecisionsBody { items: items.into_iter().map(DecisionBody::from).collect() }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AppealRequest {
    /// 1 to 1,000 characters.
    pub text: String,
}

/// What an address says that a decision is called; anything else is nothing that exists.
fn decision_id(id: &str, what: MissingThing) -> Result<i64, Rejection> {
    id.parse().map_err(|_| Rejection::NotFound { what })
}

/// Appeal against a decision
///
/// Once for each. Another moderator than the one who decided looks at it. The same words again are the same.
#[utoipa::path(post, path = "/me/decisions/{id}/appeal", tag = "community", responses((status = 204)))]
pub async fn appeal_create(
    State(app): State<App>,
    person: Person,
    Path(id): Path<String>,
    body: Body<AppealRequest>,
) -> Result<StatusCode, Problem> {
    let id = decision_id(&id, MissingThing::Decision)?;
    flow::appeal_create(&app.world, person.who.user, id, &body.value.text).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// An appeal, as moderators see it.
#[derive(Serialize, ToSchema)]
pub struct AppealCaseBody {
    /// What was decided.
    pub decision: DecisionBody,
    /// Whose text it is.
    pub author: PersonBody,
    /// Who removed it; absent of the machine's own console and of deleted accounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moderator: Option<PersonBody>,
}

impl From<AppealCaseRow> for AppealCaseBody {
    fn from(AppealCaseRow { decision, appeal: _, author, moderator }: AppealCaseRow) -> Self {
        let moderator = moderator.map(PersonBody::from);
        Self { decision: decision.into(), author: author.into(), moderator }
    }
}

/// Which appeals.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AppealsQuery {
    /// Open ones unless told.
    pub state: Option<String>,
}

/// Appeals for the moderators, newest first
#[utoipa::path(get, path = "/admin/appeals", tag = "moderation",
    params(FeedQuery, AppealsQuery), responses((status = 200, body = PageBody<AppealCaseBody>)))]
pub async fn appeal_list(
    State(app): State<App>,
    _: Moderator,
    FeedPaged(page): FeedPaged,
    Query(AppealsQuery { state }): Query<AppealsQuery>,
) -> Result<Json<PageBody<AppealCaseBody>>, Problem> {
    let unknown = || Rejection::invalid("state", FieldProblem::NotOneOf { allowed: AppealState::NAMES });
    let state =
        state.map_or(Some(AppealState::Open), |state| AppealState::parse(&state)).ok_or_else(unknown)?;
    let found = flow::appeal_list(&app.world, AppealsFind { state, page }).await?;
    Ok(Json(feed_body(found, AppealCaseBody::from)))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AppealDecisionRequest {
    /// The text comes back, or stays removed.
    pub granted: bool,
    /// Why; the one who appealed reads it.
    pub reason: String,
}

/// Decide an appeal
///
/// By its decision's id. Nobody decides about a text of their own, or one that they removed. Granted, the text is back for
/// everybody. The same again is the same.
#[utoipa::path(post, path = "/admin/appeals/{id}/decide", tag = "moderation", responses((status = 204)))]
pub async fn appeal_decide(
    State(app): State<App>,
    moderator: Moderator,
    Path(id): Path<String>,
    body: Body<AppealDecisionRequest>,
) -> Result<StatusCode, Problem> {
    let AppealDecisionRequest { granted, reason } = body.value;
    let reason = Reason::parse(&reason)?;
    let signed = moderator.sign(&app, reason.as_str());
    let id = decision_id(&id, MissingThing::Appeal)?;
    flow::appeal_decide(&app.world, id, granted, signed).await?;
    Ok(StatusCode::NO_CONTENT)
}
