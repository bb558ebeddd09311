//! Work by the clock.

use async_trait::async_trait;
use domain::page::{Page, PageRequest};
use domain::time::Timestamp;
use engine::Outcome;
use engine::ports::*;

use crate::db::Db;
use crate::steps::{jobs, nodes, runs, sweeps};

#[async_trait]
impl Jobs for Db {
    async fn jobs_declare(&self, defaults: Vec<JobDefault>) -> Outcome<()> {
        self.write(defaults, |tx, step| Box::pin(jobs::declare(tx, step))).await
    }

    async fn leases_end(&self) -> Outcome<()> {
        self.write((), |tx, ()| Box::pin(jobs::leases_end(tx))).await
    }

    async fn job_list(&self) -> Outcome<Vec<JobRow>> {
        self.read((), |tx, ()| Box::pin(jobs::list(tx))).await
    }

    async fn job_edit(&self, step: JobEdit) -> Outcome<()> {
        self.write(step, |tx, step| Box::pin(jobs::edit(tx, step))).await
    }

    async fn job_claim(&self, step: JobClaim) -> Outcome<Option<JobRun>> {
        self.write(step, |tx, step| Box::pin(jobs::claim(tx, step))).await
    }

    async fn job_finish(&self, step: JobFinish) -> Outcome<()> {
        self.write(step, |tx, step| Box::pin(jobs::finish(tx, step))).await
    }

    async fn job_runs(&self, job: String, page: PageRequest) -> Outcome<Page<RunRow>> {
        self.read((job, page), |tx, step| Box::pin(runs::list(tx, step))).await
    }

    async fn sweep(&self, fence: Fence, sweep: Sweep, limit: u32) -> Outcome<u64> {
        self.write((fence, sweep, limit), |tx, step| Box::pin(sweeps::sweep(tx, step))).await
    }

    async fn sealed_rows(
        &self,
        kind: SealedColumn,
        after: (i64, i64),
        limit: u32,
    ) -> Outcome<Vec<SealedRow>> {
        self.read((kind, after, limit), |tx, step| Box::pin(sweeps::sealed_rows(tx, step))).await
    }

    async fn reseal(&self, fence: Fence, row: SealedRow, sealed: Vec<u8>) -> Outcome<bool> {
        self.write((fence, row, sealed), |tx, step| Box::pin(sweeps::reseal(tx, step))).await
    }

    async fn node_lease(&self, holder: String, now: Timestamp, lease_ms: i64) -> Outcome<NodeLease> {
        self.write((holder, now, lease_ms), |tx, step| Box::pin(nodes::lease(tx, step))).await
    }
}
