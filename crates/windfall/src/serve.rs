//! `windfall serve` and `windfall demo`: one process until it is told to stop.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context as _;
use embedded::{ClockJump, DataFolder, SystemClock};
use engine::inventory::auditing;
use engine::sales::attempts;
use engine::{jobs, relay};
use metrics_exporter_prometheus::PrometheusBuilder;
use server::{ConnectionLimits, Listener, TlsFiles};
use tokio::net::UnixListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::config::{Config, NodeProfile};
use crate::node::{Metrics, Node};
use crate::node_settings::public_url;
use crate::readiness::Readiness;
use crate::stopping::Stopping;
use crate::telemetry::host::Host;
use crate::{cluster, demo, logging, open_files};

const UPKEEP: Duration = Duration::from_secs(5);
/// Jobs have so long to end their step, however short the drain time is.
pub const DRAIN_MIN: Duration = Duration::from_secs(5);
/// How often the clock is compared with how much time passed.
const CLOCK_LOOK: Duration = Duration::from_secs(1);

pub async fn serve(config: &Config) -> anyhow::Result<()> {
    logging::start(&config.log).context("the thread that writes the log")?;
    demo::check_folder(config)?;
    let metrics = Metrics(PrometheusBuilder::new().install_recorder().context("metrics")?);
    crate::telemetry::register();
    match config.profile {
        NodeProfile::Embedded => serve_alone(config, metrics).await,
        NodeProfile::Cluster => cluster::serve(config, metrics).await,
    }
}

async fn serve_alone(config: &Config, metrics: Metrics) -> anyhow::Result<()> {
    cluster::ClusterRole::Alone.tell();
    let running = Running::start(config, metrics).await?;
    announce(&running.base, config.demo);
    let stopping = Stopping::listen(Duration::from_millis(config.http.drain_timeout_ms))?;
    let ended = tokio::select! {
        name = stopping.told() => { tracing::info!(signal = name, "stopping"); Ok(()) }
        lost = running.node.hold_node_id() => Err(lost),
        replaced = running.node.follow_standby() => Err(replaced),
    };
    let node = running.drain().await?;
    stopping.closing();
    node.end().await;
    stopping.closed();
    ended
}

/// A node that answers over HTTP, with everything that runs beside it.
#[derive(Debug)]
pub struct Running {
    pub node: Arc<Node>,
    pub address: SocketAddr,
    /// How it is reached.
    base: String,
    drain_timeout: Duration,
    readiness: Arc<Readiness>,
    stop: watch::Sender<bool>,
    http: JoinHandle<()>,
    workers: Workers,
    upkeep: Vec<JoinHandle<()>>,
}

