//! Commit times and block sizes, from the metrics the ledger records anyway: nothing is measured twice.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use hdrhistogram::Histogram;
use metrics::{Counter, Gauge, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit};

const COMMIT_SECONDS: &str = "windfall_journal_commit_seconds";
const BLOCK_EVENTS: &str = "windfall_journal_block_events";

/// Since the last [`Commits::take`].
#[derive(Debug)]
pub struct Commits {
    time: Arc<Series>,
    events: Arc<Series>,
}

/// What one row's commits were like.
#[derive(Clone, Debug)]
pub struct CommitFigures {
    /// Microseconds.
    pub time: Histogram<u64>,
    pub events: Histogram<u64>,
}

/// One metric as whole numbers: so many of them to the metric's unit.
#[derive(Debug)]
struct Series {
    scale: f64,
    histogram: Mutex<Histogram<u64>>,
}

impl Commits {
    /// Listens to this process's metrics from now on; once per process.
    pub fn listen() -> anyhow::Result<Self> {
        let (time, events) = (Arc::new(Series::new(1e6)?), Arc::new(Series::new(1.0)?));
        let listener = Listener { time: Arc::clone(&time), events: Arc::clone(&events) };
        metrics::set_global_recorder(listener).ok().context("metrics are already being recorded")?;
        Ok(Self { time, events })
    }

    pub fn take(&self) -> CommitFigures {
        CommitFigures { time: self.time.take(), events: self.events.take() }
    }
}

impl Series {
    fn new(scale: f64) -> anyhow::Result<Self> {
        Ok(Self { scale, histogram: Mutex::new(Histogram::new(3)?) })
    }

    fn take(&self) -> Histogram<u64> {
        let mut histogram = self.histogram.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = histogram.clone();
        histogram.reset();
        taken
    }
}

impl HistogramFn for Series {
    fn record(&self, value: f64) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "times and counts")]
        let whole = (value * self.scale).round().max(1.0) as u64;
        // A histogram that grows takes any value.
        self.histogram.lock().unwrap_or_else(PoisonError::into_inner).record(whole).ok();
    }
}

struct Listener {
    time: Arc<Series>,
    events: Arc<Series>,
}

impl Recorder for Listener {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
        Counter::noop()
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> metrics::Histogram {
        match key.name() {
            COMMIT_SECONDS => metrics::Histogram::from_arc(Arc::clone(&self.time)),
            BLOCK_EVENTS => metrics::Histogram::from_arc(Arc::clone(&self.events)),
            _ => metrics::Histogram::noop(),
        }
    }
}
