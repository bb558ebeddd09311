//! The classic way, for comparison: one Lua script on a local Redis that checks the lock key, checks the stock,
//! decrements it, and sets a lock key and a deduct key with expiry.
//!
//! Redis gets its best: a Unix socket, `EVALSHA`, the shortest reply, several connections with deep pipelines, the
//! best of several depths, and no rewrite of its log meanwhile. The client is small enough not to be in the way:
//! requests are written in place, replies are compared as bytes.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};

const PROGRAM: &str = "redis-server";
/// `KEYS`: the stock, the lock of an order, its deduction; `ARGV`: how many. Answers 1 when they are taken, 0 when there are
/// too few, 2 when the order has its lock.
pub const CLASSIC_SCRIPT: &str = "\
if redis.call('GET', KEYS[2]) then return 2 end \
local stock = tonumber(redis.call('GET', KEYS[1]) or 0) \
local quantity = tonumber(ARGV[1]) \
if stock < quantity then return 0 end \
redis.call('DECRBY', KEYS[1], quantity) \
redis.call('SET', KEYS[2], quantity, 'EX', 900) \
redis.call('SET', KEYS[3], quantity, 'EX', 604800) \
return 1";
/// Connections, and requests on the way in each.
const SHAPES: [(usize, usize); 4] = [(2, 64), (4, 256), (4, 1_024), (8, 2_048)];
const START_LIMIT: Duration = Duration::from_secs(10);
/// An answer that takes longer is a fault.
const ANSWER_LIMIT: Duration = Duration::from_secs(30);
const TAKEN: &[u8] = b":1\r\n";

/// How often Redis syncs its log.
#[derive(Clone, Copy, Debug)]
pub enum Sync {
    EverySecond,
    Always,
}

impl Sync {
    fn setting(self) -> &'static str {
        match self {
            Self::EverySecond => "everysec",
            Self::Always => "always",
        }
    }
}

/// Whether there is a Redis to compare with.
pub fn is_here() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(PROGRAM).is_file())
}

/// Reservations per second on one hot key, at the best of several shapes.
pub fn measure(parent: &Path, sync: Sync, limit: Duration) -> anyhow::Result<f64> {
    Ok(measure_shapes(parent, sync, limit, |_| None)?.0)
}

/// The same per processor second of Redis, as `cpu_s` tells it of a process: the best of several shapes again.
pub fn measure_cpu(
    parent: &Path,
    sync: Sync,
    limit: Duration,
    cpu_s: impl Fn(u32) -> Option<f64>,
) -> anyhow::Result<Option<f64>> {
    Ok(measure_shapes(parent, sync, limit, cpu_s)?.1)
}

fn measure_shapes(
    parent: &Path,
    sync: Sync,
    limit: Duration,
    cpu_s: impl Fn(u32) -> Option<f64>,
) -> anyhow::Result<(f64, Option<f64>)> {
    let server = RedisServer::start(parent, sync)?;
    let mut control = server.connect()?;
    let sha = script(&mut control, CLASSIC_SCRIPT)?;
    request(&mut control, &["SET", "stock:{1}", "1000000000000"])?;
    expect(&mut control, b"+OK\r\n")?;
    let (mut best, mut best_per_cpu_s) = (0.0_f64, None::<f64>);
    let pid = server.child.id();
    for (trial, (connections, depth)) in SHAPES.into_iter().enumerate() {
        let (started, before) = (Instant::now(), cpu_s(pid));
        let until = started + limit / 4;
        let threads: Vec<_> = (0..connections)
            .map(|at| {
                let stream = server.connect()?;
                let (sha, prefix) = (sha.clone(), trial * 100 + at);
                Ok(std::thread::spawn(move || drive(stream, &sha, prefix, depth, until)))
            })
            .collect::<anyhow::Result<_>>()?;
        let mut taken = 0;
        for thread in threads {
            taken += thread.join().map_err(|_| anyhow::anyhow!("a client of Redis failed"))??;
        }
        best = best.max(taken as f64 / started.elapsed().as_secs_f64());
        if let Some((before, after)) = before.zip(cpu_s(pid)) {
            let per_cpu_s = taken as f64 / (after - before).max(f64::MIN_POSITIVE);
            best_per_cpu_s = Some(best_per_cpu_s.map_or(per_cpu_s, |best| best.max(per_cpu_s)));
        }
    }
    Ok((best, best_per_cpu_s))
}

