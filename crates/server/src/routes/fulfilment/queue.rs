//! The queues of operators: prizes on their way by state, kind and activity.

use axum::Json;
use axum::extract::State;
use domain::Rejection;
use domain::account::Address;
use domain::fulfilment::{FulfilmentState as Stands, PrizeKind};
use domain::ids::FulfilmentId;
use domain::lottery::strategy::PrizeId;
use domain::rejection::FieldProblem;
use engine::fulfilment as flow;
use engine::fulfilment::FulfilmentView;
use serde::{Deserialize, Serialize};
use store::model::FulfilmentSearch;
use utoipa::{IntoParams, ToSchema};

use super::super::{Path, Query};
use crate::app::App;
use crate::auth::{Fulfiller, FulfilmentReader};
use crate::given::maybe_id;
use crate::page::{PageBody, PageQuery, Paged};
use crate::problem::Problem;

/// A prize on its way to its winner, or a thing on its way to its buyer.
#[derive(Serialize, ToSchema)]
pub struct FulfilmentBody {
    /// Of a prize, the same as that of the win.
    #[schema(example = "117093590311632896")]
    pub id: String,
    /// `win`, `shop` or `order`.
    pub source: &'static str,
    pub user_id: String,
    /// Your own id of the winner, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    /// Where it was won, the sale it was ordered in, or whose chances were bought in the shop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<String>,
    /// Of what was won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prize: Option<u16>,
    /// What it is called, won or bought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prize_name: Option<String>,
    /// What kind of prize it is.
    pub kind: &'static str,
    pub amount: u64,
    /// `waiting`, `claimable`, `ready`, `to_ship`, `shipped`, `handed_over`, `given`, `unclaimed`, `voided` or `failed`.
    pub state: &'static str,
    pub made_at_ms: i64,
    pub changed_at_ms: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim_until_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claimed_at_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carrier: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tracking: Option<String>,
    /// What the other system called it, or why it failed or was voided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// How often it was tried once more.
    pub redriven: u32,
    /// Of points or chances that were voided after they had been given: how many could be taken back, once that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_back: Option<u64>,
    /// `a subscriber`, of a coupon while no webhook asks for `coupon.due`; `more codes`, of a code whose pool is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<&'static str>,
}

impl From<FulfilmentView> for FulfilmentBody {
    fn from(FulfilmentView { row, external_id, prize_name, taken_back, waits_for }: FulfilmentView) -> Self {
        let standing = row.standing;
        Self {
            id: row.id.to_string(),
            source: row.source.name(),
            user_id: row.user.to_string(),
            external_id,
            activity: row.source.activity().map(|activity| activity.to_string()),
            prize: row.source.prize().map(PrizeId::number),
            prize_name,
            kind: standing.kind.name(),
            amount: row.amount,
            state: standing.state.name(),
            made_at_ms: row.made.0,
            changed_at_ms: row.changed.0,
            due_ms: standing.due.map(|due| due.0),
            claim_until_ms: standing.claim_until.map(|until| until.0),
            claimed_at_ms: row.claimed.map(|at| at.0),
            carrier: row.carrier,
            tracking: row.tracking,
            note: row.note,
            redriven: row.redriven,
            taken_back,
            waits_for,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FulfilmentFilter {
    /// `waiting`, `claimable`, `ready`, `to_ship`, `shipped`, `handed_over`, `given`, `unclaimed`, `voided` or `failed`.
    state: Option<String>,
    /// What kind of prize it is.
    kind: Option<String>,
    /// An activity's id.
    activity: Option<String>,
}

impl FulfilmentFilter {
    pub(super) fn search(&self) -> Result<FulfilmentSearch, Rejection> {
        let wrong = |field, allowed| Rejection::invalid(field, FieldProblem::NotOneOf { allowed });
        let state = self
            .state
            .as_deref()
            .map(|text| Stands::parse(text).ok_or_else(|| wrong("state", Stands::NAMES)));
        let kind = self
            .kind
            .as_deref()
            .map(|text| PrizeKind::parse(text).ok_or_else(|| wrong("kind", PrizeKind::NAMES)));
        Ok(FulfilmentSearch {
            state: state.transpose()?,
            kind: kind.transpose()?,
            activity: maybe_id("activity", self.activity.as_deref())?,
        })
    }
}

/// Prizes on their way, newest first
///
/// Addresses are not among it: they are with each prize.
#[utoipa::path(get, path = "/fulfilments", tag = "fulfilment",
    params(FulfilmentFilter, PageQuery), responses((status = 200, body = PageBody<FulfilmentBody>)))]
pub async fn fulfilment_list(
    State(app): State<App>,
    _: FulfilmentReader,
    Paged(page): Paged,
    Query(filter): Query<FulfilmentFilter>,
) -> Result<Json<PageBody<FulfilmentBody>>, Problem> {
    let page = flow::fulfilment_list(&app.world, filter.search()?, page).await?;
    Ok(Json(PageBody::of(page, FulfilmentBody::from)))
}

/// Where a parcel goes.
#[derive(Serialize, ToSchema)]
pub struct ParcelAddressBody {
    pub recipient: String,
    pub phone: String,
    pub region: String,
    pub street: String,
    pub postcode: String,
}

impl From<Address> for ParcelAddressBody {
    fn from(Address { recipient, phone, region, street, postcode }: Address) -> Self {
        Self { recipient, phone, region, street, postcode }
    }
}

#[derive(Serialize, ToSchema)]
pub struct FulfilmentDetailBody {
    #[serde(flatten)]
    pub fulfilment: FulfilmentBody,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<ParcelAddressBody>,
}

/// One prize on its way, with where it goes
///
/// Whoever sees an address is in the audit log. A key sees it from when the parcel is to be sent until it has arrived.
#[utoipa::path(get, path = "/fulfilments/{id}", tag = "fulfilment",
    responses((status = 200, body = FulfilmentDetailBody)))]
pub async fn fulfilment_get(
    State(app): State<App>,
    fulfiller: Fulfiller,
    Path(id): Path<FulfilmentId>,
) -> Result<Json<FulfilmentDetailBody>, Problem> {
    let (told, address) = flow::detail(&app.world, fulfiller.sign(&app, ""), id).await?;
    let address = address.map(ParcelAddressBody::from);
    let fulfilment = FulfilmentBody::from(told);
    Ok(Json(FulfilmentDetailBody { fulfilment, address }))
}
