//! Directives: what staff and Windfall itself tell the ledger to do to pools, activities and chances.
//!
//! All of them work alike. A directive comes under a key of its own, with a note for the record; it is judged the first
//! time ([`judge`]), carried out at once ([`fold`]), and answered the same from then on. What was asked for and what
//! happened are one type, the [`Act`]: the event is the directive with its digest.
//!
//! Deliberately absent: holds and tickets. They have a life of their own, and buyers and players make them.

pub(super) mod fold;
pub(super) mod judge;

use super::command::{Command, Key, Note, PoolId, PoolName};
use super::event::PoolState;
use super::play::{ActivityState, Terms};
use crate::ids::{ActivityId, UserId};
use crate::lottery::strategy::PrizeId;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    pub key: Key,
    /// No part of what is compared when the key comes again.
    pub note: Note,
    pub act: Act,
}

impl Command {
    pub fn direct(key: Key, note: Note, act: Act) -> Self {
        Self::Direct(Directive { key, note, act })
    }
}

/// What a directive does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Makes a pool (round 1), or opens a closed one anew (the next round). A late repetition for an old round never
    /// touches the next.
    PoolOpen {
        pool: PoolId,
        name: PoolName,
        round: u32,
        total: u64,
        owner_max: u32,
    },
    /// Adds or takes away free stock.
    PoolAdjust {
        pool: PoolId,
        delta: i64,
    },
    /// Sets how many units one owner may have (0: no limit). Holds already there stay.
    PoolLimit {
        pool: PoolId,
        owner_max: u32,
    },
    /// Stops new holds for a while, or for good; holds under way still end as they would.
    PoolState {
        pool: PoolId,
        state: PoolState,
    },
    /// Makes an activity known (round 1), or opens a closed one anew (the next round).
    ActivityOpen {
        activity: ActivityId,
        round: u32,
        terms: Terms,
    },
    /// Puts a newer version in place, within the round.
    ActivityTerms {
        activity: ActivityId,
        round: u32,
        terms: Terms,
    },
    ActivityState {
        activity: ActivityId,
        state: ActivityState,
    },
    /// Takes a prize back, or puts it out again: for the current round.
    PrizeState {
        activity: ActivityId,
        prize: PrizeId,
        withdrawn: bool,
    },
    /// The switch that stops every activity at once.
    Halt {
        on: bool,
    },
    /// More chances for one player, in the current round.
    Grant {
        activity: ActivityId,
        user: UserId,
        chances: u32,
    },
    /// Takes granted chances back that are not used yet, in the current round: all of them or none.
    Revoke {
        activity: ActivityId,
        user: UserId,
        chances: u32,
    },
}

/// What an act is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Pool(PoolId),
    Activity(ActivityId),
    Chances(ActivityId, UserId),
    Everything,
}

impl Act {
    pub(super) fn subject(&self) -> Subject {
        match self {
            Self::PoolOpen { pool, .. }
            | Self::PoolAdjust { pool, .. }
            | Self::PoolLimit { pool, .. }
            | Self::PoolState { pool, .. } => Subject::Pool(*pool),
            Self::ActivityOpen { activity, .. }
            | Self::ActivityTerms { activity, .. }
            | Self::ActivityState { activity, .. }
            | Self::PrizeState { activity, .. } => Subject::Activity(*activity),
            Self::Grant { activity, user, .. } | Self::Revoke { activity, user, .. } => {
                Subject::Chances(*activity, *user)
            }
            Self::Halt { .. } => Subject::Everything,
        }
    }

    /// The round that it opens, if it opens one.
    pub(super) fn opened_round(&self) -> Option<u32> {
        match self {
            Self::PoolOpen { round, .. } | Self::ActivityOpen { round, .. } => Some(*round),
            Self::PoolAdjust { .. }
            | Self::PoolLimit { .. }
            | Self::PoolState { .. }
            | Self::ActivityTerms { .. }
            | Self::ActivityState { .. }
            | Self::PrizeState { .. }
            | Self::Halt { .. }
            | Self::Grant { .. }
            | Self::Revoke { .. } => None,
        }
    }
}
