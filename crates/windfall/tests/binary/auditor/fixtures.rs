//! A running ledger, its database, and its auditor.

use std::sync::Arc;

use domain::access::{DailyAllowance, KeyCaps};
use domain::ledger::audit::Difference;
use domain::ledger::{
    Act, Command, Key, Limits, Line, Note, Owner, PoolId, PoolName, PoolState, Quantity, Take, Text,
};
use embedded::SystemClock;
use embedded::journal::SqliteLog;
use engine::ports::{Auditor, Clock, Place, Sliced, Stock, StockAnswer};
use ledger::{LedgerAuditor, RunningLedger, WriterSettings};
use store::model::{Actor, AuditStamp};
use store::{Db, PostgresSettings, SqliteSettings};
use tempfile::TempDir;

pub const HOUR_MS: i64 = 3_600_000;

pub struct Kept {
    pub db: Db,
    pub stock: Arc<RunningLedger>,
    pub auditor: Arc<LedgerAuditor>,
    folder: TempDir,
}

impl Kept {
    async fn on(db: Db, folder: TempDir) -> Self {
        db.migrate(SystemClock::default().now()).await.unwrap();
        let settings = WriterSettings {
            queue_max: 100_000,
            journal_pages_max: 1 << 20,
            lag_max: 1 << 20,
            clock_back_max_ms: ledger::CLOCK_BACK_MAX_MS,
        };
        let limits = Limits { ttl_min_ms: 1, ..Limits::default() };
        let (store, clock) = (db.clone(), Arc::new(SystemClock::default()));
        let journal = folder.path().join("journal.db");
        let stock = RunningLedger::start(Arc::new(SqliteLog::at(&journal)), settings, limits, clock, store)
            .await
            .unwrap();
        let auditor = Arc::new(stock.auditor(db.clone()));
        Self { db, stock: Arc::new(stock), auditor, folder }
    }

    pub async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open_sqlite(&SqliteSettings::at(folder.path().join("windfall.db")).unhurried()).unwrap();
        Self::on(db, folder).await
    }

    /// `None`, with the skip on record, where there is no PostgreSQL.
    pub async fn postgres() -> Option<Self> {
        let database = testkit::Postgres::shared().await?.database().await;
        let settings = PostgresSettings { pool_max: 8, ..PostgresSettings::at(database.url()).unhurried() };
        let db = Db::connect_postgres(&settings).await.unwrap();
        Some(Self::on(db, tempfile::tempdir().unwrap()).await)
    }

    /// What one command comes to.
    pub async fn ask(&self, command: Command) -> StockAnswer {
        self.stock.ask(0, vec![command]).await.unwrap().remove(0)
    }

    pub async fn all(&self, commands: Vec<Command>) {
        for command in commands {
            let answer = self.ask(command).await;
            assert!(matches!(answer, StockAnswer::Accepted(_)), "{answer:?}");
        }
    }

    /// Changes rows behind the ledger's back.
    pub async fn plant(&self, sql: &'static str) {
        self.db
            .write(sql, |tx, sql| {
                Box::pin(async move {
                    for statement in sql.split(';').filter(|sql| !sql.trim().is_empty()) {
                        // Tests write what they plant where they plant it.
                        let statement: &'static str = String::leak(statement.to_owned());
                        tx.execute(statement, &[]).await?;
                    }
                    Ok(())
                })
            })
            .await
            .unwrap();
    }

    /// One pass over everything: what differs, and whether it was corrected.
    pub async fn pass(&self, fix: bool) -> Vec<(Difference, bool)> {
        pass(&self.auditor, fix).await
    }

    pub async fn names(&self) -> Vec<String> {
        names(&self.pass(false).await)
    }

    /// The ledger as the database would have it at a start.
    pub async fn restored(&self) -> domain::ledger::Ledger {
        let ledger = self.db.ledger_load().await.unwrap().restore(Limits::default()).unwrap();
        ledger.assert_sound();
        ledger
    }

    pub async fn close(self) {
        self.stock.close().await;
        self.db.close().await;
        drop(self.folder);
    }
}

