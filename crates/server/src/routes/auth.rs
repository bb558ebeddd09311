//! Signing in and out.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::time::SECOND_MS;
use engine::people::code_send::CodeSent;
use engine::people::{
    SignedInUser, code_send as code_send_flow, link, password_reset as reset_flow, register as register_flow,
    session_end, sign_in_code as by_code, sign_in_password as by_password,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::{Identity, Person};
use crate::body::Body;
use crate::context::Context;
use crate::cookies;
use crate::openapi::signature::Argument;
use crate::problem::Problem;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeRequest {
    #[schema(example = "13800138000")]
    pub phone: String,
    /// `sign_in`, `register` or `reset_password`.
    #[schema(example = "sign_in")]
    pub purpose: String,
}

#[derive(Serialize, ToSchema)]
pub struct CodeSentBody {
    pub expires_in_s: i64,
    /// Another code may be asked for after this.
    pub resend_in_s: i64,
    /// The code itself, in demo mode only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demo_code: Option<String>,
}

impl From<CodeSent> for CodeSentBody {
    fn from(sent: CodeSent) -> Self {
        let demo_code = sent.shown.map(|code| code.as_str().to_owned());
        Self { expires_in_s: sent.expires_in_s, resend_in_s: sent.resend_in_s, demo_code }
    }
}

/// Who is in. The session itself is in the cookie.
#[derive(Serialize, ToSchema)]
pub struct EntryResponse {
    pub user_id: String,
}

/// Send a code to a phone
///
/// The answer is the same for known and unknown phones.
#[utoipa::path(post, path = "/auth/codes", tag = "sign-in", responses((status = 202, body = CodeSentBody)))]
pub async fn code_send(
    State(app): State<App>,
    context: Context,
    body: Body<CodeRequest>,
) -> Result<Response, Problem> {
    let CodeRequest { phone, purpose } = body.value;
    let sent = code_send_flow::code_send(&app.world, &context.caller(), &phone, &purpose).await?;
    Ok((StatusCode::ACCEPTED, Json(CodeSentBody::from(sent))).into_response())
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeSignInRequest {
    #[schema(example = "13800138000")]
    pub phone: String,
    #[schema(example = "123456")]
    pub code: String,
    /// For an account with a second factor: six digits of the app, or a recovery code.
    #[serde(default)]
    pub second_code: Option<String>,
    /// The name of the terms that you agree to, of `GET /site`. Needed once, and again when they have changed.
    #[serde(default)]
    pub consent: Option<String>,
}

/// Sign in with a code
///
/// The first sign-in of a phone makes its account. Sets the session cookie.
#[utoipa::path(post, path = "/auth/sign-in/code", tag = "sign-in",
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the same session again")),
    responses((status = 200, body = EntryResponse)))]
pub async fn sign_in_code(
    State(app): State<App>,
    context: Context,
    before: Before,
    body: Body<CodeSignInRequest>,
) -> Result<Response, Problem> {
    let CodeSignInRequest { phone, code, second_code, consent } = body.value;
    let (caller, second, agreed) = (context.caller(), second_code.as_deref(), consent.as_deref());
    let entered =
        by_code::sign_in_code(&app.world, &caller, body.repeat, &phone, &code, second, agreed).await?;
    Ok(enter(&app, before, entered).await)
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordSignInRequest {
    #[schema(example = "13800138000")]
    pub phone: String,
    pub password: String,
    /// For an account with a second factor: six digits of the app, or a recovery code.
    #[serde(default)]
    pub second_code: Option<String>,
    /// The name of the terms that you agree to, of `GET /site`. Needed once, and again when they have changed.
    #[serde(default)]
    pub consent: Option<String>,
}

/// Sign in with a password
#[utoipa::path(post, path = "/auth/sign-in/password", tag = "sign-in",
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the same session again")),
    responses((status = 200, body = EntryResponse)))]
