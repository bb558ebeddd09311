//! Pools of stock: make, find, list, and what moved them.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use engine::inventory::{InventoryRequest, Wish, ask, queries};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::super::{Path, Query};
use super::wire::{MovementBody, PoolBody, answer};
use crate::app::App;
use crate::auth::{StockKeeper, StockReader};
use crate::body::Body;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PoolRequest {
    /// The command's own id, 1 to 64 bytes: the same id and body give the same answer.
    pub id: String,
    /// Up to nine parts from the widest to the narrowest, separated by `/`; 190 bytes.
    #[schema(example = "store-7/tea/green")]
    pub name: String,
    pub total: i64,
    /// Units one owner may have; 0 is no limit.
    #[serde(default)]
    pub owner_max: i64,
    #[serde(default)]
    pub reason: String,
}

/// Make a pool
#[utoipa::path(post, path = "/inventory/pools", tag = "inventory",
    responses((status = 201, body = PoolBody), (status = 200, body = PoolBody, description = "Made before by the same command")))]
pub async fn pool_open(
    State(app): State<App>,
    keeper: StockKeeper,
    body: Body<PoolRequest>,
) -> Result<Response, Problem> {
    let PoolRequest { id, name, total, owner_max, reason } = body.value;
    let wish = Wish::Open { name, round: 1, total, owner_max, reason };
    Ok(answer(ask(&app.world, &keeper.sign(&app, ""), InventoryRequest { id, wish }).await?))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PoolSearch {
    /// What the name begins with.
    under: Option<String>,
    /// What stands anywhere in the name, in upper or lower case.
    q: Option<String>,
}

/// Pools, newest first
///
/// From the database, which follows the ledger by a moment.
#[utoipa::path(get, path = "/inventory/pools", tag = "inventory",
    params(PoolSearch, PageQuery), responses((status = 200, body = PageBody<PoolBody>)))]
pub async fn pool_list(
    State(app): State<App>,
    _: StockReader,
    Paged(page): Paged,
    Query(search): Query<PoolSearch>,
) -> Result<Json<PageBody<PoolBody>>, Problem> {
    let (under, q) = (search.under.unwrap_or_default(), search.q.unwrap_or_default());
    let found = queries::pool_list(&app.world, &under, &q, page).await?;
    Ok(Json(PageBody::of(found, PoolBody::from)))
}

/// A pool as it is now
#[utoipa::path(get, path = "/inventory/pools/{name}", tag = "inventory",
    params(("name" = String, Path, description = "Percent-encoded, its slashes too: `store-7%2Ftea%2Fgreen`")),
    responses((status = 200, body = PoolBody)))]
pub async fn pool_get(
    State(app): State<App>,
    _: StockReader,
    Path(name): Path<String>,
) -> Result<Json<PoolBody>, Problem> {
    Ok(Json(queries::pool_find(&app.world, &name).await?.into()))
}

/// What moved a pool, newest first
#[utoipa::path(get, path = "/inventory/pools/{name}/movements", tag = "inventory",
    params(PageQuery), responses((status = 200, body = PageBody<MovementBody>)))]
pub async fn pool_movements(
    State(app): State<App>,
    _: StockReader,
    Path(name): Path<String>,
    Paged(page): Paged,
) -> Result<Json<PageBody<MovementBody>>, Problem> {
    let found = queries::movements(&app.world, &name, page).await?;
    Ok(Json(PageBody::of(found, MovementBody::from)))
}
