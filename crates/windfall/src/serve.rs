//! `windfall serve` and `windfall demo`: one process until it is told to stop.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context as _;
use embedded::DataFolder;
use engine::{attempts, auditing, jobs, relay};
use metrics_exporter_prometheus::PrometheusBuilder;
use server::{Listener, TlsFiles};
use tokio::net::UnixListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::config::Config;
use crate::node::{Metrics, Node, Readiness, public_url};
use crate::{demo, logging};

const UPKEEP: Duration = Duration::from_secs(5);

pub async fn serve(config: &Config) -> anyhow::Result<()> {
    logging::start(&config.log);
    demo::check_folder(config)?;
    let metrics = Metrics(PrometheusBuilder::new().install_recorder().context("metrics")?);
    let running = Running::start(config, metrics).await?;
    announce(&running.base, config.demo);
    let ended = tokio::select! {
        name = told_to_stop() => { tracing::info!(signal = name, "stopping"); Ok(()) }
        lost = running.node.hold_node_id() => Err(lost),
    };
    running.stop().await?;
    ended
}

/// A node that answers over HTTP, with everything that runs beside it.
#[derive(Debug)]
pub struct Running {
    pub node: Arc<Node>,
    pub address: SocketAddr,
    /// How it is reached.
    base: String,
    readiness: Arc<Readiness>,
    stop: watch::Sender<bool>,
    http: JoinHandle<()>,
    jobs: JoinHandle<()>,
    relay: JoinHandle<()>,
    attempts: JoinHandle<()>,
    audit: JoinHandle<()>,
    upkeep: JoinHandle<()>,
}

impl Running {
    pub async fn start(config: &Config, metrics: Metrics) -> anyhow::Result<Self> {
        // The address first: a port that is taken should not have cost a migration.
        let listener = bind(config).await?;
        let address = listener.address()?;
        let scheme = if config.tls.pair().is_some() { "https" } else { "http" };
        let base = public_url(config).unwrap_or_else(|| format!("{scheme}://{address}"));
        let node = Arc::new(Node::open(config, &base).await?);
        if config.demo {
            demo::seed(&node).await?;
        }
        let readiness = Arc::new(node.readiness());
        let (stop, stopped) = watch::channel(false);
        let app = node.app(config, Arc::clone(&readiness), metrics.clone(), stopped.clone())?;
        let site = server::Site::new(app);
        let console = console(node.folder.path());

        let mut stopping = stopped.clone();
        let http = tokio::spawn(server::serve(listener, console, site, async move {
            let _ = stopping.wait_for(|stop| *stop).await;
        }));
        let jobs = tokio::spawn(run_jobs(Arc::clone(&node), config.jobs.enabled, stopped.clone()));
        let relay = tokio::spawn(run_relay(Arc::clone(&node), config.jobs.enabled, stopped.clone()));
        let attempts = tokio::spawn(run_attempts(Arc::clone(&node), stopped.clone()));
        let audit = tokio::spawn(run_audit(Arc::clone(&node), config.ledger.audit_slice_ms, stopped));
        let upkeep = tokio::spawn(async move {
            loop {
                tokio::time::sleep(UPKEEP).await;
                metrics.0.run_upkeep();
            }
        });
        Ok(Self { node, address, base, readiness, stop, http, jobs, relay, attempts, audit, upkeep })
    }

    /// Finishes what is under way; the ledger is projected to its end.
    pub async fn stop(self) -> anyhow::Result<()> {
        self.readiness.draining.store(true, Ordering::Relaxed);
        let _ = self.stop.send(true);
        self.http.await.context("the HTTP server")?;
        self.jobs.await.context("the jobs")?;
        self.relay.await.context("the relay")?;
        self.attempts.await.context("the attempts")?;
        self.audit.await.context("the audit")?;
        self.upkeep.abort();
        let _ = std::fs::remove_file(DataFolder::socket(self.node.folder.path()));
        self.node.close().await;
        tracing::info!("stopped");
        Ok(())
    }
}

async fn bind(config: &Config) -> anyhow::Result<Listener> {
    let tls = config.tls.pair().map(|(cert, key)| TlsFiles { cert: cert.to_owned(), key: key.to_owned() });
    let mut listener = Listener::bind(config.http.listen, tls.as_ref()).await?;
    listener.max_connections = config.http.max_connections;
    listener.header_timeout = Duration::from_millis(config.http.header_timeout_ms);
    listener.header_limit_bytes = config.http.header_limit_bytes;
    listener.drain_timeout = Duration::from_millis(config.http.drain_timeout_ms);
    Ok(listener)
}

/// The socket of the command line, readable by this user only. Without it the server still serves.
fn console(folder: &Path) -> Option<UnixListener> {
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

async fn run_jobs(node: Arc<Node>, enabled: bool, mut stopped: watch::Receiver<bool>) {
    if enabled {
        jobs::run_until(&node.world, &node.holder, async move {
            let _ = stopped.wait_for(|stop| *stop).await;
        })
        .await;
    }
}

/// Where jobs do not run, messages wait too.
async fn run_relay(node: Arc<Node>, enabled: bool, mut stopped: watch::Receiver<bool>) {
    if enabled {
        let (world, holder) = (Arc::clone(&node.world), node.holder.clone());
        relay::run_until(world, relay::handlers(), holder, async move {
            let _ = stopped.wait_for(|stop| *stop).await;
        })
        .await;
    }
}

/// Attempts to buy are decided wherever they are made.
async fn run_attempts(node: Arc<Node>, mut stopped: watch::Receiver<bool>) {
    attempts::run_until(Arc::clone(&node.world), async move {
        let _ = stopped.wait_for(|stop| *stop).await;
    })
    .await;
}

/// Pass after pass, a slice every so often; 0 is never.
async fn run_audit(node: Arc<Node>, slice_ms: u64, mut stopped: watch::Receiver<bool>) {
    if slice_ms > 0 {
        auditing::run_until(&node.world, Duration::from_millis(slice_ms), async move {
            let _ = stopped.wait_for(|stop| *stop).await;
        })
        .await;
    }
}

async fn told_to_stop() -> &'static str {
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        tracing::error!("signals cannot be received; only kill -9 stops this process");
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => "terminate",
        _ = interrupt.recv() => "interrupt",
    }
}

fn announce(base: &str, demo: bool) {
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
