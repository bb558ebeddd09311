//! A real PostgreSQL for tests.
//!
//! Most tests take the one that their process shares and a database of their own in it:
//!
//! ```no_run
//! # use windfall_testkit as testkit;
//! # async fn example() {
//! let Some(postgres) = testkit::Postgres::shared().await else { return };
//! let database = postgres.database().await;
//! // connect to database.url()
//! # }
//! ```
//!
//! A test that stops or kills the server starts its own with [`Postgres::start`].
//!
//! Durability against power loss is off (`fsync = off`): killing the server process loses nothing, which is
//! what the tests do. Databases are not dropped one by one: they go away with the server.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::OnceCell;
use tokio_postgres::NoTls;

use crate::guard::{Guard, ServerFault};
use crate::server::{Program, Server};
use crate::skip::{self, Reason};
use crate::wait::PATIENCE;

/// Where Debian and its kin keep the server of each major version.
const DEBIAN_ROOT: &str = "/usr/lib/postgresql";
/// For as many tests at once as a large machine runs.
const MAX_CONNECTIONS: u32 = 500;

static SHARED: OnceCell<Option<Postgres>> = OnceCell::const_new();
static DURABLE: OnceCell<Option<Postgres>> = OnceCell::const_new();
/// What a server needs that a ledger's log may lie on.
const DURABLE_SETTINGS: [&str; 2] = ["fsync=on", "full_page_writes=on"];

/// A running PostgreSQL.
pub type Postgres = Server<PostgresProgram>;

/// PostgreSQL's programs, and the databases that were made so far.
#[derive(Debug)]
pub struct PostgresProgram {
    server: PathBuf,
    /// `name=value`, over the usual ones.
    settings: Vec<String>,
    databases: AtomicU32,
}

/// A fresh, empty database.
#[derive(Clone, Debug)]
pub struct Database {
    name: String,
    port: u16,
}

impl Database {
    /// Where to connect: `postgres://…`.
    #[must_use]
    pub fn url(&self) -> String {
        url(self.port, &self.name)
    }
}

impl Server<PostgresProgram> {
    /// The server of this test process, started by the first test that asks. `None`, with the skip recorded,
    /// when PostgreSQL is not installed.
    ///
    /// # Panics
    /// When PostgreSQL is installed and does not start: that is a failure, not a reason to skip.
    pub async fn shared() -> Option<&'static Postgres> {
        SHARED.get_or_init(Postgres::start).await.as_ref()
    }

    /// A server of the test's own, to stop, kill and restart. `None`, with the skip recorded, when PostgreSQL
    /// is not installed.
    ///
    /// # Panics
    /// When PostgreSQL is installed and does not start.
    pub async fn start() -> Option<Postgres> {
        Postgres::start_with(&[]).await
    }

    /// A shared server that syncs what it commits, as a ledger's log demands it.
    ///
    /// # Panics
    /// When PostgreSQL is installed and does not start.
    pub async fn durable() -> Option<&'static Postgres> {
        DURABLE.get_or_init(|| Postgres::start_with(&DURABLE_SETTINGS)).await.as_ref()
    }

    /// The same as [`Postgres::start`] with settings of the test's own, each `name=value`.
    ///
    /// # Panics
    /// When PostgreSQL is installed and does not start.
    pub async fn start_with(settings: &[&str]) -> Option<Postgres> {
        let Some(binaries) = installed() else {
            skip::record(
                Reason::for_package(),
                "tests on PostgreSQL: no server found; scripts/ensure test installs it or says how",
            );
            return None;
        };
        match Postgres::start_from(binaries, settings).await {
            Ok(postgres) => Some(postgres),
            Err(fault) => panic!("PostgreSQL does not start: {fault}"),
        }
    }

    /// Starts the server whose programs are in the folder `binaries`.
    ///
    /// # Errors
    /// [`ServerFault`], with the end of the server's log.
    pub async fn start_from(binaries: PathBuf, settings: &[&str]) -> Result<Postgres, ServerFault> {
        let mut guard = Guard::new("postgres", "INT")?;
        let initdb = binaries.join("initdb");
        guard.run(&initdb, &initdb_arguments(guard.folder()), PATIENCE).await?;
        let server = binaries.join("postgres");
        let settings = settings.iter().map(|&setting| setting.to_owned()).collect();
        Server::serve_in(guard, PostgresProgram { server, settings, databases: AtomicU32::new(0) }).await
    }

    /// Creates a fresh, empty database. Each call connects anew: the runtime of the test that started the
    /// server may be gone.
    ///
    /// # Panics
    /// When the server does not answer or refuses.
    pub async fn database(&self) -> Database {
        let name = format!("test_{}", self.program.databases.fetch_add(1, Ordering::Relaxed));
        let statement = format!("CREATE DATABASE {name} TEMPLATE template0");
        tokio::time::timeout(PATIENCE, execute(&url(self.port(), "postgres"), &statement))
            .await
            .unwrap_or_else(|_| panic!("no answer from PostgreSQL in {PATIENCE:?}"))
            .unwrap_or_else(|error| {
                panic!("{statement}: {error}; the log ends with:\n{}", self.guard().log_tail())
            });
        Database { name, port: self.port() }
    }
}

