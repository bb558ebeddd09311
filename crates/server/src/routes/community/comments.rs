//! Comments on posts, activities and people.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use domain::account::Reason;
use domain::community::{CommentSight, CommentSubject};
use domain::ids::CommentId;
use domain::rejection::{FieldProblem, MissingThing};
use engine::community::comments as flow;
use serde::{Deserialize, Serialize};
use store::model::{CommentRow, MentionRow, ThreadId};
use utoipa::ToSchema;

use super::posts::LikeBody;
use super::wire::PersonBody;
use crate::app::App;
use crate::auth::{Moderator, Player, Spectator};
use crate::body::{Body, NoBody};
use crate::feed_page::{FeedPaged, FeedQuery, SnapshotPaged, feed_body, snapshot_body};
use crate::page::PageBody;
use crate::problem::Problem;
use crate::routes::Path;

type Comments = Result<Json<PageBody<CommentBody>>, Problem>;

/// A comment as its reader sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct CommentBody {
    #[schema(example = "7318349394477056")]
    pub id: String,
    /// What it is about.
    pub on: &'static str,
    pub subject: String,
    /// Absent of a tombstone, and once the author has deleted the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<PersonBody>,
    pub state: &'static str,
    /// It is gone, and stays in its place for the sake of what is under it: without author and text.
    pub tombstone: bool,
    /// The comment on the thing itself above it; absent when it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// From 1 to 8; a deeper reply stands beside the comment that it replies to.
    pub depth: u32,
    /// The comment that it replies to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<String>,
    /// Whom it replies to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to_person: Option<PersonBody>,
    /// Plain text.
    pub text: String,
    /// Who is named in it, by their names as names are compared: without capitals.
    pub mentions: Vec<MentionBody>,
    pub made_at_ms: i64,
    pub likes: i64,
    /// Comments under it, at any depth.
    pub replies: i64,
    pub liked_by_me: bool,
}

impl From<CommentRow> for CommentBody {
    fn from(row: CommentRow) -> Self {
        let (reply_to, person) = row.reply_to.map_or((None, None), |(id, person)| (Some(id), person));
        Self {
            id: row.id.to_string(),
            on: row.thread.subject.name(),
            subject: row.thread.id.to_string(),
            author: row.author.map(PersonBody::from),
            state: row.state.name(),
            tombstone: row.sight == CommentSight::Tombstone,
            root: row.root.map(|id| id.to_string()),
            parent: row.parent.map(|id| id.to_string()),
            depth: row.depth,
            reply_to: reply_to.map(|id| id.to_string()),
            reply_to_person: person.map(PersonBody::from),
            text: row.body,
            mentions: row.mentions.into_iter().map(MentionBody::from).collect(),
            made_at_ms: row.made.0,
            likes: row.likes,
            replies: row.replies,
            liked_by_me: row.liked_by_me,
        }
    }
}

/// A name in a text, and whose it is.
#[derive(Debug, Serialize, ToSchema)]
pub struct MentionBody {
    #[schema(example = "ann")]
    pub name: String,
    pub id: String,
}

impl From<MentionRow> for MentionBody {
    fn from(MentionRow { name, user }: MentionRow) -> Self {
        Self { name, id: user.to_string() }
    }
}

/// What an address says that a comment is about; anything else is nothing that exists.
fn thread((on, id): (String, String)) -> Result<ThreadId, Rejection> {
    let missing = Rejection::NotFound { what: MissingThing::Page };
    let subject = CommentSubject::parse(&on).ok_or(missing.clone())?;
    Ok(ThreadId { subject, id: id.parse().map_err(|_| missing)? })
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommentRequest {
    /// Plain text, 1 to 1,000 characters.
    pub text: String,
    /// The comment that this replies to.
    #[serde(default)]
    pub reply_to: Option<String>,
}

/// Comment on a post, an activity or a person
///
/// A sale is an activity. At most 300 a day unless configured otherwise.
#[utoipa::path(post, path = "/threads/{on}/{id}/comments", tag = "community",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 201, body = CommentBody)))]
pub async fn comment_create(
    State(app): State<App>,
    Player(user): Player,
    Path(address): Path<(String, String)>,
    body: Body<CommentRequest>,
) -> Result<Response, Problem> {
    let malformed = || Rejection::invalid("reply_to", FieldProblem::Malformed);
    let CommentRequest { text, reply_to } = body.value;
    let reply_to = reply_to.map(|id| id.parse().map_err(|_| malformed())).transpose()?;
    let written = flow::CommentWritten { text, reply_to };
    let made = flow::comment_create(&app.world, user, thread(address)?, body.repeat, written).await?;
    Ok((StatusCode::CREATED, Json(CommentBody::from(made))).into_response())
}

/// Comments on a thing, newest first
///
/// Those on the thing itself; what is under each is a list of its own.
#[utoipa::path(get, path = "/threads/{on}/{id}/comments", tag = "community",
    params(FeedQuery), responses((status = 200, body = PageBody<CommentBody>)))]
