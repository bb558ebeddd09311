//! The sell-out: everybody tries once, and waits for what comes of it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use domain::ids::ActivityId;
use hdrhistogram::Histogram;
use serde::Deserialize;
use tokio::task::JoinSet;

use super::caller::AttemptRequests;
use super::market::AttemptTicket;
use crate::exchange::Exchange;

/// Longer latencies are recorded as this.
const LATENCY_US_MAX: u64 = 600 * 1_000_000;

/// What came of all attempts.
#[derive(Debug)]
pub struct Rush {
    /// From the first request to the last order.
    pub sold_out_after: Duration,
    /// From the first request to the last answer.
    pub over_after: Duration,
    /// To the answer to the attempt itself, in microseconds.
    pub answers: Histogram<u64>,
    /// To what came of it.
    pub results: Histogram<u64>,
    pub ordered: u64,
    pub sold_out: u64,
    /// Told by name that the server was busy.
    pub busy: u64,
}

/// What one connection saw.
struct Seen {
    last_order: Duration,
    answers: Histogram<u64>,
    results: Histogram<u64>,
    ordered: u64,
    sold_out: u64,
    busy: u64,
}

#[derive(Deserialize)]
struct Told {
    id: Option<String>,
    state: Option<String>,
    code: Option<String>,
    problem: Option<Problem>,
}

#[derive(Deserialize)]
struct Problem {
    code: String,
}

enum End {
    Ordered,
    SoldOut,
    Busy,
}

pub async fn rush(
    address: SocketAddr,
    sale: ActivityId,
    tickets: Arc<[AttemptTicket]>,
    connections: usize,
) -> anyhow::Result<Rush> {
    let mut open = Vec::with_capacity(connections);
    for _ in 0..connections {
        open.push(Exchange::open(address).await?);
    }
    let next = Arc::new(AtomicUsize::new(0));
    let start = Instant::now();
    let mut tasks = JoinSet::new();
    for exchange in open {
        let (tickets, next) = (Arc::clone(&tickets), Arc::clone(&next));
        tasks.spawn(async move { one(address, sale, &tickets, &next, exchange, start).await });
    }
    let mut rush = Rush {
        sold_out_after: Duration::ZERO,
        over_after: Duration::ZERO,
        answers: histogram()?,
        results: histogram()?,
        ordered: 0,
        sold_out: 0,
        busy: 0,
    };
    while let Some(seen) = tasks.join_next().await {
        let seen = seen.context("a connection's task failed")??;
        rush.sold_out_after = rush.sold_out_after.max(seen.last_order);
        rush.answers.add(&seen.answers)?;
        rush.results.add(&seen.results)?;
        rush.ordered += seen.ordered;
        rush.sold_out += seen.sold_out;
        rush.busy += seen.busy;
    }
    rush.over_after = start.elapsed();
    Ok(rush)
}

async fn one(
    address: SocketAddr,
    sale: ActivityId,
    tickets: &[AttemptTicket],
    next: &AtomicUsize,
    mut exchange: Exchange,
    start: Instant,
) -> anyhow::Result<Seen> {
    let (answers, results) = (histogram()?, histogram()?);
    let mut seen = Seen { last_order: Duration::ZERO, answers, results, ordered: 0, sold_out: 0, busy: 0 };
    let (attempts, mut request) = (AttemptRequests::new(address, sale), Vec::new());
    while let Some(ticket) = tickets.get(next.fetch_add(1, Ordering::Relaxed)) {
        request.clear();
        attempts.write(ticket, &mut request);
        let began = Instant::now();
        let (status, body) = exchange.ask(&request).await?;
        let told: Told = serde_json::from_slice(body).context("an answer to an attempt")?;
        record(&mut seen.answers, began.elapsed());
        let end = match (status, told.id, told.code.as_deref()) {
            (200 | 202, Some(id), _) => result(&mut exchange, address, ticket, &id).await?,
            (409, _, Some("sold_out")) => End::SoldOut,
            (429 | 503, _, _) => End::Busy,
            (status, _, code) => bail!("an attempt was answered with {status} {code:?}"),
        };
        record(&mut seen.results, began.elapsed());
        match end {
            End::Ordered => {
                seen.ordered += 1;
                seen.last_order = start.elapsed();
            }
            End::SoldOut => seen.sold_out += 1,
            End::Busy => seen.busy += 1,
        }
    }
    Ok(seen)
}

/// Waits for what comes of an attempt.
async fn result(
    exchange: &mut Exchange,
    address: SocketAddr,
    ticket: &AttemptTicket,
    id: &str,
) -> anyhow::Result<End> {
    let request = format!(
        "GET /api/v1/attempts/{id}?wait_ms=10000 HTTP/1.1\r\nhost: {address}\r\ncookie: windfall_session={}\r\n\r\n",
        ticket.session
    );
    loop {
        let (status, body) = exchange.ask(request.as_bytes()).await?;
        let told: Told = serde_json::from_slice(body).context("what came of an attempt")?;
        match (status, told.state.as_deref(), told.problem.map(|problem| problem.code).as_deref()) {
            (200, Some("queued"), _) => {}
            (200, Some("ordered"), _) => return Ok(End::Ordered),
            (200, Some("refused"), Some("sold_out")) => return Ok(End::SoldOut),
            (200, Some("refused"), Some("overloaded")) | (503, _, _) => return Ok(End::Busy),
            (status, state, code) => bail!("an attempt came to {status} {state:?} {code:?}"),
        }
    }
}

fn histogram() -> anyhow::Result<Histogram<u64>> {
    Ok(Histogram::new_with_bounds(1, LATENCY_US_MAX, 3)?)
}

fn record(histogram: &mut Histogram<u64>, latency: Duration) {
    histogram.saturating_record(u64::try_from(latency.as_micros()).unwrap_or(u64::MAX).max(1));
}
