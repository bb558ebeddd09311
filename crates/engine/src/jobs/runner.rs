//! Runs due jobs, one after the other, each under its lease.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use domain::Rejection;
use domain::ids::RunId;
use domain::job::RunOutcome;
use domain::time::{MINUTE_MS, SECOND_MS, Timestamp};
use futures::FutureExt;
use store::model::{JobClaim, JobDefault, JobFinish, JobRun};

use crate::failure::{Failure, Fault, Result};
use crate::jobs::{JOBS, Job, Schedule};
use crate::world::World;

/// A worker that died leaves its job to others after this long; a run stops well before.
const LEASE_MS: i64 = 2 * MINUTE_MS;
const RUN_MAX_MS: i64 = 30 * SECOND_MS;
const TICK: Duration = Duration::from_secs(1);
/// A job that failed is tried again after this, or at its next moment if that is sooner.
const RETRY_MS: i64 = MINUTE_MS;
/// A job that is due again within this runs often, and mostly for nothing: of its idle runs, one in so long is kept.
const OFTEN_MS: i64 = 30 * SECOND_MS;
const IDLE_KEPT_MS: i64 = MINUTE_MS;

/// Makes all jobs known to the registry. What operators changed stays.
pub async fn declare(world: &World) -> Result<()> {
    let now = world.now();
    let defaults = JOBS
        .iter()
        .map(|job| {
            let first_due = Schedule::parse(job.schedule)?.next_after(now, &world.settings.site_zone)?;
            Ok(JobDefault {
                name: job.name,
                schedule: job.schedule.to_owned(),
                parameters: job.defaults(),
                first_due,
            })
        })
        .collect::<Result<Vec<_>, Rejection>>()?;
    world.db.jobs_declare(defaults).await
}

/// Looks once a second for due jobs until `stop` resolves. A run under way is finished first.
pub async fn run_until(world: &World, holder: &str, stop: impl Future<Output = ()>) {
    tokio::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => return,
            () = tokio::time::sleep(TICK) => {}
        }
        if let Err(failure) = run_due(world, holder).await {
            tracing::error!(%failure, "jobs could not be claimed");
        }
    }
}

/// Runs everything that is due now; answers how many runs there were.
pub async fn run_due(world: &World, holder: &str) -> Result<u32> {
    let mut runs = 0;
    // Bounded by the list, so that a job that is always due cannot keep the others waiting.
    for _ in JOBS {
        let claim = JobClaim {
            holder: holder.to_owned(),
            now: world.now(),
            lease_ms: LEASE_MS,
            run: RunId(world.next_id()),
        };
        let Some(run) = world.db.job_claim(claim).await? else { break };
        run_one(world, run).await?;
        runs += 1;
    }
    Ok(runs)
}

async fn run_one(world: &World, mut run: JobRun) -> Result<()> {
    let started = world.now();
    let mut handled = 0;
    let job = Job::named(&run.job);
    let (outcome, detail) = match job {
        // A registry that knows a job this version does not: leave it be.
        None => (RunOutcome::Failed, "this version has no such job".to_owned()),
        Some(job) => match steps(world, job, &mut run, started, &mut handled).await {
            Ok(outcome) => (outcome, String::new()),
            Err(Failure::Rejected(Rejection::LeaseLost)) => {
                tracing::warn!(job = run.job, "another worker has taken this job over");
                return Ok(());
            }
            Err(failure) => {
                tracing::error!(job = run.job, failure = story(&failure), "job failed");
                (RunOutcome::Failed, story(&failure))
            }
        },
    };
    let finished = world.now();
    metrics::counter!("windfall_job_runs_total", "job" => run.job.clone(), "outcome" => outcome.name())
        .increment(1);
    let next_due = next_due(world, &run, outcome, finished);
    let often = next_due.since_ms(finished) < OFTEN_MS;
    let finish = JobFinish {
        next_due,
        idle_kept_ms: if often { IDLE_KEPT_MS } else { 0 },
        fence: run.fence,
        run: run.run,
        outcome,
        handled: i64::try_from(handled).unwrap_or(i64::MAX),
        detail,
        cursor: run.cursor,
        finished,
    };
    match world.db.job_finish(finish).await {
        Err(Failure::Rejected(Rejection::LeaseLost)) => Ok(()),
        other => other,
    }
}

async fn steps(
    world: &World,
    job: &Job,
    run: &mut JobRun,
    started: Timestamp,
    handled: &mut u64,
) -> Result<RunOutcome> {
    loop {
        // A job that panics has failed; the others go on.
        let step = AssertUnwindSafe((job.step)(world, run)).catch_unwind().await;
        let step = step.unwrap_or_else(|_| Err(Fault::new("the job panicked").into()))?;
        *handled += step.handled;
        run.cursor = step.cursor;
        if step.done {
            return Ok(RunOutcome::Done);
        }
        if world.now().since_ms(started) >= RUN_MAX_MS {
            return Ok(RunOutcome::More);
        }
    }
}

fn next_due(world: &World, run: &JobRun, outcome: RunOutcome, now: Timestamp) -> Timestamp {
    let scheduled = Schedule::parse(&run.schedule)
        .and_then(|schedule| schedule.next_after(now, &world.settings.site_zone))
        .unwrap_or(now + RETRY_MS);
    match outcome {
        RunOutcome::Done => scheduled,
        RunOutcome::More => now,
        RunOutcome::Failed => scheduled.min(now + RETRY_MS),
    }
}

fn story(failure: &Failure) -> String {
    match failure {
        Failure::Rejected(rejection) => rejection.to_string(),
        Failure::Fault(fault) => fault.story(),
    }
}
