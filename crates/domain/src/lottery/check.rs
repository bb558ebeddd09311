//! Why a strategy cannot work: every reason at once, each with a name and the field to blame.
//!
//! A strategy with flaws is refused at submit and never becomes a [`super::deck::Deck`]. What is checked here is what the
//! strategy says by itself; [`crate::activity::flaws`] holds it against the activity around it. Whether the pools exist
//! and hold the units is the engine's question.

use std::collections::{HashMap, HashSet};

use super::flaw::{StrategyFlaw, StrategyProblem};
use super::strategy::{
    AMOUNT_MAX, LABELS_MAX, Mode, PRIZE_NAME_MAX, PRIZES_MAX, Prize, PrizeId, PrizeStock, RELEASES_MAX,
    Strategy, TABLES_MAX, WHOLE_MAX,
};
use crate::account::is_label;

/// All reasons at once; empty if there are none.
pub fn check(strategy: &Strategy) -> Vec<StrategyProblem> {
    let mut found = StrategyProblems::default();
    if !(1..=WHOLE_MAX).contains(&strategy.whole) {
        found.push(StrategyFlaw::WholeOutOfRange, "whole");
    }
    prizes(&mut found, strategy);
    tables(&mut found, strategy);
    tiers(&mut found, strategy);
    rules(&mut found, strategy);
    reach(&mut found, strategy);
    found.problems
}

#[derive(Default)]
pub(crate) struct StrategyProblems {
    pub problems: Vec<StrategyProblem>,
}

impl StrategyProblems {
    pub fn push(&mut self, flaw: StrategyFlaw, field: impl Into<String>) {
        self.problems.push(StrategyProblem { flaw, field: field.into() });
    }

    pub fn when(&mut self, wrong: bool, flaw: StrategyFlaw, field: impl Into<String>) {
        if wrong {
            self.push(flaw, field);
        }
    }
}

fn prizes(found: &mut StrategyProblems, strategy: &Strategy) {
    found.when(strategy.prizes.is_empty(), StrategyFlaw::PrizesNone, "prizes");
    found.when(strategy.prizes.len() > usize::from(PRIZES_MAX), StrategyFlaw::PrizesTooMany, "prizes");
    let (mut ids, mut pools) = (HashSet::new(), HashSet::new());
    let mut slots = HashSet::from([strategy.miss_slot]);
    for (at, prize) in strategy.prizes.iter().enumerate() {
        let field = |name: &str| format!("prizes[{at}].{name}");
        found.when(!ids.insert(prize.id), StrategyFlaw::PrizeIdTwice, field("id"));
        found.when(!slots.insert(prize.slot), StrategyFlaw::SlotTwice, field("slot"));
        let length = prize.name.trim().len();
        found.when(
            length == 0 || prize.name.len() > PRIZE_NAME_MAX,
            StrategyFlaw::NameOutOfRange,
            field("name"),
        );
        found.when(prize.cost_minor > AMOUNT_MAX, StrategyFlaw::AmountTooLarge, field("cost_minor"));
        let caps = [strategy.budget.total_minor, strategy.budget.day_minor];
        let beyond = caps.into_iter().flatten().any(|cap| prize.cost_minor > cap);
        found.when(beyond, StrategyFlaw::CostBeyondBudget, field("cost_minor"));
        found.when(prize.win_cap == Some(0), StrategyFlaw::CapZero, field("win_cap"));
        found.when(prize.hourly_cap == Some(0), StrategyFlaw::CapZero, field("hourly_cap"));
        if let PrizeStock::Pool { pool, units } = prize.stock {
            found.when(!pools.insert(pool), StrategyFlaw::PoolTwice, field("stock"));
            found.when(units == 0, StrategyFlaw::StockZero, field("stock"));
            found.when(units > AMOUNT_MAX, StrategyFlaw::AmountTooLarge, field("stock"));
        }
        if let Some(unlock) = &prize.unlock {
            found.when(unlock.draws == 0, StrategyFlaw::UnlockZero, field("unlock.draws"));
        }
        labels(found, prize, field);
        releases(found, prize, field);
    }
}

/// In order and none twice, so that there is one way to write them.
fn labels(found: &mut StrategyProblems, prize: &Prize, field: impl Fn(&str) -> String) {
    let labels = &prize.withdrawn_for;
    found.when(labels.len() > LABELS_MAX, StrategyFlaw::LabelsTooMany, field("withdrawn_for"));
    for (at, label) in labels.iter().enumerate() {
        let place = || field(&format!("withdrawn_for[{at}]"));
        found.when(!is_label(label), StrategyFlaw::LabelMalformed, place());
        found.when(at > 0 && labels[at - 1] >= *label, StrategyFlaw::LabelTwice, place());
    }
}

fn releases(found: &mut StrategyProblems, prize: &Prize, field: impl Fn(&str) -> String) {
    found.when(prize.release.len() > RELEASES_MAX, StrategyFlaw::ReleaseTooLong, field("release"));
    let stock = match prize.stock {
        PrizeStock::Unlimited => u64::MAX,
        PrizeStock::Pool { units, .. } => units,
    };
    for (at, release) in prize.release.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &prize.release[before]);
        let rises = before.is_none_or(|before| before.at < release.at && before.units < release.units);
        found.when(
            !rises || release.units == 0,
            StrategyFlaw::ReleaseNotIncreasing,
            field(&format!("release[{at}]")),
        );
        found.when(
            release.units > stock,
            StrategyFlaw::ReleaseBeyondStock,
            field(&format!("release[{at}].units")),
        );
    }
}

