//! The engine's port, one line per method.

use domain::ids::{CodePoolId, FulfilmentId};
use domain::page::{Page, PageRequest};
use domain::time::Timestamp;

use super::{add, low_pools, pools, queries, retire, take};
use crate::db::Db;
use crate::failure::Result;
use crate::model::*;

impl Db {
    pub async fn code_pool_make(&self, step: CodePoolMake) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(pools::make(tx, step))).await
    }

    pub async fn code_pool_edit(&self, step: CodePoolEdit) -> Result<CodePoolRow> {
        self.write(step, |tx, step| Box::pin(pools::edit(tx, step))).await
    }

    pub async fn code_pool(&self, pool: CodePoolId) -> Result<Option<CodePoolRow>> {
        self.read(pool, |tx, pool| Box::pin(pools::find(tx, pool))).await
    }

    /// The newest first; with a name, the one that has it.
    pub async fn code_pool_list(&self, name: Option<String>, page: PageRequest) -> Result<Page<CodePoolRow>> {
        self.read((name, page), |tx, step| Box::pin(pools::list(tx, step))).await
    }

    pub async fn codes_add(&self, step: CodesAdd) -> Result<CodesAdded> {
        self.write(step, |tx, step| Box::pin(add::add(tx, step))).await
    }

    /// The fingerprints of all pools, chunk by chunk in the order they were added.
    pub async fn code_prints_list(&self, after: i64, limit: u32) -> Result<Vec<KnownChunk>> {
        self.read((after, limit), |tx, step| Box::pin(add::list_prints(tx, step))).await
    }

    /// One code for each that has none yet, in their order, while there are any. The same again gives the same codes.
    pub async fn codes_take(
        &self,
        pool: CodePoolId,
        ids: Vec<FulfilmentId>,
        now: Timestamp,
    ) -> Result<Vec<CodeOutcome>> {
        self.write((pool, ids, now), |tx, (pool, ids, now)| Box::pin(take::take(tx, *pool, ids, *now))).await
    }

    /// Codes that nobody has are never given. The same again retires nothing more.
    pub async fn codes_retire(&self, step: CodesRetire) -> Result<CodesRetired> {
        self.write(step, |tx, step| Box::pin(retire::retire(tx, step))).await
    }

    /// Chunks of a pool after the one with this first number, in order; -1 begins.
    pub async fn code_chunks_list(
        &self,
        pool: CodePoolId,
        after: i64,
        limit: u32,
    ) -> Result<Vec<NumberedChunk>> {
        self.read((pool, after, limit), |tx, step| Box::pin(retire::list_chunks(tx, step))).await
    }

    /// Nothing when none was given for it.
    pub async fn code_look(&self, id: FulfilmentId) -> Result<Option<CodePlace>> {
        self.read(id, |tx, id| Box::pin(queries::look(tx, id))).await
    }

    /// The same for somebody who is named in the audit log for it.
    pub async fn code_look_audited(&self, id: FulfilmentId, signed: AuditStamp) -> Result<Option<CodePlace>> {
        self.write((id, signed), |tx, step| Box::pin(queries::look_audited(tx, step))).await
    }

    /// Pools that became low or are not low any more, and nobody was told yet.
    pub async fn code_pools_list_crossed(&self, limit: u32) -> Result<Vec<CodePoolRow>> {
        self.read(limit, |tx, limit| Box::pin(low_pools::list_crossed(tx, limit))).await
    }

    pub async fn code_pools_list_low(&self, limit: u32) -> Result<Vec<CodePoolRow>> {
        self.read(limit, |tx, limit| Box::pin(low_pools::list_low(tx, limit))).await
    }

    /// Keeps whether a pool is low, as it is by now; a notice has a line in the audit log. Answers whether that is news.
    pub async fn code_pool_low_set(
        &self,
        fence: Fence,
        pool: CodePoolId,
        signed: AuditStamp,
    ) -> Result<bool> {
        self.write((fence, pool, signed), |tx, step| Box::pin(low_pools::low_set(tx, step))).await
    }
}
