//! One node on the embedded profile: data folder, database, keys, and the world the flows run in.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use async_trait::async_trait;
use domain::account::{PhoneCountry, SendCaps, SessionPolicy};
use domain::community::{CheckInTerms, DailyCaps};
use domain::ledger::Limits;
use domain::limit::Quota;
use domain::sale::Currency;
use domain::time::{DAY_MS, MINUTE_MS, SECOND_MS};
use embedded::journal::SqliteLog;
use embedded::{
    ClockJump, DataFolder, KeyFile, KeyVault, MemoryLimits, MemoryTimelines, SystemClock, SystemRandom,
};
use engine::operations::quarantine::quarantine_list;
use engine::people::passwords::{PasswordCost, Passwords};
use engine::ports::{
    Backups, Clock, CodeSender as SendCodes, Outbound, PaymentGateway, Random, Stock, Vault,
};
use engine::settings::{AloneCaps, Bilingual, CommunitySettings, Quotas, Settings, SiteTexts};
use engine::world::{Ids, Outside, WorldParts};
use engine::{World, jobs};
use ledger::{RunningLedger, WriterSettings};
use server::{
    App, BodyRoom, Deliverer, DelivererSettings, Health, HttpSettings, NoPayments, Parts, Requests,
    SandboxPayments, SharesMax, Streams, WebhookCodeSender, WebhookPayments, WebhookPaymentsSettings,
};
use store::{Db, PostgresSettings, SqliteSettings};
use tokio::sync::watch;

use crate::backup::BackupMaker;
use crate::config::{CodeSenderKind, Config, PaymentProvider, SecondFactor, SiteConfig};
use crate::logging::LogCodeSender;
use crate::standby::{Standby, refuse_standby};
use crate::telemetry::FolderDisks;

/// How long a node id is held without a word from its holder.
const NODE_LEASE_MS: i64 = MINUTE_MS;
const NODE_RENEWAL: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub struct Node {
    pub folder: DataFolder,
    pub db: Db,
    pub stock: Arc<RunningLedger>,
    pub clock: Arc<SystemClock>,
    pub world: Arc<World>,
    pub holder: String,
    node_id: i64,
    backups: Arc<BackupMaker>,
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
        let folder = DataFolder::open(&config.data.dir)?;
        let standby = config.standby.folder.as_deref().filter(|standby| *standby != config.data.dir);
        let standby = standby.map(|standby| Standby::claim(standby, folder.path())).transpose()?;
        let random: Arc<dyn Random> = Arc::new(SystemRandom::default());
        // Before there is a database: one without its key is refused.
        let keys = KeyFile::open(&config.data.key_path(), folder.in_use(), random.as_ref())?;
        folder.reserve_database()?;
        let vault = KeyVault::new(&keys, Arc::clone(&random));
        let db = Db::open_sqlite(&sqlite(config, &folder))?;
        let started = Self::start_on(config, here, (folder, standby), (random, vault), db.clone()).await;
        started.map_err(|error| unwritable(db.trouble(), &config.data.dir, error))
    }

    async fn start_on(
        config: &Config,
        here: &str,
        (folder, standby): (DataFolder, Option<Standby>),
        (random, vault): (Arc<dyn Random>, KeyVault),
        db: Db,
    ) -> anyhow::Result<Self> {
        let machine = Arc::new(SystemClock::default());
        if let Some(file) = machine.moved_by() {
            tracing::warn!(file = %file.display(), "a file moves the clock: this is a test");
        }
        let clock: Arc<dyn Clock> = Arc::clone(&machine) as Arc<dyn Clock>;
        db.migrate(clock.now()).await?;
        check_key(&db, &vault).await?;
        db.level_steps_set(config.community.level_points.clone()).await?;
        let holder = holder(random.as_ref());
        let lease = db.node_lease(holder.clone(), clock.now(), NODE_LEASE_MS).await?;
        let stock = Arc::new(start_ledger(config, &folder, &clock, &db).await?);
        let outbound: Arc<dyn Outbound> = Arc::new(deliverer(config)?);
        let files = (folder.database(), folder.journal());
        let backup_folder = config.backup.folder.clone();
        let backups =
            Arc::new(BackupMaker::new(files, config.data.key_path(), backup_folder, Arc::clone(&clock)));
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
                backups: Arc::clone(&backups) as Arc<dyn Backups>,
                disks: Arc::new(FolderDisks::of(config)),
                vault: Arc::new(vault),
                outbound,
                clock,
                random,
            },
        });
        // The folder is ours alone: whoever held a job here is gone, and nobody waits for its lease to end.
        world.db.leases_end().await?;
        world.db.lanes_end().await?;
        jobs::declare(&world).await?;
        let waits = quarantine_list(&world).await?;
        if !waits.lanes.is_empty() || !waits.code_pools.is_empty() {
            tracing::warn!(
                "messages or redeem codes are in quarantine: `windfall quarantine list` shows them"
            );
        }
        let (world, standby) = (Arc::new(world), standby.map(Arc::new));
        Ok(Self { folder, db, stock, clock: machine, world, holder, node_id: lease.node, backups, standby })
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
        self.backups.stop();
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