fn tables(found: &mut StrategyProblems, strategy: &Strategy) {
    found.when(strategy.tables.is_empty(), StrategyFlaw::TablesNone, "tables");
    found.when(strategy.tables.len() > TABLES_MAX, StrategyFlaw::TablesTooMany, "tables");
    let known: HashSet<PrizeId> = strategy.prizes.iter().map(|prize| prize.id).collect();
    for (at, table) in strategy.tables.iter().enumerate() {
        let name = format!("tables[{at}]");
        if table.slices.iter().all(|slice| slice.odds == 0) {
            found.push(
                match strategy.mode {
                    Mode::Fixed => StrategyFlaw::TableEmpty,
                    Mode::Renormalised => StrategyFlaw::RenormalisedWithoutPrize,
                },
                name.as_str(),
            );
        }
        found.when(table.odds() > strategy.whole, StrategyFlaw::OddsExceedWhole, name.as_str());
        let mut seen = HashSet::new();
        for (index, slice) in table.slices.iter().enumerate() {
            let name = format!("{name}.slices[{index}]");
            found.when(!seen.insert(slice.prize), StrategyFlaw::SliceTwice, format!("{name}.prize"));
            found.when(!known.contains(&slice.prize), StrategyFlaw::PrizeUnknown, format!("{name}.prize"));
            found.when(slice.odds == 0, StrategyFlaw::OddsZero, format!("{name}.odds"));
        }
    }
}

fn tiers(found: &mut StrategyProblems, strategy: &Strategy) {
    let mut used = HashSet::new();
    match &strategy.tiers {
        None => {
            used.insert(0);
        }
        Some(tiers) => {
            found.when(tiers.steps.is_empty(), StrategyFlaw::TiersNone, "tiers");
            let from_zero = tiers.steps.first().is_none_or(|tier| tier.from == 0);
            found.when(!from_zero, StrategyFlaw::TierForZeroMissing, "tiers[0].from");
            for (at, tier) in tiers.steps.iter().enumerate() {
                let rises = at == 0 || tiers.steps[at - 1].from < tier.from;
                found.when(!rises, StrategyFlaw::TiersNotIncreasing, format!("tiers[{at}].from"));
                let known = usize::from(tier.table) < strategy.tables.len();
                found.when(!known, StrategyFlaw::TableUnknown, format!("tiers[{at}].table"));
                used.insert(usize::from(tier.table));
            }
        }
    }
    for at in 0..strategy.tables.len() {
        found.when(!used.contains(&at), StrategyFlaw::TableUnreachable, format!("tables[{at}]"));
    }
}

fn rules(found: &mut StrategyProblems, strategy: &Strategy) {
    let unknown = |prize| strategy.prize(prize).is_none();
    if let Some(prize) = strategy.consolation {
        found.when(unknown(prize), StrategyFlaw::PrizeUnknown, "consolation");
    }
    if let Some(fallback) = &strategy.fallback {
        found.when(unknown(fallback.prize), StrategyFlaw::PrizeUnknown, "fallback.prize");
        let empty = fallback.amount_min == 0 || fallback.amount_min > fallback.amount_max;
        found.when(empty, StrategyFlaw::FallbackRangeEmpty, "fallback.amount_min");
        found.when(fallback.amount_max > AMOUNT_MAX, StrategyFlaw::AmountTooLarge, "fallback.amount_max");
        let poor = fallback.budget_amount < fallback.amount_max;
        found.when(poor, StrategyFlaw::FallbackWithoutBudget, "fallback.budget_amount");
        found.when(
            fallback.budget_amount > AMOUNT_MAX,
            StrategyFlaw::AmountTooLarge,
            "fallback.budget_amount",
        );
    }
    if let Some(pity) = &strategy.pity {
        found.when(pity.misses == 0, StrategyFlaw::PityZero, "pity.misses");
        match strategy.prize(pity.prize) {
            None => found.push(StrategyFlaw::PrizeUnknown, "pity.prize"),
            Some(prize) => {
                let none = matches!(prize.stock, PrizeStock::Pool { units: 0, .. });
                found.when(none, StrategyFlaw::PityWithoutStock, "pity.prize");
            }
        }
    }
    for (cap, field) in
        [(strategy.budget.total_minor, "budget.total_minor"), (strategy.budget.day_minor, "budget.day_minor")]
    {
        found.when(cap == Some(0), StrategyFlaw::CapZero, field);
        found.when(cap.is_some_and(|cap| cap > AMOUNT_MAX), StrategyFlaw::AmountTooLarge, field);
    }
}

fn reach(found: &mut StrategyProblems, strategy: &Strategy) {
    let mut reached: HashMap<PrizeId, bool> = strategy.prizes.iter().map(|prize| (prize.id, false)).collect();
    let sliced = strategy.tables.iter().flat_map(|table| &table.slices).filter(|slice| slice.odds > 0);
    let ruled = [
        strategy.consolation,
        strategy.fallback.as_ref().map(|fallback| fallback.prize),
        strategy.pity.as_ref().map(|pity| pity.prize),
    ];
    for prize in sliced.map(|slice| slice.prize).chain(ruled.into_iter().flatten()) {
        reached.insert(prize, true);
    }
    for (at, prize) in strategy.prizes.iter().enumerate() {
        found.when(!reached[&prize.id], StrategyFlaw::PrizeUnreachable, format!("prizes[{at}]"));
    }
}
