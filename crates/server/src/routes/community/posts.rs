//! Posts: written, read, liked, voted for.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::ids::{PostId, UserId};
use engine::community::timelines::pages::timeline;
use engine::community::{hot_list, posts as flow};
use serde::{Deserialize, Serialize};
use store::model::{LikeCount, PostList};
use utoipa::ToSchema;

use super::wire::{ListedPersonBody, PostBody, PostRequest, PostUpdateRequest, PostWholeBody};
use crate::app::App;
use crate::auth::{Player, Spectator};
use crate::body::{NoBody, TextBody};
use crate::feed_page::{FeedPaged, FeedQuery, SnapshotPaged, feed_body, snapshot_body};
use crate::page::PageBody;
use crate::problem::Problem;
use crate::routes::Path;

type Posts = Result<Json<PageBody<PostBody>>, Problem>;

/// Publish a post
///
/// Its author is the first to vote for it. At most 20 a day unless configured otherwise; in the first 24 hours of an account a
/// tenth of it, and no links.
#[utoipa::path(post, path = "/posts", tag = "community",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 201, body = PostWholeBody)))]
pub async fn post_create(
    State(app): State<App>,
    Player(user): Player,
    body: TextBody<PostRequest>,
) -> Result<Response, Problem> {
    let post = flow::post_create(&app.world, user, body.repeat, body.value.into()).await?;
    Ok((StatusCode::CREATED, Json(PostWholeBody::from(post))).into_response())
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewRequest {
    /// Markdown, 1 to 20,000 characters.
    pub body: String,
}

#[derive(Serialize, ToSchema)]
pub struct PreviewBody {
    /// HTML that can be shown as it is.
    pub html: String,
    pub excerpt: String,
}

/// What a text would look like
#[utoipa::path(post, path = "/posts/preview", tag = "community", responses((status = 200, body = PreviewBody)))]
pub async fn post_preview(_: Player, body: TextBody<PreviewRequest>) -> Result<Json<PreviewBody>, Problem> {
    let rendered = flow::post_preview(&body.value.body)?;
    Ok(Json(PreviewBody { html: rendered.html, excerpt: rendered.excerpt }))
}

/// The latest posts, newest first
#[utoipa::path(get, path = "/posts", tag = "community",
    params(FeedQuery), responses((status = 200, body = PageBody<PostBody>)))]
pub async fn post_list(
    State(app): State<App>,
    Spectator(reader): Spectator,
    FeedPaged(page): FeedPaged,
) -> Posts {
    let found = flow::post_list(&app.world, reader, PostList::Latest, page).await?;
    Ok(Json(feed_body(found, PostBody::from)))
}

/// Posts that moderators feature, newest first
#[utoipa::path(get, path = "/posts/featured", tag = "community",
    params(FeedQuery), responses((status = 200, body = PageBody<PostBody>)))]
pub async fn featured_posts(
    State(app): State<App>,
    Spectator(reader): Spectator,
    FeedPaged(page): FeedPaged,
) -> Posts {
    let found = flow::post_list(&app.world, reader, PostList::Featured, page).await?;
    Ok(Json(feed_body(found, PostBody::from)))
}

/// The hot list: pinned posts, then by score
///
/// The first 1,000 as they were at most ten seconds ago. A page continues in the list it began with, for half an hour;
/// after that the answer is `snapshot_expired`.
#[utoipa::path(get, path = "/posts/hot", tag = "community",
    params(FeedQuery), responses((status = 200, body = PageBody<PostBody>)))]
pub async fn hot_posts(
    State(app): State<App>,
    Spectator(reader): Spectator,
    SnapshotPaged { limit, after }: SnapshotPaged,
) -> Posts {
    let (items, next) = hot_list::hot_posts(&app.world, reader, limit, after).await?;
    Ok(Json(snapshot_body(items, next, PostBody::from)))
}

/// Somebody's posts, newest first
#[utoipa::path(get, path = "/users/{id}/posts", tag = "community",
    params(FeedQuery), responses((status = 200, body = PageBody<PostBody>)))]
pub async fn posts_of(
    State(app): State<App>,
    Spectator(reader): Spectator,
    Path(id): Path<UserId>,
    FeedPaged(page): FeedPaged,
) -> Posts {
    let found = flow::post_list(&app.world, reader, PostList::By(id), page).await?;
    Ok(Json(feed_body(found, PostBody::from)))
}

/// My posts, newest first, also those that others do not see
#[utoipa::path(get, path = "/me/posts", tag = "me",
    params(FeedQuery), responses((status = 200, body = PageBody<PostBody>)))]
