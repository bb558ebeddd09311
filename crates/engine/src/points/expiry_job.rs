//! Takes points off the accounts once they are past their time, a bounded number of accounts at a time.
//!
//! Nobody can spend them in between, however late this runs: what is due goes before anything else that happens to an
//! account.

use store::model::JobRun;

use crate::failure::Result;
use crate::jobs::{Job, JobStep};
use crate::world::World;

/// Accounts in one step: short transactions, so that expiring never holds anybody up.
const ACCOUNTS_MAX: u32 = 500;

pub(crate) const POINTS_EXPIRY: Job = Job {
    name: "points_expiry",
    schedule: "every 1m",
    parameters: &[],
    step: |world, run| Box::pin(step(world, run)),
};

async fn step(world: &World, run: &JobRun) -> Result<JobStep> {
    let handled = world.db.points_expire(run.fence.clone(), world.now(), ACCOUNTS_MAX).await?;
    Ok(JobStep { handled, done: handled < u64::from(ACCOUNTS_MAX), cursor: String::new() })
}
