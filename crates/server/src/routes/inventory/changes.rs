//! Changes of a pool: restock, adjust, limit, freeze, thaw, close, open again. Each has an id of its own and is safe to
//! repeat; stock changes by so many units, never to so many.

use axum::extract::State;
use axum::response::Response;
use domain::ledger::PoolState;
use engine::inventory::{InventoryRequest, Wish, ask};
use serde::Deserialize;
use utoipa::ToSchema;

use super::super::Path;
use super::wire::{PoolBody, answer};
use crate::app::App;
use crate::auth::StockKeeper;
use crate::body::Body;
use crate::problem::Problem;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RestockRequest {
    /// The command's own id, 1 to 64 bytes.
    pub id: String,
    /// 1 to 1,000,000,000.
    pub quantity: i64,
    /// For the movements; not empty.
    pub reason: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AdjustRequest {
    /// The command's own id, 1 to 64 bytes.
    pub id: String,
    /// Units to add, or with a minus to take away from what is free.
    pub delta: i64,
    /// For the movements; not empty.
    pub reason: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitRequest {
    /// The command's own id, 1 to 64 bytes.
    pub id: String,
    /// Units one owner may have; 0 is no limit. Holds already there stay.
    pub owner_max: i64,
    #[serde(default)]
    pub reason: String,
}

/// Freeze, thaw or close.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StateRequest {
    /// The command's own id, 1 to 64 bytes.
    pub id: String,
    /// For the movements; not empty.
    pub reason: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReopenRequest {
    /// The command's own id, 1 to 64 bytes.
    pub id: String,
    /// The next round: one more than the pool has now.
    pub round: i64,
    pub total: i64,
    /// Units one owner may have; 0 is no limit. To be said anew, so that no limit is dropped by accident.
    pub owner_max: i64,
    #[serde(default)]
    pub reason: String,
}

async fn change(app: &App, keeper: &StockKeeper, id: String, wish: Wish) -> Result<Response, Problem> {
    let request = InventoryRequest { id, wish };
    Ok(answer(ask(&app.world, &keeper.sign(app, ""), request).await?))
}

/// Add stock
#[utoipa::path(post, path = "/inventory/pools/{name}/restock", tag = "inventory",
    responses((status = 200, body = PoolBody)))]
pub async fn pool_restock(
    State(app): State<App>,
    keeper: StockKeeper,
    Path(name): Path<String>,
    body: Body<RestockRequest>,
) -> Result<Response, Problem> {
    let RestockRequest { id, quantity, reason } = body.value;
    let wish = Wish::Restock { pool: name, quantity, reason };
    change(&app, &keeper, id, wish).await
}

/// Add or take away stock
///
/// Only what is free can be taken away.
#[utoipa::path(post, path = "/inventory/pools/{name}/adjust", tag = "inventory",
    responses((status = 200, body = PoolBody)))]
pub async fn pool_adjust(
    State(app): State<App>,
    keeper: StockKeeper,
    Path(name): Path<String>,
    body: Body<AdjustRequest>,
) -> Result<Response, Problem> {
    let AdjustRequest { id, delta, reason } = body.value;
    let wish = Wish::Adjust { pool: name, delta, reason };
    change(&app, &keeper, id, wish).await
}

/// Set how many units one owner may have
#[utoipa::path(post, path = "/inventory/pools/{name}/limit", tag = "inventory",
    responses((status = 200, body = PoolBody)))]
pub async fn pool_limit(
    State(app): State<App>,
    keeper: StockKeeper,
    Path(name): Path<String>,
    body: Body<LimitRequest>,
) -> Result<Response, Problem> {
    let LimitRequest { id, owner_max, reason } = body.value;
    let wish = Wish::Limit { pool: name, owner_max, reason };
    change(&app, &keeper, id, wish).await
}

/// Stop new holds for a while
///
/// Holds under way end as they would.
#[utoipa::path(post, path = "/inventory/pools/{name}/freeze", tag = "inventory",
    responses((status = 200, body = PoolBody)))]
pub async fn pool_freeze(
    State(app): State<App>,
    keeper: StockKeeper,
    Path(name): Path<String>,
    body: Body<StateRequest>,
) -> Result<Response, Problem> {
    let StateRequest { id, reason } = body.value;
    let wish = Wish::State { pool: name, state: PoolState::Frozen, reason };
    change(&app, &keeper, id, wish).await
}

/// Allow new holds again
#[utoipa::path(post, path = "/inventory/pools/{name}/thaw", tag = "inventory",
    responses((status = 200, body = PoolBody)))]
pub async fn pool_thaw(
    State(app): State<App>,
    keeper: StockKeeper,
    Path(name): Path<String>,
    body: Body<StateRequest>,
) -> Result<Response, Problem> {
    let StateRequest { id, reason } = body.value;
    let wish = Wish::State { pool: name, state: PoolState::Open, reason };
    change(&app, &keeper, id, wish).await
}

/// End a round for good
///
/// Holds under way end as they would. The pool may be opened again for its next round.
#[utoipa::path(post, path = "/inventory/pools/{name}/close", tag = "inventory",
    responses((status = 200, body = PoolBody)))]
pub async fn pool_close(
    State(app): State<App>,
    keeper: StockKeeper,
    Path(name): Path<String>,
    body: Body<StateRequest>,
) -> Result<Response, Problem> {
    let StateRequest { id, reason } = body.value;
    let wish = Wish::State { pool: name, state: PoolState::Closed, reason };
    change(&app, &keeper, id, wish).await
}

/// Open a closed pool for its next round
#[utoipa::path(post, path = "/inventory/pools/{name}/reopen", tag = "inventory",
    responses((status = 201, body = PoolBody), (status = 200, body = PoolBody)))]
pub async fn pool_reopen(
    State(app): State<App>,
    keeper: StockKeeper,
    Path(name): Path<String>,
    body: Body<ReopenRequest>,
) -> Result<Response, Problem> {
    let ReopenRequest { id, round, total, owner_max, reason } = body.value;
    let wish = Wish::Open { name, round, total, owner_max, reason };
    change(&app, &keeper, id, wish).await
}
