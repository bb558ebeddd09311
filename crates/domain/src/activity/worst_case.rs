//! What a version can cost at most, for whoever approves it.

use super::content::Content;
use super::plan::Plan;
use crate::lottery::strategy::PrizeStock;

crate::names! {
    /// What keeps the cost of a version within bounds.
    pub enum CostBound {
        /// Every prize has so many units and no more.
        Units = "units",
        /// The budget ends before the units do.
        Budget = "budget",
        /// Nothing: a prize that costs something never runs out, and there is no budget.
        Nothing = "nothing",
    }
}

/// The highest cost, and what bounds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorstCase {
    /// In the smallest unit of the site's currency; none where nothing bounds it.
    pub cost_minor: Option<u64>,
    pub bound: CostBound,
}

/// Of everything that can be won at all: every unit given, as far as the budget goes. Raffles and sales cost nothing by their
/// plan, since their prizes have no cost on record.
pub fn worst_case(content: &Content) -> WorstCase {
    match &content.plan {
        Plan::Instant(strategy) => {
            let units = |stock: &PrizeStock| match stock {
                PrizeStock::Pool { units, .. } => Some(*units),
                PrizeStock::Unlimited => None,
            };
            let prizes = strategy.prizes.iter().map(|prize| (units(&prize.stock), prize.cost_minor));
            of_prizes(prizes, strategy.budget.total_minor)
        }
        Plan::Raffle(_) | Plan::Sale(_) => WorstCase { cost_minor: Some(0), bound: CostBound::Units },
    }
}

/// Of prizes with their units, or none where they never run out, and what one of each costs.
fn of_prizes(prizes: impl Iterator<Item = (Option<u64>, u64)>, budget_minor: Option<u64>) -> WorstCase {
    let mut units = Some(0_u64);
    for (stock, cost_minor) in prizes {
        units = match (units, stock) {
            (Some(sum), Some(stock)) => Some(sum.saturating_add(stock.saturating_mul(cost_minor))),
            (sum, None) if cost_minor == 0 => sum,
            (_, None) | (None, Some(_)) => None,
        };
    }
    match (units, budget_minor) {
        (Some(units), Some(budget)) if budget < units => {
            WorstCase { cost_minor: Some(budget), bound: CostBound::Budget }
        }
        (Some(units), _) => WorstCase { cost_minor: Some(units), bound: CostBound::Units },
        (None, Some(budget)) => WorstCase { cost_minor: Some(budget), bound: CostBound::Budget },
        (None, None) => WorstCase { cost_minor: None, bound: CostBound::Nothing },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cost_is_bounded_by_units_or_by_the_budget() {
        for (prizes, budget, cost_minor, bound) in [
            (&[(Some(10), 500), (Some(2), 100)][..], None, Some(5_200), CostBound::Units),
            (&[(Some(10), 500)], Some(5_000), Some(5_000), CostBound::Units),
            (&[(Some(10), 500)], Some(4_999), Some(4_999), CostBound::Budget),
            (&[(None, 0), (Some(1), 7)], None, Some(7), CostBound::Units),
            (&[(None, 1)], None, None, CostBound::Nothing),
            (&[(None, 1)], Some(900), Some(900), CostBound::Budget),
            (&[(Some(u64::MAX), u64::MAX)], None, Some(u64::MAX), CostBound::Units),
        ] {
            let worst = of_prizes(prizes.iter().copied(), budget);
            assert_eq!(worst, WorstCase { cost_minor, bound }, "{prizes:?} {budget:?}");
        }
    }
}