pub async fn sign_in_password(
    State(app): State<App>,
    context: Context,
    before: Before,
    body: Body<PasswordSignInRequest>,
) -> Result<Response, Problem> {
    let PasswordSignInRequest { phone, password, second_code, consent } = body.value;
    let (caller, second, agreed) = (context.caller(), second_code.as_deref(), consent.as_deref());
    let entered =
        by_password::sign_in_password(&app.world, &caller, body.repeat, &phone, &password, second, agreed)
            .await?;
    Ok(enter(&app, before, entered).await)
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RegistrationRequest {
    pub phone: String,
    /// A code sent for `register`.
    pub code: String,
    pub name: String,
    pub password: String,
    /// The name of the terms that you agree to, of `GET /site`.
    #[serde(default)]
    pub consent: Option<String>,
}

/// Register with a verified phone
#[utoipa::path(post, path = "/auth/register", tag = "sign-in",
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the same session again")),
    responses((status = 201, body = EntryResponse)))]
pub async fn register(
    State(app): State<App>,
    context: Context,
    before: Before,
    body: Body<RegistrationRequest>,
) -> Result<Response, Problem> {
    let RegistrationRequest { phone, code, name, password, consent } = &body.value;
    let agreed = consent.as_deref();
    let wish = register_flow::RegistrationForm { phone, code, name, password, agreed };
    let entered = register_flow::register(&app.world, &context.caller(), body.repeat, wish).await?;
    let mut response = enter(&app, before, entered).await;
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordResetRequest {
    pub phone: String,
    /// A code sent for `reset_password`.
    pub code: String,
    pub password: String,
}

/// Set a new password with a code
///
/// Every session of the account ends.
#[utoipa::path(post, path = "/auth/password/reset", tag = "sign-in", responses((status = 204)))]
pub async fn password_reset(
    State(app): State<App>,
    context: Context,
    body: Body<PasswordResetRequest>,
) -> Result<StatusCode, Problem> {
    let PasswordResetRequest { phone, code, password } = &body.value;
    reset_flow::password_reset(&app.world, &context.caller(), phone, code, password).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkTokenRequest {
    /// The part of the link after the `#`.
    pub token: String,
}

/// Redeem a one-time sign-in link
#[utoipa::path(post, path = "/auth/links/redeem", tag = "sign-in",
    responses((status = 200, body = EntryResponse)))]
pub async fn link_redeem(
    State(app): State<App>,
    context: Context,
    before: Before,
    body: Body<LinkTokenRequest>,
) -> Result<Response, Problem> {
    let entered = link::link_redeem(&app.world, &context.caller(), &body.value.token).await?;
    Ok(enter(&app, before, entered).await)
}

/// Sign out here
#[utoipa::path(post, path = "/auth/sign-out", tag = "sign-in", responses((status = 204)))]
pub async fn sign_out(State(app): State<App>, person: Person) -> Result<Response, Problem> {
    session_end::session_end(&app.world, person.who.user, person.who.session).await?;
    Ok(cleared(&app))
}

/// Sign out everywhere
#[utoipa::path(post, path = "/auth/sign-out-everywhere", tag = "sign-in", responses((status = 204)))]
pub async fn sign_out_everywhere(State(app): State<App>, person: Person) -> Result<Response, Problem> {
    session_end::sign_out_everywhere(&app.world, person.who.user).await?;
    Ok(cleared(&app))
}

/// The session a browser had before it signed in again: it ends, so that no token outlives its use.
#[derive(Debug)]
pub struct Before(Option<Person>);

impl axum::extract::FromRequestParts<App> for Before {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut axum::http::request::Parts, _: &App) -> Result<Self, Problem> {
        match parts.extensions.get::<Identity>() {
            Some(Identity::Person(person)) => Ok(Self(Some(*person))),
            _ => Ok(Self(None)),
        }
    }
}

impl Argument for Before {}

async fn enter(app: &App, before: Before, entered: SignedInUser) -> Response {
    if let Some(person) = before.0
        && person.token_hash != entered.token.hash()
        && let Err(failure) = session_end::session_end(&app.world, person.who.user, person.who.session).await
    {
        tracing::warn!(%failure, "the session before this sign-in could not be ended");
    }
    let mut headers = HeaderMap::new();
    let max_age_s = app.world.settings.session.absolute_ms / SECOND_MS;
    headers.append(header::SET_COOKIE, cookies::set(&entered.token, app.http.secure, max_age_s));
    headers.append(header::SET_COOKIE, cookies::set_device(&entered.device, app.http.secure));
    (headers, Json(EntryResponse { user_id: entered.user.to_string() })).into_response()
}

pub(super) fn cleared(app: &App) -> Response {
    ([(header::SET_COOKIE, cookies::clear(app.http.secure))], StatusCode::NO_CONTENT).into_response()
}