/// A slice that could not be taken is taken again: a busy machine is no difference.
pub async fn pass(auditor: &LedgerAuditor, fix: bool) -> Vec<(Difference, bool)> {
    let mut places: Vec<Place> = Place::STARTS.into_iter().rev().collect();
    let (mut found, mut audit_id) = (Vec::new(), 0);
    while let Some(place) = places.pop() {
        audit_id += 1;
        let at = SystemClock::default().now();
        let signed = AuditStamp {
            responsible: None,
            actor: Actor::Console,
            reason: "found by the audit".to_owned(),
            request_id: "r1".to_owned(),
            at,
            audit_id: at.0 * 1_000 + audit_id,
            key_caps: KeyCaps {
                stops: DailyAllowance { day: 0, max: 0 },
                bars: DailyAllowance { day: 0, max: 0 },
            },
        };
        match auditor.slice(place, fix.then_some(signed)).await.unwrap() {
            Sliced::Done(slice) => {
                places.extend(slice.next);
                found.extend(slice.differences);
            }
            Sliced::GivenUp(_) => places.push(place),
        }
    }
    found
}

/// `what of row`, for what was not corrected.
pub fn names(found: &[(Difference, bool)]) -> Vec<String> {
    let left = found.iter().filter(|(_, corrected)| !corrected);
    left.map(|(found, _)| format!("{} of {}", found.what.name(), found.row)).collect()
}

pub fn open(pool: i64, round: u32, total: u64) -> Command {
    let (name, note) = (PoolName::new(&format!("shop/{pool}")).unwrap(), Note::default());
    let key = Key::of("pool", 0, &format!("open {pool}/{round}"));
    Command::direct(key, note, Act::PoolOpen { pool: PoolId(pool), name, round, total, owner_max: 50 })
}

pub fn shut(pool: i64) -> Command {
    let key = Key::of("pool", 0, &format!("close {pool}"));
    Command::direct(key, Note::default(), Act::PoolState { pool: PoolId(pool), state: PoolState::Closed })
}

pub fn hold(id: &str) -> Key {
    Key::of("hold", 7, id)
}

pub fn reserve(id: &str, owner: Option<&str>, lines: &[(i64, i64)], ttl_ms: i64) -> Command {
    let line =
        |(pool, units): &(i64, i64)| Line { pool: PoolId(*pool), quantity: Quantity::new(*units).unwrap() };
    Command::Reserve {
        key: hold(id),
        id: Text::new(id).unwrap(),
        caller: 7,
        owner: owner.map(|owner| Owner::new(Text::new(owner).unwrap())),
        lines: lines.iter().map(line).collect(),
        ttl_ms,
        gates: Vec::new(),
    }
}

pub fn confirm(id: &str) -> Command {
    Command::Confirm { hold: hold(id), take: Take::All }
}

pub fn confirm_part(id: &str, pool: i64, units: i64) -> Command {
    let line = Line { pool: PoolId(pool), quantity: Quantity::new(units).unwrap() };
    Command::Confirm { hold: hold(id), take: Take::Part(vec![line]) }
}

pub fn cancel(id: &str) -> Command {
    Command::Cancel { hold: hold(id), id: Text::new(id).unwrap(), caller: 7 }
}

/// Makes the tests `name::sqlite` and `name::postgres` of each `async fn name(kept: Kept)` listed.
macro_rules! on_both {
    ($($name:ident),+ $(,)?) => {$(
        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$name(crate::auditor::fixtures::Kept::sqlite().await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                if let Some(kept) = crate::auditor::fixtures::Kept::postgres().await {
                    super::$name(kept).await;
                }
            }
        }
    )+};
}
pub(crate) use on_both;
