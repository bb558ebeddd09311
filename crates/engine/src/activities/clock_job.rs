//! Carries out what the clock asks of activities, and whatever the ledger has yet to hear; then reveals the secrets of
//! rounds that are over.
//!
//! Nothing depends on how soon it runs: the ledger keeps to an activity's window by itself, and people see the state by
//! the clock. It walks by id, so one activity that cannot be carried keeps no other waiting, and the walk ends.

use domain::Rejection;
use domain::ids::ActivityId;
use store::model::{Actor, JobRun};

use crate::activities::sync_with_ledger;
use crate::activity_cache::forget_published;
use crate::failure::{Failure, Result};
use crate::jobs::{Job, JobStep};
use crate::world::World;

/// Activities handled in one step.
const ACTIVITIES_MAX: u32 = 100;
/// Rounds whose secrets one run reveals.
const REVEAL_MAX: u32 = 100;

pub(crate) const ACTIVITIES: Job = Job {
    name: "activities",
    schedule: "every 5s",
    parameters: &[],
    step: |world, run| Box::pin(step(world, run)),
};

async fn step(world: &World, run: &JobRun) -> Result<JobStep> {
    // A cursor that cannot be read starts over: looking twice does no harm.
    let after = run.cursor.parse().unwrap_or(i64::MIN);
    let due = world.db.activities_due(world.now(), after, ACTIVITIES_MAX).await?;
    let mut handled = 0;
    for id in &due {
        match one(world, run, *id).await {
            Ok(()) => handled += 1,
            Err(Failure::Rejected(Rejection::LeaseLost)) => return Err(Rejection::LeaseLost.into()),
            Err(failure) => {
                metrics::counter!("windfall_activities_stuck_total").increment(1);
                tracing::error!(activity = %id, %failure, "an activity could not be moved on; trying again");
            }
        }
    }
    let full = due.len() == ACTIVITIES_MAX as usize;
    if let (true, Some(last)) = (full, due.last()) {
        return Ok(JobStep { handled, done: false, cursor: last.to_string() });
    }
    handled += reveal(world, run).await?;
    Ok(JobStep { handled, done: true, cursor: String::new() })
}

async fn one(world: &World, run: &JobRun, id: ActivityId) -> Result<()> {
    let signed = world.audit_stamp(Actor::System, "", &run.run.to_string());
    if world.db.activity_tick(run.fence.clone(), id, signed).await? {
        forget_published(world, id);
    }
    sync_with_ledger(world, id).await?;
    Ok(())
}

async fn reveal(world: &World, run: &JobRun) -> Result<u64> {
    let mut revealed = 0;
    for _ in 0..REVEAL_MAX {
        let signed = world.audit_stamp(Actor::System, "", &run.run.to_string());
        let Some((id, _)) = world.db.secrets_reveal(run.fence.clone(), signed).await? else { break };
        forget_published(world, id);
        revealed += 1;
    }
    Ok(revealed)
}
