//! Everything a version says, and the pools in the ledger that follow from it.
//!
//! A pool belongs to the activity, not to one of its versions or rounds: a later version changes it by the difference,
//! and reopening keeps what is left. So a pool is named after activity and prize, and its id never has to be looked up.

use super::configuration::Configuration;
use super::plan::{Card, Plan};
use super::pools::{entries_pool, prize_pool};
use crate::ids::ActivityId;
use crate::ledger::PoolName;
use crate::lottery::strategy::{PrizeId, Stock};

/// One version, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    pub configuration: Configuration,
    pub plan: Plan,
    pub cards: Vec<Card>,
}

/// What a pool counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Entries,
    Prize(PrizeId),
}

impl Part {
    pub fn pool_name(self, activity: ActivityId) -> PoolName {
        match self {
            Self::Entries => entries_pool(activity),
            Self::Prize(prize) => prize_pool(activity, prize),
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
                if let Stock::Pool { pool, .. } = &mut prize.stock {
                    *pool = Part::Prize(prize.id).pool_name(activity).pool();
                }
            }
        }
        self
    }

    /// The pools it asks for, and the units of each. The prizes of a raffle are given out by its drawing and need none.
    pub fn stock(&self) -> Vec<(Part, u64)> {
        let entries = self.configuration.entries().map(|units| (Part::Entries, units));
        let prizes = match &self.plan {
            Plan::Instant(strategy) => strategy.prizes.as_slice(),
            Plan::Raffle(_) => &[],
        };
        let counted = prizes.iter().filter_map(|prize| match prize.stock {
            Stock::Pool { units, .. } => Some((Part::Prize(prize.id), units)),
            Stock::Unlimited => None,
        });
        entries.into_iter().chain(counted).collect()
    }
}
