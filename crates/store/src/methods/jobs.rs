//! Work by the clock.

use domain::page::{Page, PageRequest};
use domain::time::Timestamp;

use crate::db::Db;
use crate::failure::Result;
use crate::model::*;
use crate::steps::{jobs, nodes, runs, sweeps};

impl Db {
    pub async fn jobs_declare(&self, defaults: Vec<JobDefault>) -> Result<()> {
        self.write(defaults, |tx, step| Box::pin(jobs::declare(tx, step))).await
    }

    /// Ends every lease: for whoever knows that no other process is at work here. Terms stay, so a worker that should
    /// still be alive writes nothing.
    pub async fn leases_end(&self) -> Result<()> {
        self.write((), |tx, ()| Box::pin(jobs::leases_end(tx))).await
    }

    pub async fn job_list(&self) -> Result<Vec<JobRow>> {
        self.read((), |tx, ()| Box::pin(jobs::list(tx))).await
    }

    pub async fn job_edit(&self, step: JobEdit) -> Result<()> {
        self.write(step, |tx, step| Box::pin(jobs::edit(tx, step))).await
    }

    /// Takes the job that has been due the longest and nobody holds.
    pub async fn job_claim(&self, step: JobClaim) -> Result<Option<JobRun>> {
        self.write(step, |tx, step| Box::pin(jobs::claim(tx, step))).await
    }

    pub async fn job_finish(&self, step: JobFinish) -> Result<()> {
        self.write(step, |tx, step| Box::pin(jobs::finish(tx, step))).await
    }

    pub async fn job_runs(&self, job: String, page: PageRequest) -> Result<Page<RunRow>> {
        self.read((job, page), |tx, step| Box::pin(runs::list(tx, step))).await
    }

    pub async fn sweep(&self, fence: Fence, sweep: Sweep, limit: u32) -> Result<u64> {
        self.write((fence, sweep, limit), |tx, step| Box::pin(sweeps::sweep(tx, step))).await
    }

    /// Sealed values after `(user, id)` in one column, in key order.
    pub async fn sealed_rows(
        &self,
        kind: SealedColumn,
        after: (i64, i64),
        limit: u32,
    ) -> Result<Vec<SealedRow>> {
        self.read((kind, after, limit), |tx, step| Box::pin(sweeps::sealed_rows(tx, step))).await
    }

    /// Replaces a sealed value if it is still the one that was read.
    pub async fn reseal(&self, fence: Fence, row: SealedRow, sealed: Vec<u8>) -> Result<bool> {
        self.write((fence, row, sealed), |tx, step| Box::pin(sweeps::reseal(tx, step))).await
    }

    pub async fn node_lease(&self, holder: String, now: Timestamp, lease_ms: i64) -> Result<NodeLease> {
        self.write((holder, now, lease_ms), |tx, step| Box::pin(nodes::lease(tx, step))).await
    }
}
