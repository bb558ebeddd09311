//! Random sequences of commands, step by step beside `domain::ledger`.
//!
//! The ledger under test has a clock of its own. So one millisecond of a row is an hour here, and the reference stands
//! still where the sequence began: as long as a sequence takes less than half an hour, both say the same, and times are
//! compared by the half hour. Nothing expires; that is what the stories are for.

use std::fmt::Write;

use domain::ledger::{Command, Effect, HoldView, Ledger, Limits, PoolId, PoolState, PoolView};
use domain::time::Timestamp;

use super::row::said;
use super::subject::{Subject, ask};
use crate::model::step::{POOLS, hold_key, pool_id};
use crate::model::{self, Rows, Said, Step};

const SCALE_MS: i64 = 3_600_000;
const HALF_MS: i64 = SCALE_MS / 2;

/// The bounds that a ledger must have for [`compare`]. How many tombstones count depends on what is projected when.
pub const STRETCHED: Limits = Limits {
    lines_max: model::LIMITS.lines_max,
    ttl_min_ms: model::LIMITS.ttl_min_ms * SCALE_MS,
    ttl_max_ms: model::LIMITS.ttl_max_ms * SCALE_MS,
    life_max_ms: model::LIMITS.life_max_ms * SCALE_MS,
    tombstones_max: u32::MAX,
};

/// Runs a sequence through both. The ledger under test is empty and has the bounds [`STRETCHED`]. Commands that follow
/// each other go in one request.
///
/// # Errors
/// The rows so far and the two answers, where they differ.
pub async fn compare(subject: &mut dyn Subject, rows: &Rows) -> Result<(), String> {
    let start = subject.now().await;
    let mut pair = Pair { subject, start, reference: Ledger::new(STRETCHED), story: String::new() };
    let mut request = Vec::new();
    for step in &rows.0 {
        let _ = write!(pair.story, "\n    {step}");
        if let Some(command) = command(step, start) {
            // An id that may have left memory is looked up after the rest of its request was decided. Only ids that
            // share a fingerprint can tell: what was looked up and never was changes something then.
            let alone = shares_fingerprint(&command);
            if alone {
                pair.ask(std::mem::take(&mut request)).await?;
            }
            request.push(command);
            if alone {
                pair.ask(std::mem::take(&mut request)).await?;
            }
            continue;
        }
        pair.ask(std::mem::take(&mut request)).await?;
        if *step == Step::Restart {
            pair.subject.restart().await;
        }
    }
    pair.ask(request).await
}

/// A row as a command with long times; nothing for rows about time and memory.
fn command(step: &Step, start: Timestamp) -> Option<Command> {
    let mut command = step.command(start)?;
    match &mut command {
        Command::Reserve { ttl_ms, .. } => *ttl_ms *= SCALE_MS,
        // Half an hour beside every end that a reservation can have.
        Command::Extend { until, .. } => *until = start + (until.0 - start.0) * SCALE_MS + HALF_MS,
        Command::ExpireOne => return None,
        Command::Direct(_)
        | Command::Confirm { .. }
        | Command::Cancel { .. }
        | Command::Draw(_)
        | Command::Enter { .. } => {}
    }
    Some(command)
}

fn shares_fingerprint(command: &Command) -> bool {
    command.key().is_some_and(|key| key.fingerprint() == hold_key(0).fingerprint())
}

struct Pair<'a> {
    subject: &'a mut dyn Subject,
    start: Timestamp,
    /// Never forgets, so it never has to look up.
    reference: Ledger,
    story: String,
}

impl Pair<'_> {
    async fn ask(&mut self, commands: Vec<Command>) -> Result<(), String> {
        if commands.is_empty() {
            return Ok(());
        }
        let answers = ask(self.subject.stock(), commands.clone()).await;
        for (answer, command) in answers.into_iter().zip(&commands) {
            let expected = Said::from(&self.reference.apply(self.start, command));
            let (got, expected) = (self.coarse(said(&answer)), self.coarse(expected));
            if got != expected {
                let story = &self.story;
                return Err(format!(
                    "{story}\n{command:?}\n  it said:       {got}\n  the reference: {expected}"
                ));
            }
        }
        self.pools().await
    }

    async fn pools(&mut self) -> Result<(), String> {
        self.reference.assert_sound();
        self.subject.caught_up().await;
        for pool in (0..POOLS.len()).map(pool_id) {
            let got = self.subject.stock().pool(pool).await.map_err(|failure| failure.to_string())?;
            let expected = self.reference.pool(pool);
            if got != expected {
                return Err(format!(
                    "{}\n  it has:        {got:?}\n  the reference: {expected:?}",
                    self.story
                ));
            }
        }
        Ok(())
    }

    /// The same with times by the half hour. A repetition of a pool's command whose id has left memory tells of the pool
    /// as the database has it, which may be behind within a request; pools are compared after it.
    fn coarse(&self, said: Said) -> Said {
        let coarse = |at: Timestamp| Timestamp((at.0 - self.start.0).div_euclid(HALF_MS));
        let hold = |outcome: Effect| match outcome {
            Effect::Hold(view) => {
                Effect::Hold(HoldView { made: coarse(view.made), due: coarse(view.due), ..view })
            }
            Effect::Pool(view) => Effect::Pool(view),
            Effect::Play(outcome) => Effect::Play(outcome),
        };
        match said {
            Said::Accepted(outcome) => Said::Accepted(hold(outcome)),
            Said::Replayed(Effect::Pool(view)) => Said::Replayed(Effect::Pool(only_its_id(view.pool))),
            Said::Replayed(outcome) => Said::Replayed(hold(outcome)),
            Said::Refused(refusal) => Said::Refused(refusal),
            Said::LookUp => Said::LookUp,
        }
    }
}

fn only_its_id(pool: PoolId) -> PoolView {
    let state = PoolState::Open;
    PoolView { pool, round: 0, state, owner_max: 0, total: 0, available: 0, held: 0, taken: 0 }
}
