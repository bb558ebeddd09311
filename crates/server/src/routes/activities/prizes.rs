//! Prizes of a published activity, mid-life: more units or fewer.

use axum::Json;
use axum::extract::State;
use domain::ids::ActivityId;
use domain::ledger::PoolView;
use engine::flows::activity::{self as flow, Restock};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::Path;
use crate::app::App;
use crate::auth::Operator;
use crate::body::Body;
use crate::problem::{Problem, ProblemBody};

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PrizeRestockGiven {
    /// The command's own id, 1 to 64 bytes: the same id and body give the same answer.
    pub id: String,
    /// Units to add, or with a minus to take away from what is left.
    pub delta: i64,
    /// For the movements; not empty.
    pub reason: String,
}

/// Units of a prize as they are now.
#[derive(Serialize, ToSchema)]
pub struct PrizeStockBody {
    pub total: u64,
    pub left: u64,
    pub given: u64,
}

impl From<PoolView> for PrizeStockBody {
    fn from(view: PoolView) -> Self {
        Self { total: view.total, left: view.available, given: view.taken }
    }
}

/// Give a prize more units, or fewer
#[utoipa::path(post, path = "/activities/{id}/prizes/{prize}/restock", tag = "activities", security(("session" = []), ("key" = [])),
    params(("id" = String, Path), ("prize" = u16, Path)), request_body = PrizeRestockGiven,
    responses((status = 200, body = PrizeStockBody), (status = "4XX", body = ProblemBody, content_type = "application/problem+json")))]
pub async fn prize_restock(
    State(app): State<App>,
    operator: Operator,
    Path((id, prize)): Path<(ActivityId, u16)>,
    body: Body<PrizeRestockGiven>,
) -> Result<Json<PrizeStockBody>, Problem> {
    let PrizeRestockGiven { id: command, delta, reason } = body.value;
    let restock = Restock { id: command, delta, reason };
    Ok(Json(flow::prize_restock(&app.world, operator.actor, id, prize, restock).await?.into()))
}
