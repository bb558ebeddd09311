//! The ledger as the flows see it: one atomic step at a time, or several in order.

use async_trait::async_trait;
use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{Account, ActivityView, PlayerState, RoundState, TicketView};
use domain::ledger::{Command, Effect, HoldView, Key, PoolId, PoolView, Refusal};
use store::failure::Result;

/// Whose turn it is in front of the ledger: an activity, a sale, a caller's inventory. A crowd in one lane makes that
/// lane slow, not the others.
pub type Lane = i64;

/// What a step came to. It is final: what it tells of is durable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StockAnswer {
    Accepted(Effect),
    /// Accepted before; the same again.
    Replayed(Effect),
    Refused(Refusal),
}

/// How the ledger's time stands to the machine's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LedgerClock {
    /// The clock is behind the ledger by so much, and nothing new is begun; zero when all is well.
    pub behind_ms: u64,
    /// By so much the ledger last followed the clock back, in this process; zero if it never did.
    pub put_back_ms: u64,
}

#[async_trait]
pub trait Stock: Send + Sync {
    /// Each command with its own answer, in order. `Overloaded` when the queue or the projection is full,
    /// `OutcomeUnknown` when the disk failed in between: ask again with the same ids.
    async fn ask(&self, lane: Lane, commands: Vec<Command>) -> Result<Vec<StockAnswer>>;

    /// A pool's current round, after everything asked before; durable.
    async fn pool(&self, pool: PoolId) -> Result<Option<PoolView>>;

    /// A hold, open or ended, after everything asked before; durable.
    async fn hold(&self, key: Key) -> Result<Option<HoldView>>;

    /// Whether anything may have been accepted under this id. A "no" is certain, and cheap; a "yes" is worth a look, and
    /// what those say who cannot tell.
    async fn may_know(&self, _key: Key) -> Result<bool> {
        Ok(true)
    }

    /// A ticket and the chances of its player in its round; durable.
    async fn ticket(&self, key: Key) -> Result<Option<(TicketView, Account)>>;

    /// A player in an activity's current round, after everything asked before; durable. Nothing while the ledger has not
    /// heard of the activity.
    async fn player(&self, activity: ActivityId, user: UserId) -> Result<Option<PlayerState>>;

    /// What an activity's current round has come to; durable.
    async fn round(&self, activity: ActivityId) -> Result<Option<(ActivityView, RoundState)>>;

    /// How the ledger's time stands to the clock.
    fn clock(&self) -> LedgerClock {
        LedgerClock::default()
    }

    /// Why nothing is being accepted, if so.
    fn trouble(&self) -> Option<String>;
}
