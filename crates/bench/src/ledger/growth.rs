//! What one command costs the decider as pools and open holds grow: never linear, at most a few cache misses more.
//!
//! The ledger's driver without threads or disk: decide, write the event into a block, forget what has finished. Asked
//! for in pairs, a reservation on some pool and its cancellation, so that the number of open holds stays.

use std::time::Instant;

use anyhow::ensure;
use domain::ledger::{Answer, Ledger, Limits};
use embedded::SystemClock;
use engine::ports::Clock as _;
use ledger::Ask;
use ledger::core::Core;

use super::requests::{PLENTY, RequestMix};

/// Commands in one block.
const BLOCK: usize = 4_096;
/// The best of so many: everything else on the machine only adds.
const TRIES: u64 = 3;

/// Nanoseconds per command with so many pools, and as many open holds.
pub fn measure(sizes: &[u64], commands: u64) -> anyhow::Result<Vec<(u64, f64)>> {
    sizes.iter().map(|size| Ok((*size, cost(*size, commands)?))).collect()
}

fn cost(size: u64, commands: u64) -> anyhow::Result<f64> {
    let requests = RequestMix::over(size);
    let mut bench = Bench::new();
    for open in requests.open(PLENTY) {
        bench.ask(&open?.into())?;
    }
    for n in 0..size {
        bench.ask(&requests.reserve(n)?.into())?;
    }
    bench.end_block();
    let mut best = f64::INFINITY;
    for attempt in 1..=TRIES {
        let asks = pairs(requests, attempt << 40, commands)?;
        let started = Instant::now();
        for ask in &asks {
            bench.ask(ask)?;
        }
        bench.end_block();
        best = best.min(started.elapsed().as_secs_f64() * 1e9 / asks.len() as f64);
    }
    Ok(best)
}

/// Made before anything is timed.
fn pairs(requests: RequestMix, first: u64, commands: u64) -> anyhow::Result<Vec<Ask>> {
    let mut asks = Vec::new();
    for n in (0..commands.div_ceil(2)).map(|n| first + spread(n)) {
        asks.push(Ask::from(requests.reserve(n)?));
        asks.push(Ask::from(RequestMix::cancel(n)?));
    }
    Ok(asks)
}

/// Requests that follow each other are about different pools, far apart.
fn spread(n: u64) -> u64 {
    n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24
}

struct Bench {
    core: Core,
    clock: SystemClock,
    in_block: usize,
}

impl Bench {
    fn new() -> Self {
        let clock = SystemClock::default();
        let core = Core::begin(Ledger::new(Limits::default()), 1, clock.now());
        Self { core, clock, in_block: 0 }
    }

    fn ask(&mut self, ask: &Ask) -> anyhow::Result<()> {
        let answer = self.core.decide(self.clock.now(), ask);
        ensure!(matches!(answer, Answer::Accepted { .. }), "the ledger answered {answer:?}");
        self.in_block += 1;
        if self.in_block == BLOCK {
            self.end_block();
        }
        Ok(())
    }

    /// As if it had been committed and projected at once.
    fn end_block(&mut self) {
        self.in_block = 0;
        if let Some(block) = self.core.take_block() {
            self.core.committed(block.last_seq);
            self.core.projected(block.last_seq, usize::MAX);
        }
    }
}
