//! A leader on a PostgreSQL of its own, as a node of a cluster puts it together.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use cluster::log::{PostgresLog, PostgresLogSettings, StandbyRule, keep_projected};
use cluster::shard::ShardNumber;
use domain::ledger::Limits;
use embedded::SystemClock;
use engine::ports::Clock as _;
use ledger::RunningLedger;
use store::{Db, PostgresSettings};
use tokio::runtime::Handle;

use super::process_cpu::process_cpu_s;
use crate::ledger::test_ledger::settings;
use crate::postgres_peer::PostgresPeer;

/// Connections of the rows' database and of the log.
const CONNECTIONS: usize = 40;

#[derive(Debug)]
pub struct TestCluster {
    pub stock: Arc<RunningLedger>,
    db: Db,
    // Dropped in this order: a primary that loses its standby would wait for it.
    primary: PostgresPeer,
    standby: Option<PostgresPeer>,
}

impl TestCluster {
    /// Servers in new folders below `parent`, with nothing in them.
    pub async fn open(parent: &Path, with_standby: bool) -> anyhow::Result<Self> {
        let primary = PostgresPeer::start(parent, CONNECTIONS)?;
        let standby = with_standby.then(|| primary.start_standby(parent)).transpose()?;
        if with_standby {
            primary.wait_for_standby().await?;
        }
        let url = primary.settings();
        let db = Db::connect_postgres(&PostgresSettings::at(&url).unhurried()).await?;
        db.migrate(SystemClock::default().now()).await?;
        let shard = ShardNumber::new(0).context("the first shard")?;
        let log = PostgresLog::new(PostgresLogSettings {
            standby: if with_standby { StandbyRule::Required } else { StandbyRule::NotRequired },
            kept: keep_projected(db.clone(), Handle::current()),
            ..PostgresLogSettings::at(url, shard)
        })?;
        let clock = Arc::new(SystemClock::default());
        let stock =
            RunningLedger::start(Arc::new(log), settings(u64::MAX), Limits::default(), clock, db.clone())
                .await?;
        Ok(Self { stock: Arc::new(stock), db, primary, standby })
    }

    /// Processor seconds so far, of this process and the servers.
    pub fn cpu_s(&self) -> Option<f64> {
        let standby = self.standby.as_ref().map_or(Some(0.0), |standby| process_cpu_s(standby.pid()));
        Some(process_cpu_s(std::process::id())? + process_cpu_s(self.primary.pid())? + standby?)
    }

    /// Leaves what is not projected.
    pub async fn leave(self) {
        let Self { stock, db, primary, standby } = self;
        drop(stock);
        db.close().await;
        drop((primary, standby));
    }
}
