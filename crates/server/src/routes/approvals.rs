//! What waits for a second person.

use axum::Json;
use axum::extract::State;
use domain::Rejection;
use domain::access::{ApprovalState, Decision};
use domain::ids::ApprovalId;
use domain::page::Page;
use domain::rejection::FieldProblem;
use engine::access::approval as flow;
use serde::{Deserialize, Serialize};
use store::model::{ApprovalRow, Request};
use utoipa::{IntoParams, ToSchema};

use super::{Path, Query};
use crate::app::App;
use crate::auth::{AdminInPerson, Reader};
use crate::body::Body;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;
use crate::wire::ActorBody;

#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RequestBody {
    /// Replace a user's roles.
    SetRoles { user_id: String, roles: Vec<&'static str> },
    /// Take away the second factor of somebody who has lost it.
    ResetSecondFactor { user_id: String },
    /// Void a prize that was won and is not given.
    VoidFulfilment { fulfilment_id: String },
    /// More points for a user, or fewer when it is below zero.
    AdjustPoints { user_id: String, points: i64 },
    /// Take a row of a user's statement back.
    ReversePoints { user_id: String, n: i64 },
    /// Give the points of an order in the shop back.
    RefundShopOrder { order_id: String },
    /// Give the money of a sale's order back.
    RefundOrder { order_id: String, user_id: String, amount_minor: u64, currency: String },
    /// Let a key work that may do everything.
    ActivateKey { key_id: String, name: String, scopes: Vec<&'static str> },
    /// Let a rule give that could give more than one person may allow.
    ActivateGrantRule {
        rule_id: String,
        edition: u32,
        name: String,
        behaviour: String,
        /// `points` or `chances`.
        gives: String,
        amount: i64,
        /// `once`, `day`, `month` or `each`.
        period: String,
        times: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        cap_user: Option<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cap_total: Option<i64>,
    },
    /// Put more pieces of an offer out than one person may.
    RestockOffer {
        offer_id: String,
        name: String,
        /// `text`, `code`, `coupon`, `parcel` or `chances`.
        gives: String,
        /// Chances of one piece.
        #[serde(skip_serializing_if = "Option::is_none")]
        chances: Option<i64>,
        /// Points for one piece.
        price: i64,
        delta: i64,
    },
    /// Lower the price of more pieces than one person may.
    RepriceOffer {
        offer_id: String,
        name: String,
        /// `text`, `code`, `coupon`, `parcel` or `chances`.
        gives: String,
        /// Chances of one piece.
        #[serde(skip_serializing_if = "Option::is_none")]
        chances: Option<i64>,
        /// Points for one piece, as it shall be.
        price: i64,
        /// Points for one piece, as it is.
        price_now: i64,
        /// Pieces that were left when it was asked for.
        left: i64,
    },
}

#[derive(Serialize, ToSchema)]
pub struct ApprovalBody {
    pub id: String,
    pub request: RequestBody,
    /// `waiting`, `approved`, `refused` or `withdrawn`.
    pub state: &'static str,
    pub asked_by: ActorBody,
    pub asked_at_ms: i64,
    pub reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<ActorBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_at_ms: Option<i64>,
    pub decision_reason: String,
    /// Of a refund: what the buyer has already, and keeps: `code_given`, `parcel_shipped`, `parcel_given`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(example = json!(["code_given"]))]
    pub already_given: Vec<String>,
}

/// With what is looked up for whoever decides.
async fn show(app: &App, row: ApprovalRow) -> Result<ApprovalBody, Problem> {
    let already_given = flow::already_given(&app.world, &row.request).await?;
    Ok(ApprovalBody { already_given, ..row.into() })
}

impl From<ApprovalRow> for ApprovalBody {
    fn from(row: ApprovalRow) -> Self {
        let request = match row.request {
            Request::SetRoles { user, roles } => {
                RequestBody::SetRoles { user_id: user.to_string(), roles: roles.names() }
            }
            Request::ResetSecondFactor { user } => {
                RequestBody::ResetSecondFactor { user_id: user.to_string() }
            }
            Request::VoidFulfilment { fulfilment } => {
                RequestBody::VoidFulfilment { fulfilment_id: fulfilment.to_string() }
            }
            Request::AdjustPoints { user, points } => {
                RequestBody::AdjustPoints { user_id: user.to_string(), points }
            }
            Request::ReversePoints { user, n } => RequestBody::ReversePoints { user_id: user.to_string(), n },
            Request::RefundShopOrder { order } => {
                RequestBody::RefundShopOrder { order_id: order.to_string() }
            }
            Request::RefundOrder { order, user, money } => RequestBody::RefundOrder {
                order_id: order.to_string(),
                user_id: user.to_string(),
                amount_minor: money.minor,
                currency: money.currency.to_string(),
            },
            Request::ActivateKey { key, name, scopes } => {
                RequestBody::ActivateKey { key_id: key.to_string(), name, scopes: scopes.names() }
            }
            Request::ActivateGrantRule { rule, edition, terms } => RequestBody::ActivateGrantRule {
                rule_id: rule.to_string(),
                edition,
                name: terms.name,
                behaviour: terms.behaviour,
                gives: terms.gives,
                amount: terms.amount,
                period: terms.period,
                times: terms.times,
                cap_user: terms.cap_user,
                cap_total: terms.cap_total,
            },
            Request::RestockOffer { offer, command: _, delta, terms } => RequestBody::RestockOffer {
                offer_id: offer.to_string(),
                name: terms.name,
                gives: terms.gives,
                chances: terms.chances,
                price: terms.price,
                delta,
            },
            Request::RepriceOffer { offer, price, left, terms } => RequestBody::RepriceOffer {
                offer_id: offer.to_string(),
                name: terms.name,
                gives: terms.gives,
                chances: terms.chances,
                price,
                price_now: terms.price,
                left,
            },
        };
        Self {
            id: row.id.to_string(),
            request,
            state: row.state.name(),
            asked_by: row.asked_by.into(),
            asked_at_ms: row.asked_at.0,
            reason: row.reason,
            decided_by: row.decided_by.map(ActorBody::from),
            decided_at_ms: row.decided_at.map(|at| at.0),
            decision_reason: row.decision_reason,
            already_given: Vec::new(),
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ApprovalFilter {
    /// `waiting`, `approved`, `refused` or `withdrawn`.
    state: Option<String>,
}

/// Requests for approval, newest first
#[utoipa::path(get, path = "/admin/approvals", tag = "admin",
    params(ApprovalFilter, PageQuery), responses((status = 200, body = PageBody<ApprovalBody>)))]
pub async fn approval_list(
    State(app): State<App>,
    _: Reader,
    Paged(page): Paged,
    Query(filter): Query<ApprovalFilter>,
) -> Result<Json<PageBody<ApprovalBody>>, Problem> {
    let wrong = FieldProblem::NotOneOf { allowed: "waiting, approved, refused, withdrawn" };
    let state = match filter.state {
        None => None,
        Some(text) => Some(ApprovalState::parse(&text).ok_or(Rejection::invalid("state", wrong))?),
    };
    let rows = flow::approval_list(&app.world, state, page).await?;
    let mut items = Vec::with_capacity(rows.items.len());
    for row in rows.items {
        items.push(show(&app, row).await?);
    }
    Ok(Json(PageBody::of(Page { items, next: rows.next }, |body| body)))
}

/// One request for approval
#[utoipa::path(get, path = "/admin/approvals/{id}", tag = "admin",
    responses((status = 200, body = ApprovalBody)))]
