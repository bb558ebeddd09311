//! Whether a version can work, as far as paper tells: every reason why not, each with its field.
//!
//! [`check`] judges a strategy by itself. Here it is held against the activity around it: its window, the chances that it
//! gives everybody, and what its prizes are. Granted chances come on top of those and are no part of a promise; where
//! there are no others (`total` is zero), nothing is said about them.
//!
//! Not here: what only the clock or the database knows, such as whether the window is over or the tree exists.

use super::card_check::card_flaws;
use super::configuration::{Configuration, KindSettings};
use super::content::Content;
use super::plan::{Card, Plan, RafflePrize};
use crate::Rejection;
use crate::flaw;
use crate::ledger::play::{ChanceLimits, DRAWS_MAX};
use crate::lottery::check::{StrategyProblems, check};
use crate::lottery::flaw::{StrategyFlaw, StrategyProblem};
use crate::lottery::strategy::{Mode, OddsTable, Prize, PrizeStock, Strategy, TierBy, UnlockScope};
use crate::rejection::FieldProblem;

/// Where a field of a strategy is in whatever its author wrote.
pub type FieldNames = fn(&Strategy, &str) -> String;

/// A grid is a ring of cells, and the prizes with the place of no prize have to fill it.
const GRID_PLACES: FieldProblem = FieldProblem::Misplaced {
    en: "needs 8 or 12 places for a grid, no prize included",
    zh: "选择九宫格时，奖品加未中奖共需 8 格或 12 格",
};

/// Every reason why a version cannot be submitted, as far as it can tell by itself; empty if there are none.
pub fn flaws(content: &Content, names: FieldNames) -> Vec<flaw::Flaw> {
    let mut found = plan_flaws(content, names);
    found.extend(card_flaws(&content.configuration, &content.cards));
    found
}

fn plan_flaws(content: &Content, names: FieldNames) -> Vec<flaw::Flaw> {
    let Content { configuration, plan, cards } = content;
    match (plan, configuration.kind()) {
        (Plan::Instant(strategy), KindSettings::Instant { ten }) => {
            let unfit = configuration.presentation().game.filter(|game| !game.can_show(strategy));
            let unfit = unfit.map(|_| flaw::Flaw::from(Rejection::invalid("game", GRID_PLACES)));
            let mut problems = check(strategy);
            problems.extend(around(strategy, configuration, *ten, cards));
            let named = |problem: StrategyProblem| StrategyProblem {
                field: names(strategy, &problem.field),
                ..problem
            };
            problems.into_iter().map(|problem| named(problem).into()).chain(unfit).collect()
        }
        (Plan::Raffle(prizes), KindSettings::Raffle { .. }) => {
            raffle(prizes).into_iter().map(flaw::Flaw::from).collect()
        }
        (Plan::Sale(sale), KindSettings::Sale) => sale.flaws(configuration, cards.len()),
        (Plan::Instant(_), KindSettings::Raffle { .. } | KindSettings::Sale)
        | (Plan::Raffle(_), KindSettings::Instant { .. } | KindSettings::Sale)
        | (Plan::Sale(_), KindSettings::Instant { .. } | KindSettings::Raffle { .. }) => {
            vec![Rejection::invalid("kind", FieldProblem::Malformed).into()]
        }
    }
}

fn raffle(prizes: &[RafflePrize]) -> Vec<StrategyProblem> {
    let mut found = StrategyProblems::default();
    found.when(prizes.is_empty(), StrategyFlaw::PrizesNone, "prizes");
    for (at, prize) in prizes.iter().enumerate() {
        found.when(prize.units == 0, StrategyFlaw::StockZero, format!("prizes[{at}].units"));
    }
    found.problems
}

fn around(
    strategy: &Strategy,
    configuration: &Configuration,
    ten: bool,
    cards: &[Card],
) -> Vec<StrategyProblem> {
    let mut found = StrategyProblems::default();
    let until = configuration.window().until;
    for (at, prize) in strategy.prizes.iter().enumerate() {
        for (step, release) in prize.release.iter().enumerate() {
            let field = format!("prizes[{at}].release[{step}].at");
            found.when(release.at >= until, StrategyFlaw::ReleaseBeyondWindow, field);
        }
    }
    quotas(&mut found, strategy, &configuration.chances().limits(), ten);
    let missed = strategy.tables.iter().any(|table| may_miss(strategy, table));
    found.when(strategy.pity.is_some() && !missed, StrategyFlaw::PityWithoutMiss, "pity");
    if let Some(fallback) = &strategy.fallback {
        let card = cards.iter().find(|card| card.prize == fallback.prize);
        let fits = card.is_none_or(|card| card.gift.kind().can_be_fallback());
        found.when(!fits, StrategyFlaw::FallbackKind, "fallback.prize");
    }
    found.problems
}

/// What a player reaches by drawing, against how often one may draw. The last draw has one finished draw less behind it.
fn quotas(found: &mut StrategyProblems, strategy: &Strategy, chances: &ChanceLimits, ten: bool) {
    let ChanceLimits { total, month, day } = *chances;
    if total == 0 {
        return;
    }
    let busiest_day = [total, month, day].into_iter().filter(|limit| *limit > 0).min().unwrap_or(total);
    for (at, prize) in strategy.prizes.iter().enumerate() {
        let Some(unlock) = &prize.unlock else { continue };
        let most = match unlock.scope {
            UnlockScope::InAll => total,
            UnlockScope::Today => busiest_day,
        };
        let field = format!("prizes[{at}].unlock.draws");
        found.when(!unlock.is_open(most - 1), StrategyFlaw::UnlockBeyondQuota, field);
    }
    if let Some(tiers) = strategy.tiers.as_ref().filter(|tiers| tiers.by == TierBy::Draws) {
        for (at, tier) in tiers.steps.iter().enumerate() {
            found.when(
                tier.from >= u64::from(total),
                StrategyFlaw::TierBeyondQuota,
                format!("tiers[{at}].from"),
            );
        }
    }
    if let Some(pity) = &strategy.pity {
        found.when(pity.misses >= total, StrategyFlaw::PityBeyondQuota, "pity.misses");
    }
    found.when(ten && busiest_day < DRAWS_MAX, StrategyFlaw::TenBeyondQuota, "ten");
}

/// Whether a draw on this table can ever win nothing: the wheel has room for no prize, or what it hits may be gone.
fn may_miss(strategy: &Strategy, table: &OddsTable) -> bool {
    let mut hit = table.slices.iter().filter(|slice| slice.odds > 0);
    let always = |prize: &Prize| always_there(strategy, prize);
    let filled = table.odds() >= strategy.whole;
    let held = match strategy.mode {
        Mode::Fixed => hit.all(|slice| strategy.prize(slice.prize).is_some_and(always)),
        Mode::Renormalised => hit.any(|slice| strategy.prize(slice.prize).is_some_and(always)),
    };
    !(filled && held)
}

/// No stock, cap, rule or budget ever keeps it from whoever hits it.
fn always_there(strategy: &Strategy, prize: &Prize) -> bool {
    let Prize {
        id: _,
        name: _,
        slot: _,
        stock,
        cost_minor,
        unlock,
        win_cap,
        release,
        hourly_cap,
        withdrawn_for,
    } = prize;
    let budget = &strategy.budget;
    let paid = *cost_minor == 0 || (budget.total_minor.is_none() && budget.day_minor.is_none());
    let free = unlock.is_none()
        && win_cap.is_none()
        && release.is_empty()
        && hourly_cap.is_none()
        && withdrawn_for.is_empty();
    paid && free && matches!(stock, PrizeStock::Unlimited)
}
