//! What people call a pool, by its id. A pool keeps its name for good, so what is remembered is never stale.
//!
//! The ledger goes by ids and its answers to a hold name no pool; asking the database each time would cost a query for
//! each confirmation.

use std::sync::Arc;
use std::time::Duration;

use domain::ledger::PoolId;
use store::Db;

use crate::failure::Result;
use crate::recent::Recent;

/// Names in memory at most, about a hundred bytes each.
const NAMES_MAX: usize = 100_000;
/// Only so that the rarely used ones go first when there are too many.
const KEEP: Duration = Duration::from_secs(86_400);

#[derive(Debug)]
pub struct PoolNames(Recent<i64, Arc<str>>);

impl Default for PoolNames {
    fn default() -> Self {
        Self(Recent::new(NAMES_MAX, KEEP))
    }
}

impl PoolNames {
    /// The whole name of a pool that is there.
    pub fn keep(&self, pool: PoolId, name: &Arc<str>) {
        self.0.insert(pool.0, Arc::clone(name));
    }

    /// Nothing for a moment after a restart, while the pool is in the journal and not yet in the database.
    pub async fn find(&self, store: &Db, pool: PoolId) -> Result<Option<Arc<str>>> {
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
