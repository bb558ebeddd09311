//! `windfall bench http`: the arguments, and with `--echo` a plain JSON echo, the yardstick for all other figures.
//!
//! The server is axum with one route and nothing else: no limits, no sessions, no logging. What it answers
//! per second is what this machine, this runtime and this generator can do at best.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, ensure};
use axum::serve::ListenerExt;
use axum::{Json, Router, routing::post};
use clap::Args;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::load::{self, LoadCaller, LoadPlan, LoadProgress, LoadReport};
use super::node::NodeStarter;
use super::{draw, report, sale};

#[derive(Debug, Args)]
pub struct HttpArgs {
    /// Measure a plain JSON echo with nothing but the route
    #[arg(long)]
    echo: bool,

    /// Measure durable draws beside the echo, and beside a draw of the usual kind on Redis and PostgreSQL
    #[arg(long, conflicts_with = "echo")]
    draw: bool,

    /// Measure a sale: sold-out answers beside the echo, a sell-out, and holds that expire all at once
    #[arg(long, conflicts_with_all = ["echo", "draw"])]
    sale: bool,

    /// Print one flat JSON object on one line
    #[arg(long)]
    json: bool,

    /// Keep-alive connections, each with one request in flight
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    connections: u16,

    /// How long to measure; with --draw and --sale, each burst
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    seconds: u32,

    /// How long to drive before measuring
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=600))]
    warmup_seconds: u32,

    #[command(flatten)]
    draws: draw::DrawArgs,

    #[command(flatten)]
    sales: sale::SaleArgs,
}

pub async fn run(args: &HttpArgs, nodes: &dyn NodeStarter) -> anyhow::Result<()> {
    let said = args.echo || args.draw || args.sale;
    ensure!(said, "say what to measure: windfall bench http --echo, --draw or --sale");
    let times = Times {
        connections: args.connections.into(),
        warmup: Duration::from_secs(args.warmup_seconds.into()),
        duration: Duration::from_secs(args.seconds.into()),
    };
    if args.draw {
        return draw::run(nodes, &args.draws, times, args.json).await;
    }
    if args.sale {
        let (folder, rounds) = (args.draws.folder.clone(), args.draws.rounds);
        return sale::run(nodes, &args.sales, folder, rounds, times, args.json).await;
    }
    let echo = Echo::start().await?;
    let plan = times.plan(echo.address);
    let bar = report::progress_bar(&plan, args.json);
    let report = echo.drive(&plan, |progress| report::show_progress(&bar, &plan, progress)).await;
    bar.finish_and_clear();
    report::print("echo_per_s", &plan, &report?, args.json);
    Ok(())
}

/// How many connections, and how long.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub connections: usize,
    pub warmup: Duration,
    pub duration: Duration,
}

impl Times {
    /// As many requests as the server answers.
    pub fn plan(self, address: SocketAddr) -> LoadPlan {
        let Self { connections, warmup, duration } = self;
        LoadPlan { address, connections, warmup, duration, target_rate: None }
    }
}

/// The echo server on a free port; gone when dropped.
#[derive(Debug)]
pub struct Echo {
    pub address: SocketAddr,
    server: JoinHandle<()>,
}

impl Echo {
    pub async fn start() -> anyhow::Result<Self> {
        Self::of(Router::new().route(ECHO, post(|Json(body): Json<EchoBody>| async { Json(body) }))).await
    }

    /// A server whose route [`ECHO`] gives the body back, whatever else it does.
    pub async fn of(router: Router) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("listening on loopback")?;
        let address = listener.local_addr()?;
        let listener = listener.tap_io(|stream| {
            stream.set_nodelay(true).ok();
        });
        let server = tokio::spawn(async {
            // It ends by being aborted only.
            axum::serve(listener, router).await.ok();
        });
        Ok(Self { address, server })
    }

    /// The plan must be for this address.
    pub async fn drive(&self, plan: &LoadPlan, show: impl FnMut(LoadProgress)) -> anyhow::Result<LoadReport> {
        load::run(plan, |index| EchoCaller::new(plan.address, index), show).await
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        self.server.abort();
    }
}

