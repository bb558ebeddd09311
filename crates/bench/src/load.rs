//! The load generator: many keep-alive HTTP/1.1 connections, one task each, over loopback.
//!
//! It is lean because it shares the machine with the server it measures: requests are bytes written by a
//! [`LoadCaller`], responses are parsed in place, and latencies go to the shared histogram in batches.
//!
//! Two ways to drive. Without a target rate each connection sends as soon as it has its answer (how much
//! can it do?), and what finishes within the measured span counts. With one, requests are due at fixed
//! times whatever the server does, and latency counts from the due time: a server that stalls is charged
//! for everyone who would have been waiting (no coordinated omission).

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use hdrhistogram::Histogram;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use super::connection::{ConnectionCounts, LoadConnection, SendPace};

/// Longer latencies are recorded as this.
const LATENCY_US_MAX: u64 = 600 * 1_000_000;
/// How long after the end an answer may still be waited for.
const GRACE: Duration = Duration::from_secs(10);
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// What to drive, how hard and how long.
#[derive(Clone, Debug)]
pub struct LoadPlan {
    /// Loopback only.
    pub address: SocketAddr,
    pub connections: usize,
    /// Driven the same way before anything counts.
    pub warmup: Duration,
    pub duration: Duration,
    /// Requests per second over all connections; none: as many as the server answers.
    pub target_rate: Option<f64>,
}

/// Who sits at one connection: writes its requests and judges the answers.
pub trait LoadCaller: Send + 'static {
    /// Appends the connection's next request, head and body, to `out`. `sequence` counts from 0.
    fn request(&mut self, sequence: u64, out: &mut Vec<u8>);

    /// Whether the answer is one the bench expects; the others count as errors.
    fn answer(&mut self, _sequence: u64, status: u16, _body: &[u8]) -> bool {
        status < 400
    }
}

/// What was measured, without the warm-up.
#[derive(Clone, Debug)]
pub struct LoadReport {
    /// Answers received, whatever their status.
    pub requests: u64,
    /// Requests without an answer, and answers the caller did not expect.
    pub errors: u64,
    /// Requests that fell due but were never sent, because the server fell behind the target rate. Their
    /// wait so far is in the histogram.
    pub unsent: u64,
    pub seconds: f64,
    pub per_s: f64,
    /// Microseconds.
    pub histogram: Histogram<u64>,
    pub statuses: Statuses,
    pub first_error: Option<String>,
}

/// Answers by the class of their status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statuses {
    pub success: u64,
    pub redirect: u64,
    pub client_error: u64,
    pub server_error: u64,
}

/// Where a run stands, for a progress bar.
#[derive(Clone, Copy, Debug)]
pub struct LoadProgress {
    /// Since the warm-up began.
    pub elapsed: Duration,
    pub requests: u64,
}

/// The measured span; what counts is decided by times alone.
#[derive(Clone, Copy, Debug)]
pub struct MeasureWindow {
    pub start: Instant,
    pub from: Instant,
    pub until: Instant,
}

/// Sums over all connections.
#[derive(Debug)]
pub struct Totals {
    pub histogram: Histogram<u64>,
    pub requests: u64,
    pub errors: u64,
    pub unsent: u64,
    pub statuses: Statuses,
    pub first_error: Option<String>,
}

