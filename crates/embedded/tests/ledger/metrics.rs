//! What the ledger tells `/metrics`. The recorder is the process' own, shared by all tests here: counts are compared as
//! "at least".

use std::sync::{Arc, LazyLock};

use domain::ledger::Limits;
use domain::time::Timestamp;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

use crate::place::Place;
use crate::support::{HandClock, ask, confirm, open, reserve, until};

const HOUR_MS: i64 = 3_600_000;

static RECORDER: LazyLock<PrometheusHandle> =
    LazyLock::new(|| PrometheusBuilder::new().install_recorder().unwrap());

/// The value of a line such as `name{label="value"} 3`.
fn value(line: &str) -> Option<f64> {
    let text = RECORDER.render();
    text.lines().find_map(|found| found.strip_prefix(line)?.strip_prefix(' ')?.parse().ok())
}

#[tokio::test]
async fn the_ledger_counts_what_it_accepts_and_refuses() {
    assert_eq!(value("nothing"), None);
    let place = Place::new();
    let clock = Arc::new(HandClock::default());
    let ledger = place.start_at(&clock, Limits::default());
    ask(&ledger, open(3)).await.unwrap();
    ask(&ledger, reserve("kept", 1, HOUR_MS)).await.unwrap();
    ask(&ledger, confirm("kept")).await.unwrap();
    ask(&ledger, reserve("left", 2, HOUR_MS)).await.unwrap();
    ask(&ledger, reserve("late", 1, HOUR_MS)).await.unwrap();
    ask(&ledger, confirm("nobody")).await.unwrap();
    clock.set(Timestamp(2 * HOUR_MS));
    until("the hold that was left has expired", || place.pool().available == 2).await;
    for (line, least) in [
        ("windfall_ledger_accepted_total{command=\"pool_open\"}", 1.0),
        ("windfall_ledger_accepted_total{command=\"reserve\"}", 2.0),
        ("windfall_ledger_accepted_total{command=\"confirm\"}", 1.0),
        ("windfall_ledger_accepted_total{command=\"expire\"}", 1.0),
        ("windfall_ledger_refusals_total{reason=\"sold_out\"}", 1.0),
        ("windfall_ledger_refusals_total{reason=\"hold_unknown\"}", 1.0),
        ("windfall_ledger_queue_waiting", 0.0),
        ("windfall_ledger_open_holds", 0.0),
        ("windfall_ledger_expiry_lag_seconds", 0.0),
        ("windfall_ledger_pause_seconds", 0.0),
        ("windfall_journal_commit_seconds_count", 1.0),
        ("windfall_journal_block_events_count", 1.0),
    ] {
        assert!(value(line).is_some_and(|value| value >= least), "{line}: {:?}", value(line));
    }
}
