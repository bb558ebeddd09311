//! What an activity has given so far, and the shelf that follows from it.
//!
//! The [`RoundTotals`] is state: plain counters of one round, folded from events and restored from rows, without a strategy.
//! The [`Desk`] is a shelf laid out from the tally, the pools and a strategy; it is made when the first draw with that
//! strategy arrives and can be thrown away at any moment. It is what makes a draw cost the same for three prizes or three
//! thousand: between two draws only what changed is looked at.
//!
//! A pool that a shelf counts on says so when somebody else changes it (a restock, a freeze, a reservation), and is
//! looked at again before the next draw.

use std::sync::Arc;

use super::super::command::PoolId;
use super::super::event::PoolState;
use super::super::slab::Slot;
use super::super::state::Ledger;
use super::draw::{Draw, Drawing, Table};
use crate::lottery::shelf::{PrizeUnits, Shelf, Spending};
use crate::lottery::strategy::{PRIZES_MAX, PrizeId, PrizeStock};
use crate::time::{HOUR_MS, Timestamp};

/// What one prize of a round has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrizeTally {
    /// Units given in the round.
    pub given: u64,
    /// Units given in the last hour that gave any: the hours since 1970, and how many.
    pub hour: i64,
    pub in_hour: u32,
    /// Taken back by an operator.
    pub withdrawn: bool,
}

impl PrizeTally {
    fn in_hour_of(&self, at: Timestamp) -> u32 {
        if self.hour == hour(at) { self.in_hour } else { 0 }
    }
}

/// What one round has given and spent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundTotals {
    spent: Spending,
    /// The last day that spent anything, as yyyymmdd: what `spent.day_minor` is about.
    day: u32,
    /// Per prize id, as far as anything is known of one.
    prizes: Vec<PrizeTally>,
}

impl RoundTotals {
    pub fn restore(
        spent: Spending,
        day: u32,
        prizes: impl IntoIterator<Item = (PrizeId, PrizeTally)>,
    ) -> Self {
        let mut tally = Self { spent, day, prizes: Vec::new() };
        for (prize, known) in prizes {
            *tally.entry(prize) = known;
        }
        tally
    }

    pub fn spent(&self) -> Spending {
        self.spent
    }

    pub fn day(&self) -> u32 {
        self.day
    }

    pub fn prize(&self, prize: PrizeId) -> PrizeTally {
        self.prizes.get(usize::from(prize.number())).copied().unwrap_or_default()
    }

    /// Those of which something is known.
    pub fn prizes(&self) -> impl Iterator<Item = (PrizeId, PrizeTally)> {
        let known = (0..PRIZES_MAX).zip(&self.prizes).filter(|(_, tally)| **tally != PrizeTally::default());
        known.filter_map(|(id, tally)| Some((PrizeId::new(id)?, *tally)))
    }

    pub(in super::super) fn withdraw(&mut self, prize: PrizeId, withdrawn: bool) {
        self.entry(prize).withdrawn = withdrawn;
    }

    pub(super) fn add(&mut self, drawing: &Drawing, at: Timestamp) {
        for given in &drawing.given {
            let prize = self.entry(given.prize);
            prize.in_hour = prize.in_hour_of(at) + given.units;
            prize.hour = hour(at);
            prize.given += u64::from(given.units);
        }
        if drawing.given.is_empty() {
            return;
        }
        if self.day != drawing.taking.day {
            self.day = drawing.taking.day;
            self.spent.day_minor = 0;
        }
        let cost_minor = drawing.cost_minor();
        self.spent.total_minor = self.spent.total_minor.saturating_add(cost_minor);
        self.spent.day_minor = self.spent.day_minor.saturating_add(cost_minor);
        self.spent.fallback_points = self.spent.fallback_points.saturating_add(drawing.points);
    }

    fn entry(&mut self, prize: PrizeId) -> &mut PrizeTally {
        let at = usize::from(prize.number());
        if self.prizes.len() <= at {
            self.prizes.resize(at + 1, PrizeTally::default());
        }
        &mut self.prizes[at]
    }

    fn spent_on(&self, day: u32) -> Spending {
        let day_minor = if self.day == day { self.spent.day_minor } else { 0 };
        Spending { day_minor, ..self.spent }
    }
}

/// A shelf laid out for one published strategy.
#[derive(Clone, Debug)]
pub(in super::super) struct Desk {
    table: Arc<Table>,
    pub shelf: Shelf,
}

/// Which shelf counts on a pool.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Watch {
    activity: Slot,
    prize: PrizeId,
    /// Changed since the shelf last looked.
    told: bool,
}

/// A pool that changed, and the shelf that is to look at it.
pub(in super::super) type Changed = (PoolId, Slot, PrizeId);