/// What a node does beside answering requests.
#[derive(Debug)]
pub struct Workers(Vec<(&'static str, JoinHandle<()>)>);

impl Running {
    pub async fn start(config: &Config, metrics: Metrics) -> anyhow::Result<Self> {
        // The address first: a port that is taken should not have cost a migration.
        let listener = bind(config).await?;
        let address = listener.address()?;
        let base = base(config, address);
        let node = Arc::new(Node::open(config, &base).await?);
        if config.demo {
            demo::seed(&node).await?;
        }
        let readiness = Arc::new(node.readiness());
        let (stop, stopped) = watch::channel(false);
        let app = node.app(config, Arc::clone(&readiness), metrics.clone(), stopped.clone())?;
        let (site, console) = (server::Site::new(app), console(node.folder.path()));
        let http = tokio::spawn(server::serve(listener, console, site.into(), until(stopped.clone())));
        let workers = Workers::start(config, &node, &stopped);
        let upkeep = keep_up(config, node.folder.path(), &node.clock, metrics);
        let drain_timeout = Duration::from_millis(config.http.drain_timeout_ms);
        Ok(Self { node, address, base, drain_timeout, readiness, stop, http, workers, upkeep })
    }

    /// Finishes what is under way; the ledger is projected to its end.
    pub async fn stop(self) -> anyhow::Result<()> {
        self.drain().await?.end().await;
        Ok(())
    }

    /// Finishes what is under way within the drain time; what does not come back by then is left behind.
    async fn drain(self) -> anyhow::Result<Drained> {
        self.readiness.draining.store(true, Ordering::Relaxed);
        let _ = self.stop.send(true);
        let deadline = Instant::now() + self.drain_timeout.max(DRAIN_MIN);
        // It ends by itself when the drain time is over.
        self.http.await.context("the HTTP server")?;
        self.workers.finish(deadline).await?;
        self.upkeep.iter().for_each(JoinHandle::abort);
        Ok(Drained(self.node))
    }
}

impl Workers {
    /// Until `stopped` becomes true.
    pub fn start(config: &Config, node: &Arc<Node>, stopped: &watch::Receiver<bool>) -> Self {
        let (enabled, slice_ms) = (config.jobs.enabled, config.ledger.audit_slice_ms);
        Self(vec![
            ("jobs", tokio::spawn(run_jobs(Arc::clone(node), enabled, stopped.clone()))),
            ("relay", tokio::spawn(run_relay(Arc::clone(node), enabled, stopped.clone()))),
            ("attempts", tokio::spawn(run_attempts(Arc::clone(node), stopped.clone()))),
            ("audit", tokio::spawn(run_audit(Arc::clone(node), slice_ms, stopped.clone()))),
        ])
    }

    /// They were told to stop.
    pub async fn finish(self, deadline: Instant) -> anyhow::Result<()> {
        for (name, task) in self.0 {
            finish(name, task, deadline).await?;
        }
        Ok(())
    }
}

/// What a process does for itself, whoever leads: it looks at the clock, and tells of itself.
pub fn keep_up(
    config: &Config,
    folder: &Path,
    machine: &Arc<SystemClock>,
    metrics: Metrics,
) -> Vec<JoinHandle<()>> {
    let machine = Arc::clone(machine);
    let watch = tokio::spawn(async move {
        loop {
            tokio::time::sleep(CLOCK_LOOK).await;
            machine.notice().into_iter().for_each(tell_jump);
        }
    });
    let host = Host::new(folder, config.backup.folder.as_deref(), config.standby.folder.as_deref());
    let upkeep = tokio::spawn(async move {
        loop {
            host.tell();
            metrics.0.run_upkeep();
            tokio::time::sleep(UPKEEP).await;
        }
    });
    vec![watch, upkeep]
}

/// Resolves when the flag becomes true, or nobody can set it any more.
pub async fn until(mut stopped: watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stop| *stop).await;
}

/// How this process is reached.
pub fn base(config: &Config, address: SocketAddr) -> String {
    let scheme = if config.tls.pair().is_some() { "https" } else { "http" };
    public_url(config).unwrap_or_else(|| format!("{scheme}://{address}"))
}

/// A task that was told to stop. One that does not come back in time is left behind: everything it does is safe to be cut off.
async fn finish(name: &'static str, mut task: JoinHandle<()>, deadline: Instant) -> anyhow::Result<()> {
    match tokio::time::timeout_at(deadline, &mut task).await {
        Ok(ended) => ended.context(name),
        Err(_) => {
            tracing::warn!(name, "did not come back within the drain time and is left behind");
            task.abort();
            Ok(())
        }
    }
}

/// A node that answers nobody any more, and is still open.
struct Drained(Arc<Node>);

impl Drained {
    async fn end(self) {
        let _ = std::fs::remove_file(DataFolder::socket(self.0.folder.path()));
        self.0.close().await;
        tracing::info!("stopped");
    }
}

pub async fn bind(config: &Config) -> anyhow::Result<Listener> {
    let tls = config.tls.pair().map(|(cert, key)| TlsFiles { cert: cert.to_owned(), key: key.to_owned() });
    let http = &config.http;
    let limits = ConnectionLimits {
        max_connections: open_files::make_room(http.max_connections)?,
        connections_of_address_max: http.connections_of_address_max,
        trusted_proxies: http.trusted_proxies.clone(),
        header_timeout: Duration::from_millis(http.header_timeout_ms),
        header_limit_bytes: http.header_limit_bytes,
        write_timeout: Duration::from_millis(http.write_timeout_ms),
        drain_timeout: Duration::from_millis(http.drain_timeout_ms),
    };
    Ok(Listener::bind(http.listen, tls.as_ref(), limits).await?)
}

/// The socket of the command line, readable by this user only. Without it the server still serves.
pub fn console(folder: &Path) -> Option<UnixListener> {
    let path = DataFolder::socket(folder);
    // The folder is locked: a socket that is there is a dead process's.
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            tracing::warn!(%error, "an old admin.sock stays");
        }
        _ => {}
    }
    let bound = UnixListener::bind(&path).and_then(|listener| {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
        Ok(listener)
    });
    bound.inspect_err(|error| tracing::warn!(%error, "the command line cannot reach this server")).ok()
}

