//! Accounts, as staff see them.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::ids::UserId;
use domain::time::Timestamp;
use engine::access::approval;
use engine::people::user_admin;
use engine::people::user_admin::{UserFilter, parse_roles};
use engine::people::{facts, profile};
use serde::{Deserialize, Serialize};
use store::model::Actor;
use utoipa::{IntoParams, ToSchema};

use super::{Path, Query};
use crate::app::App;
use crate::auth::{Admin, AdminInPerson, Console, FactSetter, Reader};
use crate::body::Body;
use crate::openapi::PREFIX;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;
use crate::wire::{AccountBody, FactsBody, FactsUpdateRequest};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UserSearch {
    /// Part of a name, case ignored.
    name: Option<String>,
    /// A whole number.
    phone: Option<String>,
    /// The company's own id.
    external_id: Option<String>,
    role: Option<String>,
    /// Only accounts banned now.
    banned: Option<bool>,
}

/// Find people
#[utoipa::path(get, path = "/admin/users", tag = "admin",
    params(UserSearch, PageQuery), responses((status = 200, body = PageBody<AccountBody>)))]
pub async fn user_list(
    State(app): State<App>,
    _: Reader,
    Paged(page): Paged,
    Query(search): Query<UserSearch>,
) -> Result<Json<PageBody<AccountBody>>, Problem> {
    let search = UserFilter {
        name: search.name.as_deref(),
        phone: search.phone.as_deref(),
        external_id: search.external_id.as_deref(),
        role: search.role.as_deref(),
        banned: search.banned.unwrap_or(false),
    };
    let found = user_admin::user_list(&app.world, search, page).await?;
    Ok(Json(PageBody::of(found, AccountBody::from)))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserRequest {
    pub phone: String,
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub password: Option<String>,
    #[serde(default)]
    pub roles: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub struct CreatedUserResponse {
    pub id: String,
    /// False when the phone already had this account; nothing about it was changed.
    pub new: bool,
}

/// Make an account with roles, from the command line on the machine itself
#[utoipa::path(post, path = "/admin/users", tag = "admin",
    responses((status = 201, body = CreatedUserResponse), (status = 200, body = CreatedUserResponse)))]
pub async fn user_create(
    State(app): State<App>,
    console: Console,
    body: Body<UserRequest>,
) -> Result<Response, Problem> {
    let UserRequest { phone, name, password, roles } = body.value;
    let roles = parse_roles("roles", roles.iter().map(String::as_str))?;
    let signed = app.world.audit_stamp(Actor::Console, "", &console.context.request_id);
    let (name, password) = (name.as_deref(), password.as_deref());
    let made = user_admin::user_create(&app.world, signed, &phone, name, password, roles).await?;
    let status = if made.new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(CreatedUserResponse { id: made.user.to_string(), new: made.new })).into_response())
}

/// One account
#[utoipa::path(get, path = "/admin/users/{id}", tag = "admin", responses((status = 200, body = AccountBody)))]
pub async fn user(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<UserId>,
) -> Result<Json<AccountBody>, Problem> {
    Ok(Json(profile::my_account(&app.world, id).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BanRequest {
    pub reason: String,
    /// Milliseconds since 1970; without it the ban has no end.
    #[serde(default)]
    pub until_ms: Option<i64>,
}

/// Ban somebody
///
/// Ends all of their sessions at once.
#[utoipa::path(put, path = "/admin/users/{id}/ban", tag = "admin", responses((status = 204)))]
pub async fn user_ban(
    State(app): State<App>,
    admin: Admin,
    Path(id): Path<UserId>,
    body: Body<BanRequest>,
) -> Result<StatusCode, Problem> {
    let BanRequest { reason, until_ms } = body.value;
    let signed = admin.sign(&app, &reason);
    user_admin::user_ban(&app.world, signed, id, &reason, until_ms.map(Timestamp)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lift a ban
#[utoipa::path(delete, path = "/admin/users/{id}/ban", tag = "admin", responses((status = 204)))]
pub async fn user_unban(
    State(app): State<App>,
    admin: Admin,
    Path(id): Path<UserId>,
) -> Result<StatusCode, Problem> {
    user_admin::user_unban(&app.world, admin.sign(&app, ""), id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sign somebody out everywhere
#[utoipa::path(post, path = "/admin/users/{id}/sign-out", tag = "admin", responses((status = 204)))]
pub async fn user_sign_out(
    State(app): State<App>,
    admin: Admin,
    Path(id): Path<UserId>,
) -> Result<StatusCode, Problem> {
    user_admin::user_sign_out(&app.world, admin.sign(&app, ""), id).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RolesRequest {
    /// All roles the person is to have afterwards.
    #[schema(example = json!(["operator"]))]
    pub roles: Vec<String>,
    pub reason: String,
}

#[derive(Serialize, ToSchema)]
pub struct ApprovalRequested {
    pub approval_id: String,
}

/// Ask for other roles
///
/// Takes effect when another admin approves.
#[utoipa::path(post, path = "/admin/users/{id}/roles", tag = "admin",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 202, body = ApprovalRequested)))]
pub async fn roles_ask(
    State(app): State<App>,
    admin: AdminInPerson,
    Path(id): Path<UserId>,
    body: Body<RolesRequest>,
) -> Result<Response, Problem> {
    let RolesRequest { roles, reason } = body.value;
    let roles = parse_roles("roles", roles.iter().map(String::as_str))?;
    let asked = approval::roles_ask(&app.world, admin.sign(&app, &reason), body.repeat, id, roles).await?;
    let place = format!("{PREFIX}/admin/approvals/{asked}");
    let body = ApprovalRequested { approval_id: asked.to_string() };
    Ok((StatusCode::ACCEPTED, [(header::LOCATION, place)], Json(body)).into_response())
}

/// Facts about somebody
#[utoipa::path(get, path = "/admin/users/{id}/facts", tag = "admin",
    responses((status = 200, body = FactsBody)))]
pub async fn facts_of(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<UserId>,
) -> Result<Json<FactsBody>, Problem> {
    profile::my_account(&app.world, id).await?;
    Ok(Json(facts::facts_of(&app.world, id).await?.into()))
}

/// Set facts about somebody
#[utoipa::path(patch, path = "/admin/users/{id}/facts", tag = "admin",
    responses((status = 200, body = FactsBody)))]
pub async fn facts_put(
    State(app): State<App>,
    setter: FactSetter,
    Path(id): Path<UserId>,
    body: Body<FactsUpdateRequest>,
) -> Result<Json<FactsBody>, Problem> {
    let rows = facts::facts_set(&app.world, setter.sign(&app, ""), id, body.value.given()).await?;
    Ok(Json(rows.into()))
}
