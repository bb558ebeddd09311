//! Commit times and block sizes, from the metrics the ledger records anyway: nothing is measured twice.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use hdrhistogram::Histogram;
use metrics::{
    Counter, Gauge, HistogramFn, Key, KeyName, Metadata, NoopRecorder, Recorder, SharedString, Unit,
};

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
        Self::listen_beside(NoopRecorder)
    }

    /// The same beside a recorder that gathers everything, as the server's own does.
    pub fn listen_beside<R: Recorder + Send + Sync + 'static>(other: R) -> anyhow::Result<Self> {
        let (time, events) = (Arc::new(Series::new(1e6)?), Arc::new(Series::new(1.0)?));
        let listener = Listener { time: Arc::clone(&time), events: Arc::clone(&events), other };
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

/// One of the two metrics, for this bench and for the other recorder.
struct Both(Arc<Series>, metrics::Histogram);

impl HistogramFn for Both {
    fn record(&self, value: f64) {
        self.0.record(value);
        self.1.record(value);
    }
}

struct Listener<R> {
    time: Arc<Series>,
    events: Arc<Series>,
    other: R,
}

impl<R: Recorder> Recorder for Listener<R> {
    fn describe_counter(&self, key: KeyName, unit: Option<Unit>, text: SharedString) {
        self.other.describe_counter(key, unit, text);
    }

    fn describe_gauge(&self, key: KeyName, unit: Option<Unit>, text: SharedString) {
        self.other.describe_gauge(key, unit, text);
    }

    fn describe_histogram(&self, key: KeyName, unit: Option<Unit>, text: SharedString) {
        self.other.describe_histogram(key, unit, text);
    }

    fn register_counter(&self, key: &Key, metadata: &Metadata<'_>) -> Counter {
        self.other.register_counter(key, metadata)
    }

    fn register_gauge(&self, key: &Key, metadata: &Metadata<'_>) -> Gauge {
        self.other.register_gauge(key, metadata)
    }

    fn register_histogram(&self, key: &Key, metadata: &Metadata<'_>) -> metrics::Histogram {
        let other = self.other.register_histogram(key, metadata);
        let both = |series: &Arc<Series>, other| {
            metrics::Histogram::from_arc(Arc::new(Both(Arc::clone(series), other)))
        };
        match key.name() {
            COMMIT_SECONDS => both(&self.time, other),
            BLOCK_EVENTS => both(&self.events, other),
            _ => other,
        }
    }
}
