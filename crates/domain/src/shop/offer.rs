//! What is sold.

use crate::Rejection;
use crate::access::Handout;
use crate::account::name::short_text;
use crate::fulfilment::PrizeKind;
use crate::ids::{ActivityId, CodePoolId};
use crate::points::AMOUNT_MAX;
use crate::rejection::FieldProblem;
use crate::time::Timestamp;

pub const OFFER_NAME_MAX: usize = 80;
pub const OFFER_TEXT_MAX: usize = 4_000;
/// Chances that one piece may be.
pub const OFFER_CHANCES_MAX: i64 = 1_000;
/// Pieces in one order, and the highest limit per user.
pub const ORDER_QUANTITY_MAX: i64 = 20;
const LIMIT_MAX: i64 = 1_000_000;

/// What one piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferKind {
    Text,
    Code { pool: CodePoolId },
    Coupon,
    Parcel,
    Chances { activity: ActivityId, chances: u32 },
}

impl OfferKind {
    pub const NAMES: &'static str = "text, code, coupon, parcel, chances";

    pub const fn kind(self) -> PrizeKind {
        match self {
            Self::Text => PrizeKind::Text,
            Self::Code { .. } => PrizeKind::Code,
            Self::Coupon => PrizeKind::Coupon,
            Self::Parcel => PrizeKind::Parcel,
            Self::Chances { .. } => PrizeKind::Chances,
        }
    }

    /// What so many pieces on the shelf come to for the day of whoever put them there.
    pub fn handout(self, pieces: i64) -> Handout {
        match self {
            Self::Text | Self::Code { .. } | Self::Coupon | Self::Parcel => Handout::Pieces(pieces),
            Self::Chances { chances, .. } => Handout::Chances(pieces.saturating_mul(chances.into())),
        }
    }

    /// How many things are given for so many pieces, and how much each of them is. Codes and coupons are one each; the rest
    /// goes together.
    pub fn things(self, quantity: u32) -> (u32, u64) {
        match self {
            Self::Text | Self::Parcel => (1, u64::from(quantity)),
            Self::Code { .. } | Self::Coupon => (quantity, 1),
            Self::Chances { chances, .. } => (1, u64::from(chances) * u64::from(quantity)),
        }
    }
}

crate::names! {
    pub enum OfferState {
        /// Nobody sees it yet.
        Draft = "draft",
        On = "on",
        Off = "off",
    }
}

/// An offer as it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferTerms {
    pub name: String,
    /// For readers of English; empty where it is the same.
    pub name_en: String,
    pub text: String,
    pub text_en: String,
    pub gives: OfferKind,
    /// Points for one piece.
    pub price: i64,
    /// Pieces that one user may have in all; 0 is no limit.
    pub limit: u32,
    pub from: Option<Timestamp>,
    /// The first moment at which it is not sold any more.
    pub until: Option<Timestamp>,
    pub state: OfferState,
}

/// An offer as somebody wrote it; it begins as a draft.
#[derive(Clone, Debug)]
pub struct OfferDraft {
    pub name: String,
    pub name_en: String,
    pub text: String,
    pub text_en: String,
    pub gives: OfferKind,
    pub price: i64,
    pub limit: i64,
    pub from: Option<Timestamp>,
    pub until: Option<Timestamp>,
}

/// What is left out stays; an inner nothing takes an end of the window away.
#[derive(Clone, Debug, Default)]
pub struct OfferChange {
    pub name: Option<String>,
    pub name_en: Option<String>,
    pub text: Option<String>,
    pub text_en: Option<String>,
    pub price: Option<i64>,
    pub limit: Option<i64>,
    pub from: Option<Option<Timestamp>>,
    pub until: Option<Option<Timestamp>>,
    pub state: Option<OfferState>,
}

impl OfferDraft {
    pub fn check(self) -> Result<OfferTerms, Rejection> {
        let terms = OfferTerms {
            name: self.name,
            name_en: self.name_en,
            text: self.text,
            text_en: self.text_en,
            gives: self.gives,
            price: self.price,
            limit: limit(self.limit)?,
            from: self.from,
            until: self.until,
            state: OfferState::Draft,
        };
        terms.sound()
    }
}

impl OfferTerms {
    /// The offer after a change, or what is wrong with it. What was on is never a draft again: people saw it.
    pub fn changed(&self, change: &OfferChange) -> Result<Self, Rejection> {
        let state = change.state.unwrap_or(self.state);
        if self.state != OfferState::Draft && state == OfferState::Draft {
            return Err(Rejection::OfferStepIllegal { state: self.state, to: state });
        }
        let changed = Self {
            name: change.name.clone().unwrap_or_else(|| self.name.clone()),
            name_en: change.name_en.clone().unwrap_or_else(|| self.name_en.clone()),
            text: change.text.clone().unwrap_or_else(|| self.text.clone()),
            text_en: change.text_en.clone().unwrap_or_else(|| self.text_en.clone()),
            price: change.price.unwrap_or(self.price),
            limit: change.limit.map(limit).transpose()?.unwrap_or(self.limit),
            from: change.from.unwrap_or(self.from),
            until: change.until.unwrap_or(self.until),
            state,
            gives: self.gives,
        };
        changed.sound()
    }

    /// What so many pieces cost, if they are sold now.
    pub fn sells(&self, quantity: u32, now: Timestamp) -> Result<i64, Rejection> {
        match self.state {
            OfferState::On => {}
            OfferState::Draft | OfferState::Off => return Err(Rejection::OfferOff),
        }
        if let Some(from) = self.from.filter(|from| now < *from) {
            return Err(Rejection::OfferNotStarted { from });
        }
        if self.until.is_some_and(|until| now >= until) {
            return Err(Rejection::OfferOver);
        }
        let most =
            if self.limit == 0 { ORDER_QUANTITY_MAX } else { ORDER_QUANTITY_MAX.min(self.limit.into()) };
        within("quantity", quantity.into(), 1, most)?;
        let cost = self.price.saturating_mul(quantity.into());
        within("quantity", cost, 1, AMOUNT_MAX).map_err(|_| {
            Rejection::invalid("quantity", FieldProblem::OutOfRange { min: 1, max: AMOUNT_MAX / self.price })
        })?;
        Ok(cost)
    }

    fn sound(mut self) -> Result<Self, Rejection> {
        self.name = short_text("name", &self.name, 1, OFFER_NAME_MAX)?;
        self.name_en = short_text("name_en", &self.name_en, 0, OFFER_NAME_MAX)?;
        for (field, text) in [("text", &self.text), ("text_en", &self.text_en)] {
            short_text(field, &text.replace('\n', " "), 0, OFFER_TEXT_MAX)?;
        }
        within("price", self.price, 1, AMOUNT_MAX)?;
        if let OfferKind::Chances { chances, .. } = self.gives {
            within("amount", chances.into(), 1, OFFER_CHANCES_MAX)?;
        }
        if let (Some(from), Some(until)) = (self.from, self.until)
            && from >= until
        {
            return Err(Rejection::invalid("until", FieldProblem::NotAfter { at: from }));
        }
        Ok(self)
    }
}

fn limit(limit: i64) -> Result<u32, Rejection> {
    within("limit", limit, 0, LIMIT_MAX)?;
    u32::try_from(limit)
        .map_err(|_| Rejection::invalid("limit", FieldProblem::OutOfRange { min: 0, max: LIMIT_MAX }))
}

fn within(field: &str, number: i64, min: i64, max: i64) -> Result<(), Rejection> {
    if (min..=max).contains(&number) {
        return Ok(());
    }
    Err(Rejection::invalid(field, FieldProblem::OutOfRange { min, max }))
}
