//! Of several nodes on one database, only the one that leads writes.
//!
//! The ledger's log has a fence of its own; this one is for everything else. A node that takes over writes down its term, and
//! ends the sessions of every other node. A session that is opened later by a node of an earlier term reads that term and
//! is closed again. So a node that was paused, and does not know yet that it was replaced, changes nothing when it wakes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use deadpool_postgres::{Hook, HookError};

use crate::db::Db;
use crate::failure::{Fault, Result};
use crate::params;
use crate::row::Row;
use crate::tx::StepFn;

/// The beginning of the name of every session of a node.
const SESSIONS: &str = "windfall-node";
const READ_TERM: &str = "SELECT value FROM installation WHERE name = 'leader_term'";
/// Terms are kept as bytes with the highest first: they compare as the numbers do.
const RAISE_TERM: &str = "
INSERT INTO installation (name, value) VALUES ('leader_term', $1)
ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE installation.value < excluded.value";
/// How many sessions of others did not end in time.
const END_OTHERS: &str = "
SELECT COUNT(*) FROM (
    SELECT pg_terminate_backend(pid, 10000) AS ended FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user
        AND application_name LIKE 'windfall-node %' AND application_name <> $1
) AS others WHERE NOT ended";

/// What a pool's sessions are called, and the term of the node that they are of.
#[derive(Clone, Debug)]
pub(crate) struct SessionFence {
    pub name: Arc<str>,
    /// Zero while the node does not lead: then it is admitted, and changes nothing that matters.
    term: Arc<AtomicU32>,
}

impl SessionFence {
    pub fn new(nonce: u64) -> Self {
        Self { name: format!("{SESSIONS} {nonce:016x}").into(), term: Arc::default() }
    }

    pub fn hook(&self) -> Hook {
        let term = Arc::clone(&self.term);
        Hook::async_fn(move |client, _| {
            let own = term.load(Ordering::Acquire);
            Box::pin(async move {
                if own == 0 {
                    return Ok(());
                }
                let row = client.query_opt(READ_TERM, &[]).await.map_err(HookError::Backend)?;
                let led =
                    row.map(|row| row.try_get::<_, Vec<u8>>(0)).transpose().map_err(HookError::Backend)?;
                if led.is_some_and(|led| led.as_slice() > own.to_be_bytes().as_slice()) {
                    Err(HookError::message("another node leads the cluster"))
                } else {
                    Ok(())
                }
            })
        })
    }
}

impl Db {
    /// From now on only this node's sessions write, and those of a node with a later term. On SQLite the folder's lock is
    /// the fence.
    pub async fn fence(&self, term: u32) -> Result<()> {
        let Some(fence) = self.session_fence() else { return Ok(()) };
        let raise: StepFn<[u8; 4], ()> = |tx, term| {
            Box::pin(async move {
                tx.execute(RAISE_TERM, params![term.as_slice()]).await?;
                Ok(())
            })
        };
        self.write(term.to_be_bytes(), raise).await?;
        fence.term.fetch_max(term, Ordering::AcqRel);
        let end: StepFn<String, i64> = |tx, name| {
            Box::pin(async move {
                tx.one(END_OTHERS, params![name.as_str()], Row::int).await.map(Option::unwrap_or_default)
            })
        };
        let left = self.write(fence.name.to_string(), end).await?;
        if left > 0 {
            return Err(Fault::new(format!("{left} sessions of another node did not end")).into());
        }
        Ok(())
    }
}
