//! Prizes of a published activity, mid-life: more units or fewer, withdrawn, put out again. And the switch for everything.

use axum::Json;
use axum::extract::State;
use domain::ids::ActivityId;
use domain::ledger::PoolView;
use engine::activities as flow;
use engine::activities::{HaltStatus, Restock};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::Path;
use crate::app::App;
use crate::auth::{AdminInPerson, Author, Operator, Reader};
use crate::body::Body;
use crate::problem::Problem;
use crate::wire::ActorBody;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PrizeRestockRequest {
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
#[utoipa::path(post, path = "/activities/{id}/prizes/{prize}/restock", tag = "activities",
    params(("id" = String, Path), ("prize" = u16, Path)), responses((status = 200, body = PrizeStockBody)))]
pub async fn prize_restock(
    State(app): State<App>,
    operator: Operator,
    Path((id, prize)): Path<(ActivityId, u16)>,
    body: Body<PrizeRestockRequest>,
) -> Result<Json<PrizeStockBody>, Problem> {
    let PrizeRestockRequest { id: command, delta, reason } = body.value;
    let (signed, restock) = (operator.sign(&app, &reason), Restock { id: command, delta });
    Ok(Json(flow::prize_restock(&app.world, signed, id, prize, restock).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PrizeSwitchRequest {
    /// The command's own id, 1 to 64 bytes: the same id and body give the same answer.
    pub id: String,
    /// Not empty. A withdrawal is part of the proof; its reason is in the audit log.
    pub reason: String,
}

/// Whether a prize can be won.
#[derive(Serialize, ToSchema)]
pub struct PrizeSwitchBody {
    pub prize: u16,
    pub withdrawn: bool,
}

/// Take a prize back for the rest of the round
///
/// It counts as exhausted from the next draw on. What was won stays won.
#[utoipa::path(post, path = "/activities/{id}/prizes/{prize}/withdraw", tag = "activities",
    params(("id" = String, Path), ("prize" = u16, Path)), responses((status = 200, body = PrizeSwitchBody)))]
pub async fn prize_withdraw(
    State(app): State<App>,
    operator: Operator,
    Path((id, prize)): Path<(ActivityId, u16)>,
    body: Body<PrizeSwitchRequest>,
) -> Result<Json<PrizeSwitchBody>, Problem> {
    let signed = operator.sign(&app, &body.value.reason);
    flow::prize_switch(&app.world, signed, id, prize, &body.value.id, true).await?;
    Ok(Json(PrizeSwitchBody { prize, withdrawn: true }))
}

/// Put a withdrawn prize out again
#[utoipa::path(post, path = "/activities/{id}/prizes/{prize}/restore", tag = "activities",
    params(("id" = String, Path), ("prize" = u16, Path)), responses((status = 200, body = PrizeSwitchBody)))]
pub async fn prize_restore(
    State(app): State<App>,
    operator: Operator,
    Path((id, prize)): Path<(ActivityId, u16)>,
    body: Body<PrizeSwitchRequest>,
) -> Result<Json<PrizeSwitchBody>, Problem> {
    let signed = operator.sign(&app, &body.value.reason);
    flow::prize_switch(&app.world, signed, id, prize, &body.value.id, false).await?;
    Ok(Json(PrizeSwitchBody { prize, withdrawn: false }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HaltRequest {
    pub on: bool,
    /// For the audit log; not empty.
    pub reason: String,
}

/// How the switch is.
#[derive(Serialize, ToSchema)]
pub struct HaltBody {
    pub on: bool,
    /// Who stopped everything, while it is stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<ActorBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<i64>,
    /// As it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl From<HaltStatus> for HaltBody {
    fn from(HaltStatus { on, press }: HaltStatus) -> Self {
        let (at_ms, by) =
            (press.as_ref().map(|press| press.at.0), press.as_ref().map(|press| press.actor.into()));
        Self { on, by, at_ms, reason: press.map(|press| press.reason) }
    }
}

/// Stop every activity at once, or let them go on
///
/// While it is on, nobody draws or enters anywhere (`halted`). Activities keep their states. In person: operators may stop;
/// letting go on is for admins. No key does either.
#[utoipa::path(post, path = "/admin/halt", tag = "admin",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = HaltBody)))]
pub async fn halt_set(
    State(app): State<App>,
    author: Author,
    admin: Result<AdminInPerson, Problem>,
    body: Body<HaltRequest>,
) -> Result<Json<HaltBody>, Problem> {
    if !body.value.on {
        admin?;
    }
    let signed = author.sign(&app, &body.value.reason);
    let on = flow::halt(&app.world, signed, body.repeat, body.value.on).await?;
    let now = flow::halt_status(&app.world).await?;
    // A late repetition is answered as it was; who stopped everything is told while it is stopped.
    Ok(Json(HaltBody { on, ..now.into() }))
}

/// Whether every activity is stopped
///
/// From the database, which follows the ledger by a moment.
#[utoipa::path(get, path = "/admin/halt", tag = "admin", responses((status = 200, body = HaltBody)))]
pub async fn halt_get(State(app): State<App>, _: Reader) -> Result<Json<HaltBody>, Problem> {
    Ok(Json(flow::halt_status(&app.world).await?.into()))
}
