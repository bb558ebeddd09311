//! Playing: activities as the ledger knows them, the chances of their players, and tickets.
//!
//! A ticket is the right to one or ten draws. Taking one checks the activity's state and window, spends chances and
//! takes units of the entries, all in one step; it stays open until it is settled, and a player has at most one open
//! ticket: whoever asks again is given that one. Settling takes the units of the prizes that were drawn and keeps what
//! came of it, once; a repetition hears the same, whatever it brings.
//!
//! Deliberately absent: odds, prizes and randomness (`domain::lottery` decides those; the settlement is opaque here),
//! and calendars. Which day it is in the activity's zone comes in as a value ([`Day`]); the ledger only sees whether
//! its own time lies in that day.

mod account;
pub(super) mod decide;
pub(super) mod fold;

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

pub use account::{Account, ChanceLimits, Day, Scope};

use super::command::{Key, Line, Note, PoolId};
use super::event::TakenLine;
use super::record::DigestHasher;
use super::slab::Slot;
use crate::ids::{ActivityId, UserId};
use crate::time::Timestamp;

/// Draws on one ticket at most.
pub const DRAWS_MAX: u32 = 10;
/// Chances in one grant at most.
pub const GRANT_MAX: u32 = 1_000_000;
/// What may be kept with a settled ticket, in bytes.
pub const SETTLEMENT_MAX: usize = 16 * 1024;

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

/// The rules of one round, fixed when it is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    pub from: Timestamp,
    pub until: Timestamp,
    /// Where the units of entries come from, if they are counted: one per draw.
    pub entries: Option<PoolId>,
    pub limits: ChanceLimits,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Play {
    /// Makes an activity known (round 1), or opens a closed one anew (the next round).
    ActivityOpen {
        key: Key,
        activity: ActivityId,
        round: u32,
        terms: Terms,
        note: Note,
    },
    ActivityState {
        key: Key,
        activity: ActivityId,
        state: ActivityState,
        note: Note,
    },
    /// More chances for one player, in the current round.
    Grant {
        key: Key,
        activity: ActivityId,
        user: UserId,
        chances: u32,
        note: Note,
    },
    Take {
        key: Key,
        activity: ActivityId,
        round: u32,
        user: UserId,
        draws: Draws,
        day: Day,
    },
    Settle {
        ticket: Key,
        takes: Vec<Line>,
        settlement: Settlement,
    },
}

impl Play {
    pub fn key(&self) -> Key {
        match self {
            Self::ActivityOpen { key, .. }
            | Self::ActivityState { key, .. }
            | Self::Grant { key, .. }
            | Self::Take { key, .. } => *key,
            Self::Settle { ticket, .. } => *ticket,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Played {
    ActivityOpened {
        key: Key,
        body: u64,
        activity: ActivityId,
        terms: Terms,
        note: Note,
    },
    ActivityStateSet {
        key: Key,
        body: u64,
        activity: ActivityId,
        state: ActivityState,
        note: Note,
    },
    Granted {
        key: Key,
        body: u64,
        activity: ActivityId,
        user: UserId,
        chances: u32,
        note: Note,
    },
    /// Of `draws` chances, `bonus` were granted ones. `first` is the number of the first draw.
    Taken {
        key: Key,
        body: u64,
        activity: ActivityId,
        user: UserId,
        first: u32,
        draws: Draws,
        bonus: u32,
        day: u32,
        entries: Option<TakenLine>,
    },
    Settled {
        ticket: Key,
        made_seq: u64,
        user: UserId,
        lines: Vec<TakenLine>,
        settlement: Settlement,
    },
}

impl Played {
    pub fn activity(&self) -> Option<ActivityId> {
        match self {
            Self::ActivityOpened { activity, .. }
            | Self::ActivityStateSet { activity, .. }
            | Self::Granted { activity, .. }
            | Self::Taken { activity, .. } => Some(*activity),
            Self::Settled { .. } => None,
        }
    }
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
    pub players: HashMap<i64, Player, BuildHasherDefault<DigestHasher>>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Player {
    pub account: Account,
    pub open: Option<Slot>,
}

#[derive(Clone, Debug)]
pub(super) struct Ticket {
    pub key: Key,
    pub body: u64,
    pub made_seq: u64,
    pub activity: Slot,
    pub user: UserId,
    pub first: u32,
    pub draws: Draws,
    pub made: Timestamp,
    /// What came of it, once it is settled.
    pub settlement: Option<Settlement>,
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
    /// Absent while it is open.
    pub settlement: Option<Settlement>,
}

/// What a command of the game is about, as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayOutcome {
    Activity(ActivityView),
    Chances { activity: ActivityId, round: u32, user: UserId, account: Account },
    Ticket(TicketView),
}

impl Activity {
    pub fn view(&self) -> ActivityView {
        ActivityView { activity: self.id, round: self.round, state: self.state, terms: self.terms }
    }

    pub fn account(&self, user: UserId) -> Account {
        self.players.get(&user.0).map(|player| player.account).unwrap_or_default()
    }
}
