//! Of several nodes on one database, only the one that leads writes.
//!
//! The ledger's log has a fence of its own; this one is for everything else. A node that takes over writes down its term, and
//! ends the sessions of every other node. A session that is opened later by a node of an earlier term reads that term and
//! is closed again. So a node that was paused, and does not know yet that it was replaced, changes nothing when it wakes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use deadpool_postgres::{Hook, HookError};

/// The beginning of the name of every session of a node.
const SESSIONS: &str = "windfall-node";
const READ_TERM: &str = "SELECT value FROM installation WHERE name = 'leader_term'";

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

    /// From now on this node's sessions are those of a leader.
    pub fn lead(&self, term: u32) {
        self.term.fetch_max(term, Ordering::AcqRel);
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