/// Drives the plan to its end. `caller` makes the one at connection c, from 0.
pub async fn run<C: LoadCaller>(
    plan: &LoadPlan,
    mut caller: impl FnMut(usize) -> C,
    mut on_progress: impl FnMut(LoadProgress),
) -> anyhow::Result<LoadReport> {
    ensure!(
        plan.address.ip().is_loopback(),
        "{} is not a loopback address; a bench drives no other",
        plan.address
    );
    ensure!(plan.connections > 0, "a bench needs at least one connection");
    ensure!(!plan.duration.is_zero(), "a bench needs a duration");
    ensure!(
        plan.target_rate.is_none_or(|rate| rate.is_finite() && rate > 0.0),
        "the target rate must be above 0"
    );

    let mut connections = Vec::with_capacity(plan.connections);
    for index in 0..plan.connections {
        let connection = LoadConnection::open(plan.address, caller(index)).await;
        connections
            .push(connection.with_context(|| format!("opening connection {index} to {}", plan.address))?);
    }

    let totals = Arc::new(Mutex::new(Totals::new()?));
    let start = Instant::now();
    let from = start + plan.warmup;
    let window = MeasureWindow { start, from, until: from + plan.duration };
    let mut dues = Vec::new();
    let mut tasks = JoinSet::new();
    for connection in connections {
        let pace = match plan.target_rate {
            None => SendPace::Closed,
            Some(_) => {
                // Bounded by the plan: no more than rate × time are ever sent through it.
                let (sender, receiver) = unbounded_channel();
                dues.push(sender);
                SendPace::Due(receiver)
            }
        };
        let tally = ConnectionCounts::new(Arc::clone(&totals));
        let deadline = tokio::time::Instant::from_std(window.until + GRACE);
        tasks.spawn(connection.drive(pace, window, tally, deadline));
    }
    if let Some(rate) = plan.target_rate {
        tasks.spawn_blocking(move || announce(window, rate, &dues));
    }

    let mut ticks = tokio::time::interval(PROGRESS_EVERY);
    loop {
        tokio::select! {
            done = tasks.join_next() => match done {
                Some(done) => done.context("a connection's task failed")?,
                None => break,
            },
            _ = ticks.tick() => on_progress(LoadProgress { elapsed: start.elapsed(), requests: lock(&totals).requests }),
        }
    }
    let totals = Arc::into_inner(totals).context("a connection's task is still running")?;
    Ok(totals.into_inner().unwrap_or_else(PoisonError::into_inner).report(plan.duration))
}

/// Tells each connection in turn when its next request is due. Runs on a thread of its own: the runtime's
/// timers are a millisecond coarse, which would drown what is measured.
fn announce(window: MeasureWindow, rate: f64, connections: &[UnboundedSender<Instant>]) {
    for (index, connection) in (0_u32..).zip(connections.iter().cycle()) {
        let due = window.start + Duration::from_secs_f64(f64::from(index) / rate);
        if due >= window.until {
            return;
        }
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        // Refused only by a connection that stopped at the deadline, after the window.
        connection.send(due).ok();
    }
}

pub fn lock(totals: &Mutex<Totals>) -> std::sync::MutexGuard<'_, Totals> {
    totals.lock().unwrap_or_else(PoisonError::into_inner)
}

impl MeasureWindow {
    pub fn counts(&self, at: Instant) -> bool {
        self.from <= at && at < self.until
    }
}

impl Statuses {
    pub fn add(&mut self, other: Self) {
        self.success += other.success;
        self.redirect += other.redirect;
        self.client_error += other.client_error;
        self.server_error += other.server_error;
    }

    pub fn count(&mut self, status: u16) {
        match status {
            ..300 => self.success += 1,
            300..400 => self.redirect += 1,
            400..500 => self.client_error += 1,
            500.. => self.server_error += 1,
        }
    }
}

impl Totals {
    fn new() -> anyhow::Result<Self> {
        Ok(Self {
            histogram: Histogram::new_with_bounds(1, LATENCY_US_MAX, 3)?,
            requests: 0,
            errors: 0,
            unsent: 0,
            statuses: Statuses::default(),
            first_error: None,
        })
    }

    fn report(self, duration: Duration) -> LoadReport {
        let Self { histogram, requests, errors, unsent, statuses, first_error } = self;
        let seconds = duration.as_secs_f64();
        let per_s = requests as f64 / seconds;
        LoadReport { requests, errors, unsent, seconds, per_s, histogram, statuses, first_error }
    }
}
