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

/// How often an answer may be "pending" before the suite gives up on it.
pub const PENDING_MAX: u32 = 10_000;

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

/// An answer, and whether it was "pending" first: then an acceptance comes as a repetition.
#[derive(Clone, Debug)]
pub struct Final {
    pub answer: StockAnswer,
    pub late: bool,
}

/// Asks, and asks again under the same ids until nothing is pending.
///
/// # Panics
/// When there is no answer, not one for each command, or one is pending for ever.
pub async fn ask(stock: &dyn Stock, commands: Vec<Command>) -> Vec<Final> {
    let answers = stock.ask(0, commands.clone()).await.expect("an answer");
    assert_eq!(answers.len(), commands.len(), "each command has its own answer");
    let mut told = Vec::with_capacity(answers.len());
    for (answer, command) in answers.into_iter().zip(commands) {
        told.push(settled(stock, answer, &command).await);
    }
    told
}

async fn settled(stock: &dyn Stock, first: StockAnswer, command: &Command) -> Final {
    if first != StockAnswer::Pending {
        return Final { answer: first, late: false };
    }
    for _ in 0..PENDING_MAX {
        let mut answers = stock.ask(0, vec![command.clone()]).await.expect("an answer");
        match answers.pop() {
            Some(StockAnswer::Pending) => tokio::task::yield_now().await,
            Some(answer) => return Final { answer, late: true },
            None => panic!("no answer to {command:?}"),
        }
    }
    panic!("still pending: {command:?}")
}
