//! A real Redis for tests.
//!
//! Most tests take the one that their process shares and a shard of their own in it:
//!
//! ```no_run
//! # use windfall_testkit as testkit;
//! # async fn example() {
//! let Some(redis) = testkit::Redis::shared().await else { return };
//! let shard = redis.shard();
//! // connect to redis.url(), and keep every key under the hash tag {shard}
//! # }
//! ```
//!
//! A test that stops, kills or reconfigures the server starts its own with [`Redis::start`].
//!
//! It keeps an append-only file and evicts nothing, as Windfall asks of any Redis. The file is not synced: killing the
//! server process loses nothing, which is what the tests do. Keys are not deleted one by one: they go away with the
//! server.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::OnceCell;

use crate::guard::{Guard, ServerFault};
use crate::server::{Program, Server};
use crate::skip::{self, Reason};
use crate::wait::PATIENCE;

const PROGRAM: &str = "redis-server";

static SHARED: OnceCell<Option<Redis>> = OnceCell::const_new();

/// A running Redis.
pub type Redis = Server<RedisProgram>;

/// The program, its further settings, and the shards that were named so far.
#[derive(Debug)]
pub struct RedisProgram {
    path: PathBuf,
    settings: Vec<String>,
    shards: AtomicU32,
}

impl Server<RedisProgram> {
    /// The server of this test process, started by the first test that asks. `None`, with the skip recorded, when
    /// Redis is not installed.
    ///
    /// # Panics
    /// When Redis is installed and does not start: that is a failure, not a reason to skip.
    pub async fn shared() -> Option<&'static Redis> {
        SHARED.get_or_init(|| Redis::start(&[])).await.as_ref()
    }

    /// A server of the test's own, with further settings as on its command line (`["--cluster-enabled", "yes"]`).
    /// `None`, with the skip recorded, when Redis is not installed.
    ///
    /// # Panics
    /// When Redis is installed and does not start.
    pub async fn start(settings: &[&str]) -> Option<Redis> {
        let Some(folder) = skip::on_path(PROGRAM) else {
            skip::record(
                Reason::for_package(),
                "tests on Redis: no server found; scripts/ensure test installs it or says how",
            );
            return None;
        };
        match Redis::start_from(folder.join(PROGRAM), settings).await {
            Ok(redis) => Some(redis),
            Err(fault) => panic!("Redis does not start: {fault}"),
        }
    }

    /// Starts this program.
    ///
    /// # Errors
    /// [`ServerFault`], with the end of the server's log.
    pub async fn start_from(program: PathBuf, settings: &[&str]) -> Result<Redis, ServerFault> {
        let guard = Guard::new("redis", "TERM")?;
        let settings = settings.iter().map(ToString::to_string).collect();
        Server::serve_in(guard, RedisProgram { path: program, settings, shards: AtomicU32::new(0) }).await
    }

    /// Where to connect: `redis://…`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port())
    }

    /// The name of a shard that no other test of this process has.
    #[must_use]
    pub fn shard(&self) -> String {
        format!("s{}", self.program.shards.fetch_add(1, Ordering::Relaxed))
    }

    /// One command as a person would type it, on a connection of its own, and what was answered to it; a list comes
    /// back as its first line.
    ///
    /// # Panics
    /// When the server does not answer.
    #[must_use]
    pub fn command(&self, line: &str) -> String {
        said(self.port(), line).unwrap_or_else(|error| {
            panic!("{line}: {error}; the log ends with:\n{}", self.guard().log_tail())
        })
    }
}

impl Program for RedisProgram {
    const READY: &'static str = "Redis to answer";

    fn path(&self) -> &Path {
        &self.path
    }

    fn arguments(&self, folder: &Path, port: u16) -> Vec<String> {
        arguments(folder, port, &self.settings)
    }

    fn is_ready(_: &Path, port: u16, pid: u32) -> bool {
        said(port, "INFO").is_ok_and(|info| is_ready(&info, pid))
    }

    /// Someone took the port.
    fn passes(log: &str) -> bool {
        log.contains("Address already in use")
    }
}

fn arguments(folder: &Path, port: u16, more: &[String]) -> Vec<String> {
    let folder = folder.to_string_lossy();
    let port = port.to_string();
    let fixed = [
        ["--bind", "127.0.0.1"],
        ["--port", &port],
        ["--dir", &folder],
        ["--appendonly", "yes"],
        ["--appendfsync", "no"],
        ["--maxmemory-policy", "noeviction"],
        ["--save", ""],
    ];
    fixed.into_iter().flatten().map(str::to_owned).chain(more.iter().cloned()).collect()
}

/// Ours, not another server that took the port, and done with reading its data.
fn is_ready(info: &str, pid: u32) -> bool {
    let has = |line: &str| info.lines().any(|found| found == line);
    has(&format!("process_id:{pid}")) && has("loading:0")
}

/// One inline command on a connection of its own.
fn said(port: u16, line: &str) -> io::Result<String> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(format!("{line}\r\n").as_bytes())?;
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    match first.trim_end().split_at_checked(1) {
        Some(("$", length)) => {
            let Ok(length) = length.parse::<usize>() else { return Ok("nil".to_owned()) };
            let mut text = vec![0; length];
            reader.read_exact(&mut text)?;
            Ok(String::from_utf8_lossy(&text).into_owned())
        }
        Some(("+" | ":", text)) => Ok(text.to_owned()),
        Some(_) => Ok(first.trim_end().to_owned()),
        None => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ready_means_our_own_process_has_read_its_data() {
        for (info, expected) in [
            ("process_id:7\r\nloading:0\r\n", true),
            ("process_id:7\r\nloading:1\r\n", false),
            ("process_id:77\r\nloading:0\r\n", false),
            ("-LOADING Redis is loading the dataset in memory", false),
            ("", false),
        ] {
            assert_eq!(is_ready(info, 7), expected, "{info}");
        }
    }

    #[test]
    fn only_a_taken_port_is_tried_again() {
        for (log, expected) in [
            (
                "# Warning: Could not create server TCP listening socket 127.0.0.1:1: bind: Address already in use",
                true,
            ),
            ("*** FATAL CONFIG FILE ERROR (Redis 7.0.15) ***", false),
            ("", false),
        ] {
            assert_eq!(RedisProgram::passes(log), expected, "{log}");
        }
    }
}
