//! One draw, decided: a pure function of the deck, the secret, and everything the rules read.
//!
//! The order is the rule:
//! 1. Who is on the block list gets the consolation. If it is gone: the fallback, or a miss.
//! 2. Who has missed often enough in a row gets the pity prize, if it is there. If not, they draw like everybody.
//! 3. The highest tier that the player has reached picks the table.
//! 4. The roll, and what becomes of prizes that cannot be given, as the mode says. `fixed`: whoever hits such a slice
//!    gets the fallback, or misses. `renormalised`: such slices are not on the wheel; if no prize is, there is no roll
//!    but the fallback, or a miss.
//!
//! A prize that cannot be given is never given, whichever rule names it: block list, pity and fallback obey the stock,
//! the caps and the unlock rule like the wheel does. Hitting the slice of no prize is a miss and not a case for the
//! fallback: the player lost nothing that was promised.

use std::num::NonZeroU64;

use super::deck::Deck;
use super::live::{Exclusion, ExclusionReason, LiveWheels, Trail};
use super::random::{DrawKey, Luck, Tag};
use super::rule_path::RulePath;
use super::strategy::{Mode, PrizeId, SlotIndex};
use super::wheel::{Stretch, Wheel};

/// What the rules read about the player, before the draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerHistory {
    /// The day in the activity's zone, as yyyymmdd.
    pub day: u32,
    /// Finished draws of the round, today and in all.
    pub draws_today: u32,
    pub draws: u32,
    pub points_spent: u64,
    /// Draws without a prize since the last prize.
    pub misses: u32,
    pub blocked: bool,
    /// The path through the rule tree that let them in.
    pub rule_path: RulePath,
    /// How often they have won prizes with a win cap.
    pub wins: Vec<(PrizeId, u32)>,
    /// Prizes that are not for them.
    pub withdrawn: Vec<PrizeId>,
}

/// Everything a draw reads beside the deck and the secret. The moment is not among it: what time changes, the shelf has
/// already turned into what nobody can get.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    pub key: DrawKey,
    pub player: &'a PlayerHistory,
    /// What nobody can get.
    pub live: &'a LiveWheels,
    /// What cannot be had in this draw beyond that, by prize, none twice: the effects of the draws before it on the
    /// same ticket.
    pub also: &'a [Exclusion],
    /// Points that the fallback has given so far.
    pub fallback_points: u64,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawOutcome {
    pub slot: SlotIndex,
    /// None is a miss.
    pub prize: Option<PrizeId>,
    /// The fallback's points; zero for anything else.
    pub points: u64,
    pub why: DrawReason,
    /// The number that was rolled, if one was.
    pub roll: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawReason {
    /// The roll hit the prize's slice.
    Rolled,
    /// The roll hit the slice of no prize.
    NoPrize,
    Consolation,
    Pity,
    /// The fallback, or a miss where there is none, instead of something else.
    Fallback(Cause),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The roll hit a prize that cannot be given.
    Excluded(Exclusion),
    /// No prize is left on the wheel.
    NothingLeft,
    ConsolationGone,
    /// On the block list of a strategy without a consolation: always a miss.
    NoConsolation,
}

/// Decides one draw. The trail then tells of the prizes that could not be given and mattered to it.
pub fn decide(deck: &Deck, luck: &impl Luck, inputs: &Inputs<'_>, trail: &mut Trail) -> DrawOutcome {
    trail.clear();
    Draw { deck, luck, inputs, trail }.decide()
}

struct Draw<'a, L> {
    deck: &'a Deck,
    luck: &'a L,
    inputs: &'a Inputs<'a>,
    trail: &'a mut Trail,
}

