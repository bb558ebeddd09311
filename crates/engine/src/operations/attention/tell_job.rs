//! Tells those outside what needs an operator, once, and again when it is over. Ordinary work that waits is told to nobody.
//!
//! The list that staff see is made at the moment they look; this job is for those who do not look.

use domain::attention::AttentionLevel;
use store::model::{AttentionTell, JobRun};

use crate::failure::Result;
use crate::jobs::{Job, JobStep, Parameter};
use crate::operations::attention::gather::find_items;
use crate::world::World;

/// A disk is nearly full with less than this.
pub(super) const DISK_FREE_MIN_MIB: Parameter =
    Parameter { name: "disk_free_min_mib", default: 2_048, min: 0, max: 1_000_000_000 };
/// Events between the ledger and its rows that nobody needs to hear of.
pub(super) const LAG_MAX: Parameter =
    Parameter { name: "lag_max", default: 100_000, min: 0, max: 1_000_000_000 };
/// How long a prize may be on its way before it counts as stuck.
pub(super) const READY_MAX_MINUTES: Parameter =
    Parameter { name: "ready_max_minutes", default: 10, min: 1, max: 10_080 };

pub(crate) const ATTENTION: Job = Job {
    name: "attention",
    schedule: "every 1m",
    parameters: &[DISK_FREE_MIN_MIB, LAG_MAX, READY_MAX_MINUTES],
    step: |world, run| Box::pin(step(world, run)),
};

async fn step(world: &World, run: &JobRun) -> Result<JobStep> {
    let mut items = find_items(world).await?;
    items.retain(|item| item.level != AttentionLevel::Todo);
    let urgent = items.iter().filter(|item| item.level == AttentionLevel::Urgent).count();
    #[expect(clippy::cast_precision_loss, reason = "figures for people")]
    {
        metrics::gauge!("windfall_attention", "level" => "urgent").set(urgent as f64);
        metrics::gauge!("windfall_attention", "level" => "soon").set((items.len() - urgent) as f64);
    }
    let told = AttentionTell { items, now: world.now() };
    let (raised, cleared) = world.db.attention_tell(run.fence.clone(), told).await?;
    Ok(JobStep { handled: raised + cleared, done: true, cursor: String::new() })
}
