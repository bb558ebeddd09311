//! What moderators see and do.

use axum::Json;
use axum::extract::State;
use domain::Rejection;
use domain::account::Reason;
use domain::community::ModerationAct;
use domain::ids::PostId;
use domain::rejection::FieldProblem;
use engine::community::moderation as flow;
use serde::{Deserialize, Serialize};
use store::model::PostVersion;
use utoipa::ToSchema;

use super::wire::PostWholeBody;
use crate::app::App;
use crate::auth::Moderator;
use crate::body::Body;
use crate::problem::Problem;
use crate::routes::Path;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ModerationRequest {
    pub act: String,
    /// Why; its author can be told.
    pub reason: String,
}

/// Judge a post
///
/// Nobody judges a post of their own. What is so already stays so. At most 5 posts are pinned.
#[utoipa::path(post, path = "/admin/posts/{id}/moderate", tag = "moderation",
    responses((status = 200, body = PostWholeBody)))]
pub async fn post_moderate(
    State(app): State<App>,
    moderator: Moderator,
    Path(id): Path<PostId>,
    body: Body<ModerationRequest>,
) -> Result<Json<PostWholeBody>, Problem> {
    let unknown = || Rejection::invalid("act", FieldProblem::NotOneOf { allowed: ModerationAct::NAMES });
    let act = ModerationAct::parse(&body.value.act).ok_or_else(unknown)?;
    let reason = Reason::parse(&body.value.reason)?;
    let signed = moderator.sign(&app, reason.as_str());
    Ok(Json(flow::post_moderate(&app.world, id, act, signed).await?.into()))
}

/// What a post said before it was edited.
#[derive(Serialize, ToSchema)]
pub struct PostVersionBody {
    pub version: u32,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    pub body: String,
    /// Until when it said so.
    pub until_ms: i64,
}

impl From<PostVersion> for PostVersionBody {
    fn from(PostVersion { version, title, link, body, until }: PostVersion) -> Self {
        Self { version, title, link, body, until_ms: until.0 }
    }
}

#[derive(Serialize, ToSchema)]
pub struct PostHistoryBody {
    pub post: PostWholeBody,
    /// Newest first, 200 at most.
    pub versions: Vec<PostVersionBody>,
}

/// A post in any state, and what it said before
#[utoipa::path(get, path = "/admin/posts/{id}", tag = "moderation", responses((status = 200, body = PostHistoryBody)))]
pub async fn post_history(
    State(app): State<App>,
    _: Moderator,
    Path(id): Path<PostId>,
) -> Result<Json<PostHistoryBody>, Problem> {
    let (post, versions) = flow::post_history(&app.world, id).await?;
    let versions = versions.into_iter().map(PostVersionBody::from).collect();
    Ok(Json(PostHistoryBody { post: post.into(), versions }))
}
