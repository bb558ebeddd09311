//! Makes the rolls of closed rounds public and draws the raffles whose time has come.
//!
//! One round at a time, in order: one that cannot be moved on keeps no other waiting, and the walk ends. How soon it runs
//! decides when the winners are known, and never who they are.

use domain::Rejection;
use domain::ids::ActivityId;
use store::model::{JobRun, RaffleRound, RaffleStep};

use crate::draws::raffle::{draw, publish};
use crate::failure::{Failure, Result};
use crate::jobs::{Job, JobStep};
use crate::world::World;

pub(crate) const RAFFLES: Job = Job {
    name: "raffles",
    schedule: "every 5s",
    parameters: &[],
    step: |world, run| Box::pin(step(world, run)),
};

/// A roll may be long and a drawing large: one is enough for a step.
const RAFFLES_MAX: u32 = 1;

async fn step(world: &World, run: &JobRun) -> Result<JobStep> {
    let after = read(&run.cursor);
    let due = world.db.raffles_due(world.now(), after, RAFFLES_MAX).await?;
    let Some(due) = due.first() else { return Ok(JobStep { handled: 0, done: true, cursor: String::new() }) };
    let done = match due.step {
        RaffleStep::Roll { version } => publish(world, run, due.round, version).await,
        RaffleStep::Draw => draw(world, run, due.round).await,
    };
    let (activity, round) = due.round;
    let handled = match done {
        Ok(done) => u64::from(done),
        Err(Failure::Rejected(Rejection::LeaseLost)) => return Err(Rejection::LeaseLost.into()),
        Err(failure) => {
            metrics::counter!("windfall_raffles_stuck_total").increment(1);
            tracing::error!(%activity, round, %failure, "a raffle could not be moved on; trying again");
            0
        }
    };
    // Once its roll is public it may be time to draw it: the same round again.
    let again = handled > 0 && matches!(due.step, RaffleStep::Roll { .. });
    let cursor = if again { run.cursor.clone() } else { format!("{activity} {round}") };
    Ok(JobStep { handled, done: false, cursor })
}

/// A cursor that cannot be read starts over: looking twice does no harm.
fn read(cursor: &str) -> RaffleRound {
    let parts = cursor
        .split_once(' ')
        .and_then(|(activity, round)| Some((activity.parse().ok().map(ActivityId)?, round.parse().ok()?)));
    parts.unwrap_or((ActivityId(i64::MIN), 0))
}
