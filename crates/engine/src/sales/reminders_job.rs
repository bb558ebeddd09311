//! Tells whoever asked for it that an activity is about to start: once for each start, before it and never after.
//!
//! Told is an event for each of them (`reminder.due`); whoever subscribes sends it on. A bounded number at a time.

use domain::time::MINUTE_MS;
use store::model::{JobRun, RemindersTell};

use crate::failure::Result;
use crate::jobs::{Job, JobStep, Parameter};
use crate::world::World;

/// People told in one step.
const PEOPLE_MAX: u32 = 500;

/// How long before the start.
const MINUTES: Parameter = Parameter { name: "minutes_before", default: 5, min: 1, max: 24 * 60 };

pub(crate) const REMINDERS: Job = Job {
    name: "reminders",
    schedule: "every 10s",
    parameters: &[MINUTES],
    step: |world, run| Box::pin(step(world, run)),
};

async fn step(world: &World, run: &JobRun) -> Result<JobStep> {
    let now = world.now();
    let told = world
        .db
        .reminders_tell(RemindersTell {
            fence: run.fence.clone(),
            now,
            before: now + MINUTES.of(run) * MINUTE_MS,
            limit: PEOPLE_MAX,
            ids: (0..PEOPLE_MAX).map(|_| world.next_id()).collect(),
        })
        .await?;
    Ok(JobStep { handled: u64::from(told), done: told < PEOPLE_MAX, cursor: String::new() })
}
