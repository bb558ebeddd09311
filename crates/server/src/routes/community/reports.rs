//! Reports: made by players, decided by moderators.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::Rejection;
use domain::account::Reason;
use domain::community::{ReportState, ReportSubject};
use domain::rejection::{FieldProblem, MissingThing};
use engine::community::reports as flow;
use engine::community::reports::{DisclosedConversation, ReportWritten};
use serde::{Deserialize, Serialize};
use store::model::{ReportCaseRow, ReportOrder, ReportRow, ReportsFind};
use utoipa::{IntoParams, ToSchema};

use super::wire::PersonBody;
use crate::app::App;
use crate::auth::{Moderator, Person};
use crate::body::Body;
use crate::feed_page::{FeedPaged, FeedQuery, feed_body};
use crate::page::PageBody;
use crate::problem::Problem;
use crate::routes::{Path, Query};

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AbuseReportRequest {
    /// What is reported.
    pub on: String,
    /// Its id; of a message, the id of the person who wrote it.
    pub id: String,
    /// Of a message: its number in the conversation.
    #[serde(default)]
    pub n: i64,
    pub reason: String,
    /// At most 500 characters; needed for `other`.
    #[serde(default)]
    pub text: String,
}

/// Report a post, a comment, a person or a message to the moderators
///
/// One report per person and thing: again is the same. A report of a message shows it to the moderators, with five messages
/// on either side and no others.
#[utoipa::path(post, path = "/reports", tag = "community", responses((status = 204)))]
pub async fn report_create(
    State(app): State<App>,
    person: Person,
    body: Body<AbuseReportRequest>,
) -> Result<StatusCode, Problem> {
    let AbuseReportRequest { on, id, n, reason, text } = body.value;
    let unknown = || Rejection::invalid("on", FieldProblem::NotOneOf { allowed: ReportSubject::NAMES });
    let subject = ReportSubject::parse(&on).ok_or_else(unknown)?;
    let id = id.parse().map_err(|_| Rejection::invalid("id", FieldProblem::Malformed))?;
    flow::report_create(&app.world, person.who.user, ReportWritten { subject, id, n, reason, text }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A report, without who made it.
#[derive(Serialize, ToSchema)]
pub struct AbuseReportBody {
    pub reason: &'static str,
    pub text: String,
    pub made_at_ms: i64,
}

impl From<ReportRow> for AbuseReportBody {
    fn from(ReportRow { reason, text, made }: ReportRow) -> Self {
        Self { reason: reason.name(), text, made_at_ms: made.0 }
    }
}

/// Everything that was reported of one thing.
#[derive(Serialize, ToSchema)]
pub struct ReportCaseBody {
    #[schema(example = "7318349394477056")]
    pub id: String,
    /// What was reported.
    pub on: &'static str,
    /// Its id; absent of a message, which has no address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Whose it is.
    pub author: PersonBody,
    pub state: &'static str,
    /// Since it was last open.
    pub reports: i64,
    pub newest_at_ms: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_at_ms: Option<i64>,
    /// How it begins; absent of people and messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
    /// Where a post or a comment stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_state: Option<&'static str>,
    /// The thread to read it in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_on: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// The newest, 20 at most.
    pub newest: Vec<AbuseReportBody>,
}

impl From<ReportCaseRow> for ReportCaseBody {
    fn from(row: ReportCaseRow) -> Self {
        let is_message = row.subject == ReportSubject::Message;
        Self {
            id: row.id.to_string(),
            on: row.subject.name(),
            subject: (!is_message).then(|| row.subject_id.to_string()),
            author: row.author.into(),
            state: row.state.name(),
            reports: row.reports,
            newest_at_ms: row.newest.0,
            decided_at_ms: row.decided.map(|at| at.0),
            excerpt: row.excerpt,
            post_state: row.post_state.map(domain::community::PostState::name),
            thread_on: row.thread.map(|thread| thread.subject.name()),
            thread: row.thread.map(|thread| thread.id.to_string()),
            newest: row.shown.into_iter().map(AbuseReportBody::from).collect(),
        }
    }
}

/// Which cases.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReportsQuery {
    /// Open ones unless told.
    pub state: Option<String>,
    /// `newest` unless told, or `most` reports first.
    pub sort: Option<String>,
}

/// Cases for the moderators
#[utoipa::path(get, path = "/admin/reports", tag = "moderation",
    params(FeedQuery, ReportsQuery), responses((status = 200, body = PageBody<ReportCaseBody>)))]