pub async fn my_posts(State(app): State<App>, Player(user): Player, FeedPaged(page): FeedPaged) -> Posts {
    let found = flow::post_list(&app.world, Some(user), PostList::Mine, page).await?;
    Ok(Json(feed_body(found, PostBody::from)))
}

/// My timeline: posts of everybody whom I follow, and my own, newest first
///
/// Each page shows what I may see now: whoever I do not follow any more is gone from it, and a post is there as soon as it is
/// published. Pages that continue neither repeat nor skip a post; a page may be short and still have a `next`.
#[utoipa::path(get, path = "/me/timeline", tag = "me",
    params(FeedQuery), responses((status = 200, body = PageBody<PostBody>)))]
pub async fn my_timeline(State(app): State<App>, Player(user): Player, FeedPaged(page): FeedPaged) -> Posts {
    let found = timeline(&app.world, user, page).await?;
    Ok(Json(feed_body(found, PostBody::from)))
}

/// A post
#[utoipa::path(get, path = "/posts/{id}", tag = "community", responses((status = 200, body = PostWholeBody)))]
pub async fn post_get(
    State(app): State<App>,
    Spectator(reader): Spectator,
    Path(id): Path<PostId>,
) -> Result<Json<PostWholeBody>, Problem> {
    Ok(Json(flow::post_get(&app.world, reader, id).await?.into()))
}

/// Edit my post
///
/// It keeps its place in every list and is marked as edited. Moderators see what it said before.
#[utoipa::path(put, path = "/posts/{id}", tag = "community", responses((status = 200, body = PostWholeBody)))]
pub async fn post_edit(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<PostId>,
    body: TextBody<PostUpdateRequest>,
) -> Result<Json<PostWholeBody>, Problem> {
    let PostUpdateRequest { version, title, link, body } = body.value;
    let written = flow::PostWritten { title, link, body };
    Ok(Json(flow::post_edit(&app.world, user, id, version, written).await?.into()))
}

/// Delete my post
///
/// It is gone everywhere at once. Again is the same.
#[utoipa::path(delete, path = "/posts/{id}", tag = "community", responses((status = 204)))]
pub async fn post_delete(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<PostId>,
) -> Result<StatusCode, Problem> {
    flow::post_delete(&app.world, user, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Serialize, ToSchema)]
pub struct LikeBody {
    /// Whether I like it now.
    pub liked: bool,
    pub likes: i64,
}

impl From<LikeCount> for LikeBody {
    fn from(LikeCount { liked, likes }: LikeCount) -> Self {
        Self { liked, likes }
    }
}

/// Like a post
///
/// Again is the same.
#[utoipa::path(put, path = "/posts/{id}/like", tag = "community", responses((status = 200, body = LikeBody)))]
pub async fn post_like(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<PostId>,
    _: NoBody,
) -> Result<Json<LikeBody>, Problem> {
    Ok(Json(flow::post_like(&app.world, user, id, true).await?.into()))
}

/// Do not like a post any more
///
/// Again is the same.
#[utoipa::path(delete, path = "/posts/{id}/like", tag = "community", responses((status = 200, body = LikeBody)))]
pub async fn post_unlike(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<PostId>,
) -> Result<Json<LikeBody>, Problem> {
    Ok(Json(flow::post_like(&app.world, user, id, false).await?.into()))
}

/// Who liked a post, newest first
#[utoipa::path(get, path = "/posts/{id}/likes", tag = "community",
    params(FeedQuery), responses((status = 200, body = PageBody<ListedPersonBody>)))]
pub async fn post_likers(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<PostId>,
    FeedPaged(page): FeedPaged,
) -> Result<Json<PageBody<ListedPersonBody>>, Problem> {
    let found = flow::post_likers(&app.world, user, id, page).await?;
    Ok(Json(feed_body(found, ListedPersonBody::from)))
}

#[derive(Serialize, ToSchema)]
pub struct VoteBody {
    pub votes: i64,
    pub score: i64,
}

/// Vote for a post
///
/// Within 7 days of its publishing; a vote is final. Again is the same.
#[utoipa::path(put, path = "/posts/{id}/vote", tag = "community", responses((status = 200, body = VoteBody)))]
pub async fn post_vote(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<PostId>,
    _: NoBody,
) -> Result<Json<VoteBody>, Problem> {
    let count = flow::post_vote(&app.world, user, id).await?;
    Ok(Json(VoteBody { votes: count.votes, score: count.score.0 }))
}
