//! Sweeps: rows past their use go, a bounded number at a time.

use domain::account::{CODE_LIFE_MS, DEVICE_LIFE_MS};
use domain::community::NOTIFICATION_DAYS;
use domain::time::{DAY_MS, HOUR_MS};
use store::model::{JobRun, Sweep};

use crate::failure::Result;
use crate::jobs::{Job, JobStep, Parameter};
use crate::world::World;

/// Rows one step may delete: short transactions, so that sweeping never holds anybody up.
const SWEEP_MAX: u32 = 1_000;

const KEEP_HOURS: Parameter = Parameter { name: "keep_hours", default: 48, min: 1, max: 24 * 365 };
const KEEP_STATISTICS_DAYS: Parameter = Parameter { name: "keep_days", default: 800, min: 366, max: 3_650 };
const KEEP_DAYS: Parameter = Parameter { name: "keep_days", default: 30, min: 1, max: 3_650 };

pub(crate) const SESSIONS: Job = Job {
    name: "sweep_sessions",
    schedule: "every 10m",
    parameters: &[],
    step: |world, run| {
        let (policy, now) = (world.settings.session, world.now());
        let sweep =
            Sweep::Sessions { idle_before: now - policy.idle_ms, started_before: now - policy.absolute_ms };
        Box::pin(sweep_step(world, run, sweep))
    },
};

pub(crate) const CODES: Job = Job {
    name: "sweep_codes",
    schedule: "every 10m",
    parameters: &[],
    step: |world, run| {
        let now = world.now();
        let day_before = world.site_day(now - DAY_MS);
        Box::pin(sweep_step(world, run, Sweep::Codes { sent_before: now - CODE_LIFE_MS, day_before }))
    },
};

pub(crate) const LINKS: Job = Job {
    name: "sweep_links",
    schedule: "every 1h",
    parameters: &[],
    step: |world, run| Box::pin(sweep_step(world, run, Sweep::Links { expired_before: world.now() })),
};

/// Devices that nobody has signed in from for as long as a browser keeps their cookie.
pub(crate) const DEVICES: Job = Job {
    name: "sweep_devices",
    schedule: "every 1h",
    parameters: &[],
    step: |world, run| {
        let seen_before = world.now() - DEVICE_LIFE_MS;
        Box::pin(sweep_step(world, run, Sweep::Devices { seen_before }))
    },
};

/// Marks of deleted accounts whose limits are no longer kept.
pub(crate) const FORMER_ACCOUNTS: Job = Job {
    name: "sweep_former_accounts",
    schedule: "every 1h",
    parameters: &[],
    step: |world, run| Box::pin(sweep_step(world, run, Sweep::FormerAccounts { ended_before: world.now() })),
};

/// Answers kept for `Idempotency-Key`.
pub(crate) const ANSWERS: Job = Job {
    name: "sweep_answers",
    schedule: "every 1h",
    parameters: &[KEEP_HOURS],
    step: |world, run| {
        let made_before = world.now() - KEEP_HOURS.of(run) * HOUR_MS;
        Box::pin(sweep_step(world, run, Sweep::Answers { made_before }))
    },
};

/// Notifications past the time for which they are kept.
pub(crate) const NOTIFICATIONS: Job = Job {
    name: "sweep_notifications",
    schedule: "every 1h",
    parameters: &[],
    step: |world, run| {
        let made_before = world.now() - NOTIFICATION_DAYS * DAY_MS;
        Box::pin(sweep_step(world, run, Sweep::Notifications { made_before }))
    },
};

/// Statistics of days that nobody looks at any more.
pub(crate) const STATISTICS: Job = Job {
    name: "sweep_statistics",
    schedule: "every 1h",
    parameters: &[KEEP_STATISTICS_DAYS],
    step: |world, run| {
        let today = world.now().0.div_euclid(DAY_MS);
        let day_before = today - KEEP_STATISTICS_DAYS.of(run);
        Box::pin(sweep_step(world, run, Sweep::Statistics { day_before }))
    },
};

pub(crate) const RUNS: Job = Job {
    name: "sweep_job_runs",
    schedule: "cron 0 4 * * *",
    parameters: &[KEEP_DAYS],
    step: |world, run| {
        let started_before = world.now() - KEEP_DAYS.of(run) * DAY_MS;
        Box::pin(sweep_step(world, run, Sweep::Runs { started_before }))
    },
};

async fn sweep_step(world: &World, run: &JobRun, sweep: Sweep) -> Result<JobStep> {
    let handled = world.db.sweep(run.fence.clone(), sweep, SWEEP_MAX).await?;
    Ok(JobStep { handled, done: handled < u64::from(SWEEP_MAX), cursor: String::new() })
}
