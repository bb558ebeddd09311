//! The nodes of `windfall bench`: joined here as for every other command, measured in the crate `bench`.

use std::sync::Arc;

use async_trait::async_trait;
use bench::{BenchNode, BenchServer, NodeLifetime, NodeSettings, NodeStarter};
use metrics_exporter_prometheus::PrometheusHandle;

use crate::config::Config;
use crate::logging;
use crate::node::{Metrics, Node};
use crate::serve::Running;

#[derive(Debug)]
pub struct BenchNodes;

#[async_trait]
impl NodeStarter for BenchNodes {
    fn start_log(&self) -> anyhow::Result<()> {
        logging::start(&Config::defaults()?.log)?;
        Ok(())
    }

    async fn open(&self, settings: NodeSettings) -> anyhow::Result<BenchNode> {
        let node = Arc::new(Node::open(&config(settings)?, "").await?);
        Ok(parts(&node, Box::new(OpenNode(Arc::clone(&node)))))
    }

    async fn serve(&self, settings: NodeSettings, metrics: PrometheusHandle) -> anyhow::Result<BenchServer> {
        let running = Running::start(&config(settings)?, Metrics(metrics)).await?;
        let (node, address) = (Arc::clone(&running.node), running.address);
        Ok(BenchServer { node: parts(&node, Box::new(running)), address })
    }
}

fn config(settings: NodeSettings) -> anyhow::Result<Config> {
    let NodeSettings { folder, lag_max, sale_ip_per_minute, webhooks_allow_private } = settings;
    let mut config = Config::defaults()?;
    config.data.dir = folder;
    config.http.listen = ([127, 0, 0, 1], 0).into();
    config.ledger.lag_max = lag_max.unwrap_or(config.ledger.lag_max);
    config.limits.sale_ip_per_minute = sale_ip_per_minute.unwrap_or(config.limits.sale_ip_per_minute);
    config.webhooks.allow_private = webhooks_allow_private;
    Ok(config)
}

fn parts(node: &Node, lifetime: Box<dyn NodeLifetime>) -> BenchNode {
    BenchNode {
        world: Arc::clone(&node.world),
        db: node.db.clone(),
        stock: Arc::clone(&node.stock),
        holder: node.holder.clone(),
        lifetime,
    }
}

/// A node without HTTP and without anything that runs beside it.
#[derive(Debug)]
struct OpenNode(Arc<Node>);

#[async_trait]
impl NodeLifetime for OpenNode {
    async fn close(self: Box<Self>) -> anyhow::Result<()> {
        self.0.close().await;
        Ok(())
    }
}

#[async_trait]
impl NodeLifetime for Running {
    async fn close(self: Box<Self>) -> anyhow::Result<()> {
        self.stop().await
    }
}
