//! What a sale sells, for how much, to whom and how.
//!
//! A plan belongs to a version of its activity and is as immutable; when it runs is the activity's window. Plain data:
//! what it may say is checked in `plan_check`, how it is written down is in `plan_bytes`.

use super::currency::{Currency, Money};
use crate::ids::CodePoolId;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SalePlan {
    pub item: ItemKind,
    /// Of what is sold; the sale itself has the activity's name.
    pub name: String,
    /// The same for readers of English; empty where it is the same.
    pub name_en: String,
    pub details: String,
    pub details_en: String,
    /// Ids of uploaded pictures, addresses, or emoji. The first one is shown where there is room for one.
    pub pictures: Vec<String>,
    pub price: Price,
    /// What one costs otherwise, in the same currency: shown struck through beside the price.
    pub list_price_minor: Option<u64>,
    /// How many there are.
    pub units: u64,
    /// How many one person may have; 0 is no limit.
    pub per_user: u32,
    /// How long units are kept for whoever ordered them and has yet to pay.
    pub hold_ms: i64,
    pub policy: Policy,
    pub gate: GatePlan,
}

/// What is delivered once it is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// Sent to an address.
    Parcel,
    /// From an imported pool of codes.
    Code { pool: CodePoolId },
    /// Digital and numbered: edition n of N.
    Collectible,
}

/// Of one unit, in the smallest unit of its currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    pub minor: u64,
    pub currency: Currency,
}

crate::names! {
    /// When units are taken from the stock.
    #[derive(Default)]
    pub enum Policy {
        /// Held when ordered, taken when paid.
        #[default]
        AtOrder = "at_order",
        /// Taken when paid and not before; if they are gone by then, the money goes back.
        AtPayment = "at_payment",
    }
}

/// What stands between a buyer and the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GatePlan {
    /// Whether a picture has to be read first.
    pub captcha: bool,
    /// Whether people wait in line.
    pub room: Option<RoomPlan>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoomPlan {
    /// People let in per second at most.
    pub per_second: u32,
}

impl ItemKind {
    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Parcel => "parcel",
            Self::Code { .. } => "code",
            Self::Collectible => "collectible",
        }
    }

    pub const fn pool(self) -> Option<CodePoolId> {
        match self {
            Self::Code { pool } => Some(pool),
            Self::Parcel | Self::Collectible => None,
        }
    }

    /// From its name and its pool, which a code has and others have not.
    pub fn parse(name: &str, pool: Option<CodePoolId>) -> Option<Self> {
        match (name, pool) {
            ("parcel", None) => Some(Self::Parcel),
            ("code", Some(pool)) => Some(Self::Code { pool }),
            ("collectible", None) => Some(Self::Collectible),
            _ => None,
        }
    }
}

impl Price {
    /// Of one unit, as money.
    pub const fn money(self) -> Money {
        Money { minor: self.minor, currency: self.currency }
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn items_and_policies_come_back_by_name() {
        let pool = CodePoolId(7);
        for item in [ItemKind::Parcel, ItemKind::Code { pool }, ItemKind::Collectible] {
            assert_eq!(ItemKind::parse(item.name(), item.pool()), Some(item));
        }
        for (name, pool) in [("parcel", Some(pool)), ("code", None), ("Code", Some(pool)), ("", None)] {
            assert_eq!(ItemKind::parse(name, pool), None, "{name} {pool:?}");
        }
        for policy in [Policy::AtOrder, Policy::AtPayment] {
            assert_eq!(Policy::parse(policy.name()), Some(policy));
        }
        assert_eq!(Policy::parse("later"), None);
    }
}
