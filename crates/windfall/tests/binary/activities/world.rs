//! A world with a real database and a real ledger, and a clock that the test sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use domain::access::Decider;
use domain::account::{CodePurpose, Phone, PhoneCode, SendCaps, SessionPolicy};
use domain::community::{CheckInTerms, DailyCaps};
use domain::ids::{ActivityId, UserId};
use domain::ledger::play::{Day, Draw, Draws, PlayerFacts};
use domain::ledger::{Command, Key, Limits};
use domain::limit::Quota;
use domain::points::Expiry;
use domain::time::{DAY_MS, Timestamp};
use embedded::journal::SqliteLog;
use embedded::{KeyFile, KeyVault, MemoryLimits, MemoryTimelines, SystemRandom};
use engine::activity_cache::Offer;
use engine::people::passwords::{PasswordCost, Passwords};
use engine::ports::*;
use engine::settings::{AloneCaps, CommunitySettings, Quotas, Settings, SiteTexts, StatisticsSettings};
use engine::world::{Ids, Outside, WorldParts};
use engine::{Fault, World};
use ledger::{RunningLedger, WriterSettings};
use server::{Deliverer, DelivererSettings};
use store::model::*;
use store::{Db, SqliteSettings};
use tempfile::TempDir;

use crate::process::LIMIT;

/// 2026-01-01 at noon in UTC, where all of this takes place.
pub const T0: Timestamp = Timestamp(1_767_268_800_000);
pub const ANN: UserId = UserId(1_000);
pub const BOB: UserId = UserId(2_000);

const OUTBOUND: DelivererSettings =
    DelivererSettings { allow_private: true, connect_timeout: LIMIT, timeout: LIMIT };

#[derive(Debug)]
pub struct HandClock(AtomicI64);

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}

/// Nobody asks for a backup here.
#[derive(Debug)]
struct NoBackups;

impl engine::ports::Backups for NoBackups {
    fn begin(&self, _: engine::ports::BackupOrder) -> engine::Result<engine::ports::BackupStatus> {
        Err(engine::Fault::new("no backups here").into())
    }

    fn status(&self) -> Option<engine::ports::BackupStatus> {
        None
    }

    fn has_folder(&self) -> bool {
        false
    }
}

/// There is room here.
#[derive(Debug)]
struct NoDisks;

impl engine::ports::Disks for NoDisks {
    fn list(&self) -> Vec<domain::attention::DiskFact> {
        Vec::new()
    }
}

struct NoSender;

#[async_trait]
impl CodeSender for NoSender {
    async fn send(&self, _: &Phone, _: CodePurpose, _: &PhoneCode) -> Result<(), Fault> {
        Ok(())
    }
}

pub struct Stage {
    pub world: World,
    pub db: Db,
    pub stock: Arc<RunningLedger>,
    clock: Arc<HandClock>,
    folder: TempDir,
    /// How many processes there were. Each makes ids of its own, though the clock stands still.
    lives: i64,
}

