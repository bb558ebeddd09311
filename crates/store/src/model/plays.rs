//! What came of playing, as rows: tickets, wins, rounds and their sums. Every answer is bounded.

use domain::ids::{ActivityId, UserId};
use domain::ledger::Key;
use domain::ledger::play::{Account, ActivityView, RoundState, Settlement, TicketView};
use domain::lottery::chain::Receipt;
use domain::lottery::strategy::PrizeId;
use domain::time::Timestamp;

/// Those who won the most, at most: nobody beyond is kept.
pub const LEADERS_MAX: u32 = 100;
/// Records, players or hours in one answer, at most.
pub const PLAYS_MAX: u32 = 10_000;
/// Rounds, the newest, that are searched for one player.
pub const SEARCHED_MAX: u32 = 10_000;

/// Draws on a ticket have room for this many in a win's id.
const WIN_DRAWS: i64 = 16;

/// A ticket as the database has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTicket {
    /// The event that made it.
    pub made_seq: u64,
    /// The activity's version it was taken under.
    pub version: u32,
    pub view: TicketView,
}

/// One prize won in one draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Win {
    /// Ascends with time within an activity.
    pub id: i64,
    pub user: UserId,
    pub activity: ActivityId,
    pub round: u32,
    pub version: u32,
    /// The number of the draw among the player's of the round.
    pub draw: u32,
    pub prize: PrizeId,
    /// Points that the fallback gave.
    pub points: u64,
    pub cost_minor: u64,
    pub at: Timestamp,
}

impl Win {
    /// The event that made the ticket, and which draw of the ticket it was.
    pub fn id(made_seq: u64, draw: u32) -> i64 {
        i64::try_from(made_seq).unwrap_or(i64::MAX).saturating_mul(WIN_DRAWS).saturating_add(i64::from(draw))
    }

    /// The event that made the ticket. What was won in a raffle has none: its id is far above every event.
    pub fn made_seq(&self) -> u64 {
        (self.id / WIN_DRAWS).cast_unsigned()
    }
}

/// A round of an activity as the database has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRound {
    pub view: ActivityView,
    pub come_to: RoundState,
    pub counts: RoundCounts,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundCounts {
    /// Draws and entries.
    pub draws: u64,
    /// Those who made any.
    pub players: u64,
    /// Those who won anything.
    pub winners: u64,
    /// Prizes won.
    pub wins: u64,
}

/// What was drawn in one hour of one prize, or of none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawHour {
    /// Hours since 1970.
    pub hour: i64,
    pub prize: Option<PrizeId>,
    pub draws: u64,
    pub cost_minor: u64,
    pub points: u64,
}

/// Minutes of a round, or of a sale, that are told one by one: its first six hours.
pub const MINUTES_MAX: u32 = 360;

/// What was drawn in one minute of the first hours of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawMinute {
    /// Minutes since 1970.
    pub minute: i64,
    pub draws: u64,
    pub wins: u64,
}

/// A record at its place in the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainedRecord {
    /// The ticket it is about.
    pub ticket: Key,
    /// Whose it is: the record only has their number in the round.
    pub user: UserId,
    pub receipt: Receipt,
    pub record: Settlement,
}

/// A round that somebody took part in, or was granted chances in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedRound {
    pub activity: ActivityId,
    pub round: u32,
    pub account: Account,
    /// Prizes that the drawing of a raffle gave them: the ledger counts entries only.
    pub raffled: u32,
}

/// Which chain: there is one per activity, round and version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainKey {
    pub activity: ActivityId,
    pub round: u32,
    pub version: u32,
}
