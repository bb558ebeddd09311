//! A node that does not lead: it looks at the shard's head, hands requests on to the leader it sees there, and becomes a
//! candidate when that one was not heard of for a lease and a margin.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use cluster::keeper::{StopSignal, wait_for_lapse};
use cluster::lease::LeaderLook;
use cluster::log::Candidacy;
use server::{Health, NodeFront};

use super::place::ClusterPlace;

/// What a node that does not lead knows of the cluster.
#[derive(Debug, Default)]
pub struct Following {
    /// Why the head could not be looked at.
    trouble: Mutex<Option<String>>,
    has_leader: AtomicBool,
    term: AtomicU32,
    pub draining: AtomicBool,
}

impl Following {
    /// Takes in what a look saw.
    fn see(&self, look: &Result<LeaderLook, String>) {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = look.as_ref().err().cloned();
        if let Ok(seen) = look {
            self.has_leader.store(!seen.lease.is_free, Ordering::Relaxed);
            self.term.store(seen.lease.term, Ordering::Relaxed);
        }
    }
}

#[async_trait]
impl Health for Following {
    async fn parts(&self) -> Vec<(&'static str, Result<(), String>)> {
        let trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let leader = self.has_leader.load(Ordering::Relaxed);
        let draining = self.draining.load(Ordering::Relaxed);
        vec![
            ("log", trouble.map_or(Ok(()), Err)),
            ("leader", if leader { Ok(()) } else { Err("no node leads".to_owned()) }),
            ("accepting", if draining { Err("stopping".to_owned()) } else { Ok(()) }),
        ]
    }

    fn notes(&self) -> Vec<(&'static str, String)> {
        let term = self.term.load(Ordering::Relaxed);
        vec![("cluster", format!("this node follows (term {term})"))]
    }
}

/// Ends the wait of a thread when it is dropped.
struct StopGuard(Arc<StopSignal>);

impl Drop for StopGuard {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Follows until the shard may be claimed; answers on what grounds. To be given up at any time.
pub async fn follow(
    place: &ClusterPlace,
    front: &Arc<NodeFront>,
    following: &Arc<Following>,
) -> anyhow::Result<Candidacy> {
    let (log, terms, own) = (place.watched_log()?, place.terms, place.address.clone());
    let guard = StopGuard(Arc::default());
    let (stop, front, following) = (Arc::clone(&guard.0), Arc::clone(front), Arc::clone(following));
    let waited = tokio::task::spawn_blocking(move || {
        wait_for_lapse(&log, terms, &stop, |look| {
            following.see(&look);
            if let Ok(seen) = look {
                // A former life of this very node is nobody to hand requests on to.
                let leads = !seen.lease.is_free && !seen.address.is_empty() && seen.address != own;
                front.forwarder().set_leader(leads.then_some(seen.address.as_str()));
            }
        })
    });
    let lapsed = waited.await?;
    drop(guard);
    lapsed.ok_or_else(|| anyhow::anyhow!("the wait for the lead was stopped"))
}
