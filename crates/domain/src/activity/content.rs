//! Everything a version says, and the pools in the ledger that follow from it.
//!
//! A pool belongs to the activity, not to one of its versions or rounds: a later version changes it by the difference,
//! and reopening keeps what is left. So a pool is named after activity and prize, and its id never has to be looked up.

use std::collections::{BTreeMap, BTreeSet};

use super::configuration::Configuration;
use super::plan::{Card, Plan};
use super::pools::{entries_pool, prize_pool, sale_pool};
use crate::Lang;
use crate::ids::ActivityId;
use crate::ledger::PoolName;
use crate::lottery::strategy::{PrizeId, PrizeStock};

/// One version, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    pub configuration: Configuration,
    pub plan: Plan,
    pub cards: Vec<Card>,
}

/// What a pool counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PoolUse {
    Entries,
    Prize(PrizeId),
    /// Units of a sale.
    Sale,
}

impl PoolUse {
    pub fn pool_name(self, activity: ActivityId) -> PoolName {
        match self {
            Self::Entries => entries_pool(activity),
            Self::Prize(prize) => prize_pool(activity, prize),
            Self::Sale => sale_pool(activity),
        }
    }
}

impl Content {
    /// The same as a version of an activity: the strategy carries the version's number, and every counted prize has the
    /// activity's own pool.
    #[must_use]
    pub fn placed(mut self, activity: ActivityId, version: u32) -> Self {
        if let Plan::Instant(strategy) = &mut self.plan {
            strategy.version = version;
            for prize in &mut strategy.prizes {
                if let PrizeStock::Pool { pool, .. } = &mut prize.stock {
                    *pool = PoolUse::Prize(prize.id).pool_name(activity).pool();
                }
            }
        }
        self
    }

    /// What a prize of it is called.
    pub fn prize_name(&self, prize: PrizeId) -> Option<&str> {
        match &self.plan {
            Plan::Instant(strategy) => strategy.prize(prize).map(|prize| prize.name.as_str()),
            Plan::Raffle(prizes) => {
                prizes.iter().find(|known| known.id == prize).map(|known| known.name.as_str())
            }
            Plan::Sale(_) => None,
        }
    }

    /// How many units of a pool one person may have; 0 is no limit. Only a sale's units have an owner.
    pub fn owner_max(&self, part: PoolUse) -> u32 {
        match (part, &self.plan) {
            (PoolUse::Sale, Plan::Sale(sale)) => sale.per_user,
            (PoolUse::Sale | PoolUse::Entries | PoolUse::Prize(_), _) => 0,
        }
    }

    /// The pools it asks for, and the units of each. The prizes of a raffle are given out by its drawing and need none.
    pub fn stock(&self) -> Vec<(PoolUse, u64)> {
        let entries = self.configuration.entries().map(|units| (PoolUse::Entries, units));
        let prizes = match &self.plan {
            Plan::Instant(strategy) => strategy.prizes.as_slice(),
            Plan::Raffle(_) | Plan::Sale(_) => &[],
        };
        let counted = prizes.iter().filter_map(|prize| match prize.stock {
            PrizeStock::Pool { units, .. } => Some((PoolUse::Prize(prize.id), units)),
            PrizeStock::Unlimited => None,
        });
        let sold = match &self.plan {
            Plan::Sale(sale) => Some((PoolUse::Sale, sale.units)),
            Plan::Instant(_) | Plan::Raffle(_) => None,
        };
        entries.into_iter().chain(counted).chain(sold).collect()
    }
}

/// What a version's units mean for a pool that is there already: a difference, applied at approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StockDiff {
    pub part: PoolUse,
    /// What the version before says; nothing where it does not count them.
    pub before: Option<u64>,
    pub after: Option<u64>,
}

impl StockDiff {
    /// Units that are added to the pool, or with a minus taken from what is still in it. Nothing where the version no
    /// longer counts them: then the pool keeps what it has.
    pub fn change(&self) -> Option<i128> {
        self.after.map(|after| i128::from(after) - i128::from(self.before.unwrap_or(0)))
    }

    /// What happens, and what happens to those already given.
    pub fn text(&self, lang: Lang) -> String {
        match (self.change(), lang) {
            (None, Lang::En) => {
                "No longer counted: the pool keeps what it has, and nothing is drawn from it.".to_owned()
            }
            (None, Lang::Zh) => "不再计数：库存池保持不变，不再从中发放。".to_owned(),
            (Some(units), Lang::En) if units < 0 => format!(
                "At approval {} are taken from what is still in the pool, as far as so many are left. What was given stays given.",
                -units
            ),
            (Some(units), Lang::Zh) if units < 0 => {
                format!("审批通过时从库存池剩余中扣减 {} 件，不足则扣完为止；已发放的不受影响。", -units)
            }
            (Some(units), Lang::En) => format!(
                "At approval {units} are added to the pool, whatever was given or restocked in between. What was given stays given."
            ),
            (Some(units), Lang::Zh) => {
                format!("审批通过时向库存池增加 {units} 件，与期间已发放或补货的数量无关；已发放的不受影响。")
            }
        }
    }
}

/// The pools whose units two versions say differently, in the order of the parts.
pub fn stock_diff(before: &Content, after: &Content) -> Vec<StockDiff> {
    let (old, new) = (BTreeMap::from_iter(before.stock()), BTreeMap::from_iter(after.stock()));
    let parts: BTreeSet<PoolUse> = old.keys().chain(new.keys()).copied().collect();
    let both = |part| StockDiff { part, before: old.get(&part).copied(), after: new.get(&part).copied() };
    parts.into_iter().map(both).filter(|diff| diff.before != diff.after).collect()
}
