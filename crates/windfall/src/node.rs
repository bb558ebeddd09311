//! One node: keys, database, ledger, and the world the flows run in. Here is the profile of one process, which has all of it
//! in a folder; a cluster stands on other ground ([`crate::cluster`]).

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::ensure;
use domain::time::MINUTE_MS;
use embedded::journal::SqliteLog;
use embedded::{DataFolder, KeyFile, KeyVault, MemoryLimits, MemoryTimelines, SystemClock, SystemRandom};
use engine::operations::quarantine::quarantine_list;
use engine::people::passwords::Passwords;
use engine::ports::{Backups, Clock, Outbound, Random, Stock, Vault};
use engine::world::{Ids, Outside, WorldParts};
use engine::{World, jobs};
use ledger::{Log, RunningLedger};
use server::{App, BodyRoom, HttpSettings, Parts, Requests, SharesMax, Streams};
use store::Db;
use tokio::sync::watch;

use crate::backup::BackupMaker;
use crate::config::{Config, NodeProfile};
use crate::node_settings::{
    cost, deliverer, ledger_limits, payments, postgres, public_url, sender, settings, sqlite, writer,
};
use crate::readiness::Readiness;
use crate::standby::{Standby, refuse_standby};
use crate::telemetry::FolderDisks;

/// How long a node id is held without a word from its holder.
const NODE_LEASE_MS: i64 = MINUTE_MS;
const NODE_RENEWAL: Duration = Duration::from_secs(20);

/// What a node stands on.
pub struct NodeGround {
    /// Locked for this process.
    pub folder: Arc<DataFolder>,
    pub random: Arc<dyn Random>,
    pub vault: KeyVault,
    pub db: Db,
    pub machine: Arc<SystemClock>,
    /// The time of the ledger and of every flow.
    pub clock: Arc<dyn Clock>,
    pub backups: Arc<dyn Backups>,
}

impl std::fmt::Debug for NodeGround {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NodeGround").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl NodeGround {
    /// Brings the database up to this program, if its key file is the one that the data was made with.
    pub async fn prepare(&self) -> anyhow::Result<()> {
        if let Some(file) = self.machine.moved_by() {
            tracing::warn!(file = %file.display(), "a file moves the clock: this is a test");
        }
        self.db.migrate(self.machine.now()).await?;
        check_key(&self.db, &self.vault).await
    }

    /// Reads back where the ledger was: with much in the log this takes a while, and says so.
    pub async fn start_ledger(&self, config: &Config, log: Arc<dyn Log>) -> anyhow::Result<RunningLedger> {
        let (clock, db) = (Arc::clone(&self.clock), self.db.clone());
        Ok(RunningLedger::start(log, writer(config), ledger_limits(config), clock, db).await?)
    }
}

#[derive(Debug)]
pub struct Node {
    pub folder: Arc<DataFolder>,
    pub db: Db,
    pub stock: Arc<RunningLedger>,
    pub clock: Arc<SystemClock>,
    pub world: Arc<World>,
    pub holder: String,
    node_id: i64,
    backups: Option<Arc<BackupMaker>>,
    standby: Option<Arc<Standby>>,
}

impl Node {
    /// Locks the data folder, opens and migrates the database, takes a node id, and starts the ledger.
    ///
    /// `here` is how this node is reached when no public address is configured.
    pub async fn open(config: &Config, here: &str) -> anyhow::Result<Self> {
        refuse_standby(&config.data.dir)?;
        Self::open_marked(config, here).await
    }

    /// The same for a folder that follows another: for whoever promotes it.
    pub async fn open_marked(config: &Config, here: &str) -> anyhow::Result<Self> {
        ensure!(
            config.profile == NodeProfile::Embedded,
            "cluster_profile: with profile = \"cluster\" this command needs a node that runs and leads; start one with \
             `windfall serve`"
        );
        let folder = Arc::new(DataFolder::open(&config.data.dir)?);
        let standby = config.standby.folder.as_deref().filter(|standby| *standby != config.data.dir);
        let standby = standby.map(|standby| Standby::claim(standby, folder.path())).transpose()?;
        let random: Arc<dyn Random> = Arc::new(SystemRandom::default());
        // Before there is a database: one without its key is refused.
        let keys = KeyFile::open(&config.data.key_path(), folder.in_use(), random.as_ref())?;
        folder.reserve_database()?;
        let vault = KeyVault::new(&keys, Arc::clone(&random));
        let db = Db::open_sqlite(&sqlite(config, &folder))?;
        let machine = Arc::new(SystemClock::default());
        let clock: Arc<dyn Clock> = Arc::clone(&machine) as Arc<dyn Clock>;
        let (files, into) = ((folder.database(), folder.journal()), config.backup.folder.clone());
        let maker = Arc::new(BackupMaker::new(files, config.data.key_path(), into, Arc::clone(&clock)));
        let backups = Arc::clone(&maker) as Arc<dyn Backups>;
        let ground = NodeGround { folder, random, vault, db: db.clone(), machine, clock, backups };
        let started = async {
            ground.prepare().await?;
            let log = Arc::new(SqliteLog::at(&ground.folder.journal()));
            let stock = ground.start_ledger(config, log).await?;
            Self::start_on(config, here, ground, stock).await
        };
        let node = started.await.map_err(|error| unwritable(db.trouble(), &config.data.dir, error))?;
        Ok(Self { backups: Some(maker), standby: standby.map(Arc::new), ..node })
    }

