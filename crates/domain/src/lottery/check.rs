//! Why a strategy cannot work: every reason at once, each with a name and the field to blame.
//!
//! A strategy with flaws is refused at submit and never becomes a [`super::deck::Deck`]. What is checked is what can be
//! known from the paper alone; whether the pools exist and hold the units is the engine's question.

use std::collections::{HashMap, HashSet};

use super::strategy::{
    AMOUNT_MAX, Mode, PRIZE_NAME_MAX, PRIZES_MAX, Prize, PrizeId, RELEASES_MAX, Stock, Strategy, TABLES_MAX,
    UnlockScope, WHOLE_MAX,
};
use crate::ledger::play::ChanceLimits;
use crate::{Lang, flaw};

/// A flaw, and where it is: `prizes[3].release[1].units`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub flaw: Flaw,
    pub field: String,
}

macro_rules! flaws {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $en:literal, $zh:literal;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Flaw {
            $($(#[$doc])* $name),+
        }

        impl Flaw {
            pub const ALL: &[Flaw] = &[$(Flaw::$name),+];

            /// The stable name.
            pub fn code(self) -> &'static str {
                match self {
                    $(Self::$name => $code),+
                }
            }

            /// What to tell a person.
            pub const fn text(self, lang: Lang) -> &'static str {
                match (self, lang) { $((Self::$name, Lang::En) => $en, (Self::$name, Lang::Zh) => $zh),+ }
            }
        }
    };
}

flaws! {
    /// A whole has 1 to [`WHOLE_MAX`] parts.
    WholeOutOfRange = "whole_out_of_range",
        "The whole has too few or too many parts.", "概率总份数超出范围。";
    PrizesNone = "prizes_none", "There is no prize.", "没有奖品。";
    PrizesTooMany = "prizes_too_many", "There are too many prizes.", "奖品数量过多。";
    PrizeIdTwice = "prize_id_twice", "Another prize has the same id.", "奖品 ID 重复。";
    SlotTwice = "slot_twice", "Another prize, or the miss, is on the same slot.", "格位重复：已被其他奖品或未中奖占用。";
    NameOutOfRange = "name_out_of_range", "The name is empty or too long.", "名称为空或过长。";
    AmountTooLarge = "amount_too_large", "The amount is too large.", "数额过大。";
    TablesNone = "tables_none", "There is no table of odds.", "没有概率表。";
    TablesTooMany = "tables_too_many", "There are too many tables of odds.", "概率表数量过多。";
    /// No tier leads to the table.
    TableUnreachable = "table_unreachable", "No tier leads to this table.", "没有阶梯指向该概率表。";
    TableUnknown = "table_unknown", "There is no such table.", "概率表不存在。";
    PrizeUnknown = "prize_unknown", "There is no such prize.", "奖品不存在。";
    /// In no table and in no rule: nobody can ever win it.
    PrizeUnreachable = "prize_unreachable",
        "Nobody can ever win this prize: it is in no table and in no rule.", "该奖品不在任何概率表或规则中，永远无法中奖。";
    /// Twice in one table.
    SliceTwice = "slice_twice", "This prize is in the table twice.", "同一概率表中奖品重复。";
    /// A slice of no width.
    OddsZero = "odds_zero", "The odds are zero.", "概率为零。";
    OddsExceedWhole = "odds_exceed_whole", "The odds add up to more than the whole.", "概率之和超过总份数。";
    /// A table without any slice: everybody misses.
    TableEmpty = "table_empty", "The table has no prize: everybody would miss.", "概率表为空，所有人都不会中奖。";
    /// Weighed anew, but there is nothing to weigh.
    RenormalisedWithoutPrize = "renormalised_without_prize",
        "Odds are to be weighed anew, but the table has no prize to weigh.", "重新归一模式下概率表没有任何奖品。";
    /// Two prizes of one pool: each would count on the other's units.
    PoolTwice = "pool_twice", "Another prize takes from the same pool.", "多个奖品使用同一库存池。";
    /// A pooled prize without a unit.
    StockZero = "stock_zero", "There is not a single unit of this prize.", "奖品库存为零。";
    UnlockZero = "unlock_zero", "Unlocked from draw zero on is no rule.", "解锁次数不能为零。";
    /// The activity gives nobody so many chances.
    UnlockBeyondQuota = "unlock_beyond_quota",
        "The activity gives nobody so many chances: it would never be unlocked.", "解锁次数超出抽奖次数上限，永远无法解锁。";
    CapZero = "cap_zero", "A cap of zero lets nobody win.", "上限为零，任何人都无法获得。";
    ReleaseNotIncreasing = "release_not_increasing",
        "Each release has to come later than the one before, with more units.", "投放计划的时间与数量必须逐项递增。";
    ReleaseBeyondStock = "release_beyond_stock",
        "More units are released than there are.", "投放数量超过库存。";
    ReleaseTooLong = "release_too_long", "The release schedule has too many steps.", "投放计划的步骤过多。";
    TiersNone = "tiers_none", "There are tiers, but not a single one.", "阶梯为空。";
    TiersNotIncreasing = "tiers_not_increasing",
        "Each tier has to begin above the one before.", "阶梯门槛必须逐项递增。";
    /// Somebody who has not drawn yet is in no tier.
    TierForZeroMissing = "tier_for_zero_missing",
        "The first tier has to begin at zero: somebody who has not drawn yet is in none.", "首个阶梯必须从零开始。";
    FallbackRangeEmpty = "fallback_range_empty",
        "The fallback's range of points is empty or begins at zero.", "兜底积分范围为空或从零开始。";
    /// The budget does not cover the most of its range even once.
    FallbackWithoutBudget = "fallback_without_budget",
        "The fallback's budget does not cover its range even once.", "兜底预算不足以发放一次最高积分。";
    PityZero = "pity_zero", "A guarantee after zero misses is no rule.", "保底次数不能为零。";
    /// A guarantee of which there is not a single unit.
    PityWithoutStock = "pity_without_stock",
        "There is not a single unit of the guaranteed prize.", "保底奖品没有库存。";
    /// A cost above a budget's cap: it can never be given.
    CostBeyondBudget = "cost_beyond_budget",
        "One unit costs more than the budget: it could never be given.", "奖品成本超过预算，永远无法发放。";
}

