//! What an operator publishes: prizes, odds, and the rules around them.
//!
//! A strategy is plain data and immutable once published: a change is a new version. Odds are whole parts of a whole
//! that the operator chooses (usually a million), so 13 % is 130,000 parts and stays that. What the slices of a table
//! leave over is the slice of *no prize*, and it never runs out.
//!
//! Deliberately absent: judging whether it can work ([`super::check`]), its bytes and hash ([`super::publish`]), and its
//! fast form ([`super::deck`]).

use crate::ledger::PoolId;
use crate::time::Timestamp;

/// Parts in a whole, at most. Odds as fine as one in a million million.
pub const WHOLE_MAX: u64 = 1_000_000_000_000;
/// The usual whole: parts per million.
pub const PPM: u64 = 1_000_000;
/// Prizes of one strategy at most; ids are below it.
pub const PRIZES_MAX: u16 = 4_096;
/// Tables of one strategy at most.
pub const TABLES_MAX: usize = 64;
/// Steps of one release schedule at most.
pub const RELEASES_MAX: usize = 1_024;
/// The length of a prize's name at most, in bytes.
pub const PRIZE_NAME_MAX: usize = 120;
/// Risk labels that one prize may name.
pub const LABELS_MAX: usize = 16;
/// Costs, points, units: at most.
pub const AMOUNT_MAX: u64 = 1_000_000_000_000;

/// A prize within its strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PrizeId(u16);

impl PrizeId {
    pub fn new(id: u16) -> Option<Self> {
        (id < PRIZES_MAX).then_some(Self(id))
    }

    pub fn number(self) -> u16 {
        self.0
    }

    pub(super) fn at(self) -> usize {
        usize::from(self.0)
    }
}

/// A place on the wheel, as the page draws it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlotIndex(pub u16);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    pub version: u32,
    /// The parts that all odds are parts of: 1 to [`WHOLE_MAX`].
    pub whole: u64,
    pub mode: Mode,
    pub prizes: Vec<Prize>,
    /// The first is the main one: everybody's, where there are no tiers.
    pub tables: Vec<OddsTable>,
    /// Where the wheel stops at no prize.
    pub miss_slot: SlotIndex,
    pub tiers: Option<Tiers>,
    /// What those on the block list get instead of a draw (黑名单); nothing, if there is none.
    pub consolation: Option<PrizeId>,
    pub fallback: Option<Fallback>,
    pub pity: Option<Pity>,
    pub budget: Budget,
}

crate::names! {
    /// What becomes of the slice of a prize that cannot be given just now.
    #[derive(Default)]
    pub enum Mode {
        /// It stays. Who hits it gets the fallback, or nothing. Every other prize keeps its published odds.
        #[default]
        Fixed = "fixed",
        /// It leaves, and what remains is weighed anew, exactly. Without a slice of no prize, everybody wins while
        /// anything is left.
        Renormalised = "renormalised",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prize {
    pub id: PrizeId,
    /// What people are promised; part of the published hash.
    pub name: String,
    pub slot: SlotIndex,
    pub stock: PrizeStock,
    /// What one unit costs the operator, in the smallest unit of money.
    pub cost_minor: u64,
    pub unlock: Option<Unlock>,
    /// Units one user may win in the round.
    pub win_cap: Option<u32>,
    /// Units become drawable over time. Empty: all of them from the start.
    pub release: Vec<Release>,
    /// Units given in one clock hour (UTC) at most.
    pub hourly_cap: Option<u32>,
    /// Risk labels: whoever carries one of them cannot win it (风险标签). In order, none twice.
    pub withdrawn_for: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrizeStock {
    Unlimited,
    /// Units of a pool in the ledger, the prize's own; so many when the strategy is published. Restocks come through
    /// the ledger.
    Pool {
        pool: PoolId,
        units: u64,
    },
}

/// A prize that can be won only from a user's N-th draw on (次数锁).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unlock {
    /// The N.
    pub draws: u32,
    pub scope: UnlockScope,
    /// Whether the draw being decided counts as one of the N. If so the N-th draw itself can win; if not, the one
    /// after N finished draws.
    pub current_counts: bool,
}

crate::names! {
    #[derive(Default)]
    pub enum UnlockScope {
        Today = "today",
        #[default]
        InAll = "in_all",
    }
}

impl Unlock {
    /// Whether it is open to a user with so many finished draws in the rule's scope.
    pub fn is_open(&self, finished: u32) -> bool {
        finished.saturating_add(u32::from(self.current_counts)) >= self.draws
    }
}

/// From a moment on, so many units are drawable, in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    pub at: Timestamp,
    pub units: u64,
}

/// Slices in the order in which they lie on `0..whole`; what is left over at the end is no prize.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OddsTable {
    pub slices: Vec<OddsSlice>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OddsSlice {
    pub prize: PrizeId,
    pub odds: u64,
}

/// The highest threshold that a user has reached picks the table (阶梯).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiers {
    pub by: TierBy,
    pub steps: Vec<Tier>,
}

crate::names! {
    #[derive(Default)]
    pub enum TierBy {
        /// Finished draws of the user in the round.
        #[default]
        Draws = "draws",
        /// Points the user has ever spent in the shop, less those of orders that were reversed.
        PointsSpent = "points_spent",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tier {
    pub from: u64,
    /// Its place in the strategy's tables.
    pub table: u8,
}

/// Points for whoever hits what cannot be given (兜底奖). Given while the budget covers the most of the range, so that
/// everybody who gets it draws from the same range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fallback {
    pub prize: PrizeId,
    pub amount_min: u64,
    pub amount_max: u64,
    /// Points given in the round at most.
    pub budget_amount: u64,
}

/// A prize for certain after so many misses in a row (保底).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pity {
    pub prize: PrizeId,
    pub misses: u32,
}

/// What all prizes together may cost, in the smallest unit of money.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub total_minor: Option<u64>,
    pub day_minor: Option<u64>,
}

impl OddsTable {
    /// The parts of all slices together. Saturating: a sum too large to hold is also too large for any whole.
    pub fn odds(&self) -> u64 {
        self.slices.iter().fold(0, |sum: u64, slice| sum.saturating_add(slice.odds))
    }
}

impl Strategy {
    pub fn prize(&self, id: PrizeId) -> Option<&Prize> {
        self.prizes.iter().find(|prize| prize.id == id)
    }
}
