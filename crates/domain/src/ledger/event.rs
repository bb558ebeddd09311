//! What happened: the only thing that changes a ledger, and what the journal keeps.

use super::command::{Key, Note, Owner, PoolId, Quantity, Text};
use super::digest::CommandDigest;
use super::directive::Act;
use super::lines::Lines;
use super::play::{Drawing, Taking};
use crate::time::Timestamp;

/// One change, with its place in the order of all changes of a shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Dense: the event after this one has the next number.
    pub seq: u64,
    /// The incarnation of the shard that decided it.
    pub term: u32,
    pub at: Timestamp,
    /// The pool this is about (a hold's first pool; an activity by its number) and its round: events of one route are
    /// one story, and one shard.
    /// Zero for what is about no pool.
    pub route: PoolId,
    pub round: u32,
    pub change: Change,
}

crate::names! {
    pub enum PoolState {
        Open = "open",
        Frozen = "frozen",
        Closed = "closed",
    }
}

/// A line of a hold as it was taken: of which round, how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenLine {
    pub pool: PoolId,
    pub round: u32,
    pub quantity: Quantity,
}

/// What changes a hold names the event that made it (`made_seq`), so that whoever follows the journal finds its rows
/// without a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A new incarnation took over; what it decides carries its term.
    TermBegan,
    /// The clock had been ahead and was put right: from here on the ledger's time is the event's own, which is earlier
    /// than that of the event before.
    ClockPutBack,
    /// What a directive asked for, done.
    Directed {
        key: Key,
        digest: CommandDigest,
        note: Note,
        act: Act,
    },
    Reserved {
        key: Key,
        digest: CommandDigest,
        id: Text,
        caller: i64,
        owner: Option<Owner>,
        due: Timestamp,
        lines: Lines<TakenLine>,
    },
    /// `taken[i]` units of the hold's i-th line were taken; the rest went back.
    Confirmed {
        hold: Key,
        made_seq: u64,
        taken: Vec<u32>,
    },
    Cancelled {
        hold: Key,
        made_seq: u64,
    },
    /// A hold that never arrived was cancelled: its id is spent.
    Spent {
        hold: Key,
        id: Text,
        caller: i64,
    },
    Extended {
        hold: Key,
        made_seq: u64,
        due: Timestamp,
    },
    Expired {
        hold: Key,
        made_seq: u64,
    },
    /// A ticket was made, and drawn.
    Drawn(Box<Drawing>),
    /// A ticket with entries to a raffle was made.
    Entered(Taking),
}

/// What passes through the queue and the journal for every reservation and draw must not grow with what is rare.
const _: () = assert!(size_of::<Event>() <= 184 && size_of::<super::Command>() <= 144);
