//! Playing: activities as the ledger knows them, the chances of their players, and tickets.
//!
//! A ticket is one to ten draws, or entries to a raffle. One command makes it and settles it: it checks the activity's
//! state and window, spends chances, takes units of the entries, and a draw ([`draw`]) also takes the units of the prizes
//! and records what came of it. A repetition gets the same ticket.
//!
//! Deliberately absent: odds and randomness (`domain::lottery` decides what is drawn; a settlement is its record), and
//! calendars. Which day it is in the activity's zone comes in as a value ([`Day`]); the ledger only sees whether its own
//! time lies in that day.

mod account;
pub(super) mod decide;
pub(super) mod desk;
pub mod draw;
pub(super) mod fold;
mod running;

use super::audit::PlayerSums;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

pub use account::{Account, ChanceLimits, ChancePeriod, Day};
pub use desk::{PrizeTally, RoundTotals};
pub use draw::{Draw, Drawing, GivenPrize, PlayerFacts, Table};
pub use running::{NotRunning, check_running};

use super::command::{Key, PoolId};
use super::digest::CommandDigest;
use super::event::TakenLine;
use super::record::DigestHasher;
use super::slab::Slot;
use crate::activity::Window;
use crate::ids::{ActivityId, UserId};
use crate::lottery::chain::{ChainLink, Receipt};
use crate::lottery::random::ClientValue;
use crate::lottery::strategy::PrizeId;
use crate::player_number::PlayerNumber;
use crate::time::Timestamp;

/// Draws on one ticket at most.
pub const DRAWS_MAX: u32 = 10;
/// Chances in one grant at most.
pub const GRANT_MAX: u32 = 1_000_000;
/// What may be kept with a ticket, in bytes. A record of ten draws, each of which tells of all 4,096 prizes in the
/// least handy order, is shorter.
pub const SETTLEMENT_MAX: usize = 128 * 1024;

/// How many draws a ticket is for: 1 to 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws(u32);

impl Draws {
    pub fn new(draws: u32) -> Option<Self> {
        (1..=DRAWS_MAX).contains(&draws).then_some(Self(draws))
    }

    pub fn count(self) -> u32 {
        self.0
    }
}

/// What came of a ticket, in the lottery's own form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement(Arc<[u8]>);

impl Settlement {
    pub fn new(bytes: &[u8]) -> Option<Self> {
        (bytes.len() <= SETTLEMENT_MAX).then(|| Self(bytes.into()))
    }

    /// What entries to a raffle come to: they are drawn later, outside the ledger.
    pub fn empty() -> Self {
        Self(Arc::default())
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActivityState {
    Open,
    Paused,
    Closed,
}

/// What an activity goes by: one published version, in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    pub version: u32,
    pub from: Timestamp,
    pub until: Timestamp,
    /// Where the units of entries come from, if they are counted: one per draw.
    pub entries: Option<PoolId>,
    pub limits: ChanceLimits,
    /// Where the chain of its draws begins: what was published before the first. A raffle has none.
    pub begin: Option<ChainLink>,
}

/// What a ticket took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taking {
    pub key: Key,
    pub digest: CommandDigest,
    pub activity: ActivityId,
    pub user: UserId,
    /// The player's number in the round, given with their first ticket.
    pub seat: PlayerNumber,
    /// The number of its first draw.
    pub first: u32,
    pub draws: Draws,
    /// Of the chances, so many were granted ones.
    pub bonus: u32,
    pub day: u32,
    pub entries: Option<TakenLine>,
}

/// One round of an activity.
#[derive(Clone, Debug)]
pub(super) struct Activity {
    pub id: ActivityId,
    pub round: u32,
    pub state: ActivityState,
    pub terms: Terms,
    /// Tickets in memory; an old round leaves with the last of them.
    pub refs: u32,
    /// Where the chain of the current version's draws has come to.
    pub chain: Receipt,
    pub tally: RoundTotals,
    /// Whoever took a first ticket last.
    pub seated: Option<PlayerNumber>,
    pub players: Players<Player>,
    /// What all of them come to.
    pub sums: PlayerSums,
    /// Wins of prizes with a cap, of those who have any.
    pub capped: Players<Vec<(PrizeId, u32)>>,
    /// Of those who gave one.
    pub clients: Players<ClientValue>,
    /// Laid out when somebody draws.
    pub desk: Option<Box<desk::Desk>>,
    /// The last day that anybody played on, as yyyymmdd; zero before the first.
    pub day: u32,
    /// No record of a draw is of a later moment.
    pub drawn_at: Timestamp,
}

