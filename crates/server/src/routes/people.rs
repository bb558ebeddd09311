//! What everybody sees of a person, and what the company's backend does for its own users.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::account::mask_name;
use domain::ids::UserId;
use engine::access::key_auth;
use engine::people::{account_delete, external_ids, facts, link, profile as profile_flow};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Path, Query};
use crate::app::App;
use crate::auth::{ActingFor, FactSetter, UserKeeper, Viewer};
use crate::body::Body;
use crate::problem::Problem;
use crate::wire::{FactsBody, FactsUpdateRequest, ProfileBody};

/// A person's public profile
///
/// The whole name is for its owner, for staff and for a `read` key; everybody else sees its first character.
#[utoipa::path(get, path = "/users/{id}", tag = "people", responses((status = 200, body = ProfileBody)))]
pub async fn profile(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<UserId>,
) -> Result<Json<ProfileBody>, Problem> {
    let mut profile: ProfileBody = profile_flow::public_profile(&app.world, id).await?.into();
    if !viewer.sees_name_of(id) {
        profile.name = mask_name(&profile.name);
    }
    Ok(Json(profile))
}

#[derive(Serialize, ToSchema)]
pub struct LinkBody {
    /// Open it in the player's browser; it works once.
    #[schema(example = "https://play.example.com/enter#wfl_…")]
    pub url: String,
    pub expires_in_s: i64,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkRequest {
    /// Where on this site the link leads: a path of at most 500 bytes. Without it, the first page.
    #[serde(default)]
    #[schema(example = "/play/7318349394477056")]
    pub to: Option<String>,
}

/// A one-time sign-in link for the acting user
///
/// For a `play` key; name your own user in the `Windfall-User` header.
#[utoipa::path(post, path = "/links", tag = "company",
    params(("Windfall-User" = String, Header, description = "Your own id of the user")),
    responses((status = 201, body = LinkBody)))]
pub async fn link_create(
    State(app): State<App>,
    ActingFor(user): ActingFor,
    body: Body<LinkRequest>,
) -> Result<Response, Problem> {
    let link = link::link_create(&app.world, user, body.value.to.as_deref()).await?;
    Ok((StatusCode::CREATED, Json(LinkBody { url: link.url, expires_in_s: link.expires_in_s }))
        .into_response())
}

/// Delete the account of one of the company's own users
///
/// For a `play` key. Personal data goes at once and for good; limits and blocks are kept for `account.limits_kept_days` under
/// a keyed hash of the external id, so that whoever returns goes on with them.
#[utoipa::path(delete, path = "/external-users/{external_id}", tag = "company", responses((status = 204)))]
pub async fn external_user_delete(
    State(app): State<App>,
    keeper: UserKeeper,
    Path(external_id): Path<String>,
) -> Result<StatusCode, Problem> {
    account_delete::external_user_delete(&app.world, keeper.sign(&app, ""), &external_id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Facts about one of the company's own users
#[utoipa::path(get, path = "/external-users/{external_id}/facts", tag = "company",
    responses((status = 200, body = FactsBody)))]
pub async fn facts_of_external(
    State(app): State<App>,
    _: FactSetter,
    Path(external_id): Path<String>,
) -> Result<Json<FactsBody>, Problem> {
    let user = external_ids::find_by_external_id(&app.world, &external_id).await?;
    Ok(Json(facts::facts_of(&app.world, user).await?.into()))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FactsQuery {
    /// Make an account for an `external_id` that is not known yet. Without it such an id is refused: it may be mistyped.
    create_user: Option<bool>,
}

/// Set facts about one of the company's own users
///
/// Facts not named stay as they are; `null` takes one away. All or none. Somebody who is not known yet is refused, unless
/// `create_user` asks for an account.
#[utoipa::path(patch, path = "/external-users/{external_id}/facts", tag = "company",
    params(FactsQuery), responses((status = 200, body = FactsBody)))]
pub async fn facts_put_external(
    State(app): State<App>,
    setter: FactSetter,
    Path(external_id): Path<String>,
    Query(query): Query<FactsQuery>,
    body: Body<FactsUpdateRequest>,
) -> Result<Json<FactsBody>, Problem> {
    let given = body.value.given();
    let user =
        key_auth::user_by_external_id(&app.world, &external_id, query.create_user.unwrap_or(false)).await?;
    let rows = facts::facts_set(&app.world, setter.sign(&app, ""), user, given).await?;
    Ok(Json(rows.into()))
}
