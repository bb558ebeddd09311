//! A strategy, checked and compiled once: what a draw reads.
//!
//! A deck never changes. A new version is a new deck, put in the old one's place as a whole, so nobody ever draws from
//! one that is half filled. Only a strategy without flaws becomes one.

use super::check::check;
use super::decide::PlayerHistory;
use super::flaw::StrategyProblem;
use super::publish::StrategyHash;
use super::strategy::{Mode, OddsTable, Prize, PrizeId, Strategy, TierBy, UnlockScope};
use super::wheel::Wheel;

#[derive(Clone, Debug)]
pub struct Deck {
    strategy: Strategy,
    hash: StrategyHash,
    /// Per prize id, its place in the strategy.
    places: Box<[Option<u16>]>,
    wheels: Box<[Wheel]>,
    /// Prizes with an unlock rule and the finished draws they ask for, the hardest first.
    locked_today: Box<[(u32, PrizeId)]>,
    locked_in_all: Box<[(u32, PrizeId)]>,
    /// What each prize costs, the dearest first.
    by_cost: Box<[(u64, PrizeId)]>,
    /// Prizes that are withdrawn from users with a risk label.
    labelled: Box<[PrizeId]>,
}

impl Deck {
    pub fn new(strategy: Strategy) -> Result<Self, Vec<StrategyProblem>> {
        let problems = check(&strategy);
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut places = vec![None; strategy.prizes.iter().map(|prize| prize.id.at() + 1).max().unwrap_or(0)];
        for (place, prize) in (0..).zip(&strategy.prizes) {
            places[prize.id.at()] = Some(place);
        }
        Ok(Self {
            hash: strategy.hash(),
            places: places.into(),
            wheels: strategy.tables.iter().map(|table| wheel(&strategy, table, |_| false)).collect(),
            locked_today: list_locked(&strategy, UnlockScope::Today),
            locked_in_all: list_locked(&strategy, UnlockScope::InAll),
            by_cost: by_cost(&strategy),
            labelled: strategy
                .prizes
                .iter()
                .filter(|prize| !prize.withdrawn_for.is_empty())
                .map(|prize| prize.id)
                .collect(),
            strategy,
        })
    }

    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    pub fn hash(&self) -> StrategyHash {
        self.hash
    }

    pub fn mode(&self) -> Mode {
        self.strategy.mode
    }

    pub fn prize(&self, id: PrizeId) -> Option<&Prize> {
        let place = (*self.places.get(id.at())?)?;
        self.strategy.prizes.get(usize::from(place))
    }

    /// Whether a draw has to know how many points its player has spent.
    pub fn reads_points_spent(&self) -> bool {
        self.strategy.tiers.as_ref().is_some_and(|tiers| tiers.by == TierBy::PointsSpent)
    }

    /// Whether a draw has to know its player's risk labels.
    pub fn reads_labels(&self) -> bool {
        !self.labelled.is_empty()
    }

    /// The prizes that a user with these risk labels cannot win.
    pub fn withdrawn_for(&self, labels: &[String]) -> Vec<PrizeId> {
        let names_one = |id: &PrizeId| {
            self.prize(*id)
                .is_some_and(|prize| prize.withdrawn_for.iter().any(|label| labels.contains(label)))
        };
        if labels.is_empty() { Vec::new() } else { self.labelled.iter().copied().filter(names_one).collect() }
    }

    /// One more than the highest prize id.
    pub(super) fn ids(&self) -> usize {
        self.places.len()
    }

    /// The prizes that cost more than an amount: as many steps as there are such prizes.
    pub(super) fn dearer_than(&self, minor: u64) -> impl Iterator<Item = PrizeId> {
        self.by_cost.iter().take_while(move |(cost, _)| *cost > minor).map(|(_, prize)| *prize)
    }

    pub(super) fn wheel(&self, table: usize) -> &Wheel {
        &self.wheels[table]
    }

    /// The same tables without some prizes.
    pub(super) fn wheels_without(&self, gone: impl Fn(PrizeId) -> bool) -> Box<[Wheel]> {
        self.strategy.tables.iter().map(|table| wheel(&self.strategy, table, &gone)).collect()
    }

    /// The table of the highest tier that a player has reached.
    pub fn table_of(&self, player: &PlayerHistory) -> usize {
        let Some(tiers) = &self.strategy.tiers else { return 0 };
        let reached = match tiers.by {
            TierBy::Draws => u64::from(player.draws),
            TierBy::PointsSpent => player.points_spent,
        };
        let above = tiers.steps.partition_point(|tier| tier.from <= reached);
        above.checked_sub(1).map_or(0, |at| usize::from(tiers.steps[at].table))
    }

    /// The prizes that a player has not drawn often enough for.
    pub(super) fn locked<'a>(&'a self, player: &PlayerHistory) -> impl Iterator<Item = PrizeId> + use<'a> {
        let (today, in_all) = (player.draws_today, player.draws);
        let by_day = self.locked_today.iter().take_while(move |(needed, _)| *needed > today);
        let by_all = self.locked_in_all.iter().take_while(move |(needed, _)| *needed > in_all);
        by_day.chain(by_all).map(|(_, prize)| *prize)
    }

    pub(super) fn is_locked(&self, id: PrizeId, player: &PlayerHistory) -> bool {
        let unlock = self.prize(id).and_then(|prize| prize.unlock);
        unlock.is_some_and(|unlock| {
            !unlock.is_open(match unlock.scope {
                UnlockScope::Today => player.draws_today,
                UnlockScope::InAll => player.draws,
            })
        })
    }
}

fn wheel(strategy: &Strategy, table: &OddsTable, gone: impl Fn(PrizeId) -> bool) -> Wheel {
    let kept = table.slices.iter().filter(|slice| !gone(slice.prize)).copied();
    Wheel::new(kept, strategy.whole - table.odds())
}

fn by_cost(strategy: &Strategy) -> Box<[(u64, PrizeId)]> {
    let mut costs: Vec<(u64, PrizeId)> =
        strategy.prizes.iter().map(|prize| (prize.cost_minor, prize.id)).collect();
    costs.sort_unstable_by(|one, other| other.cmp(one));
    costs.into()
}

fn list_locked(strategy: &Strategy, scope: UnlockScope) -> Box<[(u32, PrizeId)]> {
    let rules = strategy.prizes.iter().filter_map(|prize| Some((prize.unlock?, prize.id)));
    let mut needed: Vec<(u32, PrizeId)> = rules
        .filter(|(unlock, _)| unlock.scope == scope)
        .map(|(unlock, prize)| (unlock.draws - u32::from(unlock.current_counts), prize))
        .collect();
    needed.sort_unstable_by(|one, other| other.cmp(one));
    needed.into()
}
