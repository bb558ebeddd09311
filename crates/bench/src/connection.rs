//! One keep-alive connection of the load generator, and what it counts.
//!
//! One request is in flight at a time. After a fault the connection is opened anew, and the fault counts
//! as one error; a server that is gone costs errors, never a hang.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc::UnboundedReceiver;

use super::load::{LoadCaller, MeasureWindow, Statuses, Totals, lock};
use super::response;

/// How much room to keep for the next read.
const READ_BYTES: usize = 4 * 1024;
/// Latencies kept by a connection before they go to the shared histogram.
const BATCH_MAX: usize = 256;
/// After a fault, so that a server that is gone is not asked in a tight loop.
const PAUSE_AFTER_FAULT: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub struct LoadConnection<C> {
    address: SocketAddr,
    /// None after a fault or a closing answer, until the next request.
    stream: Option<TcpStream>,
    caller: C,
    sequence: u64,
    outgoing: Vec<u8>,
    incoming: Vec<u8>,
}

/// When the next request is sent.
#[derive(Debug)]
pub enum SendPace {
    /// As soon as the answer to the one before is here.
    Closed,
    /// At the times received.
    Due(UnboundedReceiver<Instant>),
}

/// A connection's own counts, added to the shared ones in batches and at its end, however it ends.
#[derive(Debug)]
pub struct ConnectionCounts {
    totals: Arc<Mutex<Totals>>,
    latencies_us: Vec<u64>,
    requests: u64,
    errors: u64,
    unsent: u64,
    statuses: Statuses,
    first_error: Option<String>,
}

struct Answer {
    status: u16,
    received: Instant,
    expected: bool,
}

impl<C: LoadCaller> LoadConnection<C> {
    pub async fn open(address: SocketAddr, caller: C) -> io::Result<Self> {
        let stream = Some(connect(address).await?);
        Ok(Self { address, stream, caller, sequence: 0, outgoing: Vec::new(), incoming: Vec::new() })
    }

    /// Sends until the window ends. What is unanswered at the deadline is an error.
    pub async fn drive(
        mut self,
        mut pace: SendPace,
        window: MeasureWindow,
        mut tally: ConnectionCounts,
        deadline: tokio::time::Instant,
    ) {
        let whole = self.drive_on(&mut pace, window, &mut tally);
        if tokio::time::timeout_at(deadline, whole).await.is_err() {
            tally.fault("no answer by the end of the run");
        }
    }

    async fn drive_on(&mut self, pace: &mut SendPace, window: MeasureWindow, tally: &mut ConnectionCounts) {
        while let Some(due) = pace.next(window).await {
            if Instant::now() >= window.until {
                if window.counts(due) {
                    tally.unsent(due.elapsed());
                }
                continue;
            }
            let result = self.exchange().await;
            let received = result.as_ref().map_or_else(|_| Instant::now(), |answer| answer.received);
            let counted = match pace {
                SendPace::Closed => window.counts(received),
                SendPace::Due(_) => window.counts(due),
            };
            match result {
                Ok(answer) if counted => tally.answer(&answer, received.saturating_duration_since(due)),
                Ok(_) => {}
                Err(error) => {
                    self.stream = None;
                    // A fault is never excused by the warm-up: something is wrong.
                    tally.fault(&format!("{error:#}"));
                    tokio::time::sleep(PAUSE_AFTER_FAULT).await;
                }
            }
        }
    }

    async fn exchange(&mut self) -> anyhow::Result<Answer> {
        let Self { address, stream, caller, sequence, outgoing, incoming } = self;
        let open = match stream {
            Some(open) => open,
            None => stream.insert(connect(*address).await.context("connecting again")?),
        };
        outgoing.clear();
        incoming.clear();
        let current = *sequence;
        *sequence += 1;
        caller.request(current, outgoing);
        open.write_all(outgoing).await.context("sending a request")?;
        let response = loop {
            incoming.reserve(READ_BYTES);
            if open.read_buf(incoming).await.context("reading a response")? == 0 {
                bail!("the server closed the connection before its answer");
            }
            if let Some(response) = response::parse(incoming)? {
                break response;
            }
        };
        let received = Instant::now();
        ensure!(incoming.len() == response.body.end, "more bytes than one response");
        if !response.keep_alive {
            *stream = None;
        }
        let expected = caller.answer(current, response.status, &incoming[response.body]);
        Ok(Answer { status: response.status, received, expected })
    }
}

async fn connect(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

impl SendPace {
    async fn next(&mut self, window: MeasureWindow) -> Option<Instant> {
        match self {
            Self::Closed => Some(Instant::now()).filter(|now| *now < window.until),
            Self::Due(dues) => dues.recv().await,
        }
    }
}

impl ConnectionCounts {
    pub fn new(totals: Arc<Mutex<Totals>>) -> Self {
        Self {
            totals,
            latencies_us: Vec::with_capacity(BATCH_MAX),
            requests: 0,
            errors: 0,
            unsent: 0,
            statuses: Statuses::default(),
            first_error: None,
        }
    }

    fn answer(&mut self, answer: &Answer, latency: Duration) {
        self.requests += 1;
        self.statuses.count(answer.status);
        if !answer.expected {
            self.errors += 1;
            self.first_error
                .get_or_insert_with(|| format!("an unexpected answer of status {}", answer.status));
        }
        self.latency(latency);
    }

    fn unsent(&mut self, waited: Duration) {
        self.unsent += 1;
        self.latency(waited);
    }

    fn fault(&mut self, what: &str) {
        self.errors += 1;
        self.first_error.get_or_insert_with(|| what.to_owned());
    }

    fn latency(&mut self, latency: Duration) {
        self.latencies_us.push(u64::try_from(latency.as_micros()).unwrap_or(u64::MAX).max(1));
        if self.latencies_us.len() == BATCH_MAX {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let mut totals = lock(&self.totals);
        for latency_us in self.latencies_us.drain(..) {
            totals.histogram.saturating_record(latency_us);
        }
        totals.requests += std::mem::take(&mut self.requests);
        totals.errors += std::mem::take(&mut self.errors);
        totals.unsent += std::mem::take(&mut self.unsent);
        totals.statuses.add(std::mem::take(&mut self.statuses));
        if let Some(error) = self.first_error.take() {
            totals.first_error.get_or_insert(error);
        }
    }
}

impl Drop for ConnectionCounts {
    fn drop(&mut self) {
        self.flush();
    }
}
