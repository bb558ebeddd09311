//! The nodes that a bench measures. The binary joins the parts of a node; this says what a bench needs of one.
//!
//! Deliberately absent: the configuration. A bench measures the default settings, and names the few that it changes.

use std::fmt::Debug;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use engine::World;
use ledger::RunningLedger;
use metrics_exporter_prometheus::PrometheusHandle;
use store::Db;

/// Starts nodes as the program does.
#[async_trait]
pub trait NodeStarter: Send + Sync {
    /// Starts the log as the default settings say.
    fn start_log(&self) -> anyhow::Result<()>;

    /// A node that nobody reaches: without HTTP, jobs and relay.
    async fn open(&self, settings: NodeSettings) -> anyhow::Result<BenchNode>;

    /// A node as `windfall serve` starts it, on a free port of loopback. Its metrics are read through `metrics`.
    async fn serve(&self, settings: NodeSettings, metrics: PrometheusHandle) -> anyhow::Result<BenchServer>;
}

/// The default settings, but for these.
#[derive(Clone, Debug)]
pub struct NodeSettings {
    /// `data.dir`
    pub folder: PathBuf,
    /// `ledger.lag_max`, if not the default
    pub lag_max: Option<u64>,
    /// `limits.sale_ip_per_minute`, if not the default
    pub sale_ip_per_minute: Option<u32>,
    /// `webhooks.allow_private`
    pub webhooks_allow_private: bool,
}

impl NodeSettings {
    /// The defaults, on this data folder.
    pub fn on(folder: PathBuf) -> Self {
        Self { folder, lag_max: None, sale_ip_per_minute: None, webhooks_allow_private: false }
    }
}

/// The parts of an open node.
#[derive(Debug)]
pub struct BenchNode {
    pub world: Arc<World>,
    pub db: Db,
    pub stock: Arc<RunningLedger>,
    /// Who holds the node's leases.
    pub holder: String,
    pub lifetime: Box<dyn NodeLifetime>,
}

/// What keeps a node open until it is closed.
#[async_trait]
pub trait NodeLifetime: Debug + Send + Sync {
    /// Finishes what is under way and projects the ledger to its end.
    async fn close(self: Box<Self>) -> anyhow::Result<()>;
}

impl BenchNode {
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        self.lifetime.close().await
    }
}

/// A node that answers over HTTP.
#[derive(Debug)]
pub struct BenchServer {
    pub node: BenchNode,
    pub address: SocketAddr,
}
