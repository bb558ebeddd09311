//! Runs of jobs. A run whose worker died keeps its end empty, and is shown so.

use domain::ids::RunId;
use domain::job::RunOutcome;
use domain::page::{Page, PageRequest};
use domain::time::Timestamp;

use crate::failure::{Fault, Result};
use crate::model::{JobFinish, RunRow};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;

pub(crate) async fn begin(tx: &Tx<'_>, run: RunId, job: &str, term: i64, now: Timestamp) -> Result<()> {
    tx.execute(
        "INSERT INTO job_runs (id, job, term, started) VALUES ($1, $2, $3, $4)",
        params![run, job, term, now],
    )
    .await?;
    Ok(())
}

pub(crate) async fn is_finished(tx: &Tx<'_>, run: RunId) -> Result<bool> {
    let sql = "SELECT COUNT(*) FROM job_runs WHERE id = $1 AND outcome IS NOT NULL";
    Ok(tx.count(sql, params![run]).await? > 0)
}

pub(crate) async fn end(tx: &Tx<'_>, step: &JobFinish) -> Result<()> {
    tx.execute(
        "UPDATE job_runs SET finished = $2, outcome = $3, handled = $4, detail = $5 WHERE id = $1",
        params![step.run, step.finished, step.outcome.name(), step.handled, &step.detail],
    )
    .await?;
    Ok(())
}

/// A run that had nothing to do takes the place of the one before, if that had nothing to do either and another before
/// it began within the time that is to lie between two that are kept. So the newest is always there, and few others are.
pub(crate) async fn thin(tx: &Tx<'_>, step: &JobFinish) -> Result<()> {
    if step.outcome != RunOutcome::Done || step.handled > 0 || step.idle_kept_ms == 0 {
        return Ok(());
    }
    tx.execute(
        "DELETE FROM job_runs
         WHERE id = (SELECT MAX(id) FROM job_runs WHERE job = $2 AND id < $1)
           AND outcome = $3 AND handled = 0
           AND (SELECT earlier.started FROM job_runs earlier WHERE earlier.job = $2 AND earlier.id < job_runs.id
                ORDER BY earlier.id DESC LIMIT 1) > $4",
        params![step.run, &step.fence.job, RunOutcome::Done.name(), Timestamp(step.finished.0 - step.idle_kept_ms)],
    )
    .await?;
    Ok(())
}

/// Newest first.
pub(crate) async fn list(tx: &Tx<'_>, (job, page): &(String, PageRequest)) -> Result<Page<RunRow>> {
    let rows = tx
        .all(
            "SELECT id, started, finished, outcome, handled, detail FROM job_runs
             WHERE job = $1 AND id < $2 ORDER BY id DESC LIMIT $3",
            params![job, page.before(), page.fetch()],
            |row| read(RunId(row.int()?), job.clone(), row),
        )
        .await?;
    Ok(Page::cut(rows, *page, |run| run.id.0))
}

/// The columns after the id: started, finished, outcome, handled, detail.
pub(crate) fn read(id: RunId, job: String, row: &mut Row) -> Result<RunRow, Fault> {
    Ok(RunRow {
        id,
        job,
        started: row.time()?,
        finished: row.opt_time()?,
        outcome: row.opt_named(RunOutcome::parse)?,
        handled: row.int()?,
        detail: row.text()?,
    })
}
