//! Says once when a pool of codes is nearly used up, and again only after more were imported in between.
//!
//! The notice is a line in the audit log; the pool shows since when. Each pool has a threshold of its own.

use store::model::{Actor, JobRun};

use crate::failure::Result;
use crate::jobs::{Job, JobStep};
use crate::world::World;

/// Pools looked at in one step.
const POOLS_MAX: u32 = 100;

pub(crate) const LOW_CODES: Job = Job {
    name: "low_codes",
    schedule: "every 1m",
    parameters: &[],
    step: |world, run| Box::pin(step(world, run)),
};

async fn step(world: &World, run: &JobRun) -> Result<JobStep> {
    let crossed = world.db.code_pools_list_crossed(POOLS_MAX).await?;
    let mut handled = 0;
    for pool in &crossed {
        let signed = world.audit_stamp(Actor::System, "", &run.run.to_string());
        if !world.db.code_pool_low_set(run.fence.clone(), pool.id, signed).await? {
            continue;
        }
        handled += 1;
        if pool.is_low() {
            metrics::counter!("windfall_low_codes_total").increment(1);
            tracing::warn!(pool = pool.name, left = pool.left(), "a pool of codes is nearly used up");
        } else {
            tracing::info!(pool = pool.name, left = pool.left(), "a pool of codes was filled up");
        }
    }
    // What could not be set is looked at in the next run.
    let done = handled == 0 || crossed.len() < POOLS_MAX as usize;
    Ok(JobStep { handled, done, cursor: String::new() })
}
