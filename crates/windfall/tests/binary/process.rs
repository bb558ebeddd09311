//! The program as a process: a folder of its own, a server in it, commands beside it.
//!
//! A server never outlives the test: dropping it kills it, and when the test process itself is killed, a
//! shell that reads a pipe from it notices and cleans up.

use std::fs::{self, File};
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use testkit::wait;
use tokio::sync::OnceCell;

use crate::activities::fixtures::now_ms;

/// Far beyond what anything here takes, so that only a real hang ends a wait.
pub const LIMIT: Duration = wait::PATIENCE;

/// Settings under which tests are quick and no limit is met by accident.
const ROOMY: &[(&str, &str)] = &[
    ("WINDFALL__PASSWORDS__MEMORY_KIB", "1024"),
    ("WINDFALL__PASSWORDS__PASSES", "1"),
    ("WINDFALL__LIMITS__IP_PER_MINUTE", "100000000"),
    ("WINDFALL__LIMITS__USER_PER_MINUTE", "100000000"),
    ("WINDFALL__LIMITS__KEY_PER_MINUTE", "100000000"),
    ("WINDFALL__LIMITS__SIGN_IN_IP_PER_MINUTE", "100000000"),
    ("WINDFALL__LIMITS__SIGN_IN_TRIES_FREE", "100000000"),
    ("WINDFALL__LIMITS__SALE_USER_PER_MINUTE", "100000000"),
    ("WINDFALL__LIMITS__SALE_IP_PER_MINUTE", "100000000"),
    ("WINDFALL__LIMITS__SEARCH_PER_MINUTE", "100000000"),
    ("WINDFALL__LIMITS__CALLBACK_IP_PER_MINUTE", "100000000"),
    ("WINDFALL__CODE__PHONE_DAILY_MAX", "1000"),
    ("WINDFALL__CODE__IP_DAILY_MAX", "1000000"),
    ("WINDFALL__CODE__SITE_DAILY_MAX", "1000000"),
    ("WINDFALL__COMMUNITY__POSTS_DAILY_MAX", "1000000"),
    ("WINDFALL__COMMUNITY__COMMENTS_DAILY_MAX", "1000000"),
    ("WINDFALL__COMMUNITY__LIKES_DAILY_MAX", "1000000"),
    ("WINDFALL__COMMUNITY__FOLLOWS_DAILY_MAX", "1000000"),
    ("WINDFALL__WEBHOOKS__ALLOW_PRIVATE", "true"),
    // However slow the machine is, nothing is given up by the clock: whoever tests such a limit sets it.
    ("WINDFALL__HTTP__HEADER_TIMEOUT_MS", FOREVER_MS),
    ("WINDFALL__HTTP__REQUEST_TIMEOUT_MS", FOREVER_MS),
    ("WINDFALL__HTTP__WRITE_TIMEOUT_MS", FOREVER_MS),
    ("WINDFALL__HTTP__DRAIN_TIMEOUT_MS", FOREVER_MS),
    ("WINDFALL__SQLITE__BUSY_TIMEOUT_MS", FOREVER_MS),
    ("WINDFALL__SQLITE__READ_WAIT_MS", FOREVER_MS),
    ("WINDFALL__LEDGER__ROWS_WAIT_MS", FOREVER_MS),
    ("WINDFALL__LEDGER__RECONCILE_WAIT_MS", FOREVER_MS),
    ("WINDFALL__POSTGRES__STATEMENT_TIMEOUT_MS", FOREVER_MS),
    ("WINDFALL__CLUSTER__LEADER_WAIT_MS", FOREVER_MS),
    // The most that can be set.
    ("WINDFALL__WEBHOOKS__CONNECT_TIMEOUT_MS", "10000"),
    ("WINDFALL__WEBHOOKS__TIMEOUT_MS", "15000"),
];

/// Longer than any test.
const FOREVER_MS: &str = "600000";

/// A folder to run the program in; its data are in `data`.
#[derive(Debug)]
pub struct Home {
    folder: TempDir,
    settings: Vec<(String, String)>,
}

