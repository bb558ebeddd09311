//! A ledger under test, and what the suite asks of it besides the port.

use async_trait::async_trait;
use domain::ledger::{Command, Limits};
use domain::time::{DAY_MS, Timestamp};
use engine::ports::{Stock, StockAnswer};

/// The bounds a ledger under test has. Nothing a story says comes near the end of a hold by accident, however slow the
/// machine: a hold lives for milliseconds when it is to expire, and for minutes when it is not.
pub const LIMITS: Limits = Limits {
    lines_max: 4,
    ttl_min_ms: 10,
    ttl_max_ms: DAY_MS,
    life_max_ms: 5 * DAY_MS,
    tombstones_max: 10_000,
};

#[async_trait]
pub trait Subject: Send {
    fn stock(&self) -> &dyn Stock;

    /// Verbs of the stories that it does not know yet.
    fn lacks(&self) -> &'static [&'static str] {
        &[]
    }

    /// What its clock says.
    async fn now(&mut self) -> Timestamp;

    /// At least so many milliseconds pass on its clock; exactly so many if the clock is the test's.
    async fn pass(&mut self, ms: i64);

    /// Carries out what is due, if that does not come by itself.
    async fn sweep(&mut self);

    /// Waits until the database, if there is one behind it, has everything that was accepted.
    async fn caught_up(&mut self);

    /// Ends and starts again, with nothing but what it keeps outside its own memory.
    async fn restart(&mut self);
}

/// Each command's own answer.
///
/// # Panics
/// When there is no answer, or not one for each command.
pub async fn ask(stock: &dyn Stock, commands: Vec<Command>) -> Vec<StockAnswer> {
    let count = commands.len();
    let answers = stock.ask(0, commands).await.expect("an answer");
    assert_eq!(answers.len(), count, "each command has its own answer");
    answers
}
