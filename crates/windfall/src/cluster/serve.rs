//! `windfall serve` of a node: it answers requests from the first moment, by the leader or by itself.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context as _;
use embedded::DataFolder;
use server::{Forwarder, ForwarderSettings, Front, NodeFront, Requests};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::following::{Following, follow};
use super::leading::{Leading, NotLeading};
use super::place::ClusterPlace;
use super::role::ClusterRole;
use crate::config::Config;
use crate::node::Metrics;
use crate::serve::{DRAIN_MIN, Workers, announce, base, bind, console, keep_up, until};
use crate::stopping::Stopping;

/// What a node that lost its lead still waits for: answers that say so.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

pub async fn serve(config: &Config, metrics: Metrics) -> anyhow::Result<()> {
    let listener = bind(config).await?;
    let base = base(config, listener.address()?);
    let place = ClusterPlace::open(config)?;
    let following = Arc::new(Following::default());
    let front = Arc::new(NodeFront::new(forwarder(config, &following, &metrics)?));
    let (stop, stopped) = watch::channel(false);
    let console = console(place.folder.path());
    let served = server::serve(listener, console, Front::Node(Arc::clone(&front)), until(stopped.clone()));
    let http = tokio::spawn(served);
    let upkeep = keep_up(config, place.folder.path(), &place.machine, metrics.clone());
    announce(&base, config.demo);
    let stopping = Stopping::listen(Duration::from_millis(config.http.drain_timeout_ms))?;
    ClusterRole::Follows.tell();
    let follower = Follower { config, place: &place, front: &front, following: &following, base: &base };
    let ended = tokio::select! {
        name = stopping.told() => {
            tracing::info!(signal = name, "stopping");
            Ok(None)
        }
        led = follower.until_leading() => led.map(Some),
    };
    let ended = match ended {
        Ok(Some(leading)) => lead(config, leading, &front, metrics, (&stop, stopped), &stopping, http).await,
        Ok(None) => {
            following.draining.store(true, Ordering::Relaxed);
            let _ = stop.send(true);
            http.await.context("the HTTP server")
        }
        Err(error) => Err(error),
    };
    stopping.closing();
    upkeep.iter().for_each(JoinHandle::abort);
    let _ = std::fs::remove_file(DataFolder::socket(place.folder.path()));
    tracing::info!("stopped");
    stopping.closed();
    ended
}

fn forwarder(config: &Config, following: &Arc<Following>, metrics: &Metrics) -> anyhow::Result<Forwarder> {
    let read = |file: &std::path::PathBuf| {
        std::fs::read(file).with_context(|| format!("cluster.ca_file: {}", file.display()))
    };
    Ok(Forwarder::new(ForwarderSettings {
        request_timeout: Duration::from_millis(config.http.request_timeout_ms),
        leader_wait: Duration::from_millis(config.cluster.leader_wait_ms),
        trusted_proxies: config.http.trusted_proxies.clone(),
        ca: config.cluster.ca_file.as_ref().map(read).transpose()?,
        health: Arc::clone(following) as Arc<dyn server::Health>,
        metrics: metrics.0.clone(),
        requests: Requests::beginning_at(u64::from(std::process::id()) << 32),
    })?)
}

struct Follower<'a> {
    config: &'a Config,
    place: &'a ClusterPlace,
    front: &'a Arc<NodeFront>,
    following: &'a Arc<Following>,
    base: &'a str,
}

impl Follower<'_> {
    /// Follows, claims when the lead is free, and follows again where that failed.
    async fn until_leading(&self) -> anyhow::Result<Leading> {
        loop {
            let candidacy = follow(self.place, self.front, self.following).await?;
            tracing::info!(?candidacy, "taking the lead");
            match Leading::begin(self.config, self.place, candidacy, self.base).await {
                Ok(leading) => return Ok(leading),
                Err(NotLeading::ForGood(error)) => return Err(error),
                Err(NotLeading::ThisTime(error)) => {
                    tracing::warn!(cause = format!("{error:#}"), "the lead was not taken");
                    tokio::time::sleep(Duration::from_millis(self.place.terms.renew_ms)).await;
                }
            }
        }
    }
}

/// Serves until it is told to stop, or the lead is over.
async fn lead(
    config: &Config,
    mut leading: Leading,
    front: &NodeFront,
    metrics: Metrics,
    (stop, stopped): (&watch::Sender<bool>, watch::Receiver<bool>),
    stopping: &Stopping,
    http: JoinHandle<()>,
) -> anyhow::Result<()> {
    let readiness = Arc::new(leading.node.readiness());
    let app = leading.node.app(config, Arc::clone(&readiness), metrics, stopped.clone())?;
    let workers = Workers::start(config, &leading.node, &stopped);
    front.lead(server::Site::new(app), Arc::new(leading.is_led()));
    ClusterRole::Leads.tell();
    tracing::info!(term = leading.node.stock.term(), "this node leads");
    let over = tokio::select! {
        name = stopping.told() => {
            tracing::info!(signal = name, "stopping");
            None
        }
        over = leading.over() => Some(over),
    };
    readiness.draining.store(true, Ordering::Relaxed);
    let _ = stop.send(true);
    if let Some(over) = over {
        // Nothing is finished for a cluster that another leads; what is told now is that it is not known.
        let _ = tokio::time::timeout(LAST_ANSWERS, http).await;
        return Err(over);
    }
    let deadline = Instant::now() + Duration::from_millis(config.http.drain_timeout_ms).max(DRAIN_MIN);
    http.await.context("the HTTP server")?;
    workers.finish(deadline).await?;
    stopping.closing();
    leading.hand_over().await;
    Ok(())
}