impl Program for PostgresProgram {
    const READY: &'static str = "PostgreSQL to accept connections";

    fn path(&self) -> &Path {
        &self.server
    }

    fn arguments(&self, folder: &Path, port: u16) -> Vec<String> {
        server_arguments(folder, port, &self.settings)
    }

    fn is_ready(folder: &Path, _: u16, pid: u32) -> bool {
        is_ready(&folder.join("data/postmaster.pid"), pid)
    }

    /// Someone took the port, or a killed server's own processes have not all noticed yet.
    fn passes(log: &str) -> bool {
        ["could not bind", "pre-existing shared memory block", "is still in use"]
            .iter()
            .any(|text| log.contains(text))
    }
}

fn url(port: u16, database: &str) -> String {
    format!("postgres://postgres@127.0.0.1:{port}/{database}")
}

fn initdb_arguments(folder: &Path) -> Vec<String> {
    let data = folder.join("data").to_string_lossy().into_owned();
    let fixed = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync"];
    ["--pgdata".to_owned(), data].into_iter().chain(fixed.map(str::to_owned)).collect()
}

fn server_arguments(folder: &Path, port: u16, more: &[String]) -> Vec<String> {
    let data = folder.join("data").to_string_lossy().into_owned();
    let settings = [
        "listen_addresses=127.0.0.1".to_owned(),
        format!("port={port}"),
        "unix_socket_directories=".to_owned(),
        format!("max_connections={MAX_CONNECTIONS}"),
        "shared_buffers=32MB".to_owned(),
        "fsync=off".to_owned(),
        "full_page_writes=off".to_owned(),
        "jit=off".to_owned(),
    ];
    // Of a setting that is given twice, the last one counts.
    let settings = settings.into_iter().chain(more.iter().cloned());
    let settings = settings.flat_map(|setting| ["-c".to_owned(), setting]);
    ["-D".to_owned(), data].into_iter().chain(settings).collect()
}

/// PostgreSQL writes its process id and state into a file of its data folder. Unlike a connection, which may
/// reach another server that took the port, the file can only speak of ours.
fn is_ready(status: &Path, pid: u32) -> bool {
    let Ok(text) = fs::read_to_string(status) else { return false };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.first() == Some(&pid.to_string().as_str()) && lines.get(7) == Some(&"ready")
}

/// The folder with the server's programs: Debian's newest, else the one on the path.
fn installed() -> Option<PathBuf> {
    let versions = fs::read_dir(DEBIAN_ROOT).into_iter().flatten().flatten();
    let newest = versions
        .filter_map(|entry| {
            Some((entry.file_name().to_str()?.parse::<u32>().ok()?, entry.path().join("bin")))
        })
        .filter(|(_, folder)| is_complete(folder))
        .max();
    newest.map(|(_, folder)| folder).or_else(|| skip::on_path("initdb").filter(|folder| is_complete(folder)))
}

fn is_complete(folder: &Path) -> bool {
    ["initdb", "postgres"].iter().all(|program| folder.join(program).is_file())
}

/// One statement on a connection of its own.
async fn execute(url: &str, statement: &str) -> Result<(), tokio_postgres::Error> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    let driver = tokio::spawn(connection);
    let outcome = client.batch_execute(statement).await;
    drop(client);
    // Ends once the client is gone. What it reports, the statement has reported already.
    let _ = driver.await;
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ready_means_our_own_process_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("postmaster.pid");
        let status =
            |pid: u32, state: &str| format!("{pid}\n/data\n1\n5432\n\n127.0.0.1\n  1 2\n{state}   \n");
        for (text, expected) in [
            (status(7, "ready"), true),
            (status(7, "starting"), false),
            (status(8, "ready"), false),
            ("7\n/data\n".to_owned(), false),
            (String::new(), false),
        ] {
            fs::write(&file, &text).unwrap();
            assert_eq!(is_ready(&file, 7), expected, "{text}");
        }
        assert!(!is_ready(&folder.path().join("absent"), 7));
    }

    #[test]
    fn only_passing_failures_are_tried_again() {
        for (log, expected) in [
            ("LOG: could not bind IPv4 address \"127.0.0.1\": Address already in use", true),
            ("FATAL: pre-existing shared memory block (key 1, ID 2) is still in use", true),
            ("FATAL: unrecognized configuration parameter \"x\"", false),
            ("", false),
        ] {
            assert_eq!(PostgresProgram::passes(log), expected, "{log}");
        }
    }
}
