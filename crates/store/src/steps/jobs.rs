//! The registry of recurring jobs and their leases.

use domain::Rejection;
use domain::ids::RunId;
use domain::job::Lease;
use domain::rejection::MissingThing;
use domain::time::Timestamp;
use serde_json::{Value as Json, json};

use super::{daily_sums, runs};
use crate::failure::{Fault, Result};
use crate::model::{Fence, JobClaim, JobDefault, JobEdit, JobFinish, JobRow, JobRun};
use crate::row::Row;
use crate::tx::Tx;
use crate::{audit, params};

/// Makes jobs known that are not. What operators changed about the others stays.
pub(crate) async fn declare(tx: &Tx<'_>, defaults: &Vec<JobDefault>) -> Result<()> {
    for job in defaults {
        tx.execute(
            "INSERT INTO jobs (name, schedule, parameters, next_due) VALUES ($1, $2, $3, $4)
             ON CONFLICT (name) DO NOTHING",
            params![job.name, &job.schedule, &job.parameters, job.first_due],
        )
        .await?;
    }
    Ok(())
}

/// By name, each with its newest run.
pub(crate) async fn list(tx: &Tx<'_>) -> Result<Vec<JobRow>> {
    tx.all(
        "SELECT j.name, j.schedule, j.parameters, j.paused, j.next_due, j.term, j.holder,
                r.id, r.started, r.finished, r.outcome, r.handled, r.detail
         FROM jobs j LEFT JOIN job_runs r ON r.id = (SELECT MAX(id) FROM job_runs WHERE job = j.name)
         ORDER BY j.name",
        params![],
        |row| {
            let job = JobRow {
                name: row.text()?,
                schedule: row.text()?,
                parameters: row.text()?,
                paused: row.flag()?,
                next_due: row.time()?,
                term: row.int()?,
                holder: row.opt_text()?,
                last_run: None,
            };
            let run = row.opt_int()?.map(|id| runs::read(RunId(id), job.name.clone(), row)).transpose()?;
            Ok(JobRow { last_run: run, ..job })
        },
    )
    .await
}

pub(crate) async fn edit(tx: &Tx<'_>, step: &JobEdit) -> Result<()> {
    let before = tx
        .one(
            "SELECT schedule, parameters, paused, next_due, run_now FROM jobs WHERE name = $1 FOR UPDATE",
            params![&step.name],
            read_settings,
        )
        .await?
        .ok_or(Rejection::NotFound { what: MissingThing::Job })?;
    let after = tx
        .one(
            "UPDATE jobs SET schedule = COALESCE($2, schedule), parameters = COALESCE($3, parameters),
                    paused = COALESCE($4, paused), next_due = COALESCE($5, next_due),
                    run_now = CASE WHEN CAST($6 AS BIGINT) = 1 THEN 1 ELSE run_now END
             WHERE name = $1 RETURNING schedule, parameters, paused, next_due, run_now",
            params![
                &step.name,
                step.schedule.as_ref(),
                step.parameters.as_ref(),
                step.paused,
                step.next_due,
                step.run_now
            ],
            read_settings,
        )
        .await?
        .unwrap_or(Json::Null);
    if before == after {
        return Ok(());
    }
    let is_paused = before["paused"] == json!(false) && after["paused"] == json!(true);
    if is_paused || before["schedule"] != after["schedule"] {
        daily_sums::count_stop(tx, &step.signed).await?;
    }
    audit::write(tx, &step.signed, "job.edit", &format!("job:{}", step.name), &before, &after).await
}

fn read_settings(row: &mut Row) -> Result<Json, Fault> {
    Ok(json!({
        "schedule": row.text()?,
        "parameters": row.text()?,
        "paused": row.flag()?,
        "next_due": row.time()?,
        "run_now": row.flag()?,
    }))
}

pub(crate) async fn leases_end(tx: &Tx<'_>) -> Result<()> {
    let sql = "UPDATE jobs SET term = term + 1, holder = NULL, lease_ends = NULL WHERE holder IS NOT NULL";
    tx.execute(sql, params![]).await?;
    Ok(())
}

/// Takes the job that has been due the longest and nobody holds; one asked for by hand comes first.
pub(crate) async fn claim(tx: &Tx<'_>, step: &JobClaim) -> Result<Option<JobRun>> {
    let due = tx
        .one(
            "SELECT name, schedule, parameters, position, term, holder, lease_ends FROM jobs
             WHERE (run_now = 1 OR (paused = 0 AND next_due <= $1))
               AND (lease_ends IS NULL OR lease_ends <= $1)
             ORDER BY run_now DESC, next_due, name LIMIT 1 FOR UPDATE SKIP LOCKED",
            params![step.now],
            |row| Ok((row.text()?, row.text()?, row.text()?, row.text()?, read_lease(row)?)),
        )
        .await?;
    let Some((job, schedule, parameters, cursor, lease)) = due else { return Ok(None) };
    let Some(lease) = Lease::claim(Some(&lease), &step.holder, step.now, step.lease_ms) else {
        return Ok(None);
    };
    tx.execute(
        "UPDATE jobs SET term = $2, holder = $3, lease_ends = $4, run_now = 0 WHERE name = $1",
        params![&job, lease.term, &lease.holder, lease.ends],
    )
    .await?;
    runs::begin(tx, step.run, &job, lease.term, step.now).await?;
    let fence = Fence { job: job.clone(), term: lease.term };
    Ok(Some(JobRun { job, schedule, parameters, cursor, run: step.run, fence }))
}

/// Ends a run and lets go of the job. Finishing a finished run again changes nothing: whoever heard that
/// the outcome is unknown may ask once more.
pub(crate) async fn finish(tx: &Tx<'_>, step: &JobFinish) -> Result<()> {
    if runs::is_finished(tx, step.run).await? {
        return Ok(());
    }
    pass_fence(tx, &step.fence).await?;
    runs::end(tx, step).await?;
    runs::thin(tx, step).await?;
    tx.execute(
        "UPDATE jobs SET holder = NULL, lease_ends = NULL, next_due = $2, position = $3 WHERE name = $1",
        params![&step.fence.job, step.next_due, &step.cursor],
    )
    .await?;
    Ok(())
}

/// Refuses a worker whose job has another term, and holds the job still until the transaction ends.
pub(crate) async fn pass_fence(tx: &Tx<'_>, fence: &Fence) -> Result<()> {
    let lease = tx
        .one(
            "SELECT term, holder, lease_ends FROM jobs WHERE name = $1 FOR UPDATE",
            params![&fence.job],
            read_lease,
        )
        .await?;
    let held = lease.filter(|lease| !lease.holder.is_empty());
    Ok(Lease::fence(held.as_ref(), fence.term)?)
}

/// A job that nobody holds still has a term, so that the next one is higher: its lease is long over.
fn read_lease(row: &mut Row) -> Result<Lease, Fault> {
    let (term, holder, ends) = (row.int()?, row.opt_text()?, row.opt_time()?);
    Ok(Lease { term, holder: holder.unwrap_or_default(), ends: ends.unwrap_or(Timestamp(i64::MIN)) })
}