impl Home {
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("windfall-binary-").tempdir().unwrap();
        Self { folder, settings: pairs(ROOMY) }
    }

    /// The same with other settings; the later of two for the same key counts.
    pub fn with(settings: &[(&str, &str)]) -> Self {
        let mut home = Self::new();
        home.settings.extend(pairs(settings));
        home
    }

    /// The same with a clock that the test moves.
    pub fn with_clock(settings: &[(&str, &str)]) -> Self {
        let mut home = Self::with(settings);
        let file = home.path().join("clock").display().to_string();
        home.settings.push((embedded::TEST_CLOCK.to_owned(), file));
        home.clock_off(0);
        home
    }

    /// The same with a clock that stands still until the test moves it: what ends with time ends when the test says so.
    /// Returns the moment at which it stands.
    pub fn with_still_clock(settings: &[(&str, &str)]) -> (Self, i64) {
        Self::with_clock_at(now_ms(), settings)
    }

    /// The same at noon in the site's zone, for a test that moves the clock by hours and stays within one day, whenever it is
    /// run.
    pub fn at_noon(settings: &[(&str, &str)]) -> (Self, i64) {
        const DAY_MS: i64 = 86_400_000;
        /// Noon in `Asia/Shanghai`, the default of `time_zone`, which has no summer time.
        const NOON_MS: i64 = 4 * 3_600_000;
        Self::with_clock_at(now_ms() / DAY_MS * DAY_MS + NOON_MS, settings)
    }

    fn with_clock_at(moment_ms: i64, settings: &[(&str, &str)]) -> (Self, i64) {
        let home = Self::with_clock(settings);
        home.clock_at(moment_ms);
        (home, moment_ms)
    }

    /// From now on the clock is off by so many milliseconds.
    pub fn clock_off(&self, ms: i64) {
        self.clock_says(&ms.to_string());
    }

    /// From now on the clock stands at a moment.
    pub fn clock_at(&self, moment_ms: i64) {
        self.clock_says(&format!("={moment_ms}"));
    }

    /// In one step, so that nobody reads half of it.
    fn clock_says(&self, text: &str) {
        let (file, next) = (self.path().join("clock"), self.path().join("clock.next"));
        fs::write(&next, text).unwrap();
        fs::rename(next, file).unwrap();
    }

    /// Another setting for the servers that are started from here on.
    pub fn set(&mut self, name: &str, value: &str) {
        self.settings.push((name.to_owned(), value.to_owned()));
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    /// Opens the database file, beside the server if one runs.
    pub fn database(&self) -> rusqlite::Connection {
        let database = rusqlite::Connection::open(self.data().join("windfall.db")).unwrap();
        database.busy_timeout(LIMIT).unwrap();
        database
    }

    /// The program with these arguments, on this folder's data.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_windfall"));
        for (name, _) in std::env::vars_os()
            .filter(|(name, _)| name.to_str().is_some_and(|name| name.starts_with("WINDFALL__")))
        {
            command.env_remove(name);
        }
        command.args(arguments).arg("--data").arg(self.data());
        command.envs(self.settings.iter().cloned()).current_dir(self.path()).stdin(Stdio::null());
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran(self.command(arguments).output().unwrap())
    }

    /// Runs a command that reads `input`.
    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        Ran(child.wait_with_output().unwrap())
    }

    /// Everything its servers have logged.
    pub fn log(&self) -> String {
        read_log(&self.path().join("log"))
    }

    /// `windfall demo`, ready for requests.
    pub async fn demo(&self) -> Server {
        self.start("demo").await
    }

    /// `windfall serve` or `windfall demo`, ready for requests.
    pub async fn start(&self, mode: &str) -> Server {
        self.start_at(mode, "127.0.0.1:0").await
    }

    /// The same at an address that others know.
    pub async fn start_at(&self, mode: &str, address: &str) -> Server {
        let (out, log) = (self.path().join("out"), self.path().join("log"));
        let mut command = self.command(&[mode, "--listen", address]);
        command.stdout(File::create(&out).unwrap());
        command.stderr(File::options().create(true).append(true).open(&log).unwrap());
        let child = command.spawn().unwrap();
        let watchdog = watchdog(child.id(), self.path());
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut server = Server { child, watchdog, address, data: self.data(), log };
        let announced = wait::until(LIMIT, "the server to tell its address", || {
            let ended = server.child.try_wait().unwrap();
            assert!(ended.is_none(), "the server ended with {ended:?}:\n{}", server.log());
            address_in(&fs::read_to_string(&out).unwrap_or_default())
        });
        server.address = announced.await.unwrap();
        server
    }
}

