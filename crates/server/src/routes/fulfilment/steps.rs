//! The steps of operators and of the systems that give prizes.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::fulfilment::FulfilmentStep;
use domain::ids::{ApprovalId, FulfilmentId};
use engine::fulfilment as flow;
use serde::Deserialize;
use utoipa::ToSchema;

use super::super::Path;
use super::super::admin_users::ApprovalRequested;
use super::queue::FulfilmentBody;
use crate::app::App;
use crate::auth::{Author, Fulfiller, Operator};
use crate::body::Body;
use crate::openapi::PREFIX;
use crate::problem::Problem;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StepReasonRequest {
    /// For the audit log; not empty.
    pub reason: String,
}

/// Let go what waits for an operator, or for its time
#[utoipa::path(post, path = "/fulfilments/{id}/release", tag = "fulfilment",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = FulfilmentBody)))]
pub async fn fulfilment_release(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<FulfilmentId>,
    body: Body<StepReasonRequest>,
) -> Result<Json<FulfilmentBody>, Problem> {
    let signed = operator.sign(&app, &body.value.reason);
    Ok(Json(flow::step(&app.world, signed, body.repeat, id, FulfilmentStep::Release).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShipRequest {
    #[schema(example = "SF Express")]
    pub carrier: String,
    #[schema(example = "SF1029384756")]
    pub tracking: String,
}

/// A parcel is on its way
///
/// Again, to correct carrier or tracking number.
#[utoipa::path(post, path = "/fulfilments/{id}/ship", tag = "fulfilment",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = FulfilmentBody)))]
pub async fn fulfilment_ship(
    State(app): State<App>,
    fulfiller: Fulfiller,
    Path(id): Path<FulfilmentId>,
    body: Body<ShipRequest>,
) -> Result<Json<FulfilmentBody>, Problem> {
    let ShipRequest { carrier, tracking } = body.value;
    let signed = fulfiller.sign(&app, "");
    Ok(Json(flow::ship(&app.world, signed, body.repeat, id, (&carrier, &tracking)).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeliverRequest {
    #[serde(default)]
    pub reason: String,
}

/// A parcel has arrived
#[utoipa::path(post, path = "/fulfilments/{id}/deliver", tag = "fulfilment",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = FulfilmentBody)))]
pub async fn fulfilment_deliver(
    State(app): State<App>,
    fulfiller: Fulfiller,
    Path(id): Path<FulfilmentId>,
    body: Body<DeliverRequest>,
) -> Result<Json<FulfilmentBody>, Problem> {
    let signed = fulfiller.sign(&app, &body.value.reason);
    Ok(Json(flow::step(&app.world, signed, body.repeat, id, FulfilmentStep::Deliver).await?.into()))
}

/// Try once more what failed
#[utoipa::path(post, path = "/fulfilments/{id}/redrive", tag = "fulfilment",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = FulfilmentBody)))]
pub async fn fulfilment_redrive(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<FulfilmentId>,
    body: Body<StepReasonRequest>,
) -> Result<Json<FulfilmentBody>, Problem> {
    let signed = operator.sign(&app, &body.value.reason);
    Ok(Json(flow::step(&app.world, signed, body.repeat, id, FulfilmentStep::Redrive).await?.into()))
}

/// Ask for a win to be voided
///
/// Takes effect when an admin who did not ask for it approves. The winner sees the reason. Points and chances that were
/// given are taken back, chances as far as they are not used; everything else that was given is given for good.
#[utoipa::path(post, path = "/fulfilments/{id}/void", tag = "fulfilment",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 202, body = ApprovalRequested)))]
pub async fn fulfilment_void(
    State(app): State<App>,
    author: Author,
    Path(id): Path<FulfilmentId>,
    body: Body<StepReasonRequest>,
) -> Result<Response, Problem> {
    let signed = author.sign(&app, &body.value.reason);
    Ok(asked(flow::void_ask(&app.world, signed, body.repeat, id).await?))
}

/// A second person has to approve it, and where.
pub(in super::super) fn asked(approval: ApprovalId) -> Response {
    let place = format!("{PREFIX}/admin/approvals/{approval}");
    let body = ApprovalRequested { approval_id: approval.to_string() };
    (StatusCode::ACCEPTED, [(header::LOCATION, place)], Json(body)).into_response()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportOutcome {
    Given,
    Failed,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportRequest {
    pub outcome: ReportOutcome,
    /// What you call it, or why it failed.
    #[serde(default)]
    pub note: String,
    /// Which try it is of, as `coupon.due` said; left out, the newest. A failure of an earlier one changes nothing.
    #[serde(default)]
    pub redriven: Option<u32>,
}

/// Report what became of a prize
///
/// For the system that was told to give it, with a `fulfil` key. The same report again is answered, not refused. A parcel
/// that was lost, or that came back, has `failed`; the note says which.
#[utoipa::path(post, path = "/fulfilments/{id}/report", tag = "fulfilment",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = FulfilmentBody)))]
pub async fn fulfilment_report(
    State(app): State<App>,
    fulfiller: Fulfiller,
    Path(id): Path<FulfilmentId>,
    body: Body<ReportRequest>,
) -> Result<Json<FulfilmentBody>, Problem> {
    let ReportRequest { outcome, note, redriven } = body.value;
    let (signed, given) = (fulfiller.sign(&app, ""), outcome == ReportOutcome::Given);
    Ok(Json(flow::report(&app.world, signed, body.repeat, id, (given, &note, redriven)).await?.into()))
}
