//! Holds: reserve, look, confirm, cancel, extend. A hold's id is its caller's own and makes every step safe to repeat.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use engine::inventory::{GivenLine, InventoryRequest, Wish, ask, queries};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::super::{Path, Query};
use super::wire::{HoldBody, HoldListedBody, HoldStoryBody, LineRequest, answer};
use crate::app::App;
use crate::auth::{StockKeeper, StockReader};
use crate::body::{Body, NoBody};
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HoldRequest {
    /// The hold's id, 1 to 64 bytes, your own (an order's, say): the same id and body give the same answer.
    #[schema(example = "order-1001")]
    pub id: String,
    /// All of them or none; 100 at most.
    pub lines: Vec<LineRequest>,
    /// Whom the units count for where a pool has a limit per owner; 1 to 64 bytes.
    #[serde(default)]
    pub owner: Option<String>,
    /// How long it is held, 100 at least, `ledger.hold_max_s` at most.
    #[schema(example = 900_000)]
    pub ttl_ms: i64,
}

/// Reserve: take units of several pools out of what is free, all or nothing
#[utoipa::path(post, path = "/inventory/holds", tag = "inventory",
    responses((status = 201, body = HoldBody), (status = 200, body = HoldBody, description = "Reserved before by the same command; the hold as it is now")))]
pub async fn hold_reserve(
    State(app): State<App>,
    keeper: StockKeeper,
    body: Body<HoldRequest>,
) -> Result<Response, Problem> {
    let HoldRequest { id, lines, owner, ttl_ms } = body.value;
    let wish = Wish::Reserve { lines: lines.into_iter().map(GivenLine::from).collect(), owner, ttl_ms };
    Ok(answer(ask(&app.world, &keeper.sign(&app, ""), InventoryRequest { id, wish }).await?))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct HoldListFilter {
    /// `held`, `confirmed`, `cancelled` or `expired`.
    state: Option<String>,
    /// Holds of this owner.
    owner: Option<String>,
    /// Holds with a line of this pool.
    pool: Option<String>,
}

/// Holds, newest first
///
/// From the database, which follows the ledger by a moment. A page looks through ten thousand holds at most: one with fewer than
/// asked for, or none, still has `next` while there is more.
#[utoipa::path(get, path = "/inventory/holds", tag = "inventory",
    params(HoldListFilter, PageQuery), responses((status = 200, body = PageBody<HoldListedBody>)))]
pub async fn hold_list(
    State(app): State<App>,
    _: StockReader,
    Paged(page): Paged,
    Query(filter): Query<HoldListFilter>,
) -> Result<Json<PageBody<HoldListedBody>>, Problem> {
    let filter = queries::HoldFilter {
        state: filter.state.as_deref(),
        owner: filter.owner.as_deref(),
        pool: filter.pool.as_deref(),
    };
    let page = queries::hold_list(&app.world, filter, page).await?;
    Ok(Json(PageBody::of(page, HoldListedBody::from)))
}

/// A hold and its life
#[utoipa::path(get, path = "/inventory/holds/{id}", tag = "inventory",
    responses((status = 200, body = HoldStoryBody)))]
pub async fn hold_get(
    State(app): State<App>,
    _: StockReader,
    Path(id): Path<String>,
) -> Result<Json<HoldStoryBody>, Problem> {
    Ok(Json(queries::hold_find(&app.world, &id).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmRequest {
    /// These units are taken and the rest goes back; without it everything is taken.
    #[serde(default)]
    pub lines: Option<Vec<LineRequest>>,
}

/// Confirm: take what is held, all or part
#[utoipa::path(post, path = "/inventory/holds/{id}/confirm", tag = "inventory",
    responses((status = 200, body = HoldBody)))]
pub async fn hold_confirm(
    State(app): State<App>,
    keeper: StockKeeper,
    Path(id): Path<String>,
    body: Body<ConfirmRequest>,
) -> Result<Response, Problem> {
    let lines = body.value.lines.map(|lines| lines.into_iter().map(GivenLine::from).collect());
    let wish = Wish::Confirm { lines };
    Ok(answer(ask(&app.world, &keeper.sign(&app, ""), InventoryRequest { id, wish }).await?))
}

/// Cancel: give back what is held
///
/// Also for a hold that never arrived: its id is spent, and a reserve that comes late is `already_cancelled`.
#[utoipa::path(post, path = "/inventory/holds/{id}/cancel", tag = "inventory",
    responses((status = 200, body = HoldBody)))]
pub async fn hold_cancel(
    State(app): State<App>,
    keeper: StockKeeper,
    Path(id): Path<String>,
    _: NoBody,
) -> Result<Response, Problem> {
    Ok(answer(ask(&app.world, &keeper.sign(&app, ""), InventoryRequest { id, wish: Wish::Cancel }).await?))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExtendRequest {
    /// The new end; one that is not later changes nothing.
    pub until_ms: i64,
}

/// Extend: hold for longer
#[utoipa::path(post, path = "/inventory/holds/{id}/extend", tag = "inventory",
    responses((status = 200, body = HoldBody)))]
pub async fn hold_extend(
    State(app): State<App>,
    keeper: StockKeeper,
    Path(id): Path<String>,
    body: Body<ExtendRequest>,
) -> Result<Response, Problem> {
    let wish = Wish::Extend { until_ms: body.value.until_ms };
    Ok(answer(ask(&app.world, &keeper.sign(&app, ""), InventoryRequest { id, wish }).await?))
}
