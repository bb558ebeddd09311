//! Who draws when, and with which luck: everything about a simulation that no draw changes.

use std::ops::Range;

use sha2::{Digest, Sha256};

use crate::activity::Window;
use crate::ids::ActivityId;
use crate::ledger::play::{ChanceLimits, Day};
use crate::lottery::chain::PublishedChain;
use crate::lottery::deck::Deck;
use crate::lottery::random::{ClientValue, DrawKey, DrawSecret, Generator};
use crate::player_number::PlayerNumber;

/// Draws of one simulation at most.
pub const DRAWS_MAX: u64 = 100_000_000_000;
/// Users of one simulation at most.
pub const USERS_MAX: u32 = 10_000_000;
/// Nobody's: a simulation has no activity.
const ACTIVITY: ActivityId = ActivityId(1);
const ROUND: u32 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimulationRefusal {
    #[error("a simulation has 1 to {DRAWS_MAX} draws")]
    Draws,
    #[error("a simulation has 1 to {USERS_MAX} users, and not more than draws")]
    Users,
    #[error("the window has no days")]
    Days,
}

#[derive(Clone, Debug)]
pub struct Course {
    pub(super) deck: Deck,
    pub(super) generator: Generator,
    secret: DrawSecret,
    pub(super) window: Window,
    /// Of the activity's zone, ascending; the first has the window's beginning in it.
    pub(super) days: Vec<Day>,
    pub(super) chances: ChanceLimits,
    pub(super) entries: Option<u64>,
    pub(super) draws: u64,
    pub(super) users: u32,
}

impl Course {
    /// The secret follows from the seed, so that a simulation can be repeated.
    pub fn new(
        deck: Deck,
        window: Window,
        days: Vec<Day>,
        chances: ChanceLimits,
        entries: Option<u64>,
        draws: u64,
        users: u32,
        seed: u64,
    ) -> Result<Self, SimulationRefusal> {
        if !(1..=DRAWS_MAX).contains(&draws) {
            return Err(SimulationRefusal::Draws);
        }
        if !(1..=USERS_MAX).contains(&users) || u64::from(users) > draws {
            return Err(SimulationRefusal::Users);
        }
        if days.first().is_none_or(|day| !day.contains(window.from)) {
            return Err(SimulationRefusal::Days);
        }
        let mut hash = Sha256::new_with_prefix(b"windfall.simulate");
        hash.update(seed.to_be_bytes());
        let secret = DrawSecret::new(hash.finalize().into());
        let generator = Generator::new(&secret);
        Ok(Self { deck, generator, secret, window, days, chances, entries, draws, users })
    }

    pub fn draws(&self) -> u64 {
        self.draws
    }

    pub fn users(&self) -> u32 {
        self.users
    }

    pub fn deck(&self) -> &Deck {
        &self.deck
    }

    pub fn secret(&self) -> &DrawSecret {
        &self.secret
    }

    /// What would have been published before the first draw.
    pub fn published(&self) -> PublishedChain {
        PublishedChain {
            activity: ACTIVITY,
            round: ROUND,
            version: self.deck.strategy().version,
            commitment: self.secret.commitment(),
            strategy: self.deck.hash(),
        }
    }

    /// The luck of a stretch of draws, as far as nobody is refused.
    pub fn words(&self, draws: Range<u64>, words: &mut Vec<u64>) {
        words.clear();
        let users = u64::from(self.users);
        let (mut user, mut lap) = (draws.start % users, draws.start / users);
        for _ in draws {
            let n = u32::try_from(lap).unwrap_or(u32::MAX);
            // Who has had all their chances has no luck to work out.
            let refused = self.chances.total > 0 && n >= self.chances.total;
            words.push(if refused { 0 } else { self.generator.first_word(&self.key(user, n)) });
            user += 1;
            if user == users {
                (user, lap) = (0, lap + 1);
            }
        }
    }

    /// Players count from one; their own share of the luck is their number.
    pub(super) fn key(&self, user: u64, n: u32) -> DrawKey {
        let before = u32::try_from(user).unwrap_or(u32::MAX);
        let seat = PlayerNumber::after(PlayerNumber::new(before));
        let mut client = [0; 16];
        client[8..].copy_from_slice(&seat.to_bytes());
        DrawKey {
            activity: ACTIVITY,
            round: ROUND,
            version: self.deck.strategy().version,
            seat,
            n,
            client: ClientValue(client),
        }
    }
}
