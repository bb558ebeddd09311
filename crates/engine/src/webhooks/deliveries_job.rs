//! Clears away old attempts of webhooks, and everything of those that were removed.

use domain::time::DAY_MS;
use store::model::{AttemptRetention, JobRun};

use crate::failure::Result;
use crate::jobs::{Job, JobStep, Parameter};
use crate::world::World;

/// Rows one step may delete.
const SWEEP_MAX: u32 = 1_000;

const KEEP_DAYS: Parameter = Parameter { name: "keep_days", default: 14, min: 1, max: 365 };
/// Attempts of one webhook, the newest.
const KEEP_ROWS: Parameter = Parameter { name: "keep_rows", default: 200_000, min: 1_000, max: 10_000_000 };

pub(crate) const DELIVERIES: Job = Job {
    name: "sweep_deliveries",
    schedule: "every 5m",
    parameters: &[KEEP_DAYS, KEEP_ROWS],
    step: |world, run| Box::pin(step(world, run)),
};

async fn step(world: &World, run: &JobRun) -> Result<JobStep> {
    let since = world.now() - KEEP_DAYS.of(run) * DAY_MS;
    let rows = u32::try_from(KEEP_ROWS.of(run)).unwrap_or(u32::MAX);
    let keep = AttemptRetention { since, rows };
    let handled = world.db.deliveries_sweep(run.fence.clone(), keep, SWEEP_MAX).await?;
    Ok(JobStep { handled, done: handled == 0, cursor: String::new() })
}
