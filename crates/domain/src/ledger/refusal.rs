//! Every "no" of the ledger. A refusal is cheap, leaves no trace, and the same id may be tried again.
//!
//! They are split by what they are about, so that a caller matches only those that its commands can hear.

use super::command::PoolId;
use super::play::ChancePeriod;
use crate::ids::ActivityId;
use crate::time::Timestamp;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The id was accepted before with another body.
    Conflict,
    /// The clock is behind the ledger's time by so much: whoever wants something new would get it at a wrong time.
    ClockBehind {
        behind_ms: i64,
    },
    /// No hold is due. Only the ledger's own driver hears it.
    NothingDue,
    Pool(PoolRefusal),
    Hold(HoldRefusal),
    Play(PlayRefusal),
}

/// About one pool and its units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PoolRefusal {
    Unknown {
        pool: PoolId,
    },
    /// A pool of that id is already there, or this round was opened before.
    RoundStale {
        pool: PoolId,
        round: u32,
    },
    Frozen {
        pool: PoolId,
    },
    Closed {
        pool: PoolId,
    },
    SoldOut {
        pool: PoolId,
        left: u64,
    },
    LimitReached {
        pool: PoolId,
        limit: u32,
        has: u32,
    },
    /// An adjustment would take more than is free.
    NotFree {
        pool: PoolId,
        free: u64,
    },
    /// The pool would exceed the largest total there is.
    TotalTooLarge {
        pool: PoolId,
    },
}

/// About a hold: the shape in which it was asked for, or the state it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoldRefusal {
    Unknown,
    AlreadyConfirmed,
    AlreadyCancelled,
    Expired,
    /// A confirmation names more of a pool than is held.
    NotHeld {
        pool: PoolId,
    },
    NoLines,
    TooManyLines {
        max: u32,
    },
    QuantityTooLarge {
        pool: PoolId,
    },
    TtlOutOfRange {
        min_ms: i64,
        max_ms: i64,
    },
    /// The hold cannot live longer than this from its beginning.
    ExtendTooFar {
        max_ms: i64,
    },
    /// This caller has cancelled too many holds that never were.
    TombstonesFull {
        max: u32,
    },
}

/// About an activity and its players' chances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayRefusal {
    Unknown {
        activity: ActivityId,
    },
    /// The activity is in another round, or this round was opened before.
    RoundStale {
        activity: ActivityId,
        round: u32,
    },
    NotStarted {
        activity: ActivityId,
        from: Timestamp,
    },
    Paused {
        activity: ActivityId,
    },
    /// Every activity is stopped.
    Halted,
    /// Another version is in place than the one that was meant: ask again with that one.
    VersionStale {
        activity: ActivityId,
        version: u32,
    },
    /// The player's own value was fixed by their first ticket of the round.
    ClientValueFixed {
        activity: ActivityId,
    },
    /// Its time is over, or it was closed by hand.
    Ended {
        activity: ActivityId,
    },
    /// Too few chances for so many draws, and the limit that says so.
    ChancesSpent {
        activity: ActivityId,
        left: u32,
        scope: ChancePeriod,
    },
    EntriesGone {
        activity: ActivityId,
        left: u64,
    },
    GrantOutOfRange {
        max: u32,
    },
    /// More than the player has of granted chances that are not used yet, or none at all.
    RevokeOutOfRange {
        has: u32,
    },
    /// The day that came with the command is not the day it is: midnight passed in between. Ask again with the new one.
    DayStale,
}

impl Refusal {
    /// The stable name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Conflict => "conflict",
            Self::ClockBehind { .. } => "clock_behind",
            Self::NothingDue => "nothing_due",
            Self::Pool(refusal) => refusal.name(),
            Self::Hold(refusal) => refusal.name(),
            Self::Play(refusal) => refusal.name(),
        }
    }

    /// Whether it tells of an outcome that was accepted under this very id. To somebody who repeats, such a "no" is as
    /// good as a "yes", so it leaves no earlier than that outcome may.
    pub fn tells_of_an_outcome(&self) -> bool {
        match self {
            Self::Conflict => true,
            Self::Hold(refusal) => refusal.tells_of_an_outcome(),
            Self::ClockBehind { .. } | Self::NothingDue | Self::Pool(_) | Self::Play(_) => false,
        }
    }
}

impl PoolRefusal {
    fn name(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "pool_unknown",
            Self::RoundStale { .. } => "round_stale",
            Self::Frozen { .. } => "frozen",
            Self::Closed { .. } => "closed",
            Self::SoldOut { .. } => "sold_out",
            Self::LimitReached { .. } => "limit_reached",
            Self::NotFree { .. } => "not_free",
            Self::TotalTooLarge { .. } => "total_too_large",
        }
    }
}

impl HoldRefusal {
    fn name(&self) -> &'static str {
        match self {
            Self::Unknown => "hold_unknown",
            Self::AlreadyConfirmed => "already_confirmed",
            Self::AlreadyCancelled => "already_cancelled",
            Self::Expired => "expired",
            Self::NotHeld { .. } => "not_held",
            Self::NoLines => "no_lines",
            Self::TooManyLines { .. } => "too_many_lines",
            Self::QuantityTooLarge { .. } => "quantity_too_large",
            Self::TtlOutOfRange { .. } => "ttl_out_of_range",
            Self::ExtendTooFar { .. } => "extend_too_far",
            Self::TombstonesFull { .. } => "tombstones_full",
        }
    }

    fn tells_of_an_outcome(&self) -> bool {
        match self {
            Self::AlreadyConfirmed | Self::AlreadyCancelled | Self::Expired => true,
            Self::Unknown
            | Self::NotHeld { .. }
            | Self::NoLines
            | Self::TooManyLines { .. }
            | Self::QuantityTooLarge { .. }
            | Self::TtlOutOfRange { .. }
            | Self::ExtendTooFar { .. }
            | Self::TombstonesFull { .. } => false,
        }
    }
}

impl PlayRefusal {
    fn name(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "activity_unknown",
            Self::RoundStale { .. } => "activity_round_stale",
            Self::NotStarted { .. } => "not_started",
            Self::Paused { .. } => "paused",
            Self::Halted => "halted",
            Self::VersionStale { .. } => "version_stale",
            Self::ClientValueFixed { .. } => "client_value_fixed",
            Self::Ended { .. } => "ended",
            Self::ChancesSpent { scope: ChancePeriod::Total, .. } => "chances_spent",
            Self::ChancesSpent { scope: ChancePeriod::Month, .. } => "chances_spent_month",
            Self::ChancesSpent { scope: ChancePeriod::Day, .. } => "chances_spent_day",
            Self::EntriesGone { .. } => "entries_gone",
            Self::GrantOutOfRange { .. } => "grant_out_of_range",
            Self::RevokeOutOfRange { .. } => "revoke_out_of_range",
            Self::DayStale => "day_stale",
        }
    }
}
