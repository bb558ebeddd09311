//! Which rule or budget kept a prize from being won, in how many draws, and when first.
//!
//! What holds for everybody (no units, a release, a cap, a budget) counts the draws that were made meanwhile. What holds for
//! one player, or for the fallback's points, counts the draws in which it mattered.

use crate::lottery::deck::Deck;
use crate::lottery::live::{ExclusionReason, LiveWheels, Trail};
use crate::lottery::strategy::PrizeId;
use crate::time::Timestamp;

const REASONS: usize = ExclusionReason::ALL.len();

/// One reason why a prize could not be won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrizeStop {
    pub reason: ExclusionReason,
    pub draws: u64,
    /// When it first held.
    pub first: Timestamp,
}

#[derive(Clone, Copy, Debug, Default)]
struct Stop {
    draws: u64,
    first: Option<Timestamp>,
}

#[derive(Debug)]
pub(super) struct Stops {
    /// Of the live wheels that were looked at last; nothing before the first look.
    seen: Option<u64>,
    /// Per prize id: what keeps everybody from it, and how many draws there had been when it began.
    now: Vec<Option<(ExclusionReason, u64)>>,
    /// Per prize id, per reason.
    stops: Vec<[Stop; REASONS]>,
}

impl Stops {
    pub fn new(ids: usize) -> Self {
        Self { seen: None, now: vec![None; ids], stops: vec![[Stop::default(); REASONS]; ids] }
    }

    /// What everybody finds before the next draw. Costs nothing as long as no prize goes or comes back.
    pub fn look(&mut self, deck: &Deck, live: &LiveWheels, draws: u64, at: Timestamp) {
        if self.seen == Some(live.changes()) {
            return;
        }
        self.seen = Some(live.changes());
        for prize in &deck.strategy().prizes {
            let (id, reason) = (prize.id.at(), live.reason(prize.id));
            if self.now[id].map(|(known, _)| known) == reason {
                continue;
            }
            self.close(id, draws);
            self.now[id] = reason.map(|reason| (reason, draws));
            if let Some(reason) = reason {
                self.stops[id][place(reason)].first.get_or_insert(at);
            }
        }
    }

    /// What one player could not have in a draw.
    pub fn met(&mut self, trail: &Trail, at: Timestamp) {
        for (place_in_trail, one) in trail.own.iter().enumerate() {
            let known = trail.own[..place_in_trail].contains(one);
            if is_own(one.reason) && !known {
                let stop = &mut self.stops[one.prize.at()][place(one.reason)];
                stop.draws += 1;
                stop.first.get_or_insert(at);
            }
        }
    }

    /// After the last draw: what stopped each prize, most draws first.
    pub fn finish(mut self, draws: u64) -> impl Fn(PrizeId) -> Vec<PrizeStop> {
        for id in 0..self.now.len() {
            self.close(id, draws);
        }
        move |prize| {
            let stops = ExclusionReason::ALL.into_iter().zip(self.stops[prize.at()]);
            let told = |(reason, stop): (ExclusionReason, Stop)| {
                let first = stop.first.filter(|_| stop.draws > 0)?;
                Some(PrizeStop { reason, draws: stop.draws, first })
            };
            let mut stops: Vec<PrizeStop> = stops.filter_map(told).collect();
            stops.sort_by_key(|stop| std::cmp::Reverse(stop.draws));
            stops
        }
    }

    fn close(&mut self, id: usize, draws: u64) {
        if let Some((reason, since)) = self.now[id].take() {
            self.stops[id][place(reason)].draws += draws - since;
        }
    }
}

fn place(reason: ExclusionReason) -> usize {
    usize::from(reason.code()) - 1
}

/// Whether it holds for one player or the fallback, and not for everybody.
fn is_own(reason: ExclusionReason) -> bool {
    match reason {
        ExclusionReason::WithdrawnForUser
        | ExclusionReason::PointsBudget
        | ExclusionReason::Capped
        | ExclusionReason::Locked => true,
        ExclusionReason::Exhausted
        | ExclusionReason::Withdrawn
        | ExclusionReason::Unreleased
        | ExclusionReason::HourlyCap
        | ExclusionReason::BudgetTotal
        | ExclusionReason::BudgetDay => false,
    }
}
