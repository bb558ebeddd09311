//! What the clock does with prizes: those whose time has come are granted, and those that nobody claimed in time go back.
//!
//! Nothing depends on how soon it runs but when a prize is given: a claim after its deadline is refused by itself.

use domain::fulfilment::FulfilmentStep as Giving;
use store::model::JobRun;

use crate::failure::Result;
use crate::jobs::{Job, JobStep};
use crate::world::World;

/// Prizes moved in one step.
const PRIZES_MAX: u32 = 500;

pub(crate) const GRANTS: Job = Job {
    name: "grants",
    schedule: "every 5s",
    parameters: &[],
    step: |world, run| Box::pin(step(world, run, Giving::Due)),
};

pub(crate) const CLAIMS: Job = Job {
    name: "claims",
    schedule: "every 30s",
    parameters: &[],
    step: |world, run| Box::pin(step(world, run, Giving::Lapse)),
};

async fn step(world: &World, run: &JobRun, giving: Giving) -> Result<JobStep> {
    let fence = run.fence.clone();
    let handled = world.db.fulfilments_clock(fence, giving, world.now(), PRIZES_MAX).await?;
    Ok(JobStep { handled, done: handled < u64::from(PRIZES_MAX), cursor: String::new() })
}