/// Ready while the database answers, the ledger accepts, and nobody asked for a stop.
#[derive(Debug)]
pub struct Readiness {
    pub db: Db,
    pub stock: Arc<RunningLedger>,
    pub clock: Arc<SystemClock>,
    pub draining: AtomicBool,
}

#[async_trait]
impl Health for Readiness {
    async fn parts(&self) -> Vec<(&'static str, Result<(), String>)> {
        let database = match self.db.trouble() {
            Some(why) => Err(why),
            None => self.db.ping().await.map_err(|failure| failure.to_string()),
        };
        let draining = self.draining.load(Ordering::Relaxed);
        vec![
            ("database", database),
            ("ledger", self.stock.trouble().map_or(Ok(()), Err)),
            ("clock", clock(&self.stock)),
            ("accepting", if draining { Err("stopping".to_owned()) } else { Ok(()) }),
        ]
    }

    fn notes(&self) -> Vec<(&'static str, String)> {
        let jump = self.clock.jumped().map(|jump| ("clock", describe_jump(jump)));
        let back = match self.stock.clock().put_back_ms {
            0 => None,
            ms => Some(("ledger", format!("followed the clock back by {} s", ms / 1_000))),
        };
        jump.into_iter().chain(back).collect()
    }
}

/// A jump in words.
fn describe_jump(jump: ClockJump) -> String {
    let way = if jump.by_ms > 0 { "ahead" } else { "back" };
    format!("jumped {way} by {} s at {}", jump.by_ms.abs() / 1_000, jump.at.rfc3339())
}

/// While it is behind the ledger, nothing new is begun.
fn clock(stock: &RunningLedger) -> Result<(), String> {
    match stock.clock().behind_ms {
        0 => Ok(()),
        ms => Err(format!("clock_behind: the clock is {} s behind the ledger", ms / 1_000)),
    }
}