impl<L: Luck> Draw<'_, L> {
    fn decide(&mut self) -> DrawOutcome {
        let (strategy, player) = (self.deck.strategy(), self.inputs.player);
        if player.blocked {
            return match strategy.consolation {
                None => self.miss(DrawReason::Fallback(Cause::NoConsolation), None),
                Some(prize) if self.is_there(prize) => self.win(prize, DrawReason::Consolation, None),
                Some(_) => self.instead(Cause::ConsolationGone, None),
            };
        }
        if let Some(pity) = strategy.pity
            && player.misses >= pity.misses
            && self.is_there(pity.prize)
        {
            return self.win(pity.prize, DrawReason::Pity, None);
        }
        let table = self.deck.table_of(player);
        match strategy.mode {
            Mode::Fixed => self.fixed(table),
            Mode::Renormalised => self.renormalised(table),
        }
    }

    fn fixed(&mut self, table: usize) -> DrawOutcome {
        let wheel = self.deck.wheel(table);
        let Some(bound) = wheel.bound_without(&[]) else { return self.instead(Cause::NothingLeft, None) };
        let roll = self.roll(bound);
        match wheel.land(roll) {
            None => self.miss(DrawReason::NoPrize, Some(roll)),
            Some(prize) => match self.excluded(prize) {
                None => self.win(prize, DrawReason::Rolled, Some(roll)),
                Some(reason) => {
                    let excluded = Exclusion { prize, reason };
                    self.trail.own.push(excluded);
                    self.instead(Cause::Excluded(excluded), Some(roll))
                }
            },
        }
    }

    fn renormalised(&mut self, table: usize) -> DrawOutcome {
        let wheel = self.inputs.live.wheel(self.deck, table);
        self.trail.table = Some(table);
        let left_out = self.left_out(wheel);
        let Some(bound) = wheel.bound_without(&left_out) else {
            return self.instead(Cause::NothingLeft, None);
        };
        let roll = self.roll(bound);
        match wheel.land_without(roll, &left_out) {
            None => self.miss(DrawReason::NoPrize, Some(roll)),
            Some(prize) => self.win(prize, DrawReason::Rolled, Some(roll)),
        }
    }

    /// The slices on a live wheel that this player cannot hit in this draw, in order.
    fn left_out(&mut self, wheel: &Wheel) -> Vec<Stretch> {
        let player = self.inputs.player;
        let also = self.inputs.also.iter().map(|excluded| excluded.prize);
        let theirs = player.withdrawn.iter().copied().chain(player.wins.iter().map(|(prize, _)| *prize));
        let mut left_out = Vec::new();
        for prize in also.chain(theirs).chain(self.deck.locked(player)) {
            if let Some(stretch) = wheel.stretch(prize)
                && let Some(reason) = self.excluded(prize)
            {
                left_out.push(stretch);
                self.trail.own.push(Exclusion { prize, reason });
            }
        }
        // A prize may have been named twice.
        left_out.sort_unstable();
        left_out.dedup();
        left_out
    }

    /// Why a prize cannot be given in this draw, if so. Of several reasons the first counts, in this order.
    fn excluded(&self, prize: PrizeId) -> Option<ExclusionReason> {
        let player = self.inputs.player;
        self.inputs
            .live
            .reason(prize)
            .or_else(|| {
                let also = self.inputs.also;
                let at = also.binary_search_by_key(&prize, |excluded| excluded.prize).ok()?;
                // The fallback's purse says nothing about the same prize on the wheel.
                Some(also[at].reason).filter(|reason| *reason != ExclusionReason::PointsBudget)
            })
            .or_else(|| player.withdrawn.contains(&prize).then_some(ExclusionReason::WithdrawnForUser))
            .or_else(|| self.is_capped(prize).then_some(ExclusionReason::Capped))
            .or_else(|| self.deck.is_locked(prize, player).then_some(ExclusionReason::Locked))
    }

    fn is_capped(&self, prize: PrizeId) -> bool {
        let wins = self.inputs.player.wins.iter().find(|(won, _)| *won == prize).map_or(0, |(_, wins)| *wins);
        let cap = self.deck.prize(prize).and_then(|prize| prize.win_cap);
        cap.is_some_and(|cap| wins >= cap)
    }

    /// Whether a prize that a rule names can be given; if not, the trail says why.
    fn is_there(&mut self, prize: PrizeId) -> bool {
        match self.excluded(prize) {
            None => true,
            Some(reason) => {
                self.trail.own.push(Exclusion { prize, reason });
                false
            }
        }
    }

    fn instead(&mut self, cause: Cause, roll: Option<u64>) -> DrawOutcome {
        let why = DrawReason::Fallback(cause);
        let Some(fallback) = self.deck.strategy().fallback else { return self.miss(why, roll) };
        if !self.is_there(fallback.prize) {
            return self.miss(why, roll);
        }
        let left = fallback.budget_amount.saturating_sub(self.inputs.fallback_points);
        if left < fallback.amount_max {
            self.trail.own.push(Exclusion { prize: fallback.prize, reason: ExclusionReason::PointsBudget });
            return self.miss(why, roll);
        }
        let range = NonZeroU64::MIN.saturating_add(fallback.amount_max - fallback.amount_min);
        let points = self.luck.below(Tag::FallbackPoints, &self.inputs.key, range);
        let points = fallback.amount_min + points;
        DrawOutcome { points, ..self.win(fallback.prize, why, roll) }
    }

    fn roll(&self, bound: NonZeroU64) -> u64 {
        self.luck.below(Tag::Draw, &self.inputs.key, bound)
    }

    fn win(&self, prize: PrizeId, why: DrawReason, roll: Option<u64>) -> DrawOutcome {
        let strategy = self.deck.strategy();
        let slot = self.deck.prize(prize).map_or(strategy.miss_slot, |prize| prize.slot);
        DrawOutcome { slot, prize: Some(prize), points: 0, why, roll }
    }

    fn miss(&self, why: DrawReason, roll: Option<u64>) -> DrawOutcome {
        DrawOutcome { slot: self.deck.strategy().miss_slot, prize: None, points: 0, why, roll }
    }
}
