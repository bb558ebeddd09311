//! One's second factor, and having somebody else's taken away.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::ids::UserId;
use engine::access::second_factor_reset;
use engine::people::second_factor as flow;
use qrcodegen::{QrCode, QrCodeEcc};
use serde::{Deserialize, Serialize};
use store::model::Actor;
use utoipa::ToSchema;

use super::Path;
use super::admin_users::ApprovalRequested;
use crate::app::App;
use crate::auth::{AdminInPerson, Person};
use crate::body::Body;
use crate::context::Context;
use crate::openapi::PREFIX;
use crate::problem::Problem;

#[derive(Serialize, ToSchema)]
pub struct SecondFactorBody {
    /// Every sign-in asks for it.
    pub on: bool,
    /// Staff have no powers here without one.
    pub required: bool,
    /// Recovery codes that are not used.
    pub recovery_left: i64,
}

/// My second factor
#[utoipa::path(get, path = "/me/second-factor", tag = "me",
    responses((status = 200, body = SecondFactorBody)))]
pub async fn second_factor(
    State(app): State<App>,
    person: Person,
) -> Result<Json<SecondFactorBody>, Problem> {
    let flow::SecondFactorState { on, required, recovery_left } =
        flow::state(&app.world, person.who.user).await?;
    Ok(Json(SecondFactorBody { on, required, recovery_left }))
}

#[derive(Serialize, ToSchema)]
pub struct EnrolmentBody {
    /// To type into an authenticator app that cannot read the picture.
    #[schema(example = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")]
    pub secret: String,
    pub uri: String,
    /// The picture of `uri`: modules along a side, and the path of an SVG that draws the dark ones.
    pub qr_size: i32,
    pub qr_path: String,
}

/// Set up a second factor
///
/// Answers a new secret for an authenticator app (TOTP). Nothing is asked for until it is confirmed.
#[utoipa::path(post, path = "/me/second-factor", tag = "me", responses((status = 201, body = EnrolmentBody)))]
pub async fn second_factor_begin(State(app): State<App>, person: Person) -> Result<Response, Problem> {
    let flow::Enrolment { secret, uri } = flow::begin(&app.world, person.who.user).await?;
    let (qr_size, qr_path) = draw(&uri)?;
    Ok((StatusCode::CREATED, Json(EnrolmentBody { secret, uri, qr_size, qr_path })).into_response())
}

/// One square for each dark module.
fn draw(text: &str) -> Result<(i32, String), engine::Fault> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium)
        .map_err(|error| engine::Fault::new(format!("the picture of a second factor: {error}")))?;
    let size = code.size();
    let dark =
        (0..size).flat_map(|y| (0..size).map(move |x| (x, y))).filter(|(x, y)| code.get_module(*x, *y));
    Ok((size, dark.map(|(x, y)| format!("M{x} {y}h1v1h-1z")).collect()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SecondCodeRequest {
    /// Six digits of the app, or a recovery code.
    #[schema(example = "287082")]
    pub code: String,
}

#[derive(Serialize, ToSchema)]
pub struct RecoveryCodesBody {
    /// Each signs in once in place of the app. They are not shown again.
    pub recovery_codes: Vec<String>,
}

/// Confirm my second factor
///
/// With six digits of the app. From now on every sign-in asks for it; all my other sessions end.
#[utoipa::path(post, path = "/me/second-factor/confirm", tag = "me",
    responses((status = 200, body = RecoveryCodesBody)))]
pub async fn second_factor_confirm(
    State(app): State<App>,
    context: Context,
    person: Person,
    body: Body<SecondCodeRequest>,
) -> Result<Json<RecoveryCodesBody>, Problem> {
    let signed = app.world.audit_stamp(Actor::Person(person.who.user), "", &context.request_id);
    let (caller, code) = (context.caller(), &body.value.code);
    let recovery_codes =
        flow::confirm(&app.world, &caller, person.who, person.token_hash, code, signed).await?;
    Ok(Json(RecoveryCodesBody { recovery_codes }))
}

/// Take my second factor away
///
/// With six digits of the app, or a recovery code.
#[utoipa::path(post, path = "/me/second-factor/remove", tag = "me", responses((status = 204)))]
pub async fn second_factor_remove(
    State(app): State<App>,
    context: Context,
    person: Person,
    body: Body<SecondCodeRequest>,
) -> Result<StatusCode, Problem> {
    let signed = app.world.audit_stamp(Actor::Person(person.who.user), "", &context.request_id);
    flow::remove(&app.world, &context.caller(), person.who, &body.value.code, signed).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SecondFactorResetRequest {
    pub reason: String,
}

/// Ask for somebody's second factor to be taken away
///
/// For somebody who has lost it. Takes effect when another admin approves; all of their sessions end.
#[utoipa::path(post, path = "/admin/users/{id}/second-factor/reset", tag = "admin",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 202, body = ApprovalRequested)))]
pub async fn second_factor_reset(
    State(app): State<App>,
    admin: AdminInPerson,
    Path(id): Path<UserId>,
    body: Body<SecondFactorResetRequest>,
) -> Result<Response, Problem> {
    let signed = admin.sign(&app, &body.value.reason);
    let asked = second_factor_reset::reset_ask(&app.world, signed, body.repeat, id).await?;
    let place = format!("{PREFIX}/admin/approvals/{asked}");
    let body = ApprovalRequested { approval_id: asked.to_string() };
    Ok((StatusCode::ACCEPTED, [(header::LOCATION, place)], Json(body)).into_response())
}
