//! Begins a backup in the folder of the settings, and lets the oldest go. How it ended is told by the metrics, the log and
//! `GET /admin/backups`: copying may take longer than a run of a job should.

use store::model::JobRun;

use crate::failure::Result;
use crate::jobs::{Job, JobStep, Parameter};
use crate::ports::BackupOrder;
use crate::world::World;

const KEEP: Parameter = Parameter { name: "keep", default: 7, min: 1, max: 1_000 };

pub(crate) const BACKUP: Job = Job {
    name: "backup",
    schedule: "cron 0 3 * * *",
    parameters: &[KEEP],
    step: |world, run| Box::pin(step(world, run)),
};

#[expect(clippy::unused_async, reason = "a step is a future")]
async fn step(world: &World, run: &JobRun) -> Result<JobStep> {
    if !world.outside.backups.has_folder() {
        return Ok(JobStep { done: true, ..JobStep::default() });
    }
    let keep = u32::try_from(KEEP.of(run)).ok();
    world.outside.backups.begin(BackupOrder { into: None, with_key: false, keep })?;
    Ok(JobStep { handled: 1, done: true, cursor: String::new() })
}