/// The address in "  Page       http://127.0.0.1:4711/".
fn address_in(announcement: &str) -> Option<SocketAddr> {
    let line = announcement.lines().find(|line| line.trim_start().starts_with("Page "))?;
    let (_, rest) = line.split_once("://")?;
    rest.strip_suffix('/')?.parse().ok()
}

/// Ends the server when this process goes away without a word.
fn watchdog(server: u32, folder: &Path) -> Child {
    // What is being killed may still write: once more, after it had time to go.
    let script = r#"read -r word && exit; kill -s KILL "$1" 2>/dev/null
        rm -rf "$2" 2>/dev/null || { sleep 1; rm -rf "$2"; }"#;
    let mut command = Command::new("sh");
    command.args(["-c", script, "watchdog", &server.to_string()]).arg(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C in the terminal is for the tests; the watchdog then sees the pipe close.
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().unwrap()
}

/// A server that answers requests.
#[derive(Debug)]
pub struct Server {
    child: Child,
    watchdog: Child,
    pub address: SocketAddr,
    pub data: PathBuf,
    log: PathBuf,
}

impl Server {
    /// Everything logged so far.
    pub fn log(&self) -> String {
        read_log(&self.log)
    }

    /// Waits for a line in the log: lines are written behind the answer.
    pub async fn logged(&self, words: &str) -> String {
        let find = || self.log().lines().find(|line| line.contains(words)).map(str::to_owned);
        testkit::wait::until(LIMIT, words, find).await.unwrap()
    }

    /// Of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status();
        assert!(sent.unwrap().success(), "kill -s {name}");
    }

    /// Stops the process until it is told to go on (`CONT`). On a busy machine its threads stop one after the other, and
    /// those that have not yet go on working: so this waits for the last one.
    pub async fn pause(&self) {
        self.signal("STOP");
        let tasks = PathBuf::from(format!("/proc/{}/task", self.id()));
        let stopped = || is_stopped(&tasks).then_some(());
        wait::until(LIMIT, "every thread to stop", stopped).await.unwrap();
    }

    /// Waits until the process is gone.
    pub async fn ended(mut self) -> ExitStatus {
        let ended = wait::until(LIMIT, "the server to end", || self.child.try_wait().unwrap());
        ended.await.unwrap()
    }

    pub async fn stop(self) -> ExitStatus {
        self.signal("TERM");
        self.ended().await
    }

    /// As a power cut would.
    pub async fn kill(self) -> ExitStatus {
        self.signal("KILL");
        self.ended().await
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Either may be gone already.
        let _ = self.watchdog.stdin.take().map(|mut pipe| pipe.write_all(b"done\n"));
        let _ = self.watchdog.wait();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether each of a process's threads is stopped. Where the system has no `/proc`, that is not known, and taken for granted.
fn is_stopped(tasks: &Path) -> bool {
    let Ok(threads) = fs::read_dir(tasks) else { return true };
    threads.flatten().all(|thread| {
        let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with(['T', 't']))
    })
}

/// A command that has ended.
#[derive(Debug)]
pub struct Ran(pub Output);

impl Ran {
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    /// What it printed, without the line's end.
    #[track_caller]
    pub fn ok(&self) -> String {
        assert!(self.0.status.success(), "{:?}\n{}\n{}", self.0.status, self.out(), self.err());
        self.out().trim_end().to_owned()
    }

    /// Asserts that it failed and said so.
    #[track_caller]
    pub fn refused(&self, words: &str) {
        assert!(!self.0.status.success(), "it went through: {}", self.out());
        assert!(self.err().contains(words), "no {words:?} in {:?}", self.err());
    }
}

/// Nothing of a log that is no file: a pipe or a device has no end.
fn read_log(path: &Path) -> String {
    let bytes = if path.is_file() { fs::read(path).unwrap_or_default() } else { Vec::new() };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// One demo server for all tests that only add to it. It goes with the test process.
pub async fn shared() -> &'static (Home, Server) {
    static SHARED: OnceCell<(Home, Server)> = OnceCell::const_new();
    SHARED
        .get_or_init(|| async {
            let home = Home::new();
            let server = home.demo().await;
            (home, server)
        })
        .await
}

fn pairs(settings: &[(&str, &str)]) -> Vec<(String, String)> {
    settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}
