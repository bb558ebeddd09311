//! Who follows and blocks whom.

use axum::Json;
use axum::extract::State;
use domain::ids::UserId;
use engine::community::people as flow;
use store::model::PersonList;

use super::wire::{ListedPersonBody, MemberBody, RelationBody};
use crate::app::App;
use crate::auth::{Player, Spectator};
use crate::body::NoBody;
use crate::feed_page::{FeedPaged, FeedQuery, feed_body};
use crate::page::PageBody;
use crate::problem::Problem;
use crate::routes::Path;

type People = Result<Json<PageBody<ListedPersonBody>>, Problem>;

/// A member of the community
///
/// With the whole name of those who take part: who have posted or follow somebody. Others show its first character.
#[utoipa::path(get, path = "/members/{id}", tag = "community", responses((status = 200, body = MemberBody)))]
pub async fn member_get(
    State(app): State<App>,
    Spectator(reader): Spectator,
    Path(id): Path<UserId>,
) -> Result<Json<MemberBody>, Problem> {
    Ok(Json(flow::member(&app.world, reader, id).await?.into()))
}

/// Follow somebody
///
/// Again is the same.
#[utoipa::path(put, path = "/users/{id}/follow", tag = "community", responses((status = 200, body = RelationBody)))]
pub async fn user_follow(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<UserId>,
    _: NoBody,
) -> Result<Json<RelationBody>, Problem> {
    Ok(Json(flow::follow(&app.world, user, id).await?.into()))
}

/// Do not follow somebody any more
///
/// Again is the same.
#[utoipa::path(delete, path = "/users/{id}/follow", tag = "community", responses((status = 200, body = RelationBody)))]
pub async fn user_unfollow(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<UserId>,
) -> Result<Json<RelationBody>, Problem> {
    Ok(Json(flow::unfollow(&app.world, user, id).await?.into()))
}

/// Block somebody
///
/// Neither follows the other any more, and neither sees what the other writes. Again is the same.
#[utoipa::path(put, path = "/users/{id}/block", tag = "community", responses((status = 200, body = RelationBody)))]
pub async fn user_block(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<UserId>,
    _: NoBody,
) -> Result<Json<RelationBody>, Problem> {
    Ok(Json(flow::block(&app.world, user, id).await?.into()))
}

/// Unblock somebody
///
/// Again is the same.
#[utoipa::path(delete, path = "/users/{id}/block", tag = "community", responses((status = 200, body = RelationBody)))]
pub async fn user_unblock(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<UserId>,
) -> Result<Json<RelationBody>, Problem> {
    Ok(Json(flow::unblock(&app.world, user, id).await?.into()))
}

/// Who follows somebody, newest first
#[utoipa::path(get, path = "/users/{id}/followers", tag = "community",
    params(FeedQuery), responses((status = 200, body = PageBody<ListedPersonBody>)))]
pub async fn followers(
    State(app): State<App>,
    Spectator(reader): Spectator,
    Path(id): Path<UserId>,
    FeedPaged(page): FeedPaged,
) -> People {
    let found = flow::people_list(&app.world, reader, PersonList::Followers(id), page).await?;
    Ok(Json(feed_body(found, ListedPersonBody::from)))
}

/// Whom somebody follows, newest first
#[utoipa::path(get, path = "/users/{id}/following", tag = "community",
    params(FeedQuery), responses((status = 200, body = PageBody<ListedPersonBody>)))]
pub async fn following(
    State(app): State<App>,
    Spectator(reader): Spectator,
    Path(id): Path<UserId>,
    FeedPaged(page): FeedPaged,
) -> People {
    let found = flow::people_list(&app.world, reader, PersonList::Following(id), page).await?;
    Ok(Json(feed_body(found, ListedPersonBody::from)))
}

/// Whom I have blocked, newest first
#[utoipa::path(get, path = "/me/blocks", tag = "me",
    params(FeedQuery), responses((status = 200, body = PageBody<ListedPersonBody>)))]
pub async fn my_blocks(State(app): State<App>, Player(user): Player, FeedPaged(page): FeedPaged) -> People {
    let found = flow::people_list(&app.world, Some(user), PersonList::Blocked, page).await?;
    Ok(Json(feed_body(found, ListedPersonBody::from)))
}