    /// The rest of a start, once the ledger runs and nobody else writes.
    pub async fn start_on(
        config: &Config,
        here: &str,
        ground: NodeGround,
        stock: RunningLedger,
    ) -> anyhow::Result<Self> {
        let NodeGround { folder, random, vault, db, machine, clock, backups } = ground;
        db.level_steps_set(config.community.level_points.clone()).await?;
        let (holder, stock) = (holder(random.as_ref()), Arc::new(stock));
        let lease = db.node_lease(holder.clone(), clock.now(), NODE_LEASE_MS).await?;
        let outbound: Arc<dyn Outbound> = Arc::new(deliverer(config)?);
        let world = World::new(WorldParts {
            settings: settings(config, here)?,
            db: db.clone(),
            auditor: Arc::new(stock.auditor(db.clone())),
            stock: Arc::clone(&stock) as Arc<dyn Stock>,
            passwords: Passwords::new(cost(config))?,
            ids: Ids::new(lease.node),
            outside: Outside {
                limits: Arc::new(MemoryLimits::default()),
                timelines: Arc::new(MemoryTimelines::new(config.community.timelines_max as usize)),
                sender: sender(config, &clock)?,
                payments: payments(config, &outbound, &clock)?,
                backups,
                disks: Arc::new(FolderDisks::of(config)),
                vault: Arc::new(vault),
                outbound,
                clock,
                random,
            },
        });
        // Nobody else writes: whoever held a job here is gone, and nobody waits for its lease to end.
        world.db.leases_end().await?;
        world.db.lanes_end().await?;
        jobs::declare(&world).await?;
        let waits = quarantine_list(&world).await?;
        if !waits.lanes.is_empty() || !waits.code_pools.is_empty() {
            tracing::warn!(
                "messages or redeem codes are in quarantine: `windfall quarantine list` shows them"
            );
        }
        let (world, node_id) = (Arc::new(world), lease.node);
        Ok(Self { folder, db, stock, clock: machine, world, holder, node_id, backups: None, standby: None })
    }

    /// Renews the node id until it is lost; then two nodes could make the same id, and this one must stop.
    pub async fn hold_node_id(&self) -> anyhow::Error {
        loop {
            tokio::time::sleep(NODE_RENEWAL).await;
            let now = self.world.now();
            match self.db.node_lease(self.holder.clone(), now, NODE_LEASE_MS).await {
                Ok(lease) if lease.node == self.node_id => {}
                Ok(_) => {
                    return anyhow::anyhow!("node_id_lost: another process took node id {}", self.node_id);
                }
                // The folder is ours alone: nobody takes the node id while the database cannot be written.
                Err(failure) => tracing::warn!(%failure, "the node id was not renewed; trying again"),
            }
        }
    }

    /// Ships to the standby, if there is one, for as long as this installation is the one; answers why it must stop.
    pub async fn follow_standby(&self) -> anyhow::Error {
        match &self.standby {
            Some(standby) => standby.follow(&self.db).await,
            None => std::future::pending().await,
        }
    }

    /// After the last request: the ledger finishes and is projected, then the database closes.
    pub async fn close(&self) {
        if let Some(backups) = &self.backups {
            backups.stop();
        }
        if let Err(failure) = engine::statistics::flush(&self.world).await {
            tracing::warn!(%failure, "the visits of the last minute are not counted");
        }
        self.stock.close().await;
        self.db.close().await;
        if let Some(standby) = &self.standby {
            let (standby, projected) = (Arc::clone(standby), self.db.standby_seq());
            let _ = tokio::task::spawn_blocking(move || standby.ship_last(projected)).await;
        }
    }

