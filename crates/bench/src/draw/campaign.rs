//! A folder with one running activity of eight prizes, many players, and a session for each.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use metrics_exporter_prometheus::PrometheusHandle;
use tempfile::TempDir;

use super::caller::{CallerSlot, DrawCaller};
use crate::node::{BenchServer, NodeSettings, NodeStarter};
use crate::players::{arrive, publish, sign_in_all};

const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Half of the draws win something; nothing runs out.
pub const ACTIVITY: &str = r#"
name = "Bench wheel"
from = 0
until = 1
zone = "Asia/Shanghai"
chances = { total = 1_000_000, day = 1_000_000 }
prizes = [
  { name = "Phone", odds = 20, units = 1_000_000_000, kind = "parcel", picture = "📱" },
  { name = "Headphones", odds = 200, units = 1_000_000_000, kind = "parcel", picture = "🎧" },
  { name = "Voucher over 50", odds = 2_000, units = 1_000_000_000, kind = "coupon", picture = "🎟️" },
  { name = "Voucher over 10", odds = 20_000, units = 1_000_000_000, kind = "coupon", picture = "🎫" },
  { name = "Redeem code", odds = 30_000, units = 1_000_000_000, kind = "coupon", picture = "🔑" },
  { name = "100 points", odds = 100_000, units = 1_000_000_000, kind = "points", amount = 100, picture = "💯" },
  { name = "One more spin", odds = 50_000, units = 1_000_000_000, kind = "chances", amount = 1, picture = "🔁" },
  { name = "A few points", odds = 297_780, units = 1_000_000_000, kind = "points", amount = 5, picture = "✨" },
]
"#;

#[derive(Debug)]
pub struct Campaign {
    folder: TempDir,
    metrics: PrometheusHandle,
    activity: String,
    tokens: Arc<[String]>,
}

impl Campaign {
    /// Makes everything in a new folder below `parent`; nothing serves yet.
    pub async fn prepare(
        nodes: &dyn NodeStarter,
        parent: &Path,
        players: u32,
        metrics: PrometheusHandle,
    ) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("windfall-bench-").tempdir_in(parent)?;
        let mut campaign = Self { folder, metrics, activity: String::new(), tokens: Arc::new([]) };
        let running = campaign.serve(nodes, None).await?;
        let world = &running.node.world;
        campaign.activity = publish(world, ACTIVITY).await.context("the activity of the bench")?.to_string();
        let players = sign_in_all(world, players).await.context("the players of the bench")?;
        campaign.tokens = players.into_iter().map(|player| player.session).collect();
        running.node.close().await?;
        Ok(campaign)
    }

    /// A server on the folder, as `windfall serve` starts it, on a free port of loopback. `lag_max` is the setting
    /// `ledger.lag_max`, where the default is not meant.
    pub async fn serve(&self, nodes: &dyn NodeStarter, lag_max: Option<u64>) -> anyhow::Result<BenchServer> {
        let settings = NodeSettings { lag_max, ..NodeSettings::on(self.folder.path().join("data")) };
        let running = nodes.serve(settings, self.metrics.clone()).await?;
        arrive(&running.node.world, self.tokens.iter().map(String::as_str)).await?;
        Ok(running)
    }

    pub fn caller(&self, address: SocketAddr, seat: CallerSlot) -> DrawCaller {
        DrawCaller::new(address, &self.activity, &self.tokens, seat)
    }

    pub fn remove(self) -> anyhow::Result<()> {
        self.folder.close().context("removing the folder of the bench")
    }
}

/// Waits until everything durable is in the database.
pub async fn wait_until_projected(running: &BenchServer) {
    while running.node.stock.lag() > 0 {
        tokio::time::sleep(LOOK_EVERY).await;
    }
}