pub async fn approval_get(
    State(app): State<App>,
    _: Reader,
    Path(id): Path<ApprovalId>,
) -> Result<Json<ApprovalBody>, Problem> {
    Ok(Json(show(&app, flow::approval_find(&app.world, id).await?).await?))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionRequest {
    #[serde(default)]
    pub reason: String,
}

/// Approve, and carry it out
#[utoipa::path(post, path = "/admin/approvals/{id}/approve", tag = "admin",
    responses((status = 200, body = ApprovalBody)))]
pub async fn approval_approve(
    State(app): State<App>,
    admin: AdminInPerson,
    Path(id): Path<ApprovalId>,
    body: Body<DecisionRequest>,
) -> Result<Json<ApprovalBody>, Problem> {
    decide(&app, &admin, id, Decision::Approve, &body.value.reason).await
}

/// Refuse
#[utoipa::path(post, path = "/admin/approvals/{id}/refuse", tag = "admin",
    responses((status = 200, body = ApprovalBody)))]
pub async fn approval_refuse(
    State(app): State<App>,
    admin: AdminInPerson,
    Path(id): Path<ApprovalId>,
    body: Body<DecisionRequest>,
) -> Result<Json<ApprovalBody>, Problem> {
    decide(&app, &admin, id, Decision::Refuse, &body.value.reason).await
}

/// Take one's own request back
#[utoipa::path(post, path = "/admin/approvals/{id}/withdraw", tag = "admin",
    responses((status = 200, body = ApprovalBody)))]
pub async fn approval_withdraw(
    State(app): State<App>,
    admin: AdminInPerson,
    Path(id): Path<ApprovalId>,
    body: Body<DecisionRequest>,
) -> Result<Json<ApprovalBody>, Problem> {
    decide(&app, &admin, id, Decision::Withdraw, &body.value.reason).await
}

async fn decide(
    app: &App,
    admin: &AdminInPerson,
    id: ApprovalId,
    decision: Decision,
    reason: &str,
) -> Result<Json<ApprovalBody>, Problem> {
    let row = flow::approval_decide(&app.world, admin.sign(app, reason), id, decision).await?;
    Ok(Json(show(app, row).await?))
}
