//! A sale while it runs: more units or fewer, and a later end.

use axum::Json;
use axum::extract::State;
use domain::ids::ActivityId;
use domain::ledger::PoolView;
use engine::activities::Restock;
use engine::sales::running;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::Path;
use super::super::activities::wire::ActivityBody;
use crate::app::App;
use crate::auth::Operator;
use crate::body::Body;
use crate::forms::Moment;
use crate::problem::Problem;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SaleRestockRequest {
    /// The command's own id, 1 to 64 bytes: the same id and body give the same answer.
    pub id: String,
    /// Units to add, or with a minus to take away from what is free.
    pub delta: i64,
    /// For the movements; not empty.
    pub reason: String,
}

/// Units of a sale as they are now.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleUnitsBody {
    pub total: u64,
    pub left: u64,
    /// Ordered and not paid.
    pub held: u64,
    pub sold: u64,
}

impl From<PoolView> for SaleUnitsBody {
    fn from(view: PoolView) -> Self {
        Self { total: view.total, left: view.available, held: view.held, sold: view.taken }
    }
}

/// Give a sale more units, or fewer
#[utoipa::path(post, path = "/sales/{id}/restock", tag = "sales",
    responses((status = 200, body = SaleUnitsBody)))]
pub async fn sale_restock(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<ActivityId>,
    body: Body<SaleRestockRequest>,
) -> Result<Json<SaleUnitsBody>, Problem> {
    let SaleRestockRequest { id: command, delta, reason } = body.value;
    let (signed, restock) = (operator.sign(&app, &reason), Restock { id: command, delta });
    Ok(Json(running::sale_restock(&app.world, signed, id, restock).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SaleExtendRequest {
    /// Later than the end it has.
    pub until: Moment,
    /// For the audit log; not empty.
    pub reason: String,
}

/// Let a sale end later
///
/// As a version of its own, in place at once. Whoever wants an earlier end closes the sale.
#[utoipa::path(post, path = "/sales/{id}/extend", tag = "sales",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = ActivityBody)))]
pub async fn sale_extend(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<ActivityId>,
    body: Body<SaleExtendRequest>,
) -> Result<Json<ActivityBody>, Problem> {
    let SaleExtendRequest { until, reason } = body.value;
    let signed = operator.sign(&app, &reason);
    Ok(Json(running::sale_extend(&app.world, signed, body.repeat, id, until.into()).await?.into()))
}
