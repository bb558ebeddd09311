//! One's own account.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::ids::SessionId;
use engine::people::{
    account_delete as delete_flow, code_send as code_flow, password_change as password_flow,
};
use engine::people::{phone_change as phone_flow, profile, session_end as end_flow};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Path;
use super::auth::{CodeSentBody, cleared};
use crate::app::App;
use crate::auth::{Person, Player};
use crate::body::Body;
use crate::context::Context;
use crate::problem::Problem;
use crate::wire::AccountBody;

/// My account
#[utoipa::path(get, path = "/me", tag = "me", responses((status = 200, body = AccountBody)))]
pub async fn me_get(State(app): State<App>, Player(user): Player) -> Result<Json<AccountBody>, Problem> {
    Ok(Json(profile::my_account(&app.world, user).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MeUpdateRequest {
    /// 1 to 40 characters.
    #[serde(default)]
    pub name: Option<String>,
    /// An https address or a path on this site; empty for none.
    #[serde(default)]
    pub avatar: Option<String>,
}

/// Change my name or picture
#[utoipa::path(patch, path = "/me", tag = "me", responses((status = 200, body = AccountBody)))]
pub async fn me_edit(
    State(app): State<App>,
    Player(user): Player,
    body: Body<MeUpdateRequest>,
) -> Result<Json<AccountBody>, Problem> {
    let MeUpdateRequest { name, avatar } = body.value;
    Ok(Json(profile::profile_edit(&app.world, user, name.as_deref(), avatar.as_deref()).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MyCodeRequest {
    /// The number I want; without it the code goes to the number I have.
    #[serde(default)]
    pub new_phone: Option<String>,
}

/// Send a code to my phone, or to the one I want
#[utoipa::path(post, path = "/me/codes", tag = "me", responses((status = 202, body = CodeSentBody)))]
pub async fn my_code_send(
    State(app): State<App>,
    context: Context,
    person: Person,
    body: Body<MyCodeRequest>,
) -> Result<Response, Problem> {
    let new_phone = body.value.new_phone.as_deref();
    let sent = code_flow::code_send_to_me(&app.world, &context.caller(), person.who.user, new_phone).await?;
    Ok((StatusCode::ACCEPTED, Json(CodeSentBody::from(sent))).into_response())
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordUpdateRequest {
    pub old_password: String,
    pub new_password: String,
}

/// Change my password
///
/// All my other sessions end.
#[utoipa::path(post, path = "/me/password", tag = "me", responses((status = 204)))]
pub async fn password_change(
    State(app): State<App>,
    context: Context,
    person: Person,
    body: Body<PasswordUpdateRequest>,
) -> Result<StatusCode, Problem> {
    let PasswordUpdateRequest { old_password, new_password } = &body.value;
    password_flow::password_change(
        &app.world,
        &context.caller(),
        person.who,
        person.token_hash,
        old_password,
        new_password,
    )
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PhoneUpdateRequest {
    /// Sent to the number I have.
    pub old_code: String,
    pub new_phone: String,
    /// Sent to the number I want.
    pub new_code: String,
}

/// Change my phone
///
/// All my other sessions end.
#[utoipa::path(post, path = "/me/phone", tag = "me", responses((status = 204)))]
pub async fn phone_change(
    State(app): State<App>,
    context: Context,
    person: Person,
    body: Body<PhoneUpdateRequest>,
) -> Result<StatusCode, Problem> {
    let PhoneUpdateRequest { old_code, new_phone, new_code } = &body.value;
    phone_flow::phone_change(
        &app.world,
        &context.caller(),
        person.who,
        person.token_hash,
        old_code,
        new_phone,
        new_code,
    )
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountDeleteRequest {
    /// Sent to my phone.
    #[serde(default)]
    pub code: Option<String>,
}

/// Delete my account
///
/// Personal data goes at once and for good. Limits and blocks are kept for `account.limits_kept_days` under a keyed hash of
/// the phone. An account that came by a link of the company's app is deleted by the company.
#[utoipa::path(post, path = "/me/delete", tag = "me", responses((status = 204)))]
pub async fn account_delete(
    State(app): State<App>,
    context: Context,
    person: Person,
    body: Body<AccountDeleteRequest>,
) -> Result<Response, Problem> {
    let code = body.value.code.as_deref();
    delete_flow::account_delete(&app.world, &context.caller(), person.who.user, code).await?;
    Ok(cleared(&app))
}

#[derive(Serialize, ToSchema)]
pub struct SessionBody {
    pub id: String,
    /// The session this request came with.
    pub current: bool,
    pub started_ms: i64,
    pub seen_ms: i64,
    /// The browser's own description.
    pub agent: String,
    pub address: String,
}

#[derive(Serialize, ToSchema)]
pub struct SessionsBody {
    pub items: Vec<SessionBody>,
}

/// Where I am signed in
#[utoipa::path(get, path = "/me/sessions", tag = "me", responses((status = 200, body = SessionsBody)))]
pub async fn session_list(State(app): State<App>, person: Person) -> Result<Json<SessionsBody>, Problem> {
    let world = &app.world;
    let rows = end_flow::session_list(world, person.who.user).await?;
    let body = |row: store::model::SessionRow| SessionBody {
        id: row.id.to_string(),
        current: row.id == person.who.session,
        started_ms: row.times.started.0,
        seen_ms: row.times.seen.0,
        agent: row.agent,
        address: row.address,
    };
    Ok(Json(SessionsBody { items: rows.into_iter().map(body).collect() }))
}

/// End one of my sessions
#[utoipa::path(delete, path = "/me/sessions/{id}", tag = "me", responses((status = 204)))]
pub async fn session_end(
    State(app): State<App>,
    person: Person,
    Path(id): Path<SessionId>,
) -> Result<StatusCode, Problem> {
    end_flow::session_end(&app.world, person.who.user, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
