//! What the tables of rows are given: small strategies, a secret, and a way to hit what one wants to hit.

use crate::ids::ActivityId;
use crate::ledger::PoolId;
use crate::ledger::play::Draws;
use crate::lottery::chain::PublishedChain;
use crate::lottery::decide::{Cause, DrawOutcome, DrawReason, Inputs, PlayerHistory, decide};
use crate::lottery::deck::Deck;
use crate::lottery::live::{Exclusion, Trail};
use crate::lottery::random::{ClientValue, DrawKey, DrawSecret, Generator, Tag};
use crate::lottery::shelf::Shelf;
use crate::lottery::strategy::{
    Budget, Fallback, Mode, OddsSlice, OddsTable, Prize, PrizeId, PrizeStock, SlotIndex, Strategy,
};
use crate::player_number::PlayerNumber;
use crate::time::Timestamp;

pub const NOON: Timestamp = Timestamp(1_767_268_800_000);
pub const DAY: u32 = 20_260_101;

pub fn id(number: u16) -> PrizeId {
    PrizeId::new(number).unwrap()
}

pub fn seat(number: u32) -> PlayerNumber {
    PlayerNumber::new(number).unwrap()
}

pub fn secret() -> DrawSecret {
    DrawSecret::new([0x5e; 32])
}

pub fn key(n: u32) -> DrawKey {
    DrawKey {
        activity: ActivityId(7_000_000_000_000_000_001),
        round: 1,
        version: 1,
        seat: seat(42),
        n,
        client: ClientValue(*b"my own lucky no."),
    }
}

pub fn prize(number: u16) -> Prize {
    Prize {
        id: id(number),
        name: format!("prize {number}"),
        slot: SlotIndex(number + 1),
        stock: PrizeStock::Unlimited,
        cost_minor: 0,
        unlock: None,
        win_cap: None,
        release: Vec::new(),
        hourly_cap: None,
        withdrawn_for: Vec::new(),
    }
}

pub fn pooled(units: u64) -> PrizeStock {
    pooled_in(77, units)
}

pub fn pooled_in(pool: i64, units: u64) -> PrizeStock {
    PrizeStock::Pool { pool: PoolId(pool), units }
}

pub fn table(odds: &[(u16, u64)]) -> OddsTable {
    OddsTable {
        slices: odds.iter().map(|(prize, odds)| OddsSlice { prize: id(*prize), odds: *odds }).collect(),
    }
}

/// Prizes 0, 1, 2… with these odds out of a hundred; slot 0 is no prize.
pub fn strategy(mode: Mode, odds: &[u64]) -> Strategy {
    let numbered: Vec<(u16, u64)> = (0..).zip(odds).map(|(number, odds)| (number, *odds)).collect();
    Strategy {
        version: 1,
        whole: 100,
        mode,
        prizes: numbered.iter().map(|(number, _)| prize(*number)).collect(),
        tables: vec![table(&numbered)],
        miss_slot: SlotIndex(0),
        tiers: None,
        consolation: None,
        fallback: None,
        pity: None,
        budget: Budget::default(),
    }
}

/// Prize 9, in no table, with 5 to 9 points while 100 last.
pub fn with_fallback(strategy: &mut Strategy) {
    strategy.prizes.push(prize(9));
    let (amount_min, amount_max, budget_amount) = (5, 9, 100);
    strategy.fallback = Some(Fallback { prize: id(9), amount_min, amount_max, budget_amount });
}

pub fn ten() -> Draws {
    Draws::new(10).unwrap()
}

pub fn one() -> Draws {
    Draws::new(1).unwrap()
}

/// A deck with its secret, its shelf, and a player.
#[derive(Debug)]
pub struct Given {
    pub deck: Deck,
    pub generator: Generator,
    pub shelf: Shelf,
    pub player: PlayerHistory,
}

impl Given {
    pub fn new(strategy: Strategy) -> Self {
        let deck =
            Deck::new(strategy).unwrap_or_else(|problems| panic!("a strategy that works: {problems:?}"));
        let shelf = Shelf::full(&deck, NOON, DAY);
        let player = PlayerHistory { day: DAY, ..PlayerHistory::default() };
        Self { deck, generator: Generator::new(&secret()), shelf, player }
    }

    pub fn published(&self) -> PublishedChain {
        let DrawKey { activity, round, version, .. } = key(0);
        let commitment = secret().commitment();
        PublishedChain { activity, round, version, commitment, strategy: self.deck.hash() }
    }

    pub fn draw_with_trail(&self, n: u32) -> (DrawOutcome, Vec<Exclusion>) {
        let mut trail = Trail::default();
        let drawn = decide(
            &self.deck,
            &self.generator,
            &Inputs {
                key: key(n),
                player: &self.player,
                live: self.shelf.live(),
                also: &[],
                fallback_points: self.shelf.spent().fallback_points,
            },
            &mut trail,
        );
        (drawn, trail.mattered(self.shelf.live()))
    }

    pub fn draw(&self, n: u32) -> DrawOutcome {
        self.draw_with_trail(n).0
    }

    /// The number of a draw whose roll lies on a prize's slice of the player's table, or on no prize.
    pub fn hitting(&self, wanted: Option<u16>) -> u32 {
        let wheel = self.deck.wheel(self.deck.table_of(&self.player));
        let bound = wheel.bound_without(&[]).unwrap();
        let lands = |n: &u32| {
            let roll = self.generator.values(Tag::Draw, &key(*n)).below(bound);
            wheel.land(roll) == wanted.map(id)
        };
        (0..100_000).find(lands).expect("with so many draws everything is hit")
    }
}

/// An outcome in words.
pub fn told(drawn: &DrawOutcome) -> String {
    let got = match drawn.prize {
        None => "nothing".to_owned(),
        Some(prize) if drawn.points > 0 => format!("{} with points", prize.number()),
        Some(prize) => prize.number().to_string(),
    };
    match drawn.why {
        DrawReason::Rolled => got,
        DrawReason::NoPrize => "no prize".to_owned(),
        DrawReason::Consolation => format!("{got} as consolation"),
        DrawReason::Pity => format!("{got} for pity"),
        DrawReason::Fallback(Cause::Excluded(Exclusion { prize, reason })) => {
            format!("{got} instead of {}: {reason:?}", prize.number())
        }
        DrawReason::Fallback(Cause::NothingLeft) => format!("{got}, for nothing is left"),
        DrawReason::Fallback(Cause::ConsolationGone) => format!("{got} as consolation is gone"),
        DrawReason::Fallback(Cause::NoConsolation) => format!("{got} as there is no consolation"),
    }
}

pub fn number(prize: PrizeId) -> u16 {
    prize.number()
}
