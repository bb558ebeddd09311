//! Orders of one's own: looking, paying, letting go; and the numbered things that came of them.

use axum::Json;
use axum::extract::State;
use domain::Rejection;
use domain::ids::OrderId;
use domain::rejection::FieldProblem;
use domain::sale::OrderState;
use engine::sales::{orders, payments};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::{Path, Query};
use super::wire::{ItemBody, SaleOrderBody};
use crate::app::App;
use crate::auth::Player;
use crate::body::{Body, NoBody};
use crate::given;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StateQuery {
    /// `unpaid`, `paid`, `fulfilled`, `cancelled`, `expired`, `refund_due` or `refunded`.
    state: Option<String>,
}

pub(super) fn state(text: Option<&str>) -> Result<Option<OrderState>, Rejection> {
    let problem = || Rejection::invalid("state", FieldProblem::NotOneOf { allowed: OrderState::NAMES });
    text.map(|text| OrderState::parse(text).ok_or_else(problem)).transpose()
}

/// What I ordered, newest first
#[utoipa::path(get, path = "/me/orders", tag = "me",
    params(StateQuery, PageQuery), responses((status = 200, body = PageBody<SaleOrderBody>)))]
pub async fn my_sale_orders(
    State(app): State<App>,
    Player(user): Player,
    Paged(page): Paged,
    Query(query): Query<StateQuery>,
) -> Result<Json<PageBody<SaleOrderBody>>, Problem> {
    let state = state(query.state.as_deref())?;
    Ok(Json(PageBody::of(orders::my_orders(&app.world, user, state, page).await?, SaleOrderBody::from)))
}

/// One order of mine
#[utoipa::path(get, path = "/orders/{id}", tag = "sales", responses((status = 200, body = SaleOrderBody)))]
pub async fn sale_order(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<OrderId>,
) -> Result<Json<SaleOrderBody>, Problem> {
    Ok(Json(orders::order_look(&app.world, user, id).await?.into()))
}

/// Let an order go
///
/// Its units are free for others at once. One that is paid stays.
#[utoipa::path(post, path = "/orders/{id}/cancel", tag = "sales",
    responses((status = 200, body = SaleOrderBody)))]
pub async fn sale_order_cancel(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<OrderId>,
    NoBody: NoBody,
) -> Result<Json<SaleOrderBody>, Problem> {
    Ok(Json(orders::order_cancel(&app.world, user, id).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrderAddressRequest {
    /// An entry of your address book.
    #[schema(example = "117093590311632896")]
    pub address_id: String,
}

/// Say where an order is sent
///
/// Before it is paid. Its parcels are then to be sent there at once; without it each waits to be claimed.
#[utoipa::path(put, path = "/orders/{id}/address", tag = "sales",
    responses((status = 200, body = SaleOrderBody)))]
pub async fn sale_order_address(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<OrderId>,
    body: Body<OrderAddressRequest>,
) -> Result<Json<SaleOrderBody>, Problem> {
    let address = given::id("address_id", &body.value.address_id)?;
    Ok(Json(orders::order_address(&app.world, user, id, address).await?.into()))
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PayBody {
    /// Where to send the buyer.
    #[schema(example = "/sandbox/pay/117093590311632896")]
    pub url: String,
}

/// Where to pay for an order
#[utoipa::path(post, path = "/orders/{id}/pay", tag = "sales", responses((status = 200, body = PayBody)))]
pub async fn sale_order_pay(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<OrderId>,
    NoBody: NoBody,
) -> Result<Json<PayBody>, Problem> {
    Ok(Json(PayBody { url: payments::payment_begin(&app.world, user, id).await? }))
}

/// My numbered things, newest first
#[utoipa::path(get, path = "/me/items", tag = "me",
    params(PageQuery), responses((status = 200, body = PageBody<ItemBody>)))]
pub async fn my_items(
    State(app): State<App>,
    Player(user): Player,
    Paged(page): Paged,
) -> Result<Json<PageBody<ItemBody>>, Problem> {
    Ok(Json(PageBody::of(orders::my_items(&app.world, user, page).await?, ItemBody::from)))
}
