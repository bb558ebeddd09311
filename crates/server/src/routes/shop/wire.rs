//! Offers and orders in JSON.

use axum::http::StatusCode;
use domain::Rejection;
use domain::rejection::FieldProblem;
use domain::shop::{OfferDraft, OfferKind};
use engine::shop::{NewOffer, OfferView, ShopOrderView, StaffShopOrder};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::fulfilment::mine::ThingBody;
use crate::forms::Moment;
use crate::given::{FOR_CHANCES, id};

/// Something that points buy.
#[derive(Serialize, ToSchema)]
pub struct OfferBody {
    #[schema(example = "117093590311632896")]
    pub id: String,
    pub name: String,
    /// For readers of English; absent where it is the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name_en: String,
    pub text: String,
    /// For readers of English; absent where it is the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text_en: String,
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

impl From<OfferView> for OfferBody {
    fn from(OfferView { row, left, .. }: OfferView) -> Self {
        let terms = row.terms;
        let (activity, amount) = match terms.gives {
            OfferKind::Chances { activity, chances } => (Some(activity.to_string()), Some(chances)),
            OfferKind::Text | OfferKind::Code { .. } | OfferKind::Coupon | OfferKind::Parcel => (None, None),
        };
        Self {
            id: row.id.to_string(),
            name: terms.name,
            name_en: terms.name_en,
            text: terms.text,
            text_en: terms.text_en,
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
    /// What this request asked for and waits for a second person: pieces, or a lower price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_id: Option<String>,
}

impl OfferStaffBody {
    /// 202 if a second person is asked.
    pub(super) fn status(&self, done: StatusCode) -> StatusCode {
        if self.approval_id.is_some() { StatusCode::ACCEPTED } else { done }
    }
}

impl From<OfferView> for OfferStaffBody {
    fn from(told: OfferView) -> Self {
        let pool = match told.row.terms.gives {
            OfferKind::Code { pool } => Some(pool.to_string()),
            OfferKind::Text | OfferKind::Coupon | OfferKind::Parcel | OfferKind::Chances { .. } => None,
        };
        Self {
            state: told.row.terms.state.name(),
            edition: told.row.edition,
            pool,
            made_at_ms: told.row.made.0,
            sold: told.sold,
            approval_id: told.asked.map(|asked| asked.to_string()),
            offer: told.into(),
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OfferRequest {
    pub name: String,
    /// For readers of English; empty where it is the same.
    #[serde(default)]
    pub name_en: String,
    #[serde(default)]
    pub text: String,
    #[serde(default)]
    pub text_en: String,
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

impl OfferRequest {
    pub(super) fn given(self) -> Result<NewOffer, Rejection> {
        let gives = self.gives()?;
        let draft = OfferDraft {
            name: self.name,
            name_en: self.name_en,
            text: self.text,
            text_en: self.text_en,
            gives,
            price: self.price,
            limit: self.limit,
            from: self.from.map(Into::into),
            until: self.until.map(Into::into),
        };
        Ok(NewOffer { draft, stock: self.stock })
    }

    fn gives(&self) -> Result<OfferKind, Rejection> {
        let chances = self.kind == "chances";
        let for_codes = FieldProblem::Misplaced { en: "is for codes", zh: "仅用于兑换码" };
        for (field, there, problem) in [
            ("activity", self.activity.is_some() && !chances, FOR_CHANCES),
            ("amount", self.amount.is_some() && !chances, FOR_CHANCES),
            ("pool", self.pool.is_some() && self.kind != "code", for_codes),
        ] {
            if there {
                return Err(Rejection::invalid(field, problem));
            }
        }
        let missing = |field: &str| Rejection::invalid(field, FieldProblem::Missing);
        Ok(match self.kind.as_str() {
            "text" => OfferKind::Text,
            "coupon" => OfferKind::Coupon,
            "parcel" => OfferKind::Parcel,
            "code" => {
                let pool = self.pool.as_deref().ok_or_else(|| missing("pool"))?;
                OfferKind::Code { pool: id("pool", pool)? }
            }
            "chances" => {
                let activity = self.activity.as_deref().ok_or_else(|| missing("activity"))?;
                let activity = id("activity", activity)?;
                let amount = self.amount.unwrap_or(1);
                let range = FieldProblem::OutOfRange { min: 1, max: domain::shop::OFFER_CHANCES_MAX };
                let chances = u32::try_from(amount).map_err(|_| Rejection::invalid("amount", range))?;
                OfferKind::Chances { activity, chances }
            }
            _ => {
                let problem = FieldProblem::NotOneOf { allowed: OfferKind::NAMES };
                return Err(Rejection::invalid("kind", problem));
            }
        })
    }
}

/// What somebody bought.
#[derive(Serialize, ToSchema)]
pub struct ShopOrderBody {
    #[schema(example = "117093590311632896")]
    pub id: String,
    pub offer: String,
    /// What it was called then.
    pub name: String,
    /// For readers of English; absent where it is the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name_en: String,
    pub quantity: u32,
    /// Points in all.
    pub cost: i64,
    /// `placed` (paid; about to be given), `done` (on its way), or `reversed` (the points are back).
    pub state: &'static str,
    /// Why it was reversed: `sold_out`, `limit_reached`, `frozen`, `expired` (the units were held too long), `not_given` (what
    /// was bought could never be given), or what staff said who refunded it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub made_at_ms: i64,
    pub things: Vec<ThingBody>,
}

/// An order, for staff: what is given for it is in the fulfilment queue.
#[derive(Serialize, ToSchema)]
pub struct ShopOrderStaffBody {
    #[schema(example = "117093590311632896")]
    pub id: String,
    pub user_id: String,
    pub offer: String,
    /// What it was called then.
    pub name: String,
    pub quantity: u32,
    /// Points in all.
    pub cost: i64,
    /// `placed`, `done` or `reversed`.
    pub state: &'static str,
    /// Why it was reversed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub made_at_ms: i64,
    pub changed_at_ms: i64,
    /// What the buyer has already, and keeps when the points go back: `code_given`, `parcel_shipped`, `parcel_given`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(example = json!(["code_given"]))]
    pub already_given: Vec<String>,
}

impl From<StaffShopOrder> for ShopOrderStaffBody {
    fn from(StaffShopOrder { order, already_given }: StaffShopOrder) -> Self {
        Self {
            id: order.id.to_string(),
            user_id: order.user.to_string(),
            offer: order.offer.to_string(),
            name: order.name,
            quantity: order.quantity,
            cost: order.cost,
            state: order.state.name(),
            reason: order.note,
            made_at_ms: order.made.0,
            changed_at_ms: order.changed.0,
            already_given,
        }
    }
}

impl From<ShopOrderView> for ShopOrderBody {
    fn from(ShopOrderView { order, things }: ShopOrderView) -> Self {
        Self {
            id: order.id.to_string(),
            offer: order.offer.to_string(),
            name: order.name,
            name_en: order.name_en,
            quantity: order.quantity,
            cost: order.cost,
            state: order.state.name(),
            reason: order.note,
            made_at_ms: order.made.0,
            things: things.into_iter().map(ThingBody::from).collect(),
        }
    }
}
