//! Why a strategy cannot work: every reason at once, each with a name and the field to blame.
//!
//! A strategy with flaws is refused at submit and never becomes a [`super::deck::Deck`]. What is checked here is what the
//! strategy says by itself; [`crate::activity::flaws`] holds it against the activity around it. Whether the pools exist
//! and hold the units is the engine's question.

use std::collections::{HashMap, HashSet};

use super::flaw::{Flaw, Problem};
use super::strategy::{
    AMOUNT_MAX, LABELS_MAX, Mode, PRIZE_NAME_MAX, PRIZES_MAX, Prize, PrizeId, RELEASES_MAX, Stock, Strategy,
    TABLES_MAX, WHOLE_MAX,
};
use crate::account::is_label;

/// All reasons at once; empty if there are none.
pub fn check(strategy: &Strategy) -> Vec<Problem> {
    let mut found = Found::default();
    if !(1..=WHOLE_MAX).contains(&strategy.whole) {
        found.push(Flaw::WholeOutOfRange, "whole");
    }
    prizes(&mut found, strategy);
    tables(&mut found, strategy);
    tiers(&mut found, strategy);
    rules(&mut found, strategy);
    reach(&mut found, strategy);
    found.problems
}

#[derive(Default)]
pub(crate) struct Found {
    pub problems: Vec<Problem>,
}

impl Found {
    pub fn push(&mut self, flaw: Flaw, field: impl Into<String>) {
        self.problems.push(Problem { flaw, field: field.into() });
    }

    pub fn when(&mut self, wrong: bool, flaw: Flaw, field: impl Into<String>) {
        if wrong {
            self.push(flaw, field);
        }
    }
}

fn prizes(found: &mut Found, strategy: &Strategy) {
    found.when(strategy.prizes.is_empty(), Flaw::PrizesNone, "prizes");
    found.when(strategy.prizes.len() > usize::from(PRIZES_MAX), Flaw::PrizesTooMany, "prizes");
    let (mut ids, mut pools) = (HashSet::new(), HashSet::new());
    let mut slots = HashSet::from([strategy.miss_slot]);
    for (at, prize) in strategy.prizes.iter().enumerate() {
        let field = |name: &str| format!("prizes[{at}].{name}");
        found.when(!ids.insert(prize.id), Flaw::PrizeIdTwice, field("id"));
        found.when(!slots.insert(prize.slot), Flaw::SlotTwice, field("slot"));
        let length = prize.name.trim().len();
        found.when(length == 0 || prize.name.len() > PRIZE_NAME_MAX, Flaw::NameOutOfRange, field("name"));
        found.when(prize.cost_minor > AMOUNT_MAX, Flaw::AmountTooLarge, field("cost_minor"));
        let caps = [strategy.budget.total_minor, strategy.budget.day_minor];
        let beyond = caps.into_iter().flatten().any(|cap| prize.cost_minor > cap);
        found.when(beyond, Flaw::CostBeyondBudget, field("cost_minor"));
        found.when(prize.win_cap == Some(0), Flaw::CapZero, field("win_cap"));
        found.when(prize.hourly_cap == Some(0), Flaw::CapZero, field("hourly_cap"));
        if let Stock::Pool { pool, units } = prize.stock {
            found.when(!pools.insert(pool), Flaw::PoolTwice, field("stock"));
            found.when(units == 0, Flaw::StockZero, field("stock"));
            found.when(units > AMOUNT_MAX, Flaw::AmountTooLarge, field("stock"));
        }
        if let Some(unlock) = &prize.unlock {
            found.when(unlock.draws == 0, Flaw::UnlockZero, field("unlock.draws"));
        }
        labels(found, prize, field);
        releases(found, prize, field);
    }
}

/// In order and none twice, so that there is one way to write them.
fn labels(found: &mut Found, prize: &Prize, field: impl Fn(&str) -> String) {
    let labels = &prize.withdrawn_for;
    found.when(labels.len() > LABELS_MAX, Flaw::LabelsTooMany, field("withdrawn_for"));
    for (at, label) in labels.iter().enumerate() {
        let place = || field(&format!("withdrawn_for[{at}]"));
        found.when(!is_label(label), Flaw::LabelMalformed, place());
        found.when(at > 0 && labels[at - 1] >= *label, Flaw::LabelTwice, place());
    }
}

fn releases(found: &mut Found, prize: &Prize, field: impl Fn(&str) -> String) {
    found.when(prize.release.len() > RELEASES_MAX, Flaw::ReleaseTooLong, field("release"));
    let stock = match prize.stock {
        Stock::Unlimited => u64::MAX,
        Stock::Pool { units, .. } => units,
    };
    for (at, release) in prize.release.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &prize.release[before]);
        let rises = before.is_none_or(|before| before.at < release.at && before.units < release.units);
        found.when(
            !rises || release.units == 0,
            Flaw::ReleaseNotIncreasing,
            field(&format!("release[{at}]")),
        );
        found.when(release.units > stock, Flaw::ReleaseBeyondStock, field(&format!("release[{at}].units")));
    }
}

