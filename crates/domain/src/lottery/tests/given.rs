//! What the tables of rows are given: small strategies, a secret, and a way to hit what one wants to hit.

use crate::ids::ActivityId;
use crate::ledger::PoolId;
use crate::ledger::play::Draws;
use crate::lottery::chain::Published;
use crate::lottery::decide::{Cause, Drawn, Inputs, Player, Why, decide};
use crate::lottery::deck::Deck;
use crate::lottery::live::{Excluded, Trail};
use crate::lottery::random::{ClientValue, DrawKey, Generator, Secret, Tag};
use crate::lottery::shelf::Shelf;
use crate::lottery::strategy::{
    Budget, Fallback, Mode, Prize, PrizeId, Slice, SlotIndex, Stock, Strategy, Table,
};
use crate::seat::Seat;
use crate::time::Timestamp;

pub const NOON: Timestamp = Timestamp(1_767_268_800_000);
pub const DAY: u32 = 20_260_101;

pub fn id(number: u16) -> PrizeId {
    PrizeId::new(number).unwrap()
}

pub fn seat(number: u32) -> Seat {
    Seat::new(number).unwrap()
}

pub fn secret() -> Secret {
    Secret::new([0x5e; 32])
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
        stock: Stock::Unlimited,
        cost_minor: 0,
        unlock: None,
        win_cap: None,
        release: Vec::new(),
        hourly_cap: None,
        withdrawn_for: Vec::new(),
    }
}

pub fn pooled(units: u64) -> Stock {
    pooled_in(77, units)
}

pub fn pooled_in(pool: i64, units: u64) -> Stock {
    Stock::Pool { pool: PoolId(pool), units }
}

pub fn table(odds: &[(u16, u64)]) -> Table {
    Table { slices: odds.iter().map(|(prize, odds)| Slice { prize: id(*prize), odds: *odds }).collect() }
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
    pub player: Player,
}

impl Given {
    pub fn new(strategy: Strategy) -> Self {
        let deck =
            Deck::new(strategy).unwrap_or_else(|problems| panic!("a strategy that works: {problems:?}"));
        let shelf = Shelf::full(&deck, NOON, DAY);
        let player = Player { day: DAY, ..Player::default() };
        Self { deck, generator: Generator::new(&secret()), shelf, player }
    }

    pub fn published(&self) -> Published {
        let DrawKey { activity, round, version, .. } = key(0);
        let commitment = secret().commitment();
        Published { activity, round, version, commitment, strategy: self.deck.hash() }
    }

    pub fn draw_with_trail(&self, n: u32) -> (Drawn, Vec<Excluded>) {
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

    pub fn draw(&self, n: u32) -> Drawn {
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
pub fn told(drawn: &Drawn) -> String {
    let got = match drawn.prize {
        None => "nothing".to_owned(),
        Some(prize) if drawn.points > 0 => format!("{} with points", prize.number()),
        Some(prize) => prize.number().to_string(),
    };
    match drawn.why {
        Why::Rolled => got,
        Why::NoPrize => "no prize".to_owned(),
        Why::Consolation => format!("{got} as consolation"),
        Why::Pity => format!("{got} for pity"),
        Why::Instead(Cause::Excluded(Excluded { prize, reason })) => {
            format!("{got} instead of {}: {reason:?}", prize.number())
        }
        Why::Instead(Cause::NothingLeft) => format!("{got}, for nothing is left"),
        Why::Instead(Cause::ConsolationGone) => format!("{got} as consolation is gone"),
        Why::Instead(Cause::NoConsolation) => format!("{got} as there is no consolation"),
    }
}

pub fn number(prize: PrizeId) -> u16 {
    prize.number()
}