/// `windfall migrate`: the schema and nothing else.
pub async fn migrate(config: &Config) -> anyhow::Result<()> {
    let folder = DataFolder::open(&config.data.dir)?;
    // A database without its key file would be refused at the next start.
    KeyFile::open(&config.data.key_path(), folder.in_use(), &SystemRandom::default())?;
    folder.reserve_database()?;
    let db = Db::open_sqlite(&sqlite(config, &folder))?;
    let applied = db.migrate(SystemClock::default().now()).await?;
    for name in &applied.applied {
        println!("applied {name}");
    }
    println!("{} is at version {}", folder.database().display(), applied.version);
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
    let Some(url) = &config.postgres.url else { return Vec::new() };
    let settings = PostgresSettings {
        pool_max: config.postgres.pool_max,
        statement_timeout_ms: u32::try_from(config.postgres.statement_timeout_ms).unwrap_or(u32::MAX),
        ..PostgresSettings::at(url.expose())
    };
    let found = async {
        let db = Db::connect_postgres(&settings).await.map_err(|fault| fault.story())?;
        db.version().await.map_err(|failure| failure.to_string())
    };
    vec![("PostgreSQL".to_owned(), found.await)]
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

fn sqlite(config: &Config, folder: &DataFolder) -> SqliteSettings {
    SqliteSettings {
        readers: config.sqlite.readers,
        batch_max: config.sqlite.batch_max,
        queue_max: config.sqlite.queue_max,
        busy_timeout_ms: u32::try_from(config.sqlite.busy_timeout_ms).unwrap_or(u32::MAX),
        read_wait_ms: u32::try_from(config.sqlite.read_wait_ms).unwrap_or(u32::MAX),
        standby: config
            .standby
            .folder
            .as_deref()
            .filter(|standby| *standby != config.data.dir)
            .map(Standby::database),
        ..SqliteSettings::at(folder.database())
    }
}

/// Reads back where the ledger was: with much in the journal this takes a while, and says so.
async fn start_ledger(
    config: &Config,
    folder: &DataFolder,
    clock: &Arc<dyn Clock>,
    db: &Db,
) -> anyhow::Result<RunningLedger> {
    const PAGES_PER_MIB: u32 = 256;
    let settings = WriterSettings {
        queue_max: config.ledger.queue_max,
        journal_pages_max: config.ledger.journal_max_mib.saturating_mul(PAGES_PER_MIB),
        lag_max: config.ledger.lag_max,
        clock_back_max_ms: config.ledger.clock_back_max_s * SECOND_MS,
    };
    let limits = Limits {
        ttl_max_ms: config.ledger.hold_max_s * SECOND_MS,
        life_max_ms: config.ledger.hold_life_max_s * SECOND_MS,
        ..Limits::default()
    };
    let store = db.clone();
    Ok(RunningLedger::start(
        Arc::new(SqliteLog::at(&folder.journal())),
        settings,
        limits,
        Arc::clone(clock),
        store,
    )
    .await?)
}

fn site_texts(site: &SiteConfig) -> SiteTexts {
    let both = |text: &str, en: &str| Bilingual { text: text.trim().to_owned(), en: en.trim().to_owned() };
    SiteTexts {
        organiser: both(&site.organiser, &site.organiser_en),
        contact: site.contact.trim().to_owned(),
        terms: both(&site.terms, &site.terms_en),
        privacy: both(&site.privacy, &site.privacy_en),
        minors: both(&site.minors, &site.minors_en),
        reminders: both(&site.reminders, &site.reminders_en),
    }
}

fn settings(config: &Config, here: &str) -> anyhow::Result<Settings> {
    let per_minute = Quota::per_minute;
    let limits = &config.limits;
    Ok(Settings {
        demo: config.demo,
        site_zone: jiff::tz::TimeZone::get(&config.time_zone).context("time_zone")?,
        currency: Currency::parse(&config.currency).context("currency")?,
        public_url: public_url(config).unwrap_or_else(|| here.to_owned()),
        session: SessionPolicy {
            idle_ms: i64::from(config.session.idle_days) * DAY_MS,
            absolute_ms: i64::from(config.session.absolute_days) * DAY_MS,
        },
        codes: SendCaps {
            phone_daily: i64::from(config.code.phone_daily_max),
            ip_daily: i64::from(config.code.ip_daily_max),
            site_daily: i64::from(config.code.site_daily_max),
        },
        phone_country: PhoneCountry::parse(&config.account.phone_country).context("account.phone_country")?,
        code_countries: config.code.countries.clone(),
        sign_in_tries_free: limits.sign_in_tries_free,
        limits_kept_ms: i64::from(config.account.limits_kept_days) * DAY_MS,
        rows_wait: std::time::Duration::from_millis(config.ledger.rows_wait_ms),
        reconcile_wait: std::time::Duration::from_millis(config.ledger.reconcile_wait_ms),
        site: site_texts(&config.site),
        staff_second_factor: config.staff.second_factor == SecondFactor::Required,
        quotas: Quotas {
            ip: per_minute(limits.ip_per_minute),
            user: per_minute(limits.user_per_minute),
            key: per_minute(limits.key_per_minute),
            sign_in_ip: per_minute(limits.sign_in_ip_per_minute),
            sale_user: per_minute(limits.sale_user_per_minute),
            sale_ip: per_minute(limits.sale_ip_per_minute),
            callback_ip: per_minute(limits.callback_ip_per_minute),
        },
        points_expire: config.points.expire,
        alone: AloneCaps {
            points_daily_max: config.points.alone_daily_max,
            chances_daily_max: config.alone.chances_daily_max,
            pieces_daily_max: config.alone.pieces_daily_max,
            refunds_daily_max_minor: config.alone.refunds_daily_max_minor,
            keys_live_max: config.alone.keys_live_max,
            key_stops_daily_max: config.alone.key_stops_daily_max,
            key_bars_daily_max: config.alone.key_bars_daily_max,
        },
        community: CommunitySettings {
            public: config.community.public,
            daily: DailyCaps {
                posts: config.community.posts_daily_max,
                comments: config.community.comments_daily_max,
                likes: config.community.likes_daily_max,
                follows: config.community.follows_daily_max,
            },
            following_max: config.community.following_max,
            merged_from_followers: config.community.merged_from_followers,
        },
        level_points: config.community.level_points.clone(),
        check_in: Arc::new(CheckInTerms {
            make_up_points: config.check_in.make_up_points,
            make_up_days: config.check_in.make_up_days,
            make_ups_monthly_max: config.check_in.make_ups_monthly_max,
            milestones: config.check_in.milestones.clone(),
        }),
    })
}

/// The configured address without a slash at its end, as browsers name an origin.
pub fn public_url(config: &Config) -> Option<String> {
    config.http.public_url.as_ref().map(|url| url.trim_end_matches('/').to_owned())
}

fn cost(config: &Config) -> PasswordCost {
    let passwords = &config.passwords;
    PasswordCost {
        memory_kib: passwords.memory_kib,
        passes: passwords.passes,
        lanes: passwords.lanes,
        parallel_max: passwords.parallel_max,
    }
}

fn sender(config: &Config, clock: &Arc<dyn Clock>) -> anyhow::Result<Arc<dyn SendCodes>> {
    match (config.code.sender, &config.code.webhook_url, &config.code.webhook_secret) {
        (CodeSenderKind::Webhook, Some(url), Some(secret)) => {
            Ok(Arc::new(WebhookCodeSender::new(url, secret.expose(), Arc::clone(clock))?))
        }
        (CodeSenderKind::Webhook, _, _) => {
            anyhow::bail!("code.sender = \"webhook\" needs webhook_url and webhook_secret")
        }
        (CodeSenderKind::Log, _, _) => Ok(Arc::new(LogCodeSender)),
    }
}

fn payments(
    config: &Config,
    outbound: &Arc<dyn Outbound>,
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<Arc<dyn PaymentGateway>> {
    let payments = &config.payments;
    match (payments.provider, &payments.pay_url, &payments.refund_url, &payments.secret) {
        (PaymentProvider::Auto, ..) if config.demo => Ok(Arc::new(SandboxPayments)),
        (PaymentProvider::Sandbox, ..) => Ok(Arc::new(SandboxPayments)),
        (PaymentProvider::Auto | PaymentProvider::None, ..) => Ok(Arc::new(NoPayments)),
        (PaymentProvider::Webhook, Some(pay_url), Some(refund_url), Some(secret)) => {
            let settings = WebhookPaymentsSettings {
                pay_url: pay_url.clone(),
                refund_url: refund_url.clone(),
                secret: secret.expose().to_owned(),
            };
            Ok(Arc::new(WebhookPayments::new(settings, Arc::clone(outbound), Arc::clone(clock))))
        }
        (PaymentProvider::Webhook, ..) => {
            anyhow::bail!("payments.provider = \"webhook\" needs pay_url, refund_url and secret")
        }
    }
}

fn deliverer(config: &Config) -> anyhow::Result<Deliverer> {
    let webhooks = &config.webhooks;
    Ok(Deliverer::new(DelivererSettings {
        allow_private: webhooks.allow_private,
        connect_timeout: Duration::from_millis(webhooks.connect_timeout_ms),
        timeout: Duration::from_millis(webhooks.timeout_ms),
    })?)
}

/// A name for this process that no other has: leases are taken under it.
fn holder(random: &dyn Random) -> String {
    let mut bytes = [0; 4];
    random.fill(&mut bytes);
    format!("{}-{:08x}", std::process::id(), u32::from_be_bytes(bytes))
}
