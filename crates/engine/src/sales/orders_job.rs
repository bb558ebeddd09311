//! Ends the orders that nothing is held for and that nobody paid in time. Where units are held, the ledger does it.

use store::model::JobRun;

use crate::failure::Result;
use crate::jobs::{Job, JobStep};
use crate::world::World;

/// Orders in one step: short transactions.
const ORDERS_MAX: u32 = 500;

pub(crate) const ORDERS: Job = Job {
    name: "orders",
    schedule: "every 5s",
    parameters: &[],
    step: |world, run| Box::pin(step(world, run)),
};

async fn step(world: &World, run: &JobRun) -> Result<JobStep> {
    let handled = world.db.sale_orders_lapse(run.fence.clone(), world.now(), ORDERS_MAX).await?;
    Ok(JobStep { handled, done: handled < u64::from(ORDERS_MAX), cursor: String::new() })
}
