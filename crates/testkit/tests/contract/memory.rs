//! `domain::ledger` behind the port, in memory, as it should be or with one fault.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use async_trait::async_trait;
use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{Account, ActivityView, PlayerState, RoundState, TicketView};
use domain::ledger::{Answer, Command, HoldView, Key, Ledger, PoolId, PoolRefusal, PoolView, Refusal, Take};
use domain::time::Timestamp;
use engine::Result;
use engine::ports::{Lane, Stock, StockAnswer};
use windfall_testkit::contract::compare::STRETCHED;
use windfall_testkit::contract::{LIMITS, Subject};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    Right,
    UnknownIsSoldOut,
    NobodyOwns,
    /// Takes of a reservation with several lines the first that fit.
    EachLineAlone,
    /// Does not recognise a repetition.
    NewIdEachTime,
    /// Does not look at what a repetition says.
    AnyBody,
    /// Confirms everything when asked for a part.
    AllConfirmed,
    /// Looks at the time a hold was made, not at the clock.
    NeverTooLate,
    ReverseOrder,
}

pub struct Memory {
    stock: MemoryStock,
    lacks: &'static [&'static str],
}

struct MemoryStock {
    ledger: Mutex<Ledger>,
    clock: AtomicI64,
    manner: Manner,
    unique: AtomicU64,
}

impl Memory {
    pub fn new(manner: Manner) -> Self {
        Self::of(Ledger::new(LIMITS), manner)
    }

    pub fn stretched(manner: Manner) -> Self {
        Self::of(Ledger::new(STRETCHED), manner)
    }

    pub fn lacking(self, lacks: &'static [&'static str]) -> Self {
        Self { lacks, ..self }
    }

    fn of(ledger: Ledger, manner: Manner) -> Self {
        let (ledger, clock, unique) = (Mutex::new(ledger), AtomicI64::new(1_000), AtomicU64::new(0));
        Self { stock: MemoryStock { ledger, clock, manner, unique }, lacks: &[] }
    }
}

impl MemoryStock {
    fn apply(&self, command: &Command) -> StockAnswer {
        let clock = match self.manner {
            Manner::NeverTooLate => 1_000,
            _ => self.clock.load(Ordering::Relaxed),
        };
        let command = self.distorted(command.clone());
        match self.ledger.lock().expect("the ledger").apply(Timestamp(clock), &command) {
            Answer::Accepted { outcome, .. } => StockAnswer::Accepted(outcome),
            Answer::Replayed(outcome) => StockAnswer::Replayed(outcome),
            Answer::Refused(Refusal::Pool(PoolRefusal::Unknown { pool }))
                if self.manner == Manner::UnknownIsSoldOut =>
            {
                StockAnswer::Refused(Refusal::Pool(PoolRefusal::SoldOut { pool, left: 0 }))
            }
            Answer::Refused(refusal) => StockAnswer::Refused(refusal),
            Answer::LookUp => panic!("nothing ever leaves memory here"),
        }
    }

    /// What a wrong ledger makes of a command.
    fn distorted(&self, mut command: Command) -> Command {
        match (&mut command, self.manner) {
            (Command::Reserve { owner, .. }, Manner::NobodyOwns) => *owner = None,
            (Command::Reserve { lines, .. }, Manner::EachLineAlone) => {
                let ledger = self.ledger.lock().expect("the ledger");
                let fits = |pool: PoolId, units: u32| {
                    ledger.pool(pool).is_some_and(|view| view.available >= u64::from(units))
                };
                let fitting: Vec<_> =
                    lines.iter().copied().filter(|line| fits(line.pool, line.quantity.units())).collect();
                if !fitting.is_empty() {
                    *lines = fitting;
                }
            }
            (Command::Reserve { key, .. }, Manner::NewIdEachTime) => {
                *key = Key(u128::from(self.unique.fetch_add(1, Ordering::Relaxed)));
            }
            (Command::Reserve { key, lines, ttl_ms, owner, .. }, Manner::AnyBody) => {
                // As if it had said what was said first.
                let ledger = self.ledger.lock().expect("the ledger");
                if let Some(view) = ledger.hold(*key) {
                    *ttl_ms = view.due.0 - view.made.0;
                    *owner = None;
                    let line = |line: &domain::ledger::LineView| domain::ledger::Line {
                        pool: line.pool,
                        quantity: domain::ledger::Quantity::new(i64::from(line.units)).expect("units"),
                    };
                    *lines = view.lines.iter().map(line).collect();
                }
            }
            (Command::Confirm { take, .. }, Manner::AllConfirmed) => *take = Take::All,
            _ => {}
        }
        command
    }
}

#[async_trait]
impl Stock for MemoryStock {
    async fn ask(&self, _: Lane, commands: Vec<Command>) -> Result<Vec<StockAnswer>> {
        if self.manner == Manner::ReverseOrder {
            let mut answers: Vec<_> = commands.iter().rev().map(|command| self.apply(command)).collect();
            answers.reverse();
            return Ok(answers);
        }
        Ok(commands.iter().map(|command| self.apply(command)).collect())
    }

    async fn pool(&self, pool: PoolId) -> Result<Option<PoolView>> {
        Ok(self.ledger.lock().expect("the ledger").pool(pool))
    }

    async fn hold(&self, key: Key) -> Result<Option<HoldView>> {
        Ok(self.ledger.lock().expect("the ledger").hold(key))
    }

    async fn ticket(&self, key: Key) -> Result<Option<(TicketView, Account)>> {
        Ok(self.ledger.lock().expect("the ledger").ticket(key))
    }

    async fn player(&self, activity: ActivityId, user: UserId) -> Result<Option<PlayerState>> {
        Ok(self.ledger.lock().expect("the ledger").player_state(activity, user))
    }

    async fn round(&self, activity: ActivityId) -> Result<Option<(ActivityView, RoundState)>> {
        Ok(self.ledger.lock().expect("the ledger").round(activity))
    }

    fn trouble(&self) -> Option<String> {
        None
    }
}

#[async_trait]
impl Subject for Memory {
    fn stock(&self) -> &dyn Stock {
        &self.stock
    }

    fn lacks(&self) -> &'static [&'static str] {
        self.lacks
    }

    async fn now(&mut self) -> Timestamp {
        Timestamp(self.stock.clock.load(Ordering::Relaxed))
    }

    async fn pass(&mut self, ms: i64) {
        self.stock.clock.fetch_add(ms, Ordering::Relaxed);
    }

    async fn sweep(&mut self) {
        while matches!(self.stock.apply(&Command::ExpireOne), StockAnswer::Accepted(_)) {}
    }

    async fn caught_up(&mut self) {}

    async fn restart(&mut self) {}
}
