//! The one handle to the database, whichever it is.
//!
//! Cloning it is cheap; the last clone to go closes the database. A step that was handed over runs to its
//! end even when its caller stops waiting, so a request that timed out is either wholly there or not at all.

use std::sync::Arc;

use domain::Rejection;
use domain::time::Timestamp;

use crate::failure::{Failure, Fault, Result};
#[cfg(debug_assertions)]
use crate::interruption::{Interruption, Interruptions, StepMoment};
use crate::migrate::{self, MigrateReport};
use crate::params;
use crate::postgres::{Postgres, PostgresSettings, SessionFence};
use crate::row::Row;
use crate::sqlite::{Sqlite, SqliteSettings};
use crate::tx::StepFn;

/// What a step says when a refusal has to be *kept*: the inner rejection is committed with whatever the
/// step wrote (a wrong code's counted try), while an outer failure leaves nothing behind.
pub type Judged<T> = Result<T, Rejection>;

#[derive(Clone, Debug)]
pub struct Db(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    backend: Backend,
    #[cfg(debug_assertions)]
    interruptions: Interruptions,
}

impl From<Backend> for Db {
    fn from(backend: Backend) -> Self {
        Self(Arc::new(Parts {
            backend,
            #[cfg(debug_assertions)]
            interruptions: Interruptions::default(),
        }))
    }
}

#[derive(Debug)]
enum Backend {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

impl Db {
    /// Opens the file, making it when there is none, and starts its writer thread.
    pub fn open_sqlite(settings: &SqliteSettings) -> Result<Db, Fault> {
        Ok(Backend::Sqlite(Sqlite::open(settings)?).into())
    }

    /// Connects once, to say at start what is wrong, and keeps that connection in the pool.
    pub async fn connect_postgres(settings: &PostgresSettings) -> Result<Db, Fault> {
        Ok(Backend::Postgres(Postgres::connect(settings).await?).into())
    }

    /// Brings the schema up to this program's version.
    pub async fn migrate(&self, now: Timestamp) -> Result<MigrateReport, Fault> {
        migrate::run(self, now).await
    }

    /// Keeps a mark under a name the first time; afterwards answers the mark that was kept then.
    pub async fn installation_mark(&self, name: &'static str, mark: Vec<u8>) -> Result<Vec<u8>> {
        let step: StepFn<(&'static str, Vec<u8>), Option<Vec<u8>>> = |tx, (name, mark)| {
            Box::pin(async move {
                tx.execute(
                    "INSERT INTO installation (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
                    params![*name, mark],
                )
                .await?;
                tx.one("SELECT value FROM installation WHERE name = $1", params![*name], Row::bytes).await
            })
        };
        let kept = self.write((name, mark), step).await?;
        Ok(kept.ok_or_else(|| Fault::new("a mark that was just kept is gone"))?)
    }

    /// Why the last write could not be made durable, if so.
    pub fn trouble(&self) -> Option<String> {
        match &self.0.backend {
            Backend::Sqlite(sqlite) => sqlite.trouble(),
            Backend::Postgres(_) => None,
        }
    }

    /// The standby has every event of the ledger up to this one in its rows; 0 without a standby.
    pub fn standby_seq(&self) -> u64 {
        match &self.0.backend {
            Backend::Sqlite(sqlite) => sqlite.standby_seq(),
            Backend::Postgres(_) => 0,
        }
    }

    /// What tells the sessions of this node from those of others.
    pub(crate) fn session_fence(&self) -> Option<&SessionFence> {
        match &self.0.backend {
            Backend::Sqlite(_) => None,
            Backend::Postgres(postgres) => Some(postgres.fence()),
        }
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<()> {
        self.read((), |tx, ()| {
            Box::pin(async move { tx.count("SELECT CAST(1 AS BIGINT)", params![]).await })
        })
        .await?;
        Ok(())
    }

    /// Runs a step that writes. `Ok` is committed before it is told; `Err` has written nothing.
    pub async fn write<I, T>(&self, input: I, step: StepFn<I, T>) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
    {
        #[cfg(debug_assertions)]
        self.0.interruptions.meet::<I>(StepMoment::Before).await?;
        let written = match &self.0.backend {
            Backend::Sqlite(sqlite) => sqlite.write(input, step).await,
            Backend::Postgres(postgres) => postgres.write(input, step).await,
        };
        #[cfg(debug_assertions)]
        self.0.interruptions.meet::<I>(StepMoment::After).await?;
        written
    }

    /// Has the process die or an answer be lost around the next step with such an argument. For tests.
    #[cfg(debug_assertions)]
    pub fn interrupt<I: 'static>(&self, moment: StepMoment, interruption: Interruption) {
        self.0.interruptions.set::<I>(moment, interruption);
    }

    /// Runs a step whose refusals are committed too: see [`Judged`].
    pub async fn write_judged<I, T>(&self, input: I, step: StepFn<I, Judged<T>>) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.write(input, step).await?.map_err(Failure::from)
    }

    /// Runs a step that only reads, on one consistent view of the database.
    pub async fn read<I, T>(&self, input: I, step: StepFn<I, T>) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
    {
        #[cfg(debug_assertions)]
        self.0.interruptions.meet::<I>(StepMoment::Before).await?;
        let found = match &self.0.backend {
            Backend::Sqlite(sqlite) => sqlite.read(input, step).await,
            Backend::Postgres(postgres) => postgres.read(input, step).await,
        };
        #[cfg(debug_assertions)]
        self.0.interruptions.meet::<I>(StepMoment::After).await?;
        found
    }

    /// Finishes what was handed over and closes the database. Later steps, of any clone, are faults.
    pub async fn close(&self) {
        match &self.0.backend {
            Backend::Sqlite(sqlite) => sqlite.close().await,
            Backend::Postgres(postgres) => postgres.close(),
        }
    }

    /// The database's own version, for `doctor` and the log.
    pub async fn version(&self) -> Result<String> {
        let version = match &self.0.backend {
            Backend::Sqlite(_) => "SELECT 'SQLite ' || sqlite_version()",
            Backend::Postgres(_) => "SELECT version()",
        };
        let read: StepFn<&'static str, Option<String>> =
            |tx, sql| Box::pin(async move { tx.one(sql, params![], Row::text).await });
        Ok(self.read(version, read).await?.unwrap_or_default())
    }
}