impl From<Problem> for flaw::Flaw {
    fn from(Problem { flaw, field }: Problem) -> Self {
        Self::new(field, flaw.code(), flaw.text(Lang::En), flaw.text(Lang::Zh))
    }
}

/// All reasons at once; empty if there are none. Without the activity's chances, as for a replay, what depends on them is
/// not judged.
pub fn check(strategy: &Strategy, chances: Option<&ChanceLimits>) -> Vec<Problem> {
    let mut found = Found { problems: Vec::new() };
    if !(1..=WHOLE_MAX).contains(&strategy.whole) {
        found.push(Flaw::WholeOutOfRange, "whole");
    }
    prizes(&mut found, strategy, chances);
    tables(&mut found, strategy);
    tiers(&mut found, strategy);
    rules(&mut found, strategy);
    reach(&mut found, strategy);
    found.problems
}

struct Found {
    problems: Vec<Problem>,
}

impl Found {
    fn push(&mut self, flaw: Flaw, field: impl Into<String>) {
        self.problems.push(Problem { flaw, field: field.into() });
    }

    fn when(&mut self, wrong: bool, flaw: Flaw, field: impl Into<String>) {
        if wrong {
            self.push(flaw, field);
        }
    }
}

fn prizes(found: &mut Found, strategy: &Strategy, chances: Option<&ChanceLimits>) {
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
            let most = chances.and_then(|chances| most_draws(chances, unlock.scope));
            // The last of them has one finished draw less behind it.
            let never = most.is_some_and(|draws| !unlock.is_open(draws - 1));
            found.when(never, Flaw::UnlockBeyondQuota, field("unlock.draws"));
        }
        releases(found, prize, field);
    }
}

/// How often one user may draw, as far as the activity's limits say. Granted chances come on top of it and are no part of
/// a promise; where there are no others, nothing can be said.
fn most_draws(chances: &ChanceLimits, scope: UnlockScope) -> Option<u32> {
    let limits = match scope {
        UnlockScope::InAll => [chances.total, 0, 0],
        UnlockScope::Today => [chances.total, chances.month, chances.day],
    };
    if chances.total == 0 { None } else { limits.into_iter().filter(|limit| *limit > 0).min() }
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
        let empty = fallback.points_min == 0 || fallback.points_min > fallback.points_max;
        found.when(empty, Flaw::FallbackRangeEmpty, "fallback.points_min");
        found.when(fallback.points_max > AMOUNT_MAX, Flaw::AmountTooLarge, "fallback.points_max");
        let poor = fallback.budget_points < fallback.points_max;
        found.when(poor, Flaw::FallbackWithoutBudget, "fallback.budget_points");
        found.when(fallback.budget_points > AMOUNT_MAX, Flaw::AmountTooLarge, "fallback.budget_points");
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
