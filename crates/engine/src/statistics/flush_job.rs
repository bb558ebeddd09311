//! What was counted in memory goes to its rows, a bounded number at a time.

use store::model::{Fence, PEOPLE_ADDED_MAX, PeopleAdd, VISITS_ADDED_MAX, VisitsAdd};

use crate::failure::{Fault, Result};
use crate::jobs::{Job, JobStep};
use crate::statistics::counter::TakenPeople;
use crate::world::World;

pub(crate) const STATISTICS: Job = Job {
    name: "statistics",
    schedule: "every 1m",
    parameters: &[],
    step: |world, run| Box::pin(flush_step(world, Some(run.fence.clone()))),
};

/// Writes everything that waits: for a stop, when nobody counts any more.
pub async fn flush(world: &World) -> Result<()> {
    while !flush_step(world, None).await?.done {}
    Ok(())
}

async fn flush_step(world: &World, fence: Option<Fence>) -> Result<JobStep> {
    let counter = &world.statistics;
    let today = counter.date(world.now(), &world.settings.site_zone);
    let today = today.ok_or_else(|| Fault::new("a moment outside the calendar"))?;
    let counts = counter.take_counts(VISITS_ADDED_MAX, today);
    let places = counts.len();
    if places > 0 {
        let step = VisitsAdd { fence: fence.clone(), counts: counts.clone() };
        world.db.visits_add(step).await.inspect_err(|_| counter.give_back(counts))?;
    }
    let (mut added, mut is_last) = (0, true);
    if let Some(taken) = counter.take_people(PEOPLE_ADDED_MAX) {
        let TakenPeople { day, people, .. } = taken;
        (added, is_last) = (people.len(), taken.is_last);
        let step = PeopleAdd { fence, day, people: people.clone() };
        world.db.people_add(step).await.inspect_err(|_| counter.give_people_back(day, people))?;
    }
    let handled = u64::try_from(places + added).unwrap_or(u64::MAX);
    Ok(JobStep { handled, done: places < VISITS_ADDED_MAX && is_last, cursor: String::new() })
}
