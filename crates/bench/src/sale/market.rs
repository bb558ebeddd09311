//! A folder with three sales, a wheel, and many buyers with a session each.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use domain::ids::ActivityId;
use engine::World;
use engine::sales::gate::{Buyer, token_give};
use metrics_exporter_prometheus::PrometheusHandle;
use tempfile::TempDir;

use crate::draw::ACTIVITY;
use crate::node::{BenchServer, NodeSettings, NodeStarter};
use crate::players::{BenchPlayer, arrive, publish, sign_in_all};

/// Far more than anybody buys while something is measured.
pub const PLENTY: u64 = 1_000_000_000;

#[derive(Debug)]
pub struct Market {
    folder: TempDir,
    pub running: BenchServer,
    pub buyers: Arc<[BenchPlayer]>,
    /// One for each, and sold out in no time.
    pub rush: ActivityId,
    /// Plenty.
    pub steady: ActivityId,
    /// Plenty, of which many are held.
    pub held: ActivityId,
    pub wheel: ActivityId,
}

/// Somebody's right to try.
#[derive(Clone, Debug)]
pub struct AttemptTicket {
    pub session: String,
    pub token: String,
}

impl Market {
    /// Makes everything in a new folder below `parent`, and serves it.
    pub async fn open(
        nodes: &dyn NodeStarter,
        parent: &Path,
        buyers: u32,
        units: u64,
        metrics: PrometheusHandle,
    ) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("windfall-bench-").tempdir_in(parent)?;
        let settings = NodeSettings {
            sale_ip_per_minute: Some(100_000_000),
            ..NodeSettings::on(folder.path().join("data"))
        };
        let running = nodes.serve(settings, metrics).await?;
        let world = &running.node.world;
        let buyers: Arc<[BenchPlayer]> = sign_in_all(world, buyers).await.context("the buyers")?.into();
        arrive(world, buyers.iter().map(|buyer| buyer.session.as_str())).await?;
        let sale = async |units, per_user| publish(world, &form(units, per_user)).await.context("a sale");
        let (rush, steady, held) = (sale(units, 1).await?, sale(PLENTY, 0).await?, sale(PLENTY, 0).await?);
        let wheel = publish(world, ACTIVITY).await.context("the wheel")?;
        Ok(Self { folder, buyers, rush, steady, held, wheel, running })
    }

    pub fn world(&self) -> &Arc<World> {
        &self.running.node.world
    }

    /// A token for each of the first so many buyers, as they would have asked for it.
    pub async fn tickets(&self, sale: ActivityId, count: usize) -> anyhow::Result<Arc<[AttemptTicket]>> {
        let mut tickets = Vec::with_capacity(count);
        for BenchPlayer { user, session } in self.buyers.iter().take(count) {
            let buyer = Buyer { user: *user, address: None };
            let token = token_give(self.world(), buyer, sale, None).await?.token;
            tickets.push(AttemptTicket { session: session.clone(), token });
        }
        Ok(tickets.into())
    }

    pub async fn close(self) -> anyhow::Result<()> {
        self.running.node.close().await?;
        self.folder.close().context("removing the folder of the bench")
    }
}

fn form(units: u64, per_user: u32) -> String {
    format!(
        r#"
name = "Bench sale"
from = 0
until = 1
zone = "Asia/Shanghai"
kind = "sale"
sale = {{ name = "Clay teapot", price_minor = 9_900, currency = "CNY", units = {units}, per_user = {per_user} }}
"#
    )
}
