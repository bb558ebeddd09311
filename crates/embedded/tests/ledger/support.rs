//! Ledgers on the log at hand, and the commands the tests say.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use domain::ledger::{
    Act, Answer, Command, Effect, Key, Ledger, Limits, Line, Note, Owner, PoolId, PoolName, PoolView,
    Quantity, Take, Text,
};
use domain::time::Timestamp;
use engine::ports::Clock;
use ledger::{Ask, LedgerWriter, NoAnswer, Reply, WriterSettings};
use testkit::wait::PATIENCE;

use crate::place::{Place, machine_clock};

pub const POOL: PoolId = PoolId(1);
pub const ROOMY: u32 = 1 << 20;
/// Limits that nothing here meets.
pub const ROOMY_SETTINGS: WriterSettings = WriterSettings {
    queue_max: 100_000,
    journal_pages_max: ROOMY,
    lag_max: u64::MAX,
    clock_back_max_ms: ledger::CLOCK_BACK_MAX_MS,
};

/// A clock that says what it was set to.
#[derive(Debug, Default)]
pub struct HandClock(AtomicI64);

impl HandClock {
    pub fn get(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::Acquire))
    }

    pub fn set(&self, at: Timestamp) {
        self.0.store(at.0, Ordering::Release);
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        self.get()
    }
}

impl Place {
    pub fn start(&self) -> LedgerWriter {
        self.start_with(ROOMY_SETTINGS)
    }

    pub fn start_with(&self, settings: WriterSettings) -> LedgerWriter {
        let load = Box::new(|| Ok(Ledger::new(Limits::default())));
        LedgerWriter::start(self.log(), settings, machine_clock(), load).unwrap()
    }

    /// On a clock that stands still until it is set, from the journal alone.
    pub fn start_at(&self, clock: &Arc<HandClock>, limits: Limits) -> LedgerWriter {
        let clock = Arc::clone(clock) as Arc<dyn Clock>;
        LedgerWriter::start(self.log(), ROOMY_SETTINGS, clock, Box::new(move || Ok(Ledger::new(limits))))
            .unwrap()
    }

    /// What the journal alone says.
    pub fn replayed(&self) -> Ledger {
        let mut ledger = Ledger::new(Limits::default());
        let journal = self.log().reader().unwrap();
        ledger::log::replay(journal.as_ref(), &mut ledger, |_| {}).unwrap();
        ledger.assert_sound();
        ledger
    }

    pub fn pool(&self) -> PoolView {
        self.replayed().pool(POOL).unwrap()
    }
}

pub fn open(total: u64) -> Ask {
    let key = Key::of("pool", 0, &format!("open {total}"));
    let name = PoolName::new("tea").unwrap();
    Command::direct(key, Note::default(), Act::PoolOpen { pool: POOL, name, round: 1, total, owner_max: 0 })
        .into()
}

pub fn reserve(id: &str, units: i64, ttl_ms: i64) -> Ask {
    let quantity = Quantity::new(units).unwrap();
    Command::Reserve {
        key: hold(id),
        id: Text::new(id).unwrap(),
        caller: 0,
        owner: Some(Owner::new(Text::new(id).unwrap())),
        lines: vec![Line { pool: POOL, quantity }],
        ttl_ms,
        gates: Vec::new(),
    }
    .into()
}

pub fn confirm(id: &str) -> Ask {
    Command::Confirm { hold: hold(id), take: Take::All }.into()
}

pub fn hold(id: &str) -> Key {
    Key::of("hold", 0, id)
}

/// One request, one answer.
pub async fn ask(ledger: &LedgerWriter, ask: Ask) -> Result<Answer, NoAnswer> {
    let mut answers = reply(ledger, vec![ask]).await?;
    assert_eq!(answers.len(), 1);
    Ok(answers.remove(0))
}

pub async fn reply(ledger: &LedgerWriter, asks: Vec<Ask>) -> Reply {
    ledger.ask(0, asks).await
}

pub fn accepted(answer: &Result<Answer, NoAnswer>) -> bool {
    matches!(answer, Ok(Answer::Accepted { .. }))
}

pub fn hold_state(answer: &Answer) -> Option<domain::ledger::HoldState> {
    match answer {
        Answer::Accepted { outcome: Effect::Hold(view), .. } | Answer::Replayed(Effect::Hold(view)) => {
            Some(view.state)
        }
        _ => None,
    }
}

/// Looks whether it is there, without waiting.
pub fn poll_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
    let mut context = Context::from_waker(Waker::noop());
    match Pin::new(future).poll(&mut context) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

/// Waits for a value, not for a time.
pub fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(value) = look() {
            return value;
        }
        assert!(Instant::now() < deadline, "never happened: {what}");
        std::thread::yield_now();
    }
}

/// Waits for a condition, not for a time.
pub async fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "never happened: {what}");
        tokio::task::yield_now().await;
    }
}
