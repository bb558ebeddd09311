//! Offers as operators keep them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::Rejection;
use domain::ids::OfferId;
use domain::rejection::FieldProblem;
use domain::shop::{OfferChange, OfferState};
use engine::shop as flow;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::super::{Path, Query};
use super::wire::{OfferRequest, OfferStaffBody};
use crate::app::App;
use crate::auth::{Operator, Reader};
use crate::body::Body;
use crate::forms::Moment;
use crate::given::moment;
use crate::page::{PageBody, PageQuery, Paged};
use crate::present::present;
use crate::problem::Problem;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OfferFilter {
    /// `draft`, `on` or `off`.
    state: Option<String>,
}

fn state(text: &str) -> Result<OfferState, Rejection> {
    let problem = FieldProblem::NotOneOf { allowed: OfferState::NAMES };
    OfferState::parse(text).ok_or_else(|| Rejection::invalid("state", problem))
}

fn answer(told: flow::OfferView, done: StatusCode) -> Response {
    let body = OfferStaffBody::from(told);
    (body.status(done), Json(body)).into_response()
}

/// All offers, newest first
#[utoipa::path(get, path = "/shop/offers", tag = "shop",
    params(OfferFilter, PageQuery), responses((status = 200, body = PageBody<OfferStaffBody>)))]
pub async fn offer_list(
    State(app): State<App>,
    _: Reader,
    Paged(page): Paged,
    Query(filter): Query<OfferFilter>,
) -> Result<Json<PageBody<OfferStaffBody>>, Problem> {
    let state = filter.state.as_deref().map(state).transpose()?;
    Ok(Json(PageBody::of(flow::offer_list(&app.world, state, page).await?, OfferStaffBody::from)))
}

/// Make an offer
///
/// It begins as a draft that nobody sees; switch it on with a change. If its `stock` is more than its maker may put out in a day
/// alone, the answer is 202, and the pieces come when an admin who is somebody else approves.
#[utoipa::path(post, path = "/shop/offers", tag = "shop",
    params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 201, body = OfferStaffBody), (status = 202, body = OfferStaffBody)))]
pub async fn offer_make(
    State(app): State<App>,
    operator: Operator,
    body: Body<OfferRequest>,
) -> Result<Response, Problem> {
    let given = body.value.given()?;
    let told = flow::offer_make(&app.world, operator.sign(&app, ""), body.repeat, given).await?;
    Ok(answer(told, StatusCode::CREATED))
}

/// What is left out stays; `null` takes an end of the window away.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OfferUpdateRequest {
    /// The edition you looked at.
    pub edition: u32,
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub name_en: Option<String>,
    #[serde(default)]
    pub text: Option<String>,
    #[serde(default)]
    pub text_en: Option<String>,
    #[serde(default)]
    pub price: Option<i64>,
    #[serde(default)]
    pub limit: Option<i64>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Moment>)]
    pub from: Option<Option<Moment>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Moment>)]
    pub until: Option<Option<Moment>>,
    /// `on` or `off`.
    #[serde(default)]
    pub state: Option<String>,
}

/// Change an offer
///
/// What it gives stays: make another offer for that. A lower price puts out anew what is left: beyond what its editor may put
/// out in a day alone the answer is 202, and the price holds when an admin who is somebody else approves; the rest of the
/// change is done.
#[utoipa::path(patch, path = "/shop/offers/{id}", tag = "shop",
    responses((status = 200, body = OfferStaffBody), (status = 202, body = OfferStaffBody)))]
pub async fn offer_edit(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<OfferId>,
    body: Body<OfferUpdateRequest>,
) -> Result<Response, Problem> {
    let given = body.value;
    let change = OfferChange {
        name: given.name,
        name_en: given.name_en,
        text: given.text,
        text_en: given.text_en,
        price: given.price,
        limit: given.limit,
        from: moment(given.from),
        until: moment(given.until),
        state: given.state.as_deref().map(state).transpose()?,
    };
    let signed = operator.sign(&app, "");
    Ok(answer(flow::offer_edit(&app.world, signed, id, given.edition, change).await?, StatusCode::OK))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OfferRestockRequest {
    /// The command's own id: the same again changes nothing.
    pub id: String,
    /// Pieces more, or fewer of those that are free.
    pub delta: i64,
    pub reason: String,
}

/// More pieces of an offer, or fewer
///
/// More than the caller may put out in a day alone (`alone.pieces_daily_max`; chances count as chances) are answered with 202
/// and come when an admin who is somebody else approves.
#[utoipa::path(post, path = "/shop/offers/{id}/restock", tag = "shop",
    responses((status = 200, body = OfferStaffBody), (status = 202, body = OfferStaffBody)))]
pub async fn offer_restock(
    State(app): State<App>,
    operator: Operator,
    Path(id): Path<OfferId>,
    body: Body<OfferRestockRequest>,
) -> Result<Response, Problem> {
    let OfferRestockRequest { id: command, delta, reason } = body.value;
    let signed = operator.sign(&app, &reason);
    Ok(answer(flow::offer_restock(&app.world, signed, id, &command, delta).await?, StatusCode::OK))
}
