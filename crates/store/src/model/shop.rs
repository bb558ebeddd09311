//! The shop: offers, and what people bought. Stock is the ledger's; what is here is written in one transaction with the
//! points that were paid.

use domain::access::{DailyAllowance, Handout};
use domain::ids::{ApprovalId, FulfilmentId, OfferId, ShopOrderId, UserId};
use domain::shop::{OfferChange, OfferKind, OfferTerms, ShopOrderState};
use domain::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::{AuditStamp, OfferSummary, Once, SecondPerson};

/// Offers in one installation.
pub const OFFERS_MAX: u32 = 1_000;

/// The lane in which orders are settled, and the kind of its messages: their subject is an order.
pub const SHOP: &str = "shop";
/// The kind of messages in that lane that put units of a refunded order back on the shelf: their subject is the order.
pub const SHOP_BACK: &str = "shop_back";

/// The kind of messages in that lane that put pieces on the shelf which a second person has approved: their subject is the
/// offer.
pub const SHOP_RESTOCK: &str = "shop_restock";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferRow {
    pub id: OfferId,
    pub terms: OfferTerms,
    /// Counted from 1; every change is one more.
    pub edition: u32,
    pub made: Timestamp,
}

#[derive(Clone, Debug)]
pub struct OfferMake {
    pub id: OfferId,
    pub terms: OfferTerms,
    /// What its first stock comes to, and what one person may put out in a day: a key that may not makes no offer.
    pub handout: (Handout, DailyAllowance),
    pub once: Option<Once>,
    pub signed: AuditStamp,
}

#[derive(Clone, Debug)]
pub struct OfferEdit {
    pub id: OfferId,
    /// The edition that was looked at; another one by now is refused.
    pub edition: u32,
    pub change: OfferChange,
    /// Pieces that are left: a lower price counts for them.
    pub left: i64,
    pub alone: DailyAllowance,
    pub second: SecondPerson,
    pub signed: AuditStamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferEditAnswer {
    pub row: OfferRow,
    /// The lower price waits for a second person; the rest is done.
    pub asked: Option<ApprovalId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShopOrderRow {
    pub id: ShopOrderId,
    pub user: UserId,
    pub offer: OfferId,
    /// What it was called then.
    pub name: String,
    /// The same for readers of English, where the offer is still called so; empty otherwise.
    pub name_en: String,
    pub quantity: u32,
    /// Points in all.
    pub cost: i64,
    pub state: ShopOrderState,
    /// The id of the hold that it was placed with.
    pub hold: String,
    pub made: Timestamp,
    pub changed: Timestamp,
    /// Why it was reversed.
    pub note: Option<String>,
    /// What is given for it.
    pub things: Vec<FulfilmentId>,
}

/// Pays for what is held.
#[derive(Clone, Debug)]
pub struct OrderPlace {
    /// The ids of what is given: as many as there are things. The first is the order's.
    pub ids: Vec<FulfilmentId>,
    /// Of the message that settles the order.
    pub message: i64,
    pub user: UserId,
    pub offer: OfferId,
    pub quantity: u32,
    /// The caller's own, once per user.
    pub key: String,
    pub hold: String,
    pub now: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedOrder {
    pub order: ShopOrderRow,
    /// It was there before.
    pub replayed: bool,
}

/// What a message says that settles an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShopMessage {
    pub offer: OfferId,
}

/// What a message says that puts units back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShopBack {
    pub offer: OfferId,
    pub units: u32,
}

/// What a message says that puts approved pieces on the shelf.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShopRestock {
    pub command: String,
    pub delta: i64,
    pub reason: String,
}

impl OfferRow {
    pub fn summary(&self) -> OfferSummary {
        let chances = match self.terms.gives {
            OfferKind::Chances { chances, .. } => Some(chances.into()),
            OfferKind::Text | OfferKind::Code { .. } | OfferKind::Coupon | OfferKind::Parcel => None,
        };
        let gives = self.terms.gives.kind().name().to_owned();
        OfferSummary { name: self.terms.name.clone(), gives, chances, price: self.terms.price }
    }
}

impl ShopOrderRow {
    /// Units that each of its things is.
    pub fn units_each(&self) -> u32 {
        let things = u32::try_from(self.things.len()).unwrap_or(u32::MAX);
        self.quantity / things.max(1)
    }

    /// The message that puts its units back needs an id of its own.
    pub fn back_id(&self) -> i64 {
        !self.id.0
    }
}

/// Which orders; all of them where nothing is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShopOrderSearch {
    pub user: Option<UserId>,
    pub state: Option<ShopOrderState>,
}
