//! A PostgreSQL of its own: a new cluster in a temporary folder, reached by a Unix socket only, and durable as it comes.
//!
//! It refuses to run as root, so that root hands folder and server to an account without rights.

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use tempfile::TempDir;
use tokio_postgres::NoTls;

/// Where Debian and its kin keep the server of each major version.
const DEBIAN_ROOT: &str = "/usr/lib/postgresql";
const UNPRIVILEGED: [&str; 2] = ["postgres", "nobody"];
const START_LIMIT: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub struct PostgresPeer {
    child: Child,
    folder: TempDir,
    binaries: PathBuf,
    account: Option<(u32, u32)>,
}

/// The folder with the server's programs: Debian's newest, else one on the path.
pub fn find_installed() -> Option<PathBuf> {
    let versions = std::fs::read_dir(DEBIAN_ROOT).into_iter().flatten().flatten();
    let numbered = |entry: std::fs::DirEntry| {
        Some((entry.file_name().to_str()?.parse::<u32>().ok()?, entry.path().join("bin")))
    };
    let newest = versions.filter_map(numbered).filter(|(_, folder)| is_complete(folder)).max();
    let path = std::env::var_os("PATH").unwrap_or_default();
    newest
        .map(|(_, folder)| folder)
        .or_else(|| std::env::split_paths(&path).find(|folder| is_complete(folder)))
}

fn is_complete(folder: &Path) -> bool {
    ["initdb", "postgres", "pg_ctl"].iter().all(|program| folder.join(program).is_file())
}

impl PostgresPeer {
    pub fn start(parent: &Path, connections: usize) -> anyhow::Result<Self> {
        let binaries = find_installed().context("no PostgreSQL")?;
        let folder = tempfile::Builder::new().prefix("windfall-postgres-").tempdir_in(parent)?;
        let account = if id(&["-u"])? == 0 { Some(find_unprivileged()?) } else { None };
        if let Some((uid, gid)) = account {
            chown(folder.path(), Some(uid), Some(gid))?;
        }
        let data = folder.path().join("data");
        let made = command(&binaries.join("initdb"), folder.path(), account)
            .args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-locale", "--pgdata"])
            .arg(&data)
            .status()?;
        ensure!(made.success(), "initdb ended with {made}");
        let child = command(&binaries.join("postgres"), folder.path(), account)
            .arg("-D")
            .arg(&data)
            .args(["-c", "listen_addresses=", "-c", "shared_buffers=256MB", "-c", "jit=off", "-c"])
            .arg(format!("max_connections={}", connections + 10))
            .arg("-c")
            .arg(format!("unix_socket_directories={}", folder.path().display()))
            .spawn()
            .context("starting postgres")?;
        let mut server = Self { child, folder, binaries, account };
        server.wait_ready()?;
        Ok(server)
    }

    /// A standby of this server in a folder of its own, which follows it.
    pub fn start_standby(&self, parent: &Path) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("windfall-standby-").tempdir_in(parent)?;
        if let Some((uid, gid)) = self.account {
            chown(folder.path(), Some(uid), Some(gid))?;
        }
        let data = folder.path().join("data");
        let copied = command(&self.binaries.join("pg_basebackup"), folder.path(), self.account)
            .args(["--username=postgres", "--write-recovery-conf", "--checkpoint=fast", "--host"])
            .arg(self.folder.path())
            .arg("--pgdata")
            .arg(&data)
            .status()?;
        ensure!(copied.success(), "pg_basebackup ended with {copied}");
        let child = command(&self.binaries.join("postgres"), folder.path(), self.account)
            .arg("-D")
            .arg(&data)
            .args(["-c", "listen_addresses=", "-c", "shared_buffers=256MB", "-c"])
            .arg(format!("unix_socket_directories={}", folder.path().display()))
            .spawn()
            .context("starting a standby")?;
        let (binaries, account) = (self.binaries.clone(), self.account);
        let mut standby = Self { child, folder, binaries, account };
        standby.wait_ready()?;
        Ok(standby)
    }

    /// From now on a commit waits for the standby. Returns once one follows.
    pub async fn wait_for_standby(&self) -> anyhow::Result<()> {
        let (client, connection) = tokio_postgres::connect(&self.settings(), NoTls).await?;
        let driver = tokio::spawn(connection);
        client.batch_execute("ALTER SYSTEM SET synchronous_standby_names = '*'").await?;
        client.batch_execute("SELECT pg_reload_conf()").await?;
        let (started, follows) =
            (Instant::now(), "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
        while client.query(follows, &[]).await?.is_empty() {
            ensure!(started.elapsed() < START_LIMIT, "no standby follows");
            tokio::time::sleep(LOOK_EVERY).await;
        }
        drop(client);
        driver.await??;
        Ok(())
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What a client connects with.
    pub fn settings(&self) -> String {
        format!("host={} user=postgres dbname=postgres", self.folder.path().display())
    }

    /// The server writes its state into a file of its data folder.
    fn wait_ready(&mut self) -> anyhow::Result<()> {
        let (started, status) = (Instant::now(), self.folder.path().join("data/postmaster.pid"));
        let ready = || {
            let text = std::fs::read_to_string(&status).unwrap_or_default();
            text.lines().nth(7).is_some_and(|state| state.trim() == "ready")
        };
        while !ready() {
            if let Some(status) = self.child.try_wait()? {
                bail!("postgres ended at once: {status}");
            }
            ensure!(started.elapsed() < START_LIMIT, "postgres does not answer");
            std::thread::sleep(LOOK_EVERY);
        }
        Ok(())
    }
}

/// Stopped in an orderly way: one that is killed leaves its own processes behind for a while.
impl Drop for PostgresPeer {
    fn drop(&mut self) {
        let asked = command(&self.binaries.join("pg_ctl"), self.folder.path(), self.account)
            .args(["stop", "--mode=immediate", "-D"])
            .arg(self.folder.path().join("data"))
            .status();
        if !asked.is_ok_and(|status| status.success()) {
            self.child.kill().ok();
        }
        self.child.wait().ok();
    }
}

fn command(program: &Path, folder: &Path, account: Option<(u32, u32)>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some((uid, gid)) = account {
        command.uid(uid).gid(gid);
    }
    command
}

fn find_unprivileged() -> anyhow::Result<(u32, u32)> {
    let account = |name: &&str| Some((id(&["-u", name]).ok()?, id(&["-g", name]).ok()?));
    UNPRIVILEGED.iter().find_map(account).context("no account without rights to run PostgreSQL")
}

/// Asks `id`: the standard library does not know.
fn id(arguments: &[&str]) -> anyhow::Result<u32> {
    let output = Command::new("id").args(arguments).stderr(Stdio::null()).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}
