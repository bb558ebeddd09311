//! What an activity still has to give: units, releases, hours, budgets. Plain counters, and what follows from them.
//!
//! The shelf is what all players share. It answers which prizes nobody can get ([`Shelf::live`]) and is kept up to date
//! with three kinds of news: a draw gave something, time passed, an operator restocked or withdrew. Each costs a look at
//! the prize it is about and at those that a budget no longer covers; only when a day begins or a schedule moves are all
//! prizes looked at.
//!
//! Deliberately absent: taking the units. The ledger does that, in the same step; the shelf follows it.

use super::decide::DrawOutcome;
use super::deck::Deck;
use super::live::{ExclusionReason, LiveWheels};
use super::strategy::{Prize, PrizeId, PrizeStock};
use crate::time::{HOUR_MS, Timestamp};

/// What is known of one prize.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrizeUnits {
    /// Free units of its pool. Not read where the stock is unlimited.
    pub left: u64,
    /// Given in this round: what the release schedule counts.
    pub given: u64,
    /// Given in the current hour.
    pub given_this_hour: u32,
    pub withdrawn: bool,
}

/// What is known of money and points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spending {
    pub total_minor: u64,
    pub day_minor: u64,
    pub fallback_points: u64,
}

#[derive(Clone, Debug)]
pub struct Shelf {
    at: Timestamp,
    /// As yyyymmdd in the activity's zone.
    day: u32,
    spent: Spending,
    /// Per prize id.
    units: Box<[PrizeUnits]>,
    /// When a schedule or an hour moves next.
    look_again: Timestamp,
    live: LiveWheels,
}

impl Shelf {
    /// A fresh round: everything that the strategy promises is there.
    pub fn full(deck: &Deck, at: Timestamp, day: u32) -> Self {
        let units = |id: PrizeId| match deck.prize(id).map(|prize| prize.stock) {
            Some(PrizeStock::Pool { units, .. }) => PrizeUnits { left: units, ..PrizeUnits::default() },
            Some(PrizeStock::Unlimited) | None => PrizeUnits::default(),
        };
        Self::restore(deck, at, day, Spending::default(), units)
    }

    /// From what was kept of it.
    pub fn restore(
        deck: &Deck,
        at: Timestamp,
        day: u32,
        spent: Spending,
        mut units: impl FnMut(PrizeId) -> PrizeUnits,
    ) -> Self {
        let mut all = vec![PrizeUnits::default(); deck.ids()];
        for prize in &deck.strategy().prizes {
            all[prize.id.at()] = units(prize.id);
        }
        let (units, look_again) = (all.into(), Timestamp(i64::MAX));
        let mut shelf = Self { at, day, spent, units, look_again, live: LiveWheels::new(deck) };
        shelf.look_at_all(deck);
        shelf
    }

    pub fn live(&self) -> &LiveWheels {
        &self.live
    }

    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// As yyyymmdd in the activity's zone.
    pub fn day(&self) -> u32 {
        self.day
    }

    pub fn spent(&self) -> Spending {
        self.spent
    }

    pub fn units(&self, prize: PrizeId) -> PrizeUnits {
        self.units.get(prize.at()).copied().unwrap_or_default()
    }

    /// Time passes: hours and days begin, units are released. It never goes back.
    pub fn advance(&mut self, deck: &Deck, at: Timestamp, day: u32) {
        let before = self.at;
        self.at = before.max(at);
        let new_day = day != self.day;
        if new_day {
            self.day = day;
            self.spent.day_minor = 0;
        }
        if hour(self.at) != hour(before) {
            self.units.iter_mut().for_each(|units| units.given_this_hour = 0);
        }
        if self.at >= self.look_again || (new_day && deck.strategy().budget.day_minor.is_some()) {
            self.look_at_all(deck);
        }
    }

    /// A draw gave what it gave.
    pub fn give(&mut self, deck: &Deck, drawn: &DrawOutcome) {
        let Some(prize) = drawn.prize.and_then(|id| deck.prize(id)) else { return };
        self.spend(deck, prize.cost_minor, drawn.points);
        self.gave(deck, prize.id, 1);
    }

    /// So many units of a prize were given; what they cost is told to [`Shelf::spend`].
    pub fn gave(&mut self, deck: &Deck, prize: PrizeId, more: u32) {
        self.change(deck, prize, |prize, units| {
            if matches!(prize.stock, PrizeStock::Pool { .. }) {
                units.left = units.left.checked_sub(u64::from(more)).expect("only what is there is given");
            }
            units.given += u64::from(more);
            units.given_this_hour += more;
        });
    }

    /// So much more money and so many more points of the fallback were spent.
    pub fn spend(&mut self, deck: &Deck, minor: u64, points: u64) {
        // Without a cap there is no bound on these; they end at the largest number rather than begin anew.
        self.spent.total_minor = self.spent.total_minor.saturating_add(minor);
        self.spent.day_minor = self.spent.day_minor.saturating_add(minor);
        self.spent.fallback_points = self.spent.fallback_points.saturating_add(points);
        let reasons: Vec<_> = self.unaffordable(deck, 0).map(|id| (id, self.reason(deck, id))).collect();
        self.live.set(deck, reasons);
    }