impl Ledger {
    /// Somebody changed this pool: a shelf that counts on it has to look again.
    pub(in super::super) fn touched(&mut self, slot: Slot) {
        let pool = &mut self.pools[slot];
        if let Some(watch) = &mut pool.watch
            && !watch.told
        {
            watch.told = true;
            self.changed.push((pool.id, watch.activity, watch.prize));
        }
    }
}

/// Brings the shelf that a draw needs up to this moment. Decides nothing: a draw that will be refused leaves only a shelf
/// that is a little newer.
pub(in super::super) fn prepare(ledger: &mut Ledger, draw: &Draw) {
    let Some(slot) = ledger.running.get(&draw.activity).copied() else { return };
    let activity = &ledger.activities[slot];
    let fits = activity.round == draw.round && activity.terms.begin == Some(draw.table.begin());
    if !fits || !draw.day.contains(ledger.clock()) {
        return;
    }
    if activity.desk.as_ref().is_none_or(|desk| desk.table != draw.table) {
        lay_out(ledger, slot, draw);
    }
    look_again(ledger);
    let activity = &ledger.activities[slot];
    let (now, day) = (activity.moment(ledger.now), activity.day_of(draw.day));
    if let Some(Desk { table, shelf }) = ledger.activities[slot].desk.as_deref_mut() {
        shelf.advance(table.deck(), now, day);
    }
}

fn lay_out(ledger: &mut Ledger, slot: Slot, draw: &Draw) {
    let table = Arc::clone(&draw.table);
    let stocked = table.deck().strategy().prizes.iter().filter_map(|prize| match prize.stock {
        PrizeStock::Pool { pool, .. } => Some((pool, prize.id)),
        PrizeStock::Unlimited => None,
    });
    for (pool, prize) in stocked {
        let watch = Watch { activity: slot, prize, told: false };
        let before = match ledger.current.get(&pool) {
            Some(pool) => ledger.pools[*pool].watch.replace(watch),
            None => ledger.wanted.insert(pool, watch),
        };
        // A pool tells one shelf. Should two activities share it, the other lays its shelf out anew.
        if let Some(other) = before.filter(|other| other.activity != slot)
            && let Some(activity) = ledger.activities.get_mut(other.activity)
        {
            activity.desk = None;
        }
    }
    let activity = &ledger.activities[slot];
    let (now, day, tally) = (activity.moment(ledger.now), activity.day_of(draw.day), &activity.tally);
    let units = |id: PrizeId| {
        let known = tally.prize(id);
        let stock = table.deck().prize(id).map(|prize| prize.stock);
        let (left, gone) = match stock {
            Some(PrizeStock::Pool { pool, .. }) => free(ledger, pool),
            Some(PrizeStock::Unlimited) | None => (0, false),
        };
        let given_this_hour = known.in_hour_of(now);
        PrizeUnits { left, given: known.given, given_this_hour, withdrawn: known.withdrawn || gone }
    };
    let shelf = Shelf::restore(table.deck(), now, day, tally.spent_on(day), units);
    ledger.activities[slot].desk = Some(Box::new(Desk { table, shelf }));
}

/// Free units of a pool, and whether nothing can be taken from it at all.
fn free(ledger: &Ledger, pool: PoolId) -> (u64, bool) {
    let pool = ledger.current.get(&pool).map(|slot| &ledger.pools[*slot]);
    pool.map_or((0, true), |pool| (pool.available, pool.state != PoolState::Open))
}

fn look_again(ledger: &mut Ledger) {
    while let Some((pool, slot, prize)) = ledger.changed.pop() {
        let (left, gone) = free(ledger, pool);
        if let Some(watch) = ledger.current.get(&pool).and_then(|slot| ledger.pools[*slot].watch.as_mut()) {
            watch.told = false;
        }
        // The activity may have gone, and another have taken its place: whoever does not count on the pool does not care.
        let Some(activity) = ledger.activities.get_mut(slot) else { continue };
        let withdrawn = activity.tally.prize(prize).withdrawn || gone;
        let Some(Desk { table, shelf }) = activity.desk.as_deref_mut() else { continue };
        let deck = table.deck();
        if deck
            .prize(prize)
            .is_some_and(|prize| matches!(prize.stock, PrizeStock::Pool { pool: of, .. } if of == pool))
        {
            shelf.set_left(deck, prize, left);
            shelf.withdraw(deck, prize, withdrawn);
        }
    }
}

impl Desk {
    /// The fold's part: the same counters as the tally's, on the shelf.
    pub fn gave(&mut self, drawing: &Drawing) {
        let deck = self.table.deck();
        for given in &drawing.given {
            self.shelf.gave(deck, given.prize, given.units);
        }
        self.shelf.spend(deck, drawing.cost_minor(), drawing.points);
    }
}

/// Hours since 1970.
fn hour(at: Timestamp) -> i64 {
    at.0.div_euclid(HOUR_MS)
}
