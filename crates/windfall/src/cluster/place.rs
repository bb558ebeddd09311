//! What a node has whether it leads or not.

use std::sync::Arc;

use anyhow::{Context as _, ensure};
use cluster::lease::{Leadership, LeaseTerms};
use cluster::log::{Candidacy, PostgresLog, PostgresLogSettings, StandbyRule};
use cluster::shard::ShardNumber;
use embedded::{DataFolder, KeyFile, KeyVault, SystemClock, SystemRandom};
use engine::ports::Random;
use store::{Db, PostgresSettings};

use crate::config::{Config, LogStandby};
use crate::node_settings::postgres;

#[derive(Debug)]
pub struct ClusterPlace {
    pub folder: Arc<DataFolder>,
    pub machine: Arc<SystemClock>,
    keys: KeyFile,
    postgres: PostgresSettings,
    log: PostgresLogSettings,
    /// Where other nodes reach this one.
    pub address: String,
    pub terms: LeaseTerms,
}

impl ClusterPlace {
    /// Locks the folder and reads the keys. Every node has the same key file.
    pub fn open(config: &Config) -> anyhow::Result<Self> {
        let folder = Arc::new(DataFolder::open(&config.data.dir)?);
        ensure!(
            !folder.in_use(),
            "folder_embedded: {} holds an installation of the embedded profile; name another folder with --data",
            config.data.dir.display()
        );
        let keys = KeyFile::open(&config.data.key_path(), false, &SystemRandom::default())?;
        let postgres = postgres(config).context("postgres.url is not set")?;
        Ok(Self {
            folder,
            machine: Arc::new(SystemClock::default()),
            keys,
            postgres,
            log: log_settings(config)?,
            address: address(config)?,
            terms: terms(config),
        })
    }

    /// A log to look at; it is not claimed.
    pub fn watched_log(&self) -> anyhow::Result<PostgresLog> {
        Ok(PostgresLog::new(self.log.clone())?)
    }

    /// A log to claim on these grounds.
    pub fn claimed_log(&self, candidacy: Candidacy, lead: &Arc<Leadership>) -> anyhow::Result<PostgresLog> {
        let (lead, address) = (Some(Arc::clone(lead)), self.address.clone());
        Ok(PostgresLog::new(PostgresLogSettings { candidacy, lead, address, ..self.log.clone() })?)
    }

    pub async fn connect(&self) -> anyhow::Result<Db> {
        Ok(Db::connect_postgres(&self.postgres).await?)
    }

    pub fn vault(&self, random: &Arc<dyn Random>) -> KeyVault {
        KeyVault::new(&self.keys, Arc::clone(random))
    }
}

fn log_settings(config: &Config) -> anyhow::Result<PostgresLogSettings> {
    let url = config.cluster.log_url.as_ref().or(config.postgres.url.as_ref());
    let url = url.context("neither cluster.log_url nor postgres.url is set")?;
    // Every pool and activity is in one shard.
    let shard = ShardNumber::new(0).context("the number of the shard")?;
    let standby = match config.cluster.standby {
        LogStandby::Required => StandbyRule::Required,
        LogStandby::None => StandbyRule::NotRequired,
    };
    let ca_file = config.cluster.log_ca_file.clone();
    Ok(PostgresLogSettings { ca_file, standby, ..PostgresLogSettings::at(url.expose(), shard) })
}

fn address(config: &Config) -> anyhow::Result<String> {
    let address = config.cluster.address.as_ref().context("cluster.address is not set")?;
    Ok(address.trim_end_matches('/').to_owned())
}

fn terms(config: &Config) -> LeaseTerms {
    let cluster = &config.cluster;
    LeaseTerms { lease_ms: cluster.lease_ms, margin_ms: cluster.margin_ms, renew_ms: cluster.renew_ms }
}

/// For `doctor`: whether the log's server keeps what it commits, and who leads.
pub async fn look_at_log(config: &Config) -> Result<String, String> {
    let settings = log_settings(config).map_err(|error| format!("{error:#}"))?;
    let looked = tokio::task::spawn_blocking(move || PostgresLog::new(settings)?.look());
    match looked.await.map_err(|error| error.to_string())? {
        Ok(seen) if seen.lease.is_free => Ok(format!("nobody leads (term {})", seen.lease.term)),
        Ok(seen) => Ok(format!("led from {} (term {})", seen.address, seen.lease.term)),
        Err(error) => Err(ledger::log::reason(&error)),
    }
}
