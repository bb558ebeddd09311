//! What an activity gives: prizes drawn at once by a strategy, a raffle's prizes, or what a sale sells; and what people
//! are shown of each prize.
//!
//! A plan belongs to a version of the activity and is as immutable. The strategy decides draws and is part of the
//! published hash; cards are for people and for whoever hands a prize out, and decide nothing.

use crate::fulfilment::{Grant, Kind};
use crate::ids::CodePoolId;
use crate::lottery::strategy::{PrizeId, Strategy};
use crate::sale::SalePlan;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    Instant(Strategy),
    /// In the order in which they are drawn.
    Raffle(Vec<RafflePrize>),
    Sale(SalePlan),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RafflePrize {
    pub id: PrizeId,
    pub name: String,
    pub units: u32,
}

/// What people are shown of a prize beside its name, and what handing it out means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    pub prize: PrizeId,
    pub kind: PrizeKind,
    pub details: String,
    /// An address or an emoji; empty if there is none.
    pub picture: String,
    /// When it is granted to whoever won it.
    pub grant: Grant,
    /// How long they have to claim it; without it only a parcel is claimed, at any time.
    pub claim_within_ms: Option<i64>,
    /// Where its codes come from.
    pub pool: Option<CodePoolId>,
}

impl Card {
    /// A card that says nothing but what it is.
    pub fn plain(prize: PrizeId, kind: PrizeKind) -> Self {
        Self {
            prize,
            kind,
            details: String::new(),
            picture: String::new(),
            grant: Grant::Now,
            claim_within_ms: None,
            pool: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrizeKind {
    Text,
    /// From an imported pool of codes.
    Code,
    Coupon,
    Parcel,
    /// Zero where the draw itself says how many: the fallback's.
    Points {
        amount: u64,
    },
    Chances {
        amount: u32,
    },
}

impl PrizeKind {
    /// The stable name: that of the kind of what is given.
    pub fn name(self) -> &'static str {
        Kind::from(self).name()
    }

    pub const fn amount(self) -> Option<u64> {
        match self {
            Self::Text | Self::Code | Self::Coupon | Self::Parcel => None,
            Self::Points { amount } => Some(amount),
            Self::Chances { amount } => Some(amount as u64),
        }
    }

    /// From its name and its amount, which points and chances have and others have not.
    pub fn parse(name: &str, amount: Option<u64>) -> Option<Self> {
        match (Kind::parse(name)?, amount) {
            (Kind::Text, None) => Some(Self::Text),
            (Kind::Code, None) => Some(Self::Code),
            (Kind::Coupon, None) => Some(Self::Coupon),
            (Kind::Parcel, None) => Some(Self::Parcel),
            (Kind::Points, Some(amount)) => Some(Self::Points { amount }),
            (Kind::Chances, Some(amount)) => {
                u32::try_from(amount).ok().map(|amount| Self::Chances { amount })
            }
            (Kind::Text | Kind::Code | Kind::Coupon | Kind::Parcel, Some(_))
            | (Kind::Points | Kind::Chances, None) => None,
        }
    }
}

#[cfg(test)]
mod rows {
    use super::*;

    #[test]
    fn kinds_come_back_by_name() {
        for kind in [
            PrizeKind::Text,
            PrizeKind::Code,
            PrizeKind::Coupon,
            PrizeKind::Parcel,
            PrizeKind::Points { amount: 5 },
            PrizeKind::Chances { amount: 2 },
        ] {
            assert_eq!(PrizeKind::parse(kind.name(), kind.amount()), Some(kind));
        }
        for (name, amount) in
            [("text", Some(1)), ("points", None), ("chances", Some(u64::MAX)), ("Text", None), ("", None)]
        {
            assert_eq!(PrizeKind::parse(name, amount), None, "{name} {amount:?}");
        }
    }
}