fn tables(found: &mut Found, strategy: &Strategy) {
    found.when(strategy.tables.is_empty(), Flaw::TablesNone, "tables");
    found.when(strategy.tables.len() > TABLES_MAX, Flaw::TablesTooMany, "tables");
    let known: HashSet<PrizeId> = strategy.prizes.iter().map(|prize| prize.id).collect();
    for (at, table) in strategy.tables.iter().enumerate() {
        let name = format!("tables[{at}]");
        if table.slices.iter().all(|slice| slice.odds == 0) {
            found.push(
                match strategy.mode {
                    Mode::Fixed => Flaw::TableEmpty,
                    Mode::Renormalised => Flaw::RenormalisedWithoutPrize,
                },
                name.as_str(),
            );
        }
        found.when(table.odds() > strategy.whole, Flaw::OddsExceedWhole, name.as_str());
        let mut seen = HashSet::new();
        for (index, slice) in table.slices.iter().enumerate() {
            let name = format!("{name}.slices[{index}]");
            found.when(!seen.insert(slice.prize), Flaw::SliceTwice, format!("{name}.prize"));
            found.when(!known.contains(&slice.prize), Flaw::PrizeUnknown, format!("{name}.prize"));
            found.when(slice.odds == 0, Flaw::OddsZero, format!("{name}.odds"));
        }
    }
}

fn tiers(found: &mut Found, strategy: &Strategy) {
    let mut used = HashSet::new();
    match &strategy.tiers {
        None => {
            used.insert(0);
        }
        Some(tiers) => {
            found.when(tiers.steps.is_empty(), Flaw::TiersNone, "tiers");
            let from_zero = tiers.steps.first().is_none_or(|tier| tier.from == 0);
            found.when(!from_zero, Flaw::TierForZeroMissing, "tiers[0].from");
            for (at, tier) in tiers.steps.iter().enumerate() {
                let rises = at == 0 || tiers.steps[at - 1].from < tier.from;
                found.when(!rises, Flaw::TiersNotIncreasing, format!("tiers[{at}].from"));
                let known = usize::from(tier.table) < strategy.tables.len();
                found.when(!known, Flaw::TableUnknown, format!("tiers[{at}].table"));
                used.insert(usize::from(tier.table));
            }
        }
    }
    for at in 0..strategy.tables.len() {
        found.when(!used.contains(&at), Flaw::TableUnreachable, format!("tables[{at}]"));
    }
}

fn rules(found: &mut Found, strategy: &Strategy) {
    let unknown = |prize| strategy.prize(prize).is_none();
    if let Some(prize) = strategy.consolation {
        found.when(unknown(prize), Flaw::PrizeUnknown, "consolation");
    }
    if let Some(fallback) = &strategy.fallback {
        found.when(unknown(fallback.prize), Flaw::PrizeUnknown, "fallback.prize");
        let empty = fallback.amount_min == 0 || fallback.amount_min > fallback.amount_max;
        found.when(empty, Flaw::FallbackRangeEmpty, "fallback.amount_min");
        found.when(fallback.amount_max > AMOUNT_MAX, Flaw::AmountTooLarge, "fallback.amount_max");
        let poor = fallback.budget_amount < fallback.amount_max;
        found.when(poor, Flaw::FallbackWithoutBudget, "fallback.budget_amount");
        found.when(fallback.budget_amount > AMOUNT_MAX, Flaw::AmountTooLarge, "fallback.budget_amount");
    }
    if let Some(pity) = &strategy.pity {
        found.when(pity.misses == 0, Flaw::PityZero, "pity.misses");
        match strategy.prize(pity.prize) {
            None => found.push(Flaw::PrizeUnknown, "pity.prize"),
            Some(prize) => {
                let none = matches!(prize.stock, Stock::Pool { units: 0, .. });
                found.when(none, Flaw::PityWithoutStock, "pity.prize");
            }
        }
    }
    for (cap, field) in
        [(strategy.budget.total_minor, "budget.total_minor"), (strategy.budget.day_minor, "budget.day_minor")]
    {
        found.when(cap == Some(0), Flaw::CapZero, field);
        found.when(cap.is_some_and(|cap| cap > AMOUNT_MAX), Flaw::AmountTooLarge, field);
    }
}

fn reach(found: &mut Found, strategy: &Strategy) {
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
        found.when(!reached[&prize.id], Flaw::PrizeUnreachable, format!("prizes[{at}]"));
    }
}
