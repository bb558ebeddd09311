//! Nodes on one database.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;
use testkit::{Database, Postgres, wait};

use crate::backend::Backend;
use crate::client::Call;
use crate::people::Key;
use crate::process::{Home, LIMIT, Server};

/// When a leader that is gone is replaced.
#[derive(Clone, Copy, Debug)]
pub enum Lease {
    /// Not within a test, however slow the machine is: who leads is what the test decides.
    Long,
    /// Long beside what a busy machine takes for a renewal, short beside what a test may take.
    Short,
}

impl Lease {
    fn settings(self) -> [(&'static str, &'static str); 3] {
        let lease_ms = match self {
            Self::Long => "60000",
            Self::Short => "8000",
        };
        [
            ("WINDFALL__CLUSTER__LEASE_MS", lease_ms),
            ("WINDFALL__CLUSTER__MARGIN_MS", "500"),
            ("WINDFALL__CLUSTER__RENEW_MS", "200"),
        ]
    }
}

/// One node: where it runs, and the process while there is one.
#[derive(Debug)]
pub struct ClusterNode {
    pub home: Home,
    pub address: SocketAddr,
    pub server: Option<Server>,
}

#[derive(Debug)]
pub struct Cluster {
    pub nodes: Vec<ClusterNode>,
    /// Holds the key file that all nodes share.
    _shared: TempDir,
}

impl Cluster {
    /// So many nodes, all of them running and one of them leading. Nothing, with the skip recorded, without PostgreSQL.
    pub async fn start(count: usize, lease: Lease) -> Option<Self> {
        let database = Postgres::durable().await?.database().await;
        let shared = tempfile::Builder::new().prefix("windfall-cluster-").tempdir().unwrap();
        let key_file = shared.path().join("windfall.key");
        let nodes = (0..count).map(|_| ClusterNode::new(&database, &key_file, lease)).collect();
        let mut cluster = Self { nodes, _shared: shared };
        for at in 0..count {
            cluster.start_node(at).await;
            // The first one makes the key file, and the tables.
            cluster.ready(at).await;
        }
        Some(cluster)
    }

    pub async fn start_node(&mut self, at: usize) {
        let node = &mut self.nodes[at];
        node.server = Some(node.home.start_at("serve", &node.address.to_string()).await);
    }

    /// Waits until a node would be sent requests.
    pub async fn ready(&self, at: usize) {
        let is_ready = async || (self.readiness(at).await?["ready"] == true).then_some(());
        wait::until_async(LIMIT, "the node to be ready", is_ready).await.unwrap_or_else(|late| {
            panic!("{late}:\n{}", self.nodes[at].home.log());
        });
    }

    /// What a node says of itself; nothing while it does not answer.
    pub async fn readiness(&self, at: usize) -> Option<Value> {
        let answer = Call::to(self.nodes[at].address, "GET", "/readyz".to_owned()).attempt().await?;
        Some(answer.json())
    }

    /// The node that leads, and says so itself.
    pub async fn leader(&self) -> usize {
        self.leader_but(usize::MAX).await
    }

    /// The same without asking one of them, which may hang.
    pub async fn leader_but(&self, not: usize) -> usize {
        let find = async || {
            for at in (0..self.nodes.len()).filter(|at| *at != not) {
                if let Some(says) = self.readiness(at).await
                    && says["ready"] == true
                    && says["notes"]["cluster"].is_null()
                {
                    return Some(at);
                }
            }
            None
        };
        wait::until_async(LIMIT, "a node to lead", find).await.unwrap()
    }

    pub fn server(&self, at: usize) -> &Server {
        self.nodes[at].server.as_ref().expect("the node runs")
    }

    /// Ends the process as a power cut would.
    pub async fn kill(&mut self, at: usize) {
        let server = self.nodes[at].server.take().expect("the node runs");
        assert_eq!(server.kill().await.code(), None, "ended by the signal");
    }

    pub async fn key(&self) -> Key {
        let leader = self.leader().await;
        self.server(leader).new_key(&["inventory"]).await
    }

    /// A backend that asks this node.
    pub fn backend(&self, at: usize, key: &Key) -> Backend {
        Backend::at(self.nodes[at].address, key.clone())
    }
}

impl ClusterNode {
    fn new(database: &Database, key_file: &Path, lease: Lease) -> Self {
        // Free a moment ago; a cluster's nodes have addresses that others know.
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut home = Home::with(&lease.settings());
        for (name, value) in [
            ("WINDFALL__PROFILE", "cluster".to_owned()),
            ("WINDFALL__POSTGRES__URL", database.url()),
            ("WINDFALL__CLUSTER__ADDRESS", format!("http://{address}")),
            ("WINDFALL__CLUSTER__STANDBY", "none".to_owned()),
            ("WINDFALL__DATA__KEY_FILE", key_file.display().to_string()),
            ("WINDFALL__HTTP__TRUSTED_PROXIES", "127.0.0.1".to_owned()),
        ] {
            home.set(name, &value);
        }
        Self { home, address, server: None }
    }
}
