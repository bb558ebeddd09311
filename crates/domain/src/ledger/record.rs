//! What the ledger keeps about pools, holds and the answers it has given.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::command::{Key, PoolId};
use super::digest::CommandDigest;
use super::event::PoolState;
use super::lines::Lines;
use super::play::Ticket;
use super::play::desk::Watch;
use super::slab::Slot;
use crate::time::Timestamp;

/// One round of a pool.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    pub id: PoolId,
    pub round: u32,
    pub state: PoolState,
    /// 0: no limit.
    pub owner_max: u32,
    pub total: u64,
    pub available: u64,
    pub held: u64,
    pub taken: u64,
    /// Records in memory that name this round; an old round leaves with the last of them.
    pub refs: u32,
    /// Units each owner holds or has taken.
    pub owners: HashMap<u64, u32, BuildHasherDefault<DigestHasher>>,
    /// The shelf that counts on it, if one does.
    pub watch: Option<Watch>,
}

impl Pool {
    pub fn assert_conserved(&self) {
        assert_eq!(
            self.total,
            self.available + self.held + self.taken,
            "pool {} round {} does not add up",
            self.id.0,
            self.round
        );
    }

    pub fn view(&self) -> PoolView {
        PoolView {
            pool: self.id,
            round: self.round,
            state: self.state,
            owner_max: self.owner_max,
            total: self.total,
            available: self.available,
            held: self.held,
            taken: self.taken,
        }
    }
}

/// Owners are digests already: their own bits are the hash. Ids of pools are not, so one multiplication spreads them;
/// whoever chooses ids chooses them by time, not to collide.
#[derive(Clone, Copy, Debug, Default)]
pub struct DigestHasher(u64);

impl Hasher for DigestHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn write_i64(&mut self, number: i64) {
        let mixed = number.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

/// A line of a hold: which round of which pool (by its slot), how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HeldLine {
    pub pool: Slot,
    pub units: u32,
}

/// One line is the rule and costs no allocation.
#[derive(Clone, Debug)]
pub(super) enum HeldLines {
    One(HeldLine),
    Many(Box<[HeldLine]>),
}

impl HeldLines {
    pub fn as_slice(&self) -> &[HeldLine] {
        match self {
            Self::One(line) => std::slice::from_ref(line),
            Self::Many(lines) => lines,
        }
    }
}

/// An accepted command, kept until it is projected so that a repetition hears the same.
#[derive(Clone, Debug)]
pub(super) enum Record {
    Hold(Hold),
    /// A hold that was cancelled before it arrived.
    Tombstone {
        key: Key,
        caller: i64,
    },
    Ticket(Ticket),
    /// Done at once.
    Directive {
        key: Key,
        digest: CommandDigest,
    },
}

#[derive(Clone, Debug)]
pub(super) struct Hold {
    pub key: Key,
    pub digest: CommandDigest,
    /// The event that made it.
    pub made_seq: u64,
    pub owner: Option<std::num::NonZeroU64>,
    pub made: Timestamp,
    pub due: Timestamp,
    pub lines: HeldLines,
    pub end: HoldEnd,
}

#[derive(Clone, Debug)]
pub(super) enum HoldEnd {
    /// Open, with its neighbours in the due index.
    Open {
        before: Option<Slot>,
        after: Option<Slot>,
    },
    /// Units taken, line by line.
    Confirmed {
        taken: Box<[u32]>,
    },
    Cancelled,
    Expired,
}

impl Hold {
    /// Where it stands at a moment: it is over at its due time, whether or not its expiry has been carried out. Every door
    /// asks here.
    pub fn state_at(&self, now: Timestamp) -> HoldState {
        match &self.end {
            HoldEnd::Open { .. } if now >= self.due => HoldState::Expired,
            HoldEnd::Open { .. } => HoldState::Held,
            HoldEnd::Confirmed { .. } => HoldState::Confirmed,
            HoldEnd::Cancelled => HoldState::Cancelled,
            HoldEnd::Expired => HoldState::Expired,
        }
    }
}

impl Record {
    pub fn key(&self) -> Key {
        match self {
            Self::Hold(hold) => hold.key,
            Self::Ticket(ticket) => ticket.key,
            Self::Tombstone { key, .. } | Self::Directive { key, .. } => *key,
        }
    }
}

crate::names! {
    /// The end of a hold's life, or that it has not come.
    pub enum HoldState {
        Held = "held",
        Confirmed = "confirmed",
        Cancelled = "cancelled",
        Expired = "expired",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineView {
    pub pool: PoolId,
    pub round: u32,
    /// As reserved.
    pub units: u32,
    /// As confirmed.
    pub taken: u32,
}

/// A hold as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoldView {
    pub key: Key,
    pub state: HoldState,
    pub made: Timestamp,
    pub due: Timestamp,
    pub lines: Lines<LineView>,
}

impl HoldView {
    /// Of a hold that was cancelled before it arrived there is nothing else to tell.
    pub fn spent(key: Key, at: Timestamp) -> Self {
        Self { key, state: HoldState::Cancelled, made: at, due: at, lines: Lines::default() }
    }
}

/// A pool's current round as it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolView {
    pub pool: PoolId,
    pub round: u32,
    pub state: PoolState,
    pub owner_max: u32,
    pub total: u64,
    pub available: u64,
    pub held: u64,
    pub taken: u64,
}
