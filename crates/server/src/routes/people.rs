//! What everybody sees of a person, and what the company's backend does for its own users.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::ids::UserId;
use engine::flows::{facts, key_auth, link, profile as profile_flow};
use serde::Serialize;
use utoipa::ToSchema;

use super::Path;
use crate::app::App;
use crate::auth::{ActingFor, FactSetter};
use crate::body::Body;
use crate::problem::{Problem, ProblemBody};
use crate::wire::{FactsBody, FactsPatch, ProfileBody};

/// A person's public profile
#[utoipa::path(get, path = "/users/{id}", tag = "people", params(("id" = String, Path)),
    responses((status = 200, body = ProfileBody), (status = "4XX", body = ProblemBody, content_type = "application/problem+json")))]
pub async fn profile(State(app): State<App>, Path(id): Path<UserId>) -> Result<Json<ProfileBody>, Problem> {
    Ok(Json(profile_flow::public_profile(&app.world, id).await?.into()))
}

#[derive(Serialize, ToSchema)]
pub struct LinkBody {
    /// Open it in the player's browser; it works once.
    #[schema(example = "https://play.example.com/enter#wfl_…")]
    pub url: String,
    pub expires_in_s: i64,
}

/// A one-time sign-in link for the acting user
///
/// For a `play` key; name your own user in the `Windfall-User` header.
#[utoipa::path(post, path = "/links", tag = "company", security(("key" = [])),
    params(("Windfall-User" = String, Header, description = "Your own id of the user")),
    responses((status = 201, body = LinkBody), (status = "4XX", body = ProblemBody, content_type = "application/problem+json")))]
pub async fn link_create(State(app): State<App>, ActingFor(user): ActingFor) -> Result<Response, Problem> {
    let link = link::link_create(&app.world, user).await?;
    Ok((StatusCode::CREATED, Json(LinkBody { url: link.url, expires_in_s: link.expires_in_s }))
        .into_response())
}

/// Facts about one of the company's own users
#[utoipa::path(get, path = "/external-users/{external_id}/facts", tag = "company", security(("key" = [])),
    params(("external_id" = String, Path)),
    responses((status = 200, body = FactsBody), (status = "4XX", body = ProblemBody, content_type = "application/problem+json")))]
pub async fn facts_of_external(
    State(app): State<App>,
    _: FactSetter,
    Path(external_id): Path<String>,
) -> Result<Json<FactsBody>, Problem> {
    let user = key_auth::user_known(&app.world, &external_id).await?;
    Ok(Json(app.world.people.facts_of(user).await?.into()))
}

/// Set facts about one of the company's own users
///
/// Facts not named stay as they are; `null` takes one away. All or none.
#[utoipa::path(patch, path = "/external-users/{external_id}/facts", tag = "company", security(("key" = [])),
    params(("external_id" = String, Path)), request_body = FactsPatch,
    responses((status = 200, body = FactsBody), (status = "4XX", body = ProblemBody, content_type = "application/problem+json")))]
pub async fn facts_put_external(
    State(app): State<App>,
    setter: FactSetter,
    Path(external_id): Path<String>,
    body: Body<FactsPatch>,
) -> Result<Json<FactsBody>, Problem> {
    let user = key_auth::user_of(&app.world, &external_id).await?;
    let rows = facts::facts_put(&app.world, setter.sign(&app, ""), user, body.value.given()).await?;
    Ok(Json(rows.into()))
}
