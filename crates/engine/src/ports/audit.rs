//! Holding the ledger against its rows: what the database is asked, and what one slice of the work comes to.
//!
//! The audit goes slice by slice ([`Place`]), each bounded and each at one position of the journal. The database's part
//! is [`LedgerBooks`]; who brings the two sides to one position is the [`Auditor`].

use async_trait::async_trait;
use domain::ids::ActivityId;
use domain::ledger::audit::{Difference, HoldRow, OrderBook, Owners, PlayRows, PlayWhole, RoundBook};
use domain::ledger::{Key, OpenHold, PoolId, PoolView};
use domain::time::Timestamp;

use super::Signed;
use crate::failure::Outcome;

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
pub struct RoundAsked {
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
pub struct OrdersLooked {
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
    pub signed: Signed,
}

#[async_trait]
pub trait LedgerBooks: Send + Sync {
    /// Rounds in the order asked for.
    async fn books_rounds(&self, rounds: Vec<RoundAsked>) -> Outcome<Books<Vec<Option<RoundBook>>>>;
    /// Owners of a round whose digests, as signed numbers, lie between two.
    async fn books_owners(&self, round: (PoolId, u32), between: (i64, i64)) -> Outcome<Books<Owners>>;
    /// Holds by the event that made them, in the order asked for.
    async fn books_holds(&self, made: Vec<u64>) -> Outcome<Books<Vec<Option<HoldRow>>>>;
    /// The rounds after one, in the order of pool and round, with the sums of their movements. Fewer than asked for when
    /// there are many movements; none at the end.
    async fn books_rounds_after(&self, after: (PoolId, u32)) -> Outcome<Vec<MovedRound>>;
    /// The same for rounds by their keys, in the order asked for; of at most one slice.
    async fn books_moved(&self, rounds: Vec<(PoolId, u32)>) -> Outcome<Books<Vec<Option<MovedRound>>>>;
    /// Open holds after a place.
    async fn books_open_after(&self, after: OpenPlace) -> Outcome<Vec<(OpenPlace, Key)>>;
    /// Orders of the holds after an event, each beside its hold.
    async fn books_orders_after(&self, made_seq: u64) -> Outcome<OrdersLooked>;
    /// Orders by the events that made their holds.
    async fn books_orders(&self, made: Vec<u64>) -> Outcome<Books<Vec<OrderBook>>>;
    /// Rounds of activities in the order asked for.
    async fn books_plays(&self, rounds: Vec<(ActivityId, u32)>) -> Outcome<Books<Vec<Option<PlayRows>>>>;
    /// Answers whether the position was still the one named; if not, nothing was written.
    async fn books_correct(&self, step: Correct) -> Outcome<bool>;
}

/// Where a walk over everything is. A pass starts at each of [`Place::STARTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The ledger's rounds, against their rows.
    LedgerRounds { slot: u32 },
    /// Some owners of a round that has many.
    LedgerOwners { pool: PoolId, round: u32, from: i64, to: i64 },
    /// The ledger's open holds, against their rows.
    LedgerHolds { slot: u32 },
    /// The database's rounds: does the ledger know them, and do their movements add up?
    BookRounds { after: (PoolId, u32) },
    /// The database's open holds: does the ledger know them?
    BookHolds { after: OpenPlace },
    /// The database's holds of sales, by the event that made them: is there an order for each, and does it stand as its
    /// hold does?
    BookOrders { after: u64 },
    /// The ledger's rounds of activities, as sums, against their rows.
    LedgerPlays { slot: u32 },
}

impl Place {
    pub const STARTS: [Self; 6] = [
        Self::LedgerRounds { slot: 0 },
        Self::LedgerHolds { slot: 0 },
        Self::BookRounds { after: (PoolId(i64::MIN), 0) },
        Self::BookHolds { after: OpenPlace::START },
        Self::BookOrders { after: 0 },
        Self::LedgerPlays { slot: 0 },
    ];

    /// What is looked at, for figures.
    pub fn what(&self) -> &'static str {
        match self {
            Self::LedgerRounds { .. } => "rounds",
            Self::LedgerOwners { .. } => "owners",
            Self::LedgerHolds { .. } => "holds",
            Self::BookRounds { .. } => "round_rows",
            Self::BookHolds { .. } => "hold_rows",
            Self::BookOrders { .. } => "order_rows",
            Self::LedgerPlays { .. } => "plays",
        }
    }
}

/// What one slice came to.
#[derive(Clone, Debug, Default)]
pub struct Slice {
    /// Rows looked at.
    pub checked: u64,
    /// When the oldest open hold among them was made.
    pub oldest_hold: Option<Timestamp>,
    /// Each with whether it was corrected.
    pub differences: Vec<(Difference, bool)>,
    /// Where to go on.
    pub next: Vec<Place>,
}

/// A slice, or why there is none: the two sides were not brought to one position. Nothing is known then, and nothing
/// is wrong.
#[derive(Clone, Debug)]
pub enum Sliced {
    Done(Slice),
    GivenUp(String),
}

/// How far the ledger and its projection are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LedgerFigures {
    /// The last event on disk.
    pub durable: u64,
    /// Nobody was told of anything beyond this one, by this process or by one before.
    pub told: u64,
    /// The last event in the database.
    pub projected: u64,
    /// Why the projection does not go on, if so.
    pub trouble: Option<String>,
}

#[async_trait]
pub trait Auditor: Send + Sync {
    /// Compares one slice at one position, and with `fix` corrects the rows that differ at that very position.
    async fn slice(&self, place: Place, fix: Option<Signed>) -> Outcome<Sliced>;

    fn figures(&self) -> LedgerFigures;
}
