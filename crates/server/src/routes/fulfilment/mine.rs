//! What I won, on its way to me.

use axum::Json;
use axum::extract::State;
use domain::Rejection;
use domain::fulfilment::FulfilmentState as Stands;
use domain::ids::FulfilmentId;
use domain::rejection::FieldProblem;
use engine::fulfilment as flow;
use engine::fulfilment::ClaimAddress;
use engine::fulfilment::order_things::ThingView;
use serde::{Deserialize, Serialize};
use store::model::FulfilmentRow;
use utoipa::ToSchema;

use super::super::Path;
use super::super::addresses::AddressRequest;
use crate::app::App;
use crate::auth::Player;
use crate::body::Body;
use crate::given;
use crate::problem::Problem;

/// How giving a prize to its winner stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct GivingBody {
    /// `waiting`, `claimable`, `ready`, `to_ship`, `shipped`, `handed_over`, `given`, `unclaimed`, `voided` or `failed`.
    #[schema(example = "claimable")]
    pub state: &'static str,
    /// What its winner does next: `claim`, `wait` or `nothing`.
    #[schema(example = "claim")]
    pub next: &'static str,
    /// Whether claiming it needs an address.
    pub needs_address: bool,
    /// It is not granted before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_ms: Option<i64>,
    /// It cannot be claimed from then on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim_until_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carrier: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tracking: Option<String>,
    /// Why it was voided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Of a coupon: what the system that issued it said of it, such as its number or where to use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// `more codes`, while no redeem code is left; `a subscriber`, while nobody issues coupons. It comes when there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<&'static str>,
}

impl GivingBody {
    /// What was given by being won.
    pub fn given() -> Self {
        Self {
            state: Stands::Given.name(),
            next: "nothing",
            needs_address: false,
            due_ms: None,
            claim_until_ms: None,
            carrier: None,
            tracking: None,
            reason: None,
            note: None,
            waits_for: None,
        }
    }

    pub fn waiting_for(self, waits_for: Option<&'static str>) -> Self {
        Self { waits_for, ..self }
    }
}

/// One thing that is given for an order. A parcel is claimed under `/me/wins/{id}/claim`.
#[derive(Debug, Serialize, ToSchema)]
pub struct ThingBody {
    pub id: String,
    pub kind: &'static str,
    pub amount: u64,
    pub giving: GivingBody,
    /// A redeem code, once it is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl From<ThingView> for ThingBody {
    fn from(ThingView { row, code, waits_for }: ThingView) -> Self {
        Self {
            id: row.id.to_string(),
            kind: row.standing.kind.name(),
            amount: row.amount,
            giving: GivingBody::from(&row).waiting_for(waits_for),
            code,
        }
    }
}

impl From<&FulfilmentRow> for GivingBody {
    fn from(row: &FulfilmentRow) -> Self {
        let standing = row.standing;
        let claimable = standing.state == Stands::Claimable;
        let next = match standing.state {
            Stands::Claimable => "claim",
            Stands::Waiting
            | Stands::Ready
            | Stands::ToShip
            | Stands::Shipped
            | Stands::HandedOver
            | Stands::Failed => "wait",
            Stands::Given | Stands::Unclaimed | Stands::Voided => "nothing",
        };
        Self {
            state: standing.state.name(),
            next,
            needs_address: claimable && standing.kind.needs_address(),
            due_ms: standing.due.filter(|_| standing.state == Stands::Waiting).map(|due| due.0),
            claim_until_ms: standing.claim_until.filter(|_| claimable).map(|until| until.0),
            carrier: row.carrier.clone(),
            tracking: row.tracking.clone(),
            reason: row.note.clone().filter(|_| standing.state == Stands::Voided),
            note: row
                .note
                .clone()
                .filter(|_| standing.state == Stands::Given && standing.kind.has_note_for_winner()),
            waits_for: None,
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimRequest {
    /// Where a parcel goes: an entry of your address book.
    #[serde(default)]
    pub address_id: Option<String>,
    /// Or an address that is only for this parcel.
    #[serde(default)]
    pub address: Option<AddressRequest>,
}

/// Claim what I won
///
/// A parcel needs an address. Claiming again answers how it stands.
#[utoipa::path(post, path = "/me/wins/{id}/claim", tag = "me",
    params(("Idempotency-Key" = Option<String>, Header)), responses((status = 200, body = GivingBody)))]
pub async fn my_win_claim(
    State(app): State<App>,
    Player(user): Player,
    Path(id): Path<FulfilmentId>,
    body: Body<ClaimRequest>,
) -> Result<Json<GivingBody>, Problem> {
    let address = match (body.value.address_id, body.value.address) {
        (Some(_), Some(_)) => return Err(Rejection::invalid("address", FieldProblem::Duplicate).into()),
        (Some(entry), None) => Some(ClaimAddress::Book(given::id("address_id", &entry)?)),
        (None, Some(address)) => Some(ClaimAddress::Given(address.check(&app)?)),
        (None, None) => None,
    };
    let row = flow::claim(&app.world, user, id, body.repeat, address).await?;
    Ok(Json(GivingBody::from(&row)))
}
