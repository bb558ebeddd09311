//! Says once when a prize of a running activity, or what a sale sells, is nearly gone, and again only after it was restocked
//! in between.
//!
//! The notice is a line in the audit log; the report shows since when. It walks by id, a bounded number at a time.

use domain::activity::PoolUse;
use domain::ids::ActivityId;
use store::model::{Actor, JobRun, LowStock, LowStockSet};

use crate::failure::Result;
use crate::jobs::{Job, JobStep, Parameter};
use crate::world::World;

/// Activities looked at in one step.
const ACTIVITIES_MAX: u32 = 20;

/// Something is low when less than this part of its units is free.
const PERCENT: Parameter = Parameter { name: "percent", default: 10, min: 1, max: 100 };

pub(crate) const LOW_STOCK: Job = Job {
    name: "low_stock",
    schedule: "every 1m",
    parameters: &[PERCENT],
    step: |world, run| Box::pin(step(world, run)),
};

async fn step(world: &World, run: &JobRun) -> Result<JobStep> {
    // A cursor that cannot be read starts over: looking twice does no harm.
    let after = run.cursor.parse().unwrap_or(i64::MIN);
    let open = world.db.activities_open(after, ACTIVITIES_MAX).await?;
    let percent = PERCENT.of(run).unsigned_abs();
    let mut handled = 0;
    for id in &open {
        handled += one(world, run, *id, percent).await?;
    }
    match open.last() {
        Some(last) if open.len() == ACTIVITIES_MAX as usize => {
            Ok(JobStep { handled, done: false, cursor: last.to_string() })
        }
        Some(_) | None => Ok(JobStep { handled, done: true, cursor: String::new() }),
    }
}

/// Answers how many parts crossed the threshold, either way.
async fn one(world: &World, run: &JobRun, id: ActivityId, percent: u64) -> Result<u64> {
    let Some(published) = world.db.published_find(id).await? else { return Ok(0) };
    let known = world.db.low_stock_list(id).await?;
    let mut crossed = 0;
    for (part, _) in published.content.stock() {
        match part {
            PoolUse::Prize(_) | PoolUse::Sale => {}
            // Entries that run out are a full house.
            PoolUse::Entries => continue,
        }
        let Some(pool) = world.ledger.stock.pool(part.pool_name(id).pool()).await? else { continue };
        let low = is_low(pool.available, pool.total, percent);
        if low == known.iter().any(|known| known.part == part) {
            continue;
        }
        let signed = world.audit_stamp(Actor::System, "", &run.run.to_string());
        let alert =
            low.then_some(LowStock { part, left: pool.available, total: pool.total, since: signed.at });
        let step = LowStockSet { activity: id, part, alert, signed };
        world.db.low_stock_set(run.fence.clone(), step).await?;
        tell(id, part, low, pool.available);
        crossed += 1;
    }
    Ok(crossed)
}

fn tell(activity: ActivityId, part: PoolUse, low: bool, left: u64) {
    if low {
        metrics::counter!("windfall_low_stock_total").increment(1);
        tracing::warn!(%activity, ?part, left, "it is nearly gone");
    } else {
        tracing::info!(%activity, ?part, left, "it was restocked");
    }
}

fn is_low(left: u64, total: u64, percent: u64) -> bool {
    u128::from(left) * 100 < u128::from(total) * u128::from(percent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_is_less_than_the_part() {
        for (left, total, percent, low) in [
            (100, 100, 10, false),
            (10, 100, 10, false),
            (9, 100, 10, true),
            (0, 1, 1, true),
            (1, 1, 100, false),
            (0, 0, 100, false),
            (u64::MAX / 2, u64::MAX, 50, true),
        ] {
            assert_eq!(is_low(left, total, percent), low, "{left} of {total} at {percent}%");
        }
    }
}