pub async fn comment_list(
    State(app): State<App>,
    Spectator(reader): Spectator,
    Path(address): Path<(String, String)>,
    FeedPaged(page): FeedPaged,
) -> Comments {
    let found = flow::comment_list(&app.world, reader, thread(address)?, page).await?;
    Ok(Json(feed_body(found, CommentBody::from)))
}

/// Comments on a thing, those that are liked most first
///
/// The first 1,000 as they were at most ten seconds ago. A page continues in the list it began with, for half an hour;
/// after that the answer is `snapshot_expired`.
#[utoipa::path(get, path = "/threads/{on}/{id}/comments/top", tag = "community",
    params(FeedQuery), responses((status = 200, body = PageBody<CommentBody>)))]
pub async fn top_comments(
    State(app): State<App>,
    Spectator(reader): Spectator,
    Path(address): Path<(String, String)>,
    SnapshotPaged { limit, after }: SnapshotPaged,
) -> Comments {
    let (items, next) = flow::top_comments(&app.world, reader, thread(address)?, limit, after).await?;
    Ok(Json(snapshot_body(items, next, CommentBody::from)))
}

/// Everything under a comment, oldest first
#[utoipa::path(get, path = "/comments/{id}/replies", tag = "community",
    params(FeedQuery), responses((status = 200, body = PageBody<CommentBody>)))]
pub async fn reply_list(
    State(app): State<App>,
    Spectator(reader): Spectator,
    Path(id): Path<CommentId>,
    FeedPaged(page): FeedPaged,
) -> Comments {
    Ok(Json(feed_body(flow::reply_list(&app.world, reader, id, page).await?, CommentBody::from)))
}

/// Delete my comment
///
/// With replies under it, its place stays. Again is the same.
#[utoipa::path(delete, path = "/comments/{id}", tag = "community", responses((status = 204)))]
pub async fn comment_delete(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<CommentId>,
) -> Result<StatusCode, Problem> {
    flow::comment_delete(&app.world, user, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Like a comment
///
/// Again is the same.
#[utoipa::path(put, path = "/comments/{id}/like", tag = "community", responses((status = 200, body = LikeBody)))]
pub async fn comment_like(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<CommentId>,
    _: NoBody,
) -> Result<Json<LikeBody>, Problem> {
    Ok(Json(flow::comment_like(&app.world, user, id, true).await?.into()))
}

/// Do not like a comment any more
///
/// Again is the same.
#[utoipa::path(delete, path = "/comments/{id}/like", tag = "community", responses((status = 200, body = LikeBody)))]
pub async fn comment_unlike(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<CommentId>,
) -> Result<Json<LikeBody>, Problem> {
    Ok(Json(flow::comment_like(&app.world, user, id, false).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommentModerationRequest {
    /// Remove it, or bring it back.
    pub removed: bool,
    pub reason: String,
}

/// Judge a comment
///
/// Nobody judges a comment of their own. What is so already stays so.
#[utoipa::path(post, path = "/admin/comments/{id}/moderate", tag = "moderation", responses((status = 204)))]
pub async fn comment_moderate(
    State(app): State<App>,
    moderator: Moderator,
    Path(id): Path<CommentId>,
    body: Body<CommentModerationRequest>,
) -> Result<StatusCode, Problem> {
    let reason = Reason::parse(&body.value.reason)?;
    let signed = moderator.sign(&app, reason.as_str());
    flow::comment_moderate(&app.world, id, body.value.removed, signed).await?;
    Ok(StatusCode::NO_CONTENT)
}
