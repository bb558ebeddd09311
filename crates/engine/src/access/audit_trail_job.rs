//! Tells what the audit log lacks: lines about commands of the ledger whose caller never heard the answer.
//!
//! The ledger's rows say whether the command was carried out. One that is not there after an hour never will be.

use domain::time::{HOUR_MS, SECOND_MS};
use store::model::{IntentClose, IntentEnd, JobRun};

use crate::caught_up;
use crate::failure::Result;
use crate::jobs::{Job, JobStep};
use crate::world::World;

/// Lines looked at in one step.
const LINES_MAX: u32 = 100;
/// Younger ones are still being answered.
const YOUNG_MS: i64 = 10 * SECOND_MS;
/// A command that the rows do not know after this was never carried out.
const GIVEN_UP_MS: i64 = HOUR_MS;

pub(crate) const AUDIT_TRAIL: Job = Job {
    name: "audit_trail",
    schedule: "every 1m",
    parameters: &[],
    step: |world, run| Box::pin(step(world, run)),
};

async fn step(world: &World, run: &JobRun) -> Result<JobStep> {
    let now = world.now();
    let left = world.db.intents_list_open(now - YOUNG_MS, LINES_MAX).await?;
    if left.is_empty() || !caught_up::everything(world).await {
        return Ok(JobStep { handled: 0, done: true, cursor: String::new() });
    }
    let mut closes = Vec::new();
    for row in &left {
        let end = match world.db.id_find(row.key).await?.stored {
            Some(_) => IntentEnd::Told { before: None, after: None },
            None if now.since_ms(row.made) >= GIVEN_UP_MS => IntentEnd::Dropped,
            None => continue,
        };
        closes.push(IntentClose { audit_id: row.audit_id, end });
    }
    let handled = closes.len() as u64;
    if handled > 0 {
        world.db.intents_recover(run.fence.clone(), closes).await?;
        tracing::warn!(lines = handled, "lines of the audit log that nobody had told");
    }
    Ok(JobStep { handled, done: handled == 0 || left.len() < LINES_MAX as usize, cursor: String::new() })
}
