//! What a log needs to know.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::kept::KeptPosition;
use crate::lease::Leadership;
use crate::shard::ShardNumber;

/// A segment is closed when it holds this much.
const SEGMENT_BYTES: u64 = 64 * 1024 * 1024;
/// Events that stay in the log behind the projection, so that a database that moved back is projected again from them.
const MARGIN_EVENTS: u64 = 1_000_000;

/// Whether a commit has to be on a second server before it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandbyRule {
    /// A server without a synchronous standby is refused.
    Required,
    /// Somebody decided that one server is enough.
    NotRequired,
}

/// On what grounds a log may be claimed for the first time. After that its own claims may follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Candidacy {
    /// Nobody else can be leading: a single node, a test, a person's decision.
    Unopposed,
    /// The leader before was not heard of for a lease and more: its term, and the lease's counter as it stood still.
    Lapsed { term: u32, lease: u64 },
}

/// Reads the positions that are kept elsewhere.
pub type KeptPositions = Arc<dyn Fn() -> Result<Vec<KeptPosition>, String> + Send + Sync>;

#[derive(Clone)]
pub struct PostgresLogSettings {
    /// `postgres://user:password@host:port/database`
    pub url: String,
    /// The certificates that the server's is checked against, as PEM; with them every connection is encrypted. Without them
    /// none is, and an address that demands TLS is refused.
    pub ca_file: Option<PathBuf>,
    pub shard: ShardNumber,
    pub standby: StandbyRule,
    pub candidacy: Candidacy,
    /// The lease that claims and renewals prolong. Without one, the log is always led: nobody else can claim it.
    pub lead: Option<Arc<Leadership>>,
    /// Where other nodes reach this one while it leads; empty for one that nobody has to reach.
    pub address: String,
    /// What a claim compares the log with.
    pub kept: KeptPositions,
    pub segment_bytes: u64,
    pub margin_events: u64,
}

impl PostgresLogSettings {
    /// The usual figures for a shard that nobody else leads.
    pub fn at(url: impl Into<String>, shard: ShardNumber) -> Self {
        Self {
            url: url.into(),
            ca_file: None,
            shard,
            standby: StandbyRule::Required,
            candidacy: Candidacy::Unopposed,
            lead: None,
            address: String::new(),
            kept: Arc::new(|| Ok(Vec::new())),
            segment_bytes: SEGMENT_BYTES,
            margin_events: MARGIN_EVENTS,
        }
    }
}

/// Without the address, which may hold a password.
impl fmt::Debug for PostgresLogSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresLogSettings")
            .field("shard", &self.shard)
            .field("standby", &self.standby)
            .field("candidacy", &self.candidacy)
            .finish_non_exhaustive()
    }
}