async fn run_jobs(node: Arc<Node>, enabled: bool, stopped: watch::Receiver<bool>) {
    if enabled {
        jobs::run_until(&node.world, &node.holder, until(stopped)).await;
    }
}

/// Where jobs do not run, messages wait too.
async fn run_relay(node: Arc<Node>, enabled: bool, stopped: watch::Receiver<bool>) {
    if enabled {
        let (world, holder) = (Arc::clone(&node.world), node.holder.clone());
        relay::run_until(world, relay::handlers(), holder, until(stopped)).await;
    }
}

/// Attempts to buy are decided wherever they are made.
async fn run_attempts(node: Arc<Node>, stopped: watch::Receiver<bool>) {
    attempts::run_until(Arc::clone(&node.world), until(stopped)).await;
}

/// Pass after pass, a slice every so often; 0 is never.
async fn run_audit(node: Arc<Node>, slice_ms: u64, stopped: watch::Receiver<bool>) {
    if slice_ms > 0 {
        auditing::run_until(&node.world, Duration::from_millis(slice_ms), until(stopped)).await;
    }
}

/// Once for each jump. One ahead may be a machine that slept; one back may be a clock put right, or one put wrong.
fn tell_jump(jump: ClockJump) {
    let way = if jump.by_ms > 0 { "ahead" } else { "back" };
    metrics::counter!("windfall_clock_jumps_total", "way" => way).increment(1);
    tracing::warn!(by_ms = jump.by_ms, "the clock jumped {way}");
}

pub fn announce(base: &str, demo: bool) {
    println!("\nWindfall {} is running.\n", crate::VERSION);
    println!("  Page       {base}/");
    println!("  API page   {base}/docs");
    println!("  Health     {base}/readyz");
    if demo {
        println!("\n  Demo sign-ins, password `{}`:", demo::PASSWORD);
        for person in demo::PEOPLE {
            println!("    {:<10} {}", person.role.name(), person.phone);
        }
    }
    println!("\nStop it with Ctrl-C.");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn a_task_that_does_not_come_back_is_left_behind() {
        let stuck = tokio::spawn(std::future::pending());
        finish("stuck", stuck, Instant::now()).await.unwrap();
        finish("done", tokio::spawn(async {}), Instant::now() + Duration::from_secs(600)).await.unwrap();
    }

    /// Threads that never give way, one that answers requests and one for slow work: the process ends all the same.
    #[test]
    fn threads_that_are_busy_for_good_are_left_behind() {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (never, waits) = std::sync::mpsc::channel::<()>();
        let (slow, busy) = (std::sync::Mutex::new(waits), std::sync::mpsc::channel::<()>());
        let (begun, has_begun) = std::sync::mpsc::channel();
        let tell = begun.clone();
        runtime.spawn(async move {
            tell.send(()).unwrap();
            let _ = slow.lock().unwrap().recv();
        });
        let (keep, blocked) = busy;
        runtime.spawn_blocking(move || {
            begun.send(()).unwrap();
            let _ = blocked.recv();
        });
        has_begun.recv().unwrap();
        has_begun.recv().unwrap();
        assert_eq!(runtime.block_on(async { 7 }), 7);
        runtime.shutdown_timeout(Duration::ZERO);
        drop((never, keep));
    }
}
