//! The rejections themselves, and what a program or a form can ask them.

use std::fmt;

use super::field::FieldProblem;
use super::lang::Lang;
use super::span::Milliseconds;
use super::subject::{BanEnd, CodeField, MissingThing};
use super::table::{
    access, activities, codes, community, credentials, examples, fulfilment, gate, grants, orders, pace,
    playing, points, raffles, request, running, sales, shop, stock, webhooks,
};
use super::worded::Worded;
use crate::access::{Role, Scope};
use crate::activity::{Action, LifeState};
use crate::community::PostState;
use crate::flaw::{Flaw, Flaws};
use crate::fulfilment as giving;
use crate::ledger::CLOCK_SETTLE_MS;
use crate::sale::Money;
use crate::shop::OfferState;
use crate::time::{SECOND_MS, Timestamp};

// The topics, in the order of the catalogue, and then what makes one enum of them.
request! {
    [access pace credentials running stock activities playing raffles fulfilment points codes webhooks grants shop sales gate orders community rejections]
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Lang::En))
    }
}

impl std::error::Error for Rejection {}

impl Rejection {
    /// One of each, in the order of the catalogue, for whoever lists them all.
    pub fn samples() -> Vec<Self> {
        examples().into_iter().map(|(rejection, _)| rejection).collect()
    }

    pub fn invalid(field: &str, problem: FieldProblem) -> Self {
        Self::Invalid { field: field.to_owned(), problem }
    }

    /// The field a form should point at.
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Invalid { field, .. } => Some(field),
            Self::CodeWrong { at, .. } | Self::CodeSpent { at } => Some(at.0),
            _ => None,
        }
    }

    /// Everything that is wrong, where there may be several things.
    pub fn flaws(&self) -> &[Flaw] {
        match self {
            Self::Flawed { flaws } => flaws.listed(),
            _ => &[],
        }
    }

    /// The clock is behind the ledger: it is looked at again once it has had time to settle.
    pub const fn clock_behind() -> Self {
        Self::ClockBehind { retry_after_s: CLOCK_SETTLE_MS / SECOND_MS }
    }

    /// Whether whoever was asked is too busy or too troubled just now, and what was asked is as good as before.
    pub const fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::Overloaded { .. }
                | Self::LedgerUnavailable { .. }
                | Self::NoLeader { .. }
                | Self::RowsBehind { .. }
                | Self::ClockBehind { .. }
                | Self::OutcomeUnknown
                | Self::TimedOut
        )
    }

    /// Seconds after which trying again makes sense.
    pub fn retry_after_s(&self) -> Option<i64> {
        match self {
            Self::RateLimited { retry_after_s }
            | Self::Overloaded { retry_after_s }
            | Self::TooBusy { retry_after_s }
            | Self::LedgerUnavailable { retry_after_s }
            | Self::NoLeader { retry_after_s }
            | Self::RowsBehind { retry_after_s }
            | Self::ClockBehind { retry_after_s }
            | Self::CodeTooSoon { retry_after_s }
            | Self::TombstonesFull { retry_after_s, .. }
            | Self::StreamsFull { retry_after_s, .. }
            | Self::NotYourTurn { retry_after_s, .. }
            | Self::RoomFull { retry_after_s, .. }
            | Self::StreamsOfAddressFull { retry_after_s, .. }
            | Self::StreamsOfCallerFull { retry_after_s, .. } => Some(*retry_after_s),
            _ => None,
        }
    }

    /// The figures in the sentence, for programs.
    pub fn details(&self) -> Details {
        let mut details = Details::default();
        match self {
            Self::SoldOut { pool, left } | Self::NotFree { pool, left } => {
                (details.pool, details.left) = (Some(pool.clone()), Some(*left));
            }
            Self::LimitReached { pool, limit, has } => {
                (details.pool, details.limit, details.has) = (Some(pool.clone()), Some(*limit), Some(*has));
            }
            Self::PriceChanged { name: _, price } => details.price = Some(*price),
            Self::PoolUnknown { pool }
            | Self::PoolFrozen { pool }
            | Self::PoolClosed { pool }
            | Self::NotHeld { pool }
            | Self::TotalTooLarge { pool }
            | Self::RoundStale { pool, .. } => details.pool = Some(pool.clone()),
            _ => {}
        }
        details
    }
}

/// What a refusal of stock or of a price is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    pub pool: Option<String>,
    /// Units of it that are free.
    pub left: Option<u64>,
    /// Units of it that one owner may have.
    pub limit: Option<u32>,
    /// Units of it that this owner has.
    pub has: Option<u32>,
    /// What one unit costs now.
    pub price: Option<Money>,
}
