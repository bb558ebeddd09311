//! The engine's port, one line per method.

use async_trait::async_trait;
use domain::ids::{CodePoolId, FulfilmentId};
use domain::page::{Page, PageRequest};
use domain::time::Timestamp;
use engine::Outcome;
use engine::ports::*;

use super::{add, look, low, pools, take};
use crate::db::Db;

#[async_trait]
impl Codes for Db {
    async fn code_pool_make(&self, step: CodePoolMake) -> Outcome<Made> {
        self.write(step, |tx, step| Box::pin(pools::make(tx, step))).await
    }

    async fn code_pool_edit(&self, step: CodePoolEdit) -> Outcome<CodePoolRow> {
        self.write(step, |tx, step| Box::pin(pools::edit(tx, step))).await
    }

    async fn code_pool(&self, pool: CodePoolId) -> Outcome<Option<CodePoolRow>> {
        self.read(pool, |tx, pool| Box::pin(pools::find(tx, pool))).await
    }

    async fn code_pool_list(&self, name: Option<String>, page: PageRequest) -> Outcome<Page<CodePoolRow>> {
        self.read((name, page), |tx, step| Box::pin(pools::list(tx, step))).await
    }

    async fn codes_add(&self, step: CodesAdd) -> Outcome<CodesAdded> {
        self.write(step, |tx, step| Box::pin(add::add(tx, step))).await
    }

    async fn codes_known(&self, after: i64, limit: u32) -> Outcome<Vec<KnownChunk>> {
        self.read((after, limit), |tx, step| Box::pin(add::known(tx, step))).await
    }

    async fn codes_take(
        &self,
        pool: CodePoolId,
        ids: Vec<FulfilmentId>,
        now: Timestamp,
    ) -> Outcome<Vec<Taken>> {
        self.write((pool, ids, now), |tx, (pool, ids, now)| Box::pin(take::take(tx, *pool, ids, *now))).await
    }

    async fn code_look(&self, id: FulfilmentId) -> Outcome<Option<CodePlace>> {
        self.read(id, |tx, id| Box::pin(look::look(tx, id))).await
    }

    async fn code_look_signed(&self, id: FulfilmentId, signed: Signed) -> Outcome<Option<CodePlace>> {
        self.write((id, signed), |tx, step| Box::pin(look::look_signed(tx, step))).await
    }

    async fn code_pools_crossed(&self, limit: u32) -> Outcome<Vec<CodePoolRow>> {
        self.read(limit, |tx, limit| Box::pin(low::crossed(tx, limit))).await
    }

    async fn code_pool_low_set(&self, fence: Fence, pool: CodePoolId, signed: Signed) -> Outcome<bool> {
        self.write((fence, pool, signed), |tx, step| Box::pin(low::low_set(tx, step))).await
    }
}