    /// So many free units, as the ledger has them after a restock or a correction.
    pub fn set_left(&mut self, deck: &Deck, prize: PrizeId, left: u64) {
        self.change(deck, prize, |_, units| units.left = left);
    }

    pub fn withdraw(&mut self, deck: &Deck, prize: PrizeId, withdrawn: bool) {
        self.change(deck, prize, |_, units| units.withdrawn = withdrawn);
    }

    fn change(&mut self, deck: &Deck, prize: PrizeId, change: impl FnOnce(&Prize, &mut PrizeUnits)) {
        if let Some(prize) = deck.prize(prize) {
            change(prize, &mut self.units[prize.id.at()]);
            let reason = self.reason(deck, prize.id);
            self.live.set(deck, [(prize.id, reason)]);
        }
    }

    /// Why nobody could get a prize after so many more units of it and so much more money. Of several reasons the first
    /// counts, in this order.
    pub(super) fn excluded(
        &self,
        deck: &Deck,
        prize: &Prize,
        more_units: u32,
        more_minor: u64,
    ) -> Option<ExclusionReason> {
        [
            ExclusionReason::Withdrawn,
            ExclusionReason::Exhausted,
            ExclusionReason::Unreleased,
            ExclusionReason::HourlyCap,
            ExclusionReason::BudgetTotal,
            ExclusionReason::BudgetDay,
        ]
        .into_iter()
        .find(|reason| self.applies(*reason, deck, prize, more_units, more_minor))
    }

    /// Whether a reason holds for everybody. What is about one player, or about the fallback's points, is not the shelf's.
    pub(super) fn applies(
        &self,
        reason: ExclusionReason,
        deck: &Deck,
        prize: &Prize,
        more_units: u32,
        more_minor: u64,
    ) -> bool {
        let (units, more, budget) =
            (&self.units[prize.id.at()], u64::from(more_units), deck.strategy().budget);
        let next_minor = more_minor.saturating_add(prize.cost_minor);
        let beyond =
            |cap: Option<u64>, spent: u64| cap.is_some_and(|cap| spent.saturating_add(next_minor) > cap);
        match reason {
            ExclusionReason::Withdrawn => units.withdrawn,
            ExclusionReason::Exhausted => {
                matches!(prize.stock, PrizeStock::Pool { .. }) && units.left <= more
            }
            ExclusionReason::Unreleased => {
                count_released(prize, self.at).is_some_and(|released| units.given + more >= released)
            }
            ExclusionReason::HourlyCap => {
                prize.hourly_cap.is_some_and(|cap| units.given_this_hour + more_units >= cap)
            }
            ExclusionReason::BudgetTotal => beyond(budget.total_minor, self.spent.total_minor),
            ExclusionReason::BudgetDay => beyond(budget.day_minor, self.spent.day_minor),
            ExclusionReason::WithdrawnForUser
            | ExclusionReason::PointsBudget
            | ExclusionReason::Capped
            | ExclusionReason::Locked => false,
        }
    }

    /// The prizes that the budgets, after so much more money, no longer cover.
    pub(super) fn unaffordable<'a>(
        &self,
        deck: &'a Deck,
        more_minor: u64,
    ) -> impl Iterator<Item = PrizeId> + use<'a> {
        let left = |cap: Option<u64>, spent: u64| {
            cap.map_or(u64::MAX, |cap| cap.saturating_sub(spent.saturating_add(more_minor)))
        };
        let budget = deck.strategy().budget;
        let total = left(budget.total_minor, self.spent.total_minor);
        deck.dearer_than(total.min(left(budget.day_minor, self.spent.day_minor)))
    }

    fn reason(&self, deck: &Deck, id: PrizeId) -> Option<ExclusionReason> {
        deck.prize(id).and_then(|prize| self.excluded(deck, prize, 0, 0))
    }

    fn look_at_all(&mut self, deck: &Deck) {
        let prizes = &deck.strategy().prizes;
        let reasons: Vec<_> = prizes.iter().map(|prize| (prize.id, self.reason(deck, prize.id))).collect();
        self.live.set(deck, reasons);
        let next_hour = Timestamp((hour(self.at) + 1).saturating_mul(HOUR_MS));
        let hours = prizes.iter().any(|prize| prize.hourly_cap.is_some()).then_some(next_hour);
        let moments = prizes.iter().flat_map(|prize| &prize.release).map(|release| release.at);
        self.look_again =
            moments.filter(|at| *at > self.at).chain(hours).min().unwrap_or(Timestamp(i64::MAX));
    }
}

/// Hours since 1970: a clock hour is the same for everybody, whatever their zone.
pub(super) fn hour(at: Timestamp) -> i64 {
    at.0.div_euclid(HOUR_MS)
}

/// Units released by a moment; none if the prize has no schedule.
fn count_released(prize: &Prize, at: Timestamp) -> Option<u64> {
    if prize.release.is_empty() {
        return None;
    }
    let passed = prize.release.partition_point(|release| release.at <= at);
    Some(passed.checked_sub(1).map_or(0, |last| prize.release[last].units))
}
