//! The ledger's projection: what the journal says, as rows that can be asked about and started from.

use std::num::NonZeroU64;

use domain::ids::UserId;
use domain::ledger::play::{ActivityView, PlayerState, RoundState};
use domain::ledger::{
    BlockDigest, CommandDigest, HoldState, HoldView, Ledger, Limits, OpenHold, PoolId, PoolView, Restore,
    Stored,
};
use domain::time::Timestamp;

use crate::failure::Fault;

/// How far the projection has come: the last event in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerPosition {
    pub seq: u64,
    pub term: u32,
    pub at: Timestamp,
    /// Of the log's block that holds the event, if the log chains its blocks.
    pub digest: Option<BlockDigest>,
}

/// Everything a ledger needs to go on from a position.
#[derive(Clone, Debug)]
pub struct LedgerImage {
    pub position: LedgerPosition,
    pub rounds: Vec<RoundImage>,
    /// In the order they were made.
    pub holds: Vec<OpenHold>,
    /// Whether the switch is on that stops every activity.
    pub halted: bool,
    pub activities: Vec<ActivityImage>,
    /// Fingerprints of everything that finished.
    pub finished: Vec<u64>,
}

/// An activity's current round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityImage {
    pub view: ActivityView,
    pub come_to: RoundState,
    pub players: Vec<(UserId, PlayerState)>,
}

impl LedgerImage {
    /// The ledger as it was at the position. What decides whether the rows fit together is `domain`.
    pub fn restore(&self, limits: Limits) -> Result<Ledger, Fault> {
        let trouble = |error| Fault::caused("the ledger's rows do not fit together", error);
        let mut restore = Restore::begin(limits, self.position.seq, self.position.term, self.position.at);
        for round in &self.rounds {
            restore.round(&round.view, round.current, round.owners.iter().copied()).map_err(trouble)?;
        }
        for hold in &self.holds {
            restore.hold(hold).map_err(trouble)?;
        }
        restore.halted(self.halted);
        for activity in &self.activities {
            let (come_to, players) = (activity.come_to.clone(), activity.players.iter().cloned());
            restore.activity(&activity.view, come_to, players).map_err(trouble)?;
        }
        for fingerprint in &self.finished {
            restore.finished(*fingerprint);
        }
        restore.finish().map_err(trouble)
    }
}

/// A pool's current round, or an old one that still has open holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundImage {
    pub view: PoolView,
    pub current: bool,
    /// Units of each owner.
    pub owners: Vec<(NonZeroU64, u32)>,
}

/// A pool's current round, with what people call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPool {
    pub view: PoolView,
    pub name: String,
    /// The event that first opened it.
    pub opened_seq: u64,
}

/// Which pools to list; empty texts leave nothing out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoolSearch {
    /// What the name begins with.
    pub under: String,
    /// What stands anywhere in it, in upper or lower case.
    pub text: String,
}

/// A hold as the database has it, open or ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredHold {
    pub view: HoldView,
    /// As the caller named it.
    pub id: String,
    pub caller: i64,
    pub owner: Option<String>,
    pub digest: CommandDigest,
    /// Cancelled before it arrived: nothing but the id is known.
    pub spent: bool,
    pub made_seq: u64,
    pub ended: Option<(u64, Timestamp)>,
}

/// Which holds to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HoldSearch {
    /// What the name of its first pool begins with.
    pub under: String,
    pub state: Option<HoldState>,
    pub owner: Option<String>,
    pub pool: Option<PoolId>,
}

/// Holds looked through for one page of a list; where none of them fits, the page is empty and says where to go on.
pub const HOLDS_LOOKED_MAX: i64 = 10_000;

/// A hold and the position that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoldLookUp {
    pub position: u64,
    pub hold: Option<StoredHold>,
}

/// What an id stands for, and the position that was looked at: what the ledger wants after
/// [`Answer::LookUp`](domain::ledger::Answer::LookUp).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdLookUp {
    pub position: u64,
    pub stored: Option<Stored>,
}

/// A change of a pool's counters or settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    pub seq: u64,
    pub line: u32,
    pub at: Timestamp,
    pub pool: PoolId,
    pub round: u32,
    pub kind: MovementKind,
    pub delta: Delta,
    /// The limit per owner that was set, when one was.
    pub owner_max: Option<u32>,
    /// The event that made the hold or the ticket which moved this.
    pub hold: Option<u64>,
    /// That hold's id, as its caller named it.
    pub hold_id: Option<String>,
    pub note: Option<String>,
    /// The person or API key that changed the pool; zero for what holds and Windfall itself did.
    pub by: i64,
}

/// By how much each counter of a round changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    pub total: i64,
    pub available: i64,
    pub held: i64,
    pub taken: i64,
}

domain::names! {
    pub enum MovementKind {
        Opened = "opened",
        Adjusted = "adjusted",
        Limited = "limited",
        Frozen = "frozen",
        Thawed = "thawed",
        Closed = "closed",
        Reserved = "reserved",
        Confirmed = "confirmed",
        Cancelled = "cancelled",
        Expired = "expired",
        Entered = "entered",
        Drawn = "drawn",
        /// The auditor brought the row in line with the ledger; the note says who asked for it, why, and from what to what.
        Corrected = "corrected",
    }
}

/// One step of a hold's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LifeStep {
    pub seq: u64,
    pub at: Timestamp,
    pub what: LifeChange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LifeChange {
    Reserved {
        due: Timestamp,
    },
    Extended {
        due: Timestamp,
    },
    Confirmed,
    Cancelled,
    Expired,
    /// Cancelled before it arrived.
    Spent,
}