/// Pipelines until the time is over; answers how many units it got.
fn drive(
    mut stream: UnixStream,
    sha: &str,
    prefix: usize,
    depth: usize,
    until: Instant,
) -> anyhow::Result<u64> {
    // Ids have as many digits as those the ledger is asked with.
    let ids = |n: u64| {
        (format!("lock:{{1}}:order-{prefix:04}{n:012}"), format!("deduct:{{1}}:order-{prefix:04}{n:012}"))
    };
    let mut replies = vec![0; depth * TAKEN.len()];
    let (mut pipeline, mut taken) = (Vec::new(), 0);
    while Instant::now() < until {
        pipeline.clear();
        for _ in 0..depth {
            let (lock, deduct) = ids(taken);
            command(&mut pipeline, &["EVALSHA", sha, "3", "stock:{1}", &lock, &deduct, "1"]);
            taken += 1;
        }
        stream.write_all(&pipeline)?;
        stream.read_exact(&mut replies)?;
        let all = replies.chunks_exact(TAKEN.len()).all(|reply| reply == TAKEN);
        ensure!(all, "Redis answered {:?}", String::from_utf8_lossy(&replies[..TAKEN.len() * 4]));
    }
    Ok(taken)
}

/// Loads a script and answers the name it is called by.
pub fn script(stream: &mut UnixStream, text: &str) -> anyhow::Result<String> {
    request(stream, &["SCRIPT", "LOAD", text])?;
    // `$40`, and the 40 hexadecimal digits of a SHA-1.
    let mut reply = [0; 47];
    stream.read_exact(&mut reply)?;
    ensure!(reply.starts_with(b"$40\r\n"), "Redis answered {:?}", String::from_utf8_lossy(&reply));
    Ok(std::str::from_utf8(&reply[5..45])?.to_owned())
}

pub fn request(stream: &mut UnixStream, words: &[&str]) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    command(&mut bytes, words);
    Ok(stream.write_all(&bytes)?)
}

pub fn expect(stream: &mut UnixStream, expected: &[u8]) -> anyhow::Result<()> {
    let mut reply = vec![0; expected.len()];
    stream.read_exact(&mut reply)?;
    ensure!(reply == expected, "Redis answered {:?}", String::from_utf8_lossy(&reply));
    Ok(())
}

/// A command in Redis's own form.
pub fn command(out: &mut Vec<u8>, words: &[&str]) {
    // Writing to a vector cannot fail.
    let _ = write!(out, "*{}\r\n", words.len());
    for word in words {
        let _ = write!(out, "${}\r\n", word.len());
        out.extend_from_slice(word.as_bytes());
        out.extend_from_slice(b"\r\n");
    }
}

/// A server on a folder and a socket of its own; both go when it does.
#[derive(Debug)]
pub struct RedisServer {
    child: Child,
    pub socket: PathBuf,
    _folder: tempfile::TempDir,
}

impl RedisServer {
    pub fn start(parent: &Path, sync: Sync) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("windfall-redis-").tempdir_in(parent)?;
        let socket = folder.path().join("socket");
        let child = Command::new(PROGRAM)
            .args(["--port", "0", "--save", "", "--appendonly", "yes", "--appendfsync", sync.setting()])
            .args(["--auto-aof-rewrite-percentage", "0", "--daemonize", "no"])
            .arg("--unixsocket")
            .arg(&socket)
            .arg("--dir")
            .arg(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("starting redis-server")?;
        let mut server = Self { child, socket, _folder: folder };
        let started = Instant::now();
        while server.connect().is_err() {
            if let Some(status) = server.child.try_wait()? {
                bail!("redis-server ended at once: {status}");
            }
            ensure!(started.elapsed() < START_LIMIT, "redis-server does not answer");
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(server)
    }

    pub fn connect(&self) -> anyhow::Result<UnixStream> {
        let stream = UnixStream::connect(&self.socket)?;
        stream.set_read_timeout(Some(ANSWER_LIMIT))?;
        stream.set_write_timeout(Some(ANSWER_LIMIT))?;
        Ok(stream)
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        // It may have ended by itself; either way it is gone afterwards.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_written_as_redis_reads_it() {
        let mut bytes = Vec::new();
        command(&mut bytes, &["GET", "ab"]);
        assert_eq!(bytes, b"*2\r\n$3\r\nGET\r\n$2\r\nab\r\n");
    }
}