pub async fn report_list(
    State(app): State<App>,
    _: Moderator,
    FeedPaged(page): FeedPaged,
    Query(ReportsQuery { state, sort }): Query<ReportsQuery>,
) -> Result<Json<PageBody<ReportCaseBody>>, Problem> {
    let unknown = || Rejection::invalid("state", FieldProblem::NotOneOf { allowed: ReportState::NAMES });
    let state =
        state.map_or(Some(ReportState::Open), |state| ReportState::parse(&state)).ok_or_else(unknown)?;
    let order = match sort.as_deref() {
        None | Some("newest") => ReportOrder::Newest,
        Some("most") => ReportOrder::Most,
        Some(_) => {
            return Err(Rejection::invalid("sort", FieldProblem::NotOneOf { allowed: "newest, most" }).into());
        }
    };
    let found = flow::report_list(&app.world, ReportsFind { state, order, page }).await?;
    Ok(Json(feed_body(found, ReportCaseBody::from)))
}

/// What an address says that a case is called; anything else is nothing that exists.
fn case_id(id: &str) -> Result<i64, Rejection> {
    id.parse().map_err(|_| Rejection::NotFound { what: MissingThing::Report })
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportDecisionRequest {
    /// The reporters are right, or nothing is wrong.
    pub upheld: bool,
    pub reason: String,
}

/// Decide a case
///
/// Removing a post, or banning its author, is an act of its own. Nobody decides a case about themselves, or one that they
/// reported. The same again is the same.
#[utoipa::path(post, path = "/admin/reports/{id}/decide", tag = "moderation", responses((status = 204)))]
pub async fn report_decide(
    State(app): State<App>,
    moderator: Moderator,
    Path(id): Path<String>,
    body: Body<ReportDecisionRequest>,
) -> Result<StatusCode, Problem> {
    let reason = Reason::parse(&body.value.reason)?;
    let signed = moderator.sign(&app, reason.as_str());
    flow::report_decide(&app.world, case_id(&id)?, body.value.upheld, signed).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportDisclosureRequest {
    pub reason: String,
}

/// A message that moderators may read.
#[derive(Serialize, ToSchema)]
pub struct DisclosedMessageBody {
    pub n: i64,
    pub sender: String,
    /// It is the one that was reported.
    pub reported: bool,
    /// Absent once its sender deleted the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    pub sent_at_ms: i64,
}

#[derive(Serialize, ToSchema)]
pub struct DisclosureBody {
    /// In the order they were sent: the reported one, and five on either side.
    pub items: Vec<DisclosedMessageBody>,
}

impl From<DisclosedConversation> for DisclosureBody {
    fn from(DisclosedConversation { reported, messages }: DisclosedConversation) -> Self {
        let items = messages.into_iter().map(|message| DisclosedMessageBody {
            n: message.n,
            sender: message.sender.to_string(),
            reported: message.n == reported,
            text: message.text,
            sent_at_ms: message.sent.0,
        });
        Self { items: items.collect() }
    }
}

/// Read a reported message
///
/// With five messages on either side. Only while the case is open; the audit log says who read them and why.
#[utoipa::path(post, path = "/admin/reports/{id}/disclose", tag = "moderation",
    responses((status = 200, body = DisclosureBody)))]
pub async fn report_disclose(
    State(app): State<App>,
    moderator: Moderator,
    Path(id): Path<String>,
    body: Body<ReportDisclosureRequest>,
) -> Result<Json<DisclosureBody>, Problem> {
    let reason = Reason::parse(&body.value.reason)?;
    let signed = moderator.sign(&app, reason.as_str());
    Ok(Json(flow::report_disclose(&app.world, case_id(&id)?, signed).await?.into()))
}