#[derive(Debug, Deserialize, Serialize)]
pub struct EchoBody {
    pub id: String,
    n: u64,
}

/// The one route.
pub const ECHO: &str = "/echo";

/// Sends `{"id":"…","n":1}` with an id of its own each time, and expects the same bytes back.
struct EchoCaller {
    request: Vec<u8>,
    body_at: usize,
    connection: usize,
}

/// `{"id":"`: how far into the body the id begins.
const ID_AT: usize = 7;
/// Eight hexadecimal digits for the connection, sixteen for the request.
const ID_DIGITS: usize = 24;

impl EchoCaller {
    fn new(address: SocketAddr, connection: usize) -> Self {
        let body = format!(r#"{{"id":"{:0ID_DIGITS$}","n":1}}"#, 0);
        let head = format!(
            "POST /echo HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        Self { request: (head.clone() + &body).into_bytes(), body_at: head.len(), connection }
    }
}

impl LoadCaller for EchoCaller {
    fn request(&mut self, sequence: u64, out: &mut Vec<u8>) {
        let start = self.body_at + ID_AT;
        let id = format!("{:08x}{sequence:016x}", self.connection);
        self.request[start..start + ID_DIGITS].copy_from_slice(id.as_bytes());
        out.extend_from_slice(&self.request);
    }

    fn answer(&mut self, _sequence: u64, status: u16, body: &[u8]) -> bool {
        status == 200 && body == &self.request[self.body_at..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(address: SocketAddr) -> LoadPlan {
        let (warmup, duration) = (Duration::from_millis(50), Duration::from_millis(200));
        LoadPlan { address, connections: 8, warmup, duration, target_rate: None }
    }

    /// A window that a busy machine let pass without anything is opened again.
    async fn until_seen(mut run: impl AsyncFnMut() -> LoadReport) -> LoadReport {
        loop {
            let report = run().await;
            if report.requests + report.errors > 0 {
                return report;
            }
        }
    }

    #[tokio::test]
    async fn an_echo_is_measured() {
        let echo = Echo::start().await.unwrap();
        let plan = short(echo.address);
        let report = until_seen(async || echo.drive(&plan, |_| {}).await.unwrap()).await;
        assert_eq!((report.errors, report.unsent, report.first_error), (0, 0, None));
        assert!(report.requests > 0);
        assert_eq!(report.requests, report.histogram.len());
        assert_eq!(report.requests, report.statuses.success);
        assert!((report.seconds - plan.duration.as_secs_f64()).abs() < 1e-9);
    }

    #[tokio::test]
    async fn a_target_rate_is_kept() {
        let echo = Echo::start().await.unwrap();
        let plan = LoadPlan { target_rate: Some(1_000.0), ..short(echo.address) };
        let report = echo.drive(&plan, |_| {}).await.unwrap();
        assert_eq!((report.errors, report.first_error), (0, None));
        // Due every millisecond from the start: 200 of them within the measured 200 ms, sent or not.
        assert_eq!(report.requests + report.unsent, 200);
        assert_eq!(report.histogram.len(), 200);
    }

    #[tokio::test]
    async fn faults_are_errors_not_hangs() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let plan = short(listener.local_addr().unwrap());
        let closing = tokio::spawn(async move { while listener.accept().await.is_ok() {} });
        let caller = |index| EchoCaller::new(plan.address, index);
        let report = until_seen(async || load::run(&plan, caller, |_| {}).await.unwrap()).await;
        closing.abort();
        assert_eq!(report.requests, 0);
        assert!(report.errors > 0 && report.first_error.is_some());
    }

    #[tokio::test]
    async fn only_loopback_is_driven() {
        for address in ["192.0.2.1:80", "0.0.0.0:80", "[2001:db8::1]:80"] {
            let plan = short(address.parse().unwrap());
            let refused = load::run(&plan, |index| EchoCaller::new(plan.address, index), |_| {}).await;
            assert!(refused.unwrap_err().to_string().contains("not a loopback address"), "{address}");
        }
    }
}
