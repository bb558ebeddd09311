//! Strategies whose outcome is certain, so that a row can say it.
//!
//! Every wheel but one has a single slice that is the whole of it: whoever draws hits gold, silver or nothing as the rules
//! say, whatever the luck. Gold comes from pool `p`, silver from nowhere.

use std::sync::Arc;

use super::script::Script;
use crate::ids::ActivityId;
use crate::ledger::PoolId;
use crate::ledger::play::Table;
use crate::lottery::deck::Deck;
use crate::lottery::random::DrawSecret;
use crate::lottery::strategy::{
    Budget, Fallback, Mode, OddsSlice, OddsTable as Odds, Pity, Prize, PrizeId, PrizeStock, Release,
    SlotIndex, Strategy, Unlock, UnlockScope, WHOLE_MAX,
};
use crate::time::Timestamp;

pub const GOLD: u16 = 1;
const SILVER: u16 = 2;

pub fn name(prize: PrizeId) -> &'static str {
    if prize.number() == GOLD { "gold" } else { "silver" }
}

pub fn table(script: &mut Script, name: &str, activity: ActivityId, round: u32, version: u32) -> Arc<Table> {
    table_from(script.pool("p"), name, activity, round, version)
}

/// With its prizes in this pool.
pub fn table_from(pool: PoolId, name: &str, activity: ActivityId, round: u32, version: u32) -> Arc<Table> {
    let mut strategy = Strategy {
        version,
        whole: 1,
        mode: Mode::Fixed,
        prizes: vec![Prize { stock: PrizeStock::Pool { pool, units: 9 }, cost_minor: 10, ..prize(GOLD) }],
        tables: vec![Odds { slices: vec![OddsSlice { prize: id(GOLD), odds: 1 }] }],
        miss_slot: SlotIndex(0),
        tiers: None,
        consolation: None,
        fallback: None,
        pity: None,
        budget: Budget::default(),
    };
    let gold = &mut strategy.prizes[0];
    match name {
        "gold" => {}
        "capped" => gold.win_cap = Some(2),
        "hourly" => gold.hourly_cap = Some(2),
        "scheduled" => {
            gold.release = [(0, 1), (500, 3)].map(|(at, units)| Release { at: Timestamp(at), units }).into();
        }
        "locked" => {
            gold.unlock = Some(Unlock { draws: 3, scope: UnlockScope::Today, current_counts: true });
        }
        "budget" => strategy.budget.total_minor = Some(25),
        "daily" => strategy.budget.day_minor = Some(15),
        // Once in a million million times a row would fail.
        "pity" => {
            strategy.whole = WHOLE_MAX;
            strategy.pity = Some(Pity { prize: id(GOLD), misses: 2 });
        }
        "fallback" => {
            strategy.prizes.push(prize(SILVER));
            strategy.fallback =
                Some(Fallback { prize: id(SILVER), amount_min: 5, amount_max: 5, budget_amount: 12 });
        }
        "consoled" => {
            strategy.prizes.push(prize(SILVER));
            strategy.consolation = Some(id(SILVER));
        }
        other => panic!("no such deck: {other}"),
    }
    let deck = Deck::new(strategy).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    Arc::new(Table::new(activity, round, deck, &DrawSecret::new([0x5e; 32])))
}

fn id(number: u16) -> PrizeId {
    PrizeId::new(number).unwrap()
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
