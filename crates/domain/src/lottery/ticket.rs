//! One ticket, one to ten draws in order, each of which sees what those before it did.
//!
//! Deciding changes nothing: the shelf stays as it is until the ledger has accepted the whole ticket. What the earlier
//! draws did is laid over it in `Effects`: units gone, money and points spent, wins and misses of the player.

use super::decide::{DrawOutcome, Inputs, PlayerHistory, decide};
use super::deck::Deck;
use super::live::{Exclusion, KnownExclusions, Trail};
use super::random::{DrawKey, Generator};
use super::record::{Record, RecordedDraw};
use super::shelf::Shelf;
use super::strategy::{PrizeId, PrizeStock};
use crate::ledger::play::Draws;
use crate::ledger::{Line, Quantity};

/// Decides all draws of a ticket, `key.n` being the first, and says all that a stranger needs to decide them again.
///
/// The shelf has been advanced to the moment of the ticket.
pub fn settle(
    deck: &Deck,
    generator: &Generator,
    shelf: &Shelf,
    key: DrawKey,
    player: &PlayerHistory,
    draws: Draws,
) -> Record {
    let mut effects = Effects::new(player.clone());
    let mut recorded = Vec::with_capacity(draws.count() as usize);
    let (mut trail, mut known) = (Trail::default(), KnownExclusions::default());
    for index in 0..draws.count() {
        let inputs = Inputs {
            key: DrawKey { n: key.n.wrapping_add(index), ..key },
            player: &effects.player,
            live: shelf.live(),
            also: &effects.also,
            fallback_points: shelf.spent().fallback_points.saturating_add(effects.points),
        };
        let drawn = decide(deck, generator, &inputs, &mut trail);
        effects.add(deck, shelf, &drawn);
        let news = known.news(trail.mattered(shelf.live()));
        known.learn(&news);
        recorded.push(RecordedDraw { drawn, news });
    }
    Record::new(key, shelf.at(), player, recorded)
}

/// What the ledger takes from the pools of the prizes that were won, one line per pool.
pub fn pool_lines(deck: &Deck, record: &Record) -> Vec<Line> {
    let mut won: Vec<(PrizeId, u32)> = Vec::new();
    record.draws.iter().filter_map(|draw| draw.drawn.prize).for_each(|prize| *entry(&mut won, prize) += 1);
    let line = |(prize, units): &(PrizeId, u32)| match deck.prize(*prize)?.stock {
        PrizeStock::Unlimited => None,
        PrizeStock::Pool { pool, .. } => Some(Line { pool, quantity: Quantity::new(i64::from(*units))? }),
    };
    won.iter().filter_map(line).collect()
}

/// What the draws of a ticket did so far.
#[derive(Clone, Debug)]
struct Effects {
    player: PlayerHistory,
    given: Vec<(PrizeId, u32)>,
    cost_minor: u64,
    points: u64,
    /// Gone through this ticket alone, by prize.
    also: Vec<Exclusion>,
}

impl Effects {
    fn new(player: PlayerHistory) -> Self {
        Self { player, given: Vec::new(), cost_minor: 0, points: 0, also: Vec::new() }
    }

    fn add(&mut self, deck: &Deck, shelf: &Shelf, drawn: &DrawOutcome) {
        self.player.after(deck, drawn);
        let Some(prize) = drawn.prize.and_then(|id| deck.prize(id)) else { return };
        *entry(&mut self.given, prize.id) += 1;
        self.cost_minor = self.cost_minor.saturating_add(prize.cost_minor);
        self.points += drawn.points;
        let given = |id| self.given.iter().find(|(given, _)| *given == id).map_or(0, |(_, units)| *units);
        let mut also: Vec<Exclusion> = Vec::new();
        let mut look_at = |id: PrizeId| {
            if let Some(prize) = deck.prize(id)
                && shelf.live().reason(id).is_none()
                && let Some(reason) = shelf.excluded(deck, prize, given(id), self.cost_minor)
            {
                also.push(Exclusion { prize: id, reason });
            }
        };
        shelf.unaffordable(deck, self.cost_minor).for_each(&mut look_at);
        self.given.iter().for_each(|(id, _)| look_at(*id));
        also.sort_unstable();
        also.dedup();
        self.also = also;
    }
}

impl PlayerHistory {
    /// After one more draw. Whatever gives a prize ends a run of misses, the fallback and the consolation too.
    pub fn after(&mut self, deck: &Deck, drawn: &DrawOutcome) {
        self.draws_today = self.draws_today.saturating_add(1);
        self.draws = self.draws.saturating_add(1);
        match drawn.prize {
            None => self.misses = self.misses.saturating_add(1),
            Some(id) => {
                self.misses = 0;
                if deck.prize(id).is_some_and(|prize| prize.win_cap.is_some()) {
                    let wins = entry(&mut self.wins, id);
                    *wins = wins.saturating_add(1);
                }
            }
        }
    }
}

fn entry(counts: &mut Vec<(PrizeId, u32)>, prize: PrizeId) -> &mut u32 {
    let at = counts.iter().position(|(id, _)| *id == prize).unwrap_or_else(|| {
        counts.push((prize, 0));
        counts.len() - 1
    });
    &mut counts[at].1
}
