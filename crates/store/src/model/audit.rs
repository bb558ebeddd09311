//! Holding the ledger against its rows: what the database is asked, and what one slice of the work comes to.
//!
//! The audit goes slice by slice ([`Place`]), each bounded and each at one position of the journal. The database's part
//! is [`LedgerBooks`]; who brings the two sides to one position is the [`Auditor`].

use domain::ledger::audit::{Difference, OrderBook, PlayWhole, RoundBook};
use domain::ledger::{OpenHold, PoolId, PoolView};

use super::AuditStamp;

/// Rounds or holds in one slice.
pub const SLICE_MAX: usize = 1_000;
/// Owners that come with a slice of rounds; a round with more is looked at in slices of its own.
pub const SLICE_OWNERS_MAX: usize = 10_000;
/// Movements that are added up for one slice, about: a pool with more is a slice of its own.
pub const SLICE_MOVEMENTS_MAX: u32 = 100_000;
/// Holds of any kind that are looked through for orders in one slice.
pub const SLICE_ORDERS_MAX: usize = 10_000;
/// Rounds of activities in one slice.
pub const SLICE_PLAYS_MAX: usize = 16;

/// Rows, and the position of the one consistent view they were read at.
#[derive(Clone, Debug)]
pub struct Books<T> {
    pub position: u64,
    pub rows: T,
}

/// Which round is asked for, and whether with its owners (up to a bound).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundLookup {
    pub pool: PoolId,
    pub round: u32,
    pub owners: bool,
}

/// A round and what its movements add up to (total, available, held, taken).
#[derive(Clone, Debug)]
pub struct MovedRound {
    pub view: PoolView,
    pub current: bool,
    pub moved: [i64; 4],
}

/// Where an open hold stands in the database's own order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenPlace {
    pub era: i64,
    pub fingerprint: i64,
    pub made_seq: i64,
}

impl OpenPlace {
    pub const START: Self = Self { era: i64::MIN, fingerprint: i64::MIN, made_seq: i64::MIN };
}

/// Holds that were looked through for orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderSlice {
    /// The event that made the last of them; nothing at the end.
    pub last: Option<u64>,
    pub orders: Vec<OrderBook>,
}

/// What a hold's row says and the ledger's memory does not; the journal does, while it has the event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoldTexts {
    pub id: String,
    pub caller: i64,
    pub owner: Option<String>,
}

/// Brings rows in line with what the ledger says, at one position, in one transaction, with a line in the audit log.
/// Counters change by deltas, and a movement of the kind `corrected` tells of it.
#[derive(Clone, Debug)]
pub struct Correct {
    /// The position both sides were read at. At any other one nothing is written.
    pub at: u64,
    /// Rounds as the ledger has them.
    pub rounds: Vec<RoundBook>,
    /// Units of an owner as the ledger has them.
    pub owners: Vec<(PoolId, u32, u64, u32)>,
    /// Open holds as the ledger has them. Without texts a row that is there is corrected and a missing one is not made.
    pub holds: Vec<(OpenHold, Option<HoldTexts>)>,
    /// Holds that are open in the database and not in the ledger, by the event that made them.
    pub ended: Vec<u64>,
    /// Holds of sales, by the event that made them, whose orders are made or brought in line with them.
    pub orders: Vec<u64>,
    /// Old rounds that the ledger has let go of: their counters become what their movements add up to.
    pub let_go: Vec<(PoolId, u32)>,
    /// Rounds whose counters become what their movements add up to, whatever is held.
    pub summed: Vec<(PoolId, u32)>,
    /// Rounds of activities as the ledger has them. Tickets and wins follow from the records of the tickets.
    pub plays: Vec<PlayWhole>,
    /// What was found, for the audit log.
    pub found: Vec<Difference>,
    pub signed: AuditStamp,
}