impl Stage {
    pub async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open_sqlite(&SqliteSettings::at(folder.path().join("windfall.db")).unhurried()).unwrap();
        db.migrate(T0).await.unwrap();
        Self::over(folder, db, Arc::new(HandClock(AtomicI64::new(T0.0))), 1).await
    }

    /// The process is gone, and another one starts on the same folder.
    pub async fn restarted(self) -> Self {
        self.stock.close().await;
        self.db.close().await;
        let db =
            Db::open_sqlite(&SqliteSettings::at(self.folder.path().join("windfall.db")).unhurried()).unwrap();
        Self::over(self.folder, db, self.clock, self.lives + 1).await
    }

    async fn over(folder: TempDir, db: Db, clock: Arc<HandClock>, lives: i64) -> Self {
        let settings = WriterSettings {
            queue_max: 1_000,
            journal_pages_max: 1 << 20,
            lag_max: 1 << 20,
            clock_back_max_ms: ledger::CLOCK_BACK_MAX_MS,
        };
        let (store, time): (Db, Arc<dyn Clock>) = (db.clone(), clock.clone());
        let journal = folder.path().join("journal.db");
        let stock =
            RunningLedger::start(Arc::new(SqliteLog::at(&journal)), settings, Limits::default(), time, store)
                .await
                .unwrap();
        let stock = Arc::new(stock);
        let random: Arc<dyn Random> = Arc::new(SystemRandom::default());
        let path = folder.path().join("keys");
        let keys = KeyFile::open(&path, path.exists(), random.as_ref()).unwrap();
        let vault = KeyVault::new(&keys, Arc::clone(&random));
        let many = Quota::per_minute(1_000_000);
        let world = World::new(WorldParts {
            settings: Settings {
                site: SiteTexts::default(),
                demo: false,
                site_zone: jiff::tz::TimeZone::UTC,
                currency: domain::sale::Currency::CNY,
                public_url: String::new(),
                session: SessionPolicy { idle_ms: DAY_MS, absolute_ms: DAY_MS },
                codes: SendCaps { phone_daily: 1, ip_daily: 1, site_daily: 1 },
                phone_country: domain::account::PhoneCountry::default(),
                code_countries: Vec::new(),
                sign_in_tries_free: 5,
                limits_kept_ms: DAY_MS,
                rows_wait: LIMIT,
                reconcile_wait: LIMIT,
                staff_second_factor: false,
                quotas: Quotas {
                    ip: many,
                    user: many,
                    key: many,
                    sign_in_ip: many,
                    sale_user: many,
                    sale_ip: many,
                    search: many,
                    callback_ip: many,
                },
                points_expire: Expiry::Days(30),
                alone: AloneCaps {
                    points_daily_max: 10_000,
                    chances_daily_max: 1_000,
                    pieces_daily_max: 100,
                    refunds_daily_max_minor: 500_000,
                    keys_live_max: 20,
                    key_stops_daily_max: 5,
                    key_bars_daily_max: 5,
                },
                community: CommunitySettings {
                    public: true,
                    daily: DailyCaps { posts: 20, comments: 300, likes: 1_000, follows: 200 },
                    following_max: 2_000,
                    merged_from_followers: 100_000,
                },
                statistics: StatisticsSettings { enabled: true, visitors_of_address_daily_max: 100 },
                level_points: Vec::new(),
                check_in: Arc::new(CheckInTerms {
                    make_up_points: 20,
                    make_up_days: 7,
                    make_ups_monthly_max: 3,
                    milestones: Vec::new(),
                }),
            },
            db: db.clone(),
            auditor: Arc::new(stock.auditor(db.clone())),
            stock: Arc::clone(&stock) as Arc<dyn Stock>,
            passwords: Passwords::new(PasswordCost {
                memory_kib: 1_024,
                passes: 1,
                lanes: 1,
                parallel_max: 1,
            })
            .unwrap(),
            ids: Ids::new(lives),
            outside: Outside {
                clock: clock.clone(),
                vault: Arc::new(vault),
                random,
                limits: Arc::new(MemoryLimits::default()),
                timelines: Arc::new(MemoryTimelines::new(1_000)),
                sender: Arc::new(NoSender),
                payments: Arc::new(server::SandboxPayments),
                backups: Arc::new(NoBackups),
                disks: Arc::new(NoDisks),
                outbound: Arc::new(Deliverer::new(OUTBOUND).unwrap()),
            },
        });
        engine::jobs::declare(&world).await.unwrap();
        Self { world, db, stock, clock, folder, lives }
    }

    /// Where its files are.
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Everything that was decided is in the database.
    pub async fn settled(&self) {
        let followed = || {
            let figures = self.world.ledger.auditor.figures();
            (figures.projected >= figures.durable).then_some(())
        };
        testkit::wait::until(LIMIT, "the rows to follow the ledger", followed).await.unwrap();
    }

    /// So long after T0.
    pub fn set(&self, after_ms: i64) {
        self.clock.0.store(T0.0 + after_ms, Ordering::SeqCst);
    }

    pub fn signed(&self, user: UserId) -> AuditStamp {
        self.world.audit_stamp(Actor::Person(user), "as planned", "test")
    }

    /// Everything that is due, as the node's own runner does it; the job `activities` is always due here.
    pub async fn run_jobs(&self) {
        self.run_job("activities").await;
    }

    /// This one and whatever else is due.
    pub async fn run_job(&self, name: &str) {
        let edit = JobEdit {
            name: name.to_owned(),
            schedule: None,
            parameters: None,
            paused: None,
            next_due: None,
            run_now: true,
            signed: self.world.audit_stamp(Actor::Console, "", "test"),
        };
        self.db.job_edit(edit).await.unwrap();
        engine::jobs::run_due(&self.world, "w").await.unwrap();
    }

    /// Decided in the database and left there, as when the process dies before the ledger hears of it.
    pub async fn decide(&self, id: ActivityId, action: domain::activity::Action, by: UserId) {
        let secret = domain::lottery::random::DrawSecret::new(self.world.bytes());
        let sealed = self.world.outside.vault.seal(SealContext::Secret, secret.reveal());
        let step = ActivityAct {
            id,
            action,
            by: Decider::Person(by),
            seen: None,
            tree_version: None,
            secret: Some(NewSecret { sealed, commitment: secret.commitment() }),
            once: None,
            signed: self.signed(by),
        };
        self.db.activity_act(step).await.unwrap();
    }

    /// One draw of somebody who is on the block list and so wins nothing, in a word.
    pub async fn draw(&self, id: ActivityId, round: u32, user: i64) -> &'static str {
        let activities = &self.world.caches.activities;
        activities.forget(id);
        let published = activities.find(&self.world, id).await.unwrap().expect("it is published");
        let Offer::Draw { table, .. } = &published.offer else { panic!("there is nothing to draw from") };
        let draw = Draw {
            key: Key::of("ticket", user, &format!("{id}/{round}/{}", self.world.next_id())),
            activity: id,
            round,
            user: UserId(user),
            draws: Draws::new(1).unwrap(),
            day: Day { number: 20_260_101, from: T0 - DAY_MS / 2, until: T0 + DAY_MS / 2 },
            client: None,
            standing: PlayerFacts { blocked: true, ..PlayerFacts::default() },
            table: Arc::clone(table),
        };
        let command = Command::Draw(Box::new(draw));
        match self.stock.ask(0, vec![command]).await.unwrap().pop().unwrap() {
            StockAnswer::Accepted(_) => "drawn",
            StockAnswer::Replayed(_) => "again",
            StockAnswer::Refused(refusal) => refusal.name(),
        }
    }
}
