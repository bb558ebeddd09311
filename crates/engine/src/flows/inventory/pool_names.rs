//! What people call a pool, by its id. A pool keeps its name for good, so what is remembered is never stale.
//!
//! The ledger goes by ids and its answers to a hold name no pool; asking the database each time would cost a query for
//! each confirmation.

use std::sync::Arc;

use domain::ledger::PoolId;
use moka::sync::Cache;

use crate::failure::Outcome;
use crate::ports::LedgerStore;

/// Names in memory at most, about a hundred bytes each.
const NAMES_MAX: u64 = 100_000;

#[derive(Clone, Debug)]
pub struct PoolNames(Cache<i64, Arc<str>>);

impl Default for PoolNames {
    fn default() -> Self {
        Self(Cache::new(NAMES_MAX))
    }
}

impl PoolNames {
    /// The whole name of a pool that is there.
    pub fn keep(&self, pool: PoolId, name: &Arc<str>) {
        self.0.insert(pool.0, Arc::clone(name));
    }

    /// Nothing for a moment after a restart, while the pool is in the journal and not yet in the database.
    pub async fn find(&self, store: &dyn LedgerStore, pool: PoolId) -> Outcome<Option<Arc<str>>> {
        if let Some(name) = self.0.get(&pool.0) {
            return Ok(Some(name));
        }
        let found: Option<Arc<str>> = store.pool_find(pool).await?.map(|found| found.name.into());
        if let Some(name) = &found {
            self.keep(pool, name);
        }
        Ok(found)
    }
}
