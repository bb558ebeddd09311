//! Looking around, buying, and what one has bought.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use domain::ids::{OfferId, ShopOrderId};
use domain::rejection::FieldProblem;
use domain::shop::ShopOrderState;
use engine::shop as flow;
use serde::Deserialize;
use store::model::ShopOrderSearch;
use utoipa::{IntoParams, ToSchema};

use super::super::admin_users::ApprovalRequested;
use super::super::fulfilment::steps::{StepReasonRequest, asked};
use super::super::{Path, Query};
use super::wire::{OfferBody, ShopOrderBody, ShopOrderStaffBody};
use crate::app::App;
use crate::auth::{Author, Player, Reader};
use crate::body::Body;
use crate::given::maybe_id;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;

/// What points buy, newest first
#[utoipa::path(get, path = "/shop", tag = "shop",
    params(PageQuery), responses((status = 200, body = PageBody<OfferBody>)))]
pub async fn shop_offer_list(
    State(app): State<App>,
    Paged(page): Paged,
) -> Result<Json<PageBody<OfferBody>>, Problem> {
    Ok(Json(PageBody::of(flow::on_sale(&app.world, page).await?, OfferBody::from)))
}

/// One offer
#[utoipa::path(get, path = "/shop/{id}", tag = "shop", responses((status = 200, body = OfferBody)))]
pub async fn shop_offer_get(
    State(app): State<App>,
    Path(id): Path<OfferId>,
) -> Result<Json<OfferBody>, Problem> {
    Ok(Json(flow::offer_look(&app.world, id).await?.into()))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrderRequest {
    /// Pieces: up to the limit per user, and 20 at once.
    #[serde(default = "one")]
    pub quantity: i64,
}

fn one() -> i64 {
    1
}

/// Buy
///
/// With an `Idempotency-Key` the same request again is the same order, for good; with another quantity it is refused.
#[utoipa::path(post, path = "/shop/{id}/orders", tag = "shop",
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 201, body = ShopOrderBody), (status = 200, body = ShopOrderBody, description = "It was placed before")))]
pub async fn shop_order_create(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<OfferId>,
    body: Body<OrderRequest>,
) -> Result<Response, Problem> {
    let key = body.repeat.map(|repeat| repeat.key);
    let (told, replayed) = flow::buy(&app.world, user, id, body.value.quantity, key).await?;
    let status = if replayed { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Json(ShopOrderBody::from(told))).into_response())
}

/// What I bought, newest first
#[utoipa::path(get, path = "/me/shop-orders", tag = "me",
    params(PageQuery), responses((status = 200, body = PageBody<ShopOrderBody>)))]
pub async fn my_shop_orders(
    State(app): State<App>,
    Player(user): Player,
    Paged(page): Paged,
) -> Result<Json<PageBody<ShopOrderBody>>, Problem> {
    Ok(Json(PageBody::of(flow::my_orders(&app.world, user, page).await?, ShopOrderBody::from)))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ShopOrderQuery {
    /// Whose; everybody's unless told.
    pub user: Option<String>,
    /// `placed`, `done` or `reversed`.
    pub state: Option<String>,
}

impl ShopOrderQuery {
    fn search(&self) -> Result<ShopOrderSearch, Rejection> {
        let wrong = || Rejection::invalid("state", FieldProblem::NotOneOf { allowed: ShopOrderState::NAMES });
        let state =
            self.state.as_deref().map(|name| ShopOrderState::parse(name).ok_or_else(wrong)).transpose()?;
        Ok(ShopOrderSearch { user: maybe_id("user", self.user.as_deref())?, state })
    }
}

/// What everybody bought, newest first
#[utoipa::path(get, path = "/shop/orders", tag = "shop",
    params(ShopOrderQuery, PageQuery), responses((status = 200, body = PageBody<ShopOrderStaffBody>)))]
pub async fn shop_orders(
    State(app): State<App>,
    _: Reader,
    Query(query): Query<ShopOrderQuery>,
    Paged(page): Paged,
) -> Result<Json<PageBody<ShopOrderStaffBody>>, Problem> {
    let found = flow::order_search(&app.world, query.search()?, page).await?;
    Ok(Json(PageBody::of(found, ShopOrderStaffBody::from)))
}

/// Ask for the points of an order to be given back
///
/// Takes effect when an admin who neither asked nor bought approves. What its buyer does not have yet is voided, and its
/// pieces are sold again; what was given or sent stays with them. The buyer sees the reason. An order's id is that of the
/// first thing in it.
#[utoipa::path(post, path = "/shop/orders/{id}/refund", tag = "shop",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 202, body = ApprovalRequested)))]
pub async fn shop_order_refund(
    State(app): State<App>,
    author: Author,
    Path(id): Path<ShopOrderId>,
    body: Body<StepReasonRequest>,
) -> Result<Response, Problem> {
    let signed = author.sign(&app, &body.value.reason);
    Ok(asked(flow::shop_refund_ask(&app.world, signed, body.repeat, id).await?))
}
