//! Points: one's own balance and statement, and what staff do to somebody's.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::ids::UserId;
use engine::points::account as flow;
use engine::points::account::{AdjustmentOutcome, PointsView};
use serde::{Deserialize, Serialize};
use store::model::{PointsRow, PostedEntry};
use utoipa::ToSchema;

use super::Path;
use super::admin_users::ApprovalRequested;
use crate::app::App;
use crate::auth::{Operator, Player, Reader};
use crate::body::Body;
use crate::openapi::PREFIX;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;

#[derive(Serialize, ToSchema)]
pub struct PointsBody {
    /// Below zero when points were taken back that had been spent: what comes next pays that first.
    #[schema(example = 120)]
    pub balance: i64,
    /// What expires next; absent when nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiring: Option<ExpiringBody>,
}

#[derive(Serialize, ToSchema)]
pub struct ExpiringBody {
    pub points: i64,
    /// From this moment on they are gone.
    pub at_ms: i64,
}

impl From<PointsView> for PointsBody {
    fn from(told: PointsView) -> Self {
        let expiring = told.expiring.map(|(at, points)| ExpiringBody { points, at_ms: at.0 });
        Self { balance: told.balance, expiring }
    }
}

/// A row of a statement. Rows are added and never changed.
#[derive(Serialize, ToSchema)]
pub struct StatementRowBody {
    /// Counted from 1, without a gap.
    pub n: i64,
    /// `credit`, `spend`, `reverse` or `expire`.
    pub kind: &'static str,
    /// What the row changed.
    pub points: i64,
    /// After this row.
    pub balance: i64,
    pub reason: String,
    /// The row that this one takes back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reverses: Option<i64>,
    /// The row that took this one back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reversed_by: Option<i64>,
    /// Of a credit: when its points expire.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_ms: Option<i64>,
    pub at_ms: i64,
    /// What the row came of, for staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "won:117093590311632896")]
    pub key: Option<String>,
}

impl StatementRowBody {
    pub(super) fn for_staff(row: PointsRow) -> Self {
        let key = Some(row.key.clone());
        Self { key, ..Self::from(row) }
    }
}

impl From<PointsRow> for StatementRowBody {
    fn from(row: PointsRow) -> Self {
        let PointsRow { entry, reason, at, reversed_by, .. } = row;
        Self {
            n: entry.n,
            kind: entry.kind.name(),
            points: entry.delta,
            balance: entry.balance,
            reason,
            reverses: entry.reverses,
            reversed_by,
            expires_ms: entry.expires_at().map(|at| at.0),
            at_ms: at.0,
            key: None,
        }
    }
}

/// My points
#[utoipa::path(get, path = "/me/points", tag = "me", responses((status = 200, body = PointsBody)))]
pub async fn my_points(State(app): State<App>, Player(user): Player) -> Result<Json<PointsBody>, Problem> {
    Ok(Json(flow::points(&app.world, user).await?.into()))
}

/// My statement of points, newest first
#[utoipa::path(get, path = "/me/points/statement", tag = "me",
    params(PageQuery), responses((status = 200, body = PageBody<StatementRowBody>)))]
pub async fn my_statement(
    State(app): State<App>,
    Player(user): Player,
    Paged(page): Paged,
) -> Result<Json<PageBody<StatementRowBody>>, Problem> {
    Ok(Json(PageBody::of(flow::statement(&app.world, user, page).await?, StatementRowBody::from)))
}

/// Somebody's points
#[utoipa::path(get, path = "/admin/users/{id}/points", tag = "admin",
    responses((status = 200, body = PointsBody)))]
pub async fn user_points(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<UserId>,
) -> Result<Json<PointsBody>, Problem> {
    Ok(Json(flow::points_of(&app.world, id).await?.into()))
}

/// Somebody's statement of points, newest first
#[utoipa::path(get, path = "/admin/users/{id}/points/statement", tag = "admin",
    params(PageQuery), responses((status = 200, body = PageBody<StatementRowBody>)))]
pub async fn user_statement(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<UserId>,
    Paged(page): Paged,
) -> Result<Json<PageBody<StatementRowBody>>, Problem> {
    let rows = flow::statement_of(&app.world, id, page).await?;
    Ok(Json(PageBody::of(rows, StatementRowBody::for_staff)))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PointsAdjustRequest {
    /// How many more, or fewer when it is below zero.
    #[schema(example = -50)]
    pub points: i64,
    /// Why; the user reads it on their statement.
    pub reason: String,
}

/// The row that was added, or was there before.
#[derive(Serialize, ToSchema)]
pub struct PostedBody {
    pub n: i64,
    pub points: i64,
    /// After the row.
    pub balance: i64,
}

impl From<PostedEntry> for PostedBody {
    fn from(posted: PostedEntry) -> Self {
        Self { n: posted.n, points: posted.delta, balance: posted.balance }
    }
}

/// Give somebody points, or take some
///
/// What goes beyond `points.alone_daily_max` of the caller's day takes effect when an admin who is somebody else approves.
/// Nobody adjusts their own points.
#[utoipa::path(post, path = "/admin/users/{id}/points", tag = "admin",
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, body = PostedBody), (status = 202, body = ApprovalRequested)))]
pub async fn user_points_adjust(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<UserId>,
    body: Body<PointsAdjustRequest>,
) -> Result<Response, Problem> {
    let PointsAdjustRequest { points, reason } = body.value;
    let adjusted = flow::adjust(&app.world, operator.sign(&app, &reason), body.repeat, id, points).await?;
    Ok(answer(adjusted))
}

/// The row, or the request that waits for a second person.
fn answer(adjusted: AdjustmentOutcome) -> Response {
    match adjusted {
        AdjustmentOutcome::Posted(posted) => Json(PostedBody::from(posted)).into_response(),
        AdjustmentOutcome::Asked(asked) => {
            let place = format!("{PREFIX}/admin/approvals/{asked}");
            let body = ApprovalRequested { approval_id: asked.to_string() };
            (StatusCode::ACCEPTED, [(header::LOCATION, place)], Json(body)).into_response()
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PointsReverseRequest {
    /// Why; the user reads it on their statement.
    pub reason: String,
}

/// Take a row of somebody's statement back
///
/// Once; the same again answers the same row. Taking a credit back may leave the balance below zero. It counts like an
/// adjustment of as many points: beyond the caller's day it takes effect when an admin who is somebody else approves.
#[utoipa::path(post, path = "/admin/users/{id}/points/{n}/reverse", tag = "admin",
    params(("id" = String, Path), ("n" = i64, Path), ("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, body = PostedBody), (status = 202, body = ApprovalRequested)))]
pub async fn user_points_reverse(
    State(app): State<App>,
    operator: Operator,
    Path((id, n)): Path<(UserId, i64)>,
    body: Body<PointsReverseRequest>,
) -> Result<Response, Problem> {
    let signed = operator.sign(&app, &body.value.reason);
    Ok(answer(flow::reverse(&app.world, signed, body.repeat, id, n).await?))
}
