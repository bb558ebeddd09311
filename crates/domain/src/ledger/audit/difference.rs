//! A difference between the ledger and its rows: a stable name, the exact row, and what each side says.

use std::fmt;

use crate::ids::{ActivityId, OrderId};
use crate::ledger::{Key, PoolId};
use crate::lottery::strategy::PrizeId;

macro_rules! whats {
    ($($(#[$doc:meta])* $what:ident = $name:literal),+ $(,)?) => {
        /// What differs. A name keeps its meaning once given.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum What { $($(#[$doc])* $what),+ }

        impl What {
            pub const ALL: &[Self] = &[$(Self::$what),+];

            pub fn name(self) -> &'static str {
                match self { $(Self::$what => $name),+ }
            }
        }
    };
}

whats! {
    /// The ledger has a round that the database does not have.
    RoundMissing = "round_missing",
    /// The database has a current round that the ledger does not know.
    RoundUnknown = "round_unknown",
    /// One side takes the round for the pool's current one, the other does not.
    RoundCurrent = "round_current",
    PoolState = "pool_state",
    OwnerMax = "owner_max",
    Total = "total",
    Available = "available",
    Held = "held",
    Taken = "taken",
    /// Units of one owner.
    OwnerUnits = "owner_units",
    /// A round's counter is not the sum of its movements; "ledger" is the counter, "database" the sum.
    MovedTotal = "moved_total",
    MovedAvailable = "moved_available",
    MovedHeld = "moved_held",
    MovedTaken = "moved_taken",
    /// The ledger has an open hold that the database does not have at all.
    HoldMissing = "hold_missing",
    /// The database has an open hold that the ledger does not have open.
    HoldUnknown = "hold_unknown",
    /// Open for the ledger, ended for the database.
    HoldState = "hold_state",
    HoldKey = "hold_key",
    HoldBody = "hold_body",
    HoldOwner = "hold_owner",
    HoldMade = "hold_made",
    HoldDue = "hold_due",
    HoldLines = "hold_lines",
    /// A hold of a sale without the order that it is; "ledger" is what the order is by its hold.
    OrderMissing = "order_missing",
    /// An order that nobody paid for stands otherwise than its hold.
    OrderState = "order_state",
    /// The ledger has a round of an activity that the database does not have.
    PlayMissing = "play_missing",
    /// Records in the chain of an activity's current version.
    ChainPlace = "chain_place",
    SpentMinor = "spent_minor",
    SpentPoints = "spent_points",
    /// Units given of a prize.
    Given = "given",
    /// Rows of wins of a prize; "ledger" is the counter of units given, "database" the number of rows.
    WinRows = "win_rows",
    /// Draws or entries, and wins, of all players together, against the round's counters.
    Draws = "draws",
    Wins = "wins",
    /// The same, and the chances used and granted, against the sums of the players' rows.
    PlayerDraws = "player_draws",
    ChancesUsed = "chances_used",
    ChancesGranted = "chances_granted",
    PlayerWins = "player_wins",
    /// Draws on the rows of tickets.
    TicketRows = "ticket_rows",
}

/// The row that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BookRow {
    Round { pool: PoolId, round: u32 },
    Owner { pool: PoolId, round: u32, owner: u64 },
    Hold { made_seq: u64, key: Key },
    Order { order: OrderId },
    Play { activity: ActivityId, round: u32 },
    Prize { activity: ActivityId, round: u32, prize: PrizeId },
}

impl fmt::Display for BookRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Round { pool, round } => write!(f, "pool {} round {round}", pool.0),
            Self::Owner { pool, round, owner } => {
                write!(f, "pool {} round {round} owner {owner:016x}", pool.0)
            }
            Self::Hold { made_seq, key } => write!(f, "hold {:032x} of event {made_seq}", key),
            Self::Order { order } => write!(f, "order {order}"),
            Self::Play { activity, round } => write!(f, "activity {activity} round {round}"),
            Self::Prize { activity, round, prize } => {
                write!(f, "activity {activity} round {round} prize {}", prize.number())
            }
        }
    }
}

/// One thing about one row. `None`: this side has nothing of the kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub what: What,
    pub row: BookRow,
    pub ledger: Option<String>,
    pub database: Option<String>,
}

impl Difference {
    /// By how many units a counter of the database is off: of a round, of an owner, of a prize; zero for anything else.
    pub fn units_off(&self) -> u64 {
        let counts = match self.what {
            What::Total
            | What::Available
            | What::Held
            | What::Taken
            | What::OwnerUnits
            | What::MovedTotal
            | What::MovedAvailable
            | What::MovedHeld
            | What::MovedTaken
            | What::Given
            | What::WinRows => true,
            What::RoundMissing
            | What::RoundUnknown
            | What::RoundCurrent
            | What::PoolState
            | What::OwnerMax
            | What::HoldMissing
            | What::HoldUnknown
            | What::HoldState
            | What::HoldKey
            | What::HoldBody
            | What::HoldOwner
            | What::HoldMade
            | What::HoldDue
            | What::HoldLines
            | What::OrderMissing
            | What::OrderState
            | What::PlayMissing
            | What::ChainPlace
            | What::SpentMinor
            | What::SpentPoints
            | What::Draws
            | What::Wins
            | What::PlayerDraws
            | What::ChancesUsed
            | What::ChancesGranted
            | What::PlayerWins
            | What::TicketRows => false,
        };
        let units =
            |side: &Option<String>| side.as_deref().and_then(|units| units.parse::<i64>().ok()).unwrap_or(0);
        if counts { units(&self.ledger).abs_diff(units(&self.database)) } else { 0 }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "nothing".to_owned());
        let (ledger, database) = (side(&self.ledger), side(&self.database));
        write!(f, "{} of {}: the ledger says {ledger}, the database {database}", self.what.name(), self.row)
    }
}
