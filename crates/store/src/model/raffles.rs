//! Raffles: the roll of a closed round, the value of its beacon, its winners.
//!
//! Each step happens once: a roll that is public, a beacon's value and the winners are never written again. Whoever
//! comes second is told so, or hears what is there.

use domain::ids::{ActivityId, UserId};
use domain::lottery::random::Commitment;
use domain::lottery::strategy::PrizeId;
use domain::raffle::Winner;
use domain::time::Timestamp;

use super::{Actor, AuditStamp, PLAYS_MAX};

/// Entrants or winners in one answer, at most.
pub const RAFFLE_ROWS_MAX: u32 = PLAYS_MAX;
/// Rounds of one activity in one answer, the first first.
pub const RAFFLE_ROUNDS_MAX: u32 = 10_000;

/// An activity's round.
pub type RaffleRound = (ActivityId, u32);

/// What a round waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaffleDue {
    pub round: RaffleRound,
    pub step: RaffleStep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaffleStep {
    /// It is closed; the version was in place then.
    Roll { version: u32 },
    /// Its time has come, and so has the beacon's value if one is named.
    Draw,
}

/// A stretch of an encoded roll, before it is public.
#[derive(Clone, Debug)]
pub struct RollPiece {
    pub round: RaffleRound,
    /// From 0.
    pub number: u32,
    pub bytes: Vec<u8>,
}

/// Makes the pieces public as a roll, once.
#[derive(Clone, Debug)]
pub struct RollPublish {
    pub round: RaffleRound,
    pub version: u32,
    pub draw_at: Timestamp,
    pub beacon: Option<String>,
    pub hash: [u8; 32],
    pub pieces: u32,
    pub bytes: u64,
    pub entrants: u32,
    pub entries: u64,
    /// How often the block list was changed when it was looked at. If it was changed since, somebody may be on the roll
    /// who is on the list, and nothing is published.
    pub block_changes: u64,
}

/// A round whose roll is public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaffleRow {
    pub round: RaffleRound,
    /// The version whose prizes are drawn.
    pub version: u32,
    pub draw_at: Timestamp,
    pub roll_hash: [u8; 32],
    pub roll_bytes: u64,
    pub entrants: u32,
    pub entries: u64,
    pub published_at: Timestamp,
    pub beacon: Option<String>,
    pub value: Option<BeaconValue>,
    pub drawn: Option<RaffleResult>,
    pub commitment: Commitment,
    pub sealed_secret: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeaconValue {
    pub value: String,
    pub by: Actor,
    pub at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaffleResult {
    pub at: Timestamp,
    pub winners: u32,
}

#[derive(Clone, Debug)]
pub struct BeaconSet {
    pub round: RaffleRound,
    pub value: String,
    pub signed: AuditStamp,
}

/// The winners in the order in which they were drawn, each with the id of the win.
#[derive(Clone, Debug)]
pub struct RaffleDraw {
    pub round: RaffleRound,
    /// What was drawn with: refused if it is not what is kept.
    pub beacon_value: Option<String>,
    pub winners: Vec<RaffleWin>,
}

/// A winner as the drawing has it, and what only the house knows of it.
#[derive(Clone, Copy, Debug)]
pub struct RaffleWin {
    pub winner: Winner,
    pub user: UserId,
    pub prize: PrizeId,
    /// The id of the win.
    pub win: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinnerRow {
    /// In the order of the drawing, from 0.
    pub nth: u32,
    pub winner: Winner,
    pub user: UserId,
    pub prize: PrizeId,
    /// What they are called; nothing for those who are gone.
    pub name: Option<String>,
}