type Players<T> = HashMap<i64, T, BuildHasherDefault<DigestHasher>>;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Player {
    pub account: Account,
    /// From the first ticket on.
    pub seat: Option<PlayerNumber>,
    /// The event that made the last ticket; zero before the first.
    pub last: u64,
}

/// One player of a round, for a ledger to go on from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerState {
    pub account: Account,
    /// The number in the round; none before the first ticket.
    pub seat: Option<PlayerNumber>,
    /// The event that made the last ticket; zero before the first.
    pub last: u64,
    pub client: Option<ClientValue>,
    /// Wins of prizes with a cap.
    pub wins: Vec<(PrizeId, u32)>,
}

/// What a round has come to, beside its players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundState {
    pub chain: Receipt,
    pub tally: RoundTotals,
}

#[derive(Clone, Debug)]
pub(super) struct Ticket {
    pub key: Key,
    pub digest: CommandDigest,
    pub activity: Slot,
    pub user: UserId,
    pub first: u32,
    pub draws: Draws,
    pub made: Timestamp,
    /// Empty for entries to a raffle.
    pub settlement: Settlement,
    /// Its place in the chain; entries to a raffle have none.
    pub receipt: Option<Receipt>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActivityView {
    pub activity: ActivityId,
    pub round: u32,
    pub state: ActivityState,
    pub terms: Terms,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TicketView {
    pub key: Key,
    pub activity: ActivityId,
    pub round: u32,
    pub user: UserId,
    /// The number of its first draw.
    pub first: u32,
    pub draws: Draws,
    pub made: Timestamp,
    /// Empty for entries to a raffle.
    pub settlement: Settlement,
    /// The place of its record in the chain; entries to a raffle have none.
    pub receipt: Option<Receipt>,
}

/// What a command of the game is about, as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayOutcome {
    Activity(ActivityView),
    Chances {
        activity: ActivityId,
        round: u32,
        user: UserId,
        account: Account,
    },
    /// And the chances of its player in its round.
    Ticket {
        ticket: TicketView,
        account: Account,
    },
    Halt {
        on: bool,
    },
}

impl Activity {
    pub fn new(id: ActivityId, round: u32, terms: Terms) -> Self {
        Self {
            id,
            round,
            state: ActivityState::Open,
            chain: terms.begin_chain(),
            terms,
            refs: 0,
            tally: RoundTotals::default(),
            seated: None,
            players: HashMap::default(),
            sums: PlayerSums::default(),
            capped: HashMap::default(),
            clients: HashMap::default(),
            desk: None,
            day: 0,
            drawn_at: Timestamp(i64::MIN),
        }
    }

    /// The moment that a draw is recorded with. In a chain records are in the order of time, whatever the clock does:
    /// after one that was ahead, they stand at the last moment there is until the clock has caught up.
    pub fn moment(&self, now: Timestamp) -> Timestamp {
        now.max(self.drawn_at)
    }

    /// The day that a ticket counts on. Days never go back: after a clock that was ahead over midnight, what is played on
    /// the day before counts on the day that was played on already, so that nobody has a day's chances, and no day its
    /// budget, twice.
    pub fn day_of(&self, day: Day) -> u32 {
        day.number.max(self.day)
    }

    pub fn view(&self) -> ActivityView {
        ActivityView { activity: self.id, round: self.round, state: self.state, terms: self.terms }
    }

    /// Changes what is known of a player, and the sums with it.
    pub fn change(&mut self, user: UserId, change: impl FnOnce(&mut Player)) {
        let player = self.players.entry(user.0).or_default();
        let before = player.account;
        change(player);
        self.sums.change(&before, &player.account);
    }

    pub fn account(&self, user: UserId) -> Account {
        self.players.get(&user.0).map(|player| player.account).unwrap_or_default()
    }

    pub fn client(&self, user: UserId) -> ClientValue {
        self.clients.get(&user.0).copied().unwrap_or_default()
    }
}

impl Terms {
    pub fn window(&self) -> Window {
        Window { from: self.from, until: self.until }
    }

    /// Before the first record; of a raffle nothing is ever hung on it.
    pub fn begin_chain(&self) -> Receipt {
        Receipt { place: 0, link: self.begin.unwrap_or(ChainLink([0; 32])) }
    }
}