    pub fn readiness(&self) -> Readiness {
        let (stock, clock) = (Arc::clone(&self.stock), Arc::clone(&self.clock));
        Readiness { db: self.db.clone(), stock, clock, draining: AtomicBool::new(false) }
    }

    /// `stopped` becomes true when the streams should end.
    pub fn app(
        &self,
        config: &Config,
        readiness: Arc<Readiness>,
        metrics: Metrics,
        stopped: watch::Receiver<bool>,
    ) -> anyhow::Result<App> {
        let public_url = public_url(config);
        let http = HttpSettings {
            secure: config.tls.pair().is_some()
                || public_url.as_deref().is_some_and(|url| url.starts_with("https:")),
            public_url,
            trusted_proxies: config.http.trusted_proxies.clone(),
            body_limit_bytes: config.http.body_limit_bytes,
            header_limit_bytes: config.http.header_limit_bytes,
            request_timeout: Duration::from_millis(config.http.request_timeout_ms),
            compression: config.http.compression,
            access_log: config.log.access,
        };
        Ok(App::from(Parts {
            world: Arc::clone(&self.world),
            http,
            health: readiness,
            metrics: metrics.0,
            streams: Arc::new(Streams::new(
                config.http.streams_max,
                SharesMax {
                    address: config.http.streams_of_address_max,
                    caller: config.http.streams_of_caller_max,
                },
                stopped,
            )),
            requests: Requests::beginning_at(u64::from_be_bytes(self.world.bytes())),
            body_room: BodyRoom::new(config.http.bodies_max_bytes, config.http.body_limit_bytes),
        }))
    }
}

/// Where metrics are gathered; one per process.
#[derive(Clone, Debug)]
pub struct Metrics(pub metrics_exporter_prometheus::PrometheusHandle);

/// `windfall migrate`: the schema and nothing else.
pub async fn migrate(config: &Config) -> anyhow::Result<()> {
    let folder = DataFolder::open(&config.data.dir)?;
    // A database without its key file would be refused at the next start.
    KeyFile::open(&config.data.key_path(), folder.in_use(), &SystemRandom::default())?;
    let (db, name) = match (config.profile, postgres(config)) {
        (NodeProfile::Cluster, Some(postgres)) => {
            let connected = Db::connect_postgres(&postgres).await;
            (connected?, "the cluster's database".to_owned())
        }
        (NodeProfile::Cluster, None) | (NodeProfile::Embedded, _) => {
            folder.reserve_database()?;
            (Db::open_sqlite(&sqlite(config, &folder))?, folder.database().display().to_string())
        }
    };
    let applied = db.migrate(SystemClock::default().now()).await?;
    for name in &applied.applied {
        println!("applied {name}");
    }
    println!("{name} is at version {}", applied.version);
    db.close().await;
    Ok(())
}

/// Another key file would not open what is stored, and would not find anybody: better not to start.
async fn check_key(db: &Db, vault: &KeyVault) -> anyhow::Result<()> {
    let mark = vault.index("installation", "this key file");
    let kept = db.installation_mark("key_file", mark.to_vec()).await?;
    anyhow::ensure!(kept == mark, "key_file_mismatch: this data was created with another key file");
    Ok(())
}

/// What `doctor` should know of other servers: each by name, with its version or what is wrong.
pub async fn connectivity(config: &Config) -> Vec<(String, Result<String, String>)> {
    let Some(settings) = postgres(config) else { return Vec::new() };
    let found = async {
        let db = Db::connect_postgres(&settings).await.map_err(|fault| fault.story())?;
        db.version().await.map_err(|failure| failure.to_string())
    };
    let mut answers = vec![("PostgreSQL".to_owned(), found.await)];
    if config.profile == NodeProfile::Cluster {
        answers.push(("the log".to_owned(), crate::cluster::look_at_log(config).await));
    }
    answers
}

/// Why a start failed, in the database's own words where it could not write: what a step hears then is about one request.
fn unwritable(trouble: Option<String>, folder: &Path, error: anyhow::Error) -> anyhow::Error {
    let Some(trouble) = trouble else { return error };
    let folder = folder.display();
    if trouble.contains("disk is full") {
        anyhow::anyhow!(
            "disk_full: the database in {folder} cannot be written ({trouble}); free some space and start again"
        )
    } else {
        anyhow::anyhow!("the database in {folder} cannot be written: {trouble}")
    }
}

/// A name for this process that no other has: leases are taken under it.
fn holder(random: &dyn Random) -> String {
    let mut bytes = [0; 4];
    random.fill(&mut bytes);
    format!("{}-{:08x}", std::process::id(), u32::from_be_bytes(bytes))
}
