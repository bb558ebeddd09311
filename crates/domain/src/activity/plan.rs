//! What an activity gives: prizes drawn at once by a strategy, a raffle's prizes, or what a sale sells; and what people
//! are shown of each prize.
//!
//! A plan belongs to a version of the activity and is as immutable. The strategy decides draws and is part of the
//! published hash; cards are for people and for whoever hands a prize out, and decide nothing.

use crate::fulfilment::{Gift, Grant};
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
    pub gift: Gift,
    /// Its name for readers of English; empty where it is the same.
    pub name_en: String,
    pub details: String,
    pub details_en: String,
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
    pub fn plain(prize: PrizeId, gift: Gift) -> Self {
        Self {
            prize,
            gift,
            name_en: String::new(),
            details: String::new(),
            details_en: String::new(),
            picture: String::new(),
            grant: Grant::Now,
            claim_within_ms: None,
            pool: None,
        }
    }
}
