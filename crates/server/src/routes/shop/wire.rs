//! Offers and orders in JSON.

use domain::Rejection;
use domain::ids::{ActivityId, CodePoolId};
use domain::rejection::FieldProblem;
use domain::shop::{OfferDraft, OfferGives};
use engine::flows::shop::{OfferGiven, OfferTold, OrderTold};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::fulfilment::mine::ThingBody;
use crate::forms::Moment;

/// Something that points buy.
#[derive(Serialize, ToSchema)]
pub struct OfferBody {
    #[schema(example = "117093590311632896")]
    pub id: String,
    pub name: String,
    pub text: String,
    /// `text`, `code`, `coupon`, `parcel` or `chances`.
    pub kind: &'static str,
    /// Whose chances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<String>,
    /// Chances of one piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<u32>,
    /// Points for one piece.
    pub price: i64,
    /// Pieces that one user may have; absent without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<i64>,
    /// Pieces left.
    pub left: u64,
}

impl From<OfferTold> for OfferBody {
    fn from(OfferTold { row, left, .. }: OfferTold) -> Self {
        let terms = row.terms;
        let (activity, amount) = match terms.gives {
            OfferGives::Chances { activity, chances } => (Some(activity.to_string()), Some(chances)),
            OfferGives::Text | OfferGives::Code { .. } | OfferGives::Coupon | OfferGives::Parcel => {
                (None, None)
            }
        };
        Self {
            id: row.id.to_string(),
            name: terms.name,
            text: terms.text,
            kind: terms.gives.kind().name(),
            activity,
            amount,
            price: terms.price,
            limit: Some(terms.limit).filter(|limit| *limit > 0),
            from_ms: terms.from.map(|at| at.0),
            until_ms: terms.until.map(|at| at.0),
            left,
        }
    }
}

/// The same for staff.
#[derive(Serialize, ToSchema)]
pub struct OfferStaffBody {
    #[serde(flatten)]
    pub offer: OfferBody,
    /// `draft`, `on` or `off`.
    pub state: &'static str,
    /// Name it when you change the offer.
    pub edition: u32,
    /// The pool that codes come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    pub made_at_ms: i64,
    pub sold: u64,
}

impl From<OfferTold> for OfferStaffBody {
    fn from(told: OfferTold) -> Self {
        let pool = match told.row.terms.gives {
            OfferGives::Code { pool } => Some(pool.to_string()),
            OfferGives::Text | OfferGives::Coupon | OfferGives::Parcel | OfferGives::Chances { .. } => None,
        };
        Self {
            state: told.row.terms.state.name(),
            edition: told.row.edition,
            pool,
            made_at_ms: told.row.made.0,
            sold: told.sold,
            offer: told.into(),
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OfferNew {
    pub name: String,
    #[serde(default)]
    pub text: String,
    /// `text`, `code`, `coupon`, `parcel` or `chances`.
    pub kind: String,
    /// Whose chances: an activity's id.
    #[serde(default)]
    pub activity: Option<String>,
    /// Chances of one piece.
    #[serde(default)]
    pub amount: Option<i64>,
    /// The pool that codes come from.
    #[serde(default)]
    pub pool: Option<String>,
    /// Points for one piece.
    pub price: i64,
    /// Pieces that one user may have; 0 or left out, no limit.
    #[serde(default)]
    pub limit: i64,
    #[serde(default)]
    pub from: Option<Moment>,
    #[serde(default)]
    pub until: Option<Moment>,
    /// Pieces that there are to begin with.
    #[serde(default)]
    pub stock: i64,
}

impl OfferNew {
    pub(super) fn given(self) -> Result<OfferGiven, Rejection> {
        let gives = self.gives()?;
        let draft = OfferDraft {
            name: self.name,
            text: self.text,
            gives,
            price: self.price,
            limit: self.limit,
            from: self.from.map(Into::into),
            until: self.until.map(Into::into),
        };
        Ok(OfferGiven { draft, stock: self.stock })
    }

    fn gives(&self) -> Result<OfferGives, Rejection> {
        let chances = self.kind == "chances";
        let misplaced = |field: &str, there: bool, en, zh| {
            if there { Err(Rejection::invalid(field, FieldProblem::Misplaced { en, zh })) } else { Ok(()) }
        };
        misplaced("activity", self.activity.is_some() && !chances, "is for chances", "仅用于抽奖机会")?;
        misplaced("amount", self.amount.is_some() && !chances, "is for chances", "仅用于抽奖机会")?;
        misplaced("pool", self.pool.is_some() && self.kind != "code", "is for codes", "仅用于兑换码")?;
        let missing = |field: &str| Rejection::invalid(field, FieldProblem::Missing);
        let malformed = |field: &str| Rejection::invalid(field, FieldProblem::Malformed);
        Ok(match self.kind.as_str() {
            "text" => OfferGives::Text,
            "coupon" => OfferGives::Coupon,
            "parcel" => OfferGives::Parcel,
            "code" => {
                let pool = self.pool.as_deref().ok_or_else(|| missing("pool"))?;
                OfferGives::Code { pool: pool.parse::<CodePoolId>().map_err(|_| malformed("pool"))? }
            }
            "chances" => {
                let activity = self.activity.as_deref().ok_or_else(|| missing("activity"))?;
                let activity: ActivityId = activity.parse().map_err(|_| malformed("activity"))?;
                let amount = self.amount.unwrap_or(1);
                let range = FieldProblem::OutOfRange { min: 1, max: domain::shop::OFFER_CHANCES_MAX };
                let chances = u32::try_from(amount).map_err(|_| Rejection::invalid("amount", range))?;
                OfferGives::Chances { activity, chances }
            }
            _ => {
                let problem = FieldProblem::NotOneOf { allowed: OfferGives::NAMES };
                return Err(Rejection::invalid("kind", problem));
            }
        })
    }
}

/// What somebody bought.
#[derive(Serialize, ToSchema)]
pub struct OrderBody {
    #[schema(example = "117093590311632896")]
    pub id: String,
    pub offer: String,
    /// What it was called then.
    pub name: String,
    pub quantity: u32,
    /// Points in all.
    pub cost: i64,
    /// `placed` (paid; about to be given), `done` (on its way), or `reversed` (it was gone; the points are back).
    pub state: &'static str,
    /// Why it was reversed: `sold_out`, `limit_reached` or `frozen`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub made_at_ms: i64,
    pub things: Vec<ThingBody>,
}

impl From<OrderTold> for OrderBody {
    fn from(OrderTold { order, things }: OrderTold) -> Self {
        Self {
            id: order.id.to_string(),
            offer: order.offer.to_string(),
            name: order.name,
            quantity: order.quantity,
            cost: order.cost,
            state: order.state.name(),
            reason: order.note,
            made_at_ms: order.made.0,
            things: things.into_iter().map(ThingBody::from).collect(),
        }
    }
}
