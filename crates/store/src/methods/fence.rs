//! Of several nodes on one database, only the one that leads writes (`postgres/fence.rs`).

use crate::db::Db;
use crate::failure::{Fault, Result};
use crate::params;
use crate::row::Row;
use crate::tx::StepFn;

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
        fence.lead(term);
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
