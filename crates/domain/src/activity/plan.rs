//! What a version gives away: a strategy to draw from at once, or the prizes of a raffle; and for people a card per prize.
//!
//! Deliberately absent: whether it can work ([`crate::lottery::check`]) and how a prize reaches its winner.

use crate::lottery::strategy::{PrizeId, Strategy};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    Instant(Strategy),
    /// In the order in which they are drawn.
    Raffle(Vec<RafflePrize>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RafflePrize {
    pub id: PrizeId,
    pub name: String,
    pub units: u32,
}

/// A prize as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    pub prize: PrizeId,
    pub kind: PrizeKind,
    pub details: String,
    /// An address or an emoji.
    pub picture: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrizeKind {
    Text,
    /// A redeem code from an imported pool.
    Code,
    Coupon,
    Parcel,
    Points {
        amount: u64,
    },
    Chances {
        amount: u32,
    },
}

impl PrizeKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Code => "code",
            Self::Coupon => "coupon",
            Self::Parcel => "parcel",
            Self::Points { .. } => "points",
            Self::Chances { .. } => "chances",
        }
    }

    /// How many points or chances; nothing for what is not counted.
    pub fn amount(self) -> Option<u64> {
        match self {
            Self::Text | Self::Code | Self::Coupon | Self::Parcel => None,
            Self::Points { amount } => Some(amount),
            Self::Chances { amount } => Some(amount.into()),
        }
    }

    /// An amount goes with points and chances, and with nothing else.
    pub fn parse(name: &str, amount: Option<u64>) -> Option<Self> {
        match (name, amount) {
            ("text", None) => Some(Self::Text),
            ("code", None) => Some(Self::Code),
            ("coupon", None) => Some(Self::Coupon),
            ("parcel", None) => Some(Self::Parcel),
            ("points", Some(amount)) => Some(Self::Points { amount }),
            ("chances", Some(amount)) => u32::try_from(amount).ok().map(|amount| Self::Chances { amount }),
            _ => None,
        }
    }
}
