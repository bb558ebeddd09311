//! Who brings the ledger and its rows to one position and compares them, slice by slice ([`Place`]).

use async_trait::async_trait;
use domain::ledger::PoolId;
use domain::ledger::audit::Difference;
use domain::time::Timestamp;
use store::failure::Result;
use store::model::{AuditStamp, OpenPlace};

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
    async fn slice(&self, place: Place, fix: Option<AuditStamp>) -> Result<Sliced>;

    fn figures(&self) -> LedgerFigures;
}
