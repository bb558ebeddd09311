//! Small strategies for random lives: stock that runs out, caps, schedules, budgets, pity, fallback and consolation.
//!
//! Prize 1 is gold and comes from a pool, prize 2 is silver and comes from another pool or from nowhere, prize 3 is
//! bronze and never runs out. Two running activities must not share a prize's pool: see [`Pools`].

use std::sync::Arc;

use domain::ids::ActivityId;
use domain::ledger::PoolId;
use domain::ledger::play::Table;
use domain::lottery::deck::Deck;
use domain::lottery::random::{Commitment, DrawSecret};
use domain::lottery::strategy::{
    Budget, Fallback, Mode, OddsSlice, OddsTable as Odds, Pity, Prize, PrizeId, PrizeStock, Release,
    SlotIndex, Strategy, Tier, TierBy, Tiers, Unlock, UnlockScope,
};
use domain::time::Timestamp;

/// Kinds of strategies.
pub const DECKS: usize = 7;
/// Prizes of any of them.
pub const PRIZES: u16 = 3;

/// Where gold and silver come from. A prize has its pool for itself.
#[derive(Clone, Copy, Debug)]
pub struct Pools {
    pub gold: PoolId,
    pub silver: Option<PoolId>,
}

/// The table of one version of an activity; schedules begin at `from`.
///
/// # Panics
/// When the strategy cannot work.
pub fn table(
    deck: usize,
    (activity, round, version): (ActivityId, u32, u32),
    pools: Pools,
    from: Timestamp,
) -> Arc<Table> {
    let strategy = strategy(deck, version, pools, from);
    let deck_of = Deck::new(strategy).unwrap_or_else(|problems| panic!("deck {deck}: {problems:?}"));
    Arc::new(Table::new(activity, round, deck_of, &secret(deck)))
}

/// What the draws of a deck are derived from.
pub fn secret(deck: usize) -> DrawSecret {
    DrawSecret::new([0x5e ^ u8::try_from(deck).expect("few decks"); 32])
}

/// The secret of a table, for whoever decides with it once more.
///
/// # Panics
/// When the table is of no deck of this file.
pub fn secret_of(commitment: &Commitment) -> DrawSecret {
    let found = (0..DECKS).map(secret).find(|secret| commitment.is_of(secret));
    found.expect("the secret of a deck")
}

/// What is published of it.
pub fn strategy(deck: usize, version: u32, pools: Pools, from: Timestamp) -> Strategy {
    let mut gold = Prize { stock: stock(Some(pools.gold)), cost_minor: 10, ..prize(1) };
    let mut silver = Prize { stock: stock(pools.silver), cost_minor: 3, ..prize(2) };
    let mut strategy = Strategy {
        version,
        whole: 10,
        mode: if deck % 2 == 1 { Mode::Renormalised } else { Mode::Fixed },
        prizes: Vec::new(),
        tables: vec![odds([4, 3])],
        miss_slot: SlotIndex(0),
        tiers: None,
        consolation: None,
        fallback: None,
        pity: None,
        budget: Budget::default(),
    };
    let mut bronze = None;
    match deck {
        0 => {}
        1 => {
            gold.win_cap = Some(2);
            strategy.tables = vec![odds([5, 5])];
        }
        2 => {
            strategy.pity = Some(Pity { prize: id(1), misses: 2 });
            silver.unlock = Some(Unlock { draws: 2, scope: UnlockScope::Today, current_counts: true });
            strategy.tables = vec![odds([1, 4])];
        }
        3 => {
            gold.hourly_cap = Some(2);
            silver.release = [(0, 1), (800, 3)].map(|(at, units)| Release { at: from + at, units }).into();
        }
        4 => {
            strategy.budget = Budget { total_minor: Some(15), day_minor: Some(12) };
            strategy.tables = vec![odds([6, 3])];
            let (prize, budget_amount) = (id(3), 6);
            strategy.fallback = Some(Fallback { prize, amount_min: 2, amount_max: 5, budget_amount });
            bronze = Some(prize);
        }
        5 => {
            silver.win_cap = Some(1);
            strategy.consolation = Some(id(3));
            bronze = strategy.consolation;
        }
        6 => {
            let tiers = [(0, 0), (3, 1)].map(|(from, table)| Tier { from, table });
            strategy.tiers = Some(Tiers { by: TierBy::Draws, steps: tiers.into() });
            strategy.tables = vec![odds([1, 2]), odds([6, 2])];
            gold.win_cap = Some(3);
            silver.hourly_cap = Some(3);
        }
        other => panic!("no such deck: {other}"),
    }
    strategy.prizes = vec![gold, silver];
    strategy.prizes.extend(bronze.map(|id| prize(id.number())));
    strategy
}

pub fn id(number: u16) -> PrizeId {
    PrizeId::new(number).expect("a small number")
}

/// The units on paper play no part here: what counts is what the pool holds.
fn stock(pool: Option<PoolId>) -> PrizeStock {
    pool.map_or(PrizeStock::Unlimited, |pool| PrizeStock::Pool { pool, units: 9 })
}

/// Slices of gold and silver; the rest is no prize.
fn odds(slices: [u64; 2]) -> Odds {
    let slice = |(number, odds)| OddsSlice { prize: id(number), odds };
    Odds { slices: (1..).zip(slices).map(slice).collect() }
}

fn prize(number: u16) -> Prize {
    Prize {
        id: id(number),
        name: format!("prize {number}"),
        slot: SlotIndex(number),
        stock: PrizeStock::Unlimited,
        cost_minor: 0,
        unlock: None,
        win_cap: None,
        release: Vec::new(),
        hourly_cap: None,
        withdrawn_for: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_deck_works() {
        for deck in 0..DECKS {
            for silver in [None, Some(PoolId(2))] {
                let pools = Pools { gold: PoolId(1), silver };
                table(deck, (ActivityId(1), 1, 1), pools, Timestamp(0));
            }
        }
    }
}
