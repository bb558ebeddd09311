//! Bytes per open hold, per user with state and per finished id: how much this process's resident memory grows when a
//! ledger is filled with so many of them. Allocator, tables and their slack are in it; the queue and SQLite are not.
//!
//! Runs before anything else: memory that was used and freed before would be used again unseen.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::ensure;
use domain::ledger::{Answer, Command, Ledger, Limits};
use domain::time::Timestamp;

use super::requests::{PLENTY, RequestMix};

/// Holds that finish before they are forgotten together.
const FORGET_EVERY: u64 = 1_000;

/// Finished ids are small: so many times as many of them, so that what a process takes for itself does not count.
const FINISHED_TIMES: u64 = 8;

#[derive(Clone, Copy, Debug)]
pub struct Bytes {
    pub per_hold: f64,
    pub per_user: f64,
    pub per_finished_id: f64,
}

/// Nothing where the system does not tell a process its resident memory.
pub fn measure(count: u64) -> anyhow::Result<Option<Bytes>> {
    let Some(empty) = resident() else { return Ok(None) };
    // Each stays until the end, so that none is built from what another gave back; the smallest comes first.
    let finished = finish_holds(count * FINISHED_TIMES)?;
    let with_finished = resident().unwrap_or(empty);
    let nobody = fill_ledger(count, without_owner)?;
    let with_holds = resident().unwrap_or(with_finished);
    let owned = fill_ledger(count, |command| command)?;
    let with_users = resident().unwrap_or(with_holds);
    ensure!(nobody.sizes().0 == owned.sizes().0 && finished.sizes().1 > 0, "the ledgers are not as meant");
    let grown = |from: u64, to: u64| to.saturating_sub(from) as f64 / count as f64;
    let per_hold = grown(with_finished, with_holds);
    Ok(Some(Bytes {
        per_hold,
        per_user: (grown(with_holds, with_users) - per_hold).max(0.0),
        per_finished_id: grown(empty, with_finished) / FINISHED_TIMES as f64,
    }))
}

/// A ledger with so many open holds on one pool.
fn fill_ledger(count: u64, change: fn(Command) -> Command) -> anyhow::Result<Ledger> {
    let mut ledger = open_ledger()?;
    for n in 0..count {
        accept(&mut ledger, &change(RequestMix::over(1).reserve(n)?))?;
    }
    Ok(ledger)
}

/// A ledger in which so many holds were confirmed, projected and forgotten.
fn finish_holds(count: u64) -> anyhow::Result<Ledger> {
    let mut ledger = open_ledger()?;
    for n in 0..count {
        accept(&mut ledger, &without_owner(RequestMix::over(1).reserve(n)?))?;
        accept(&mut ledger, &RequestMix::confirm(n))?;
        if n % FORGET_EVERY == FORGET_EVERY - 1 {
            ledger.forget(ledger.seq(), usize::MAX);
        }
    }
    ledger.forget(ledger.seq(), usize::MAX);
    Ok(ledger)
}

fn open_ledger() -> anyhow::Result<Ledger> {
    let mut ledger = Ledger::new(Limits::default());
    for open in RequestMix::over(1).open(PLENTY) {
        accept(&mut ledger, &open?)?;
    }
    Ok(ledger)
}

fn accept(ledger: &mut Ledger, command: &Command) -> anyhow::Result<()> {
    let answer = ledger.apply(now(), command);
    ensure!(matches!(answer, Answer::Accepted { .. }), "the ledger answered {answer:?}");
    Ok(())
}

/// Due times are spread as in a real run.
fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

fn without_owner(command: Command) -> Command {
    match command {
        Command::Reserve { key, id, caller, owner: _, lines, ttl_ms, gates } => {
            Command::Reserve { key, id, caller, owner: None, lines, ttl_ms, gates }
        }
        other => other,
    }
}

/// What of this process is in memory, in bytes.
pub fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1_024)
}
