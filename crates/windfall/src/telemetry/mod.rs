//! What `/metrics` tells: every metric there is with its help text ([`list`]), and figures of the process and its disks
//! ([`host`]).
//!
//! Every counter is there from the start, at 0, with every value its labels can have: an alert on the first event fires only
//! if the counter was seen before it.

mod disks;
pub mod host;
mod list;

pub use disks::FolderDisks;

use list::{Labels, METRICS, MetricKind};

/// Tells the recorder of every metric. Called once, right after it was installed.
pub fn register() {
    for metric in METRICS {
        match metric.kind {
            MetricKind::Counter => metrics::describe_counter!(metric.name, metric.help),
            MetricKind::Gauge => metrics::describe_gauge!(metric.name, metric.help),
            MetricKind::Summary => metrics::describe_histogram!(metric.name, metric.help),
        }
        if metric.kind == MetricKind::Counter {
            begin_at_zero(metric.name, &metric.labels);
        }
    }
}

fn begin_at_zero(name: &'static str, labels: &Labels) {
    match labels {
        Labels::None => metrics::counter!(name).absolute(0),
        Labels::One(label, values) => {
            for value in values() {
                metrics::counter!(name, *label => value).absolute(0);
            }
        }
        Labels::Two((first, firsts), (second, seconds)) => {
            for a in firsts() {
                for b in seconds() {
                    metrics::counter!(name, *first => a, *second => b).absolute(0);
                }
            }
        }
        Labels::AtFirstUse => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_has_a_help_text_and_every_counter_its_zero() {
        let recorder = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder();
        metrics::with_local_recorder(&recorder, register);
        let text = recorder.handle().render();
        for metric in METRICS {
            assert!(metric.help.len() > 10 && !metric.help.ends_with('.'), "{}", metric.name);
            let at_first_use = matches!(metric.labels, Labels::AtFirstUse);
            if metric.kind == MetricKind::Counter && !at_first_use {
                assert!(metric.name.ends_with("_total"), "{}", metric.name);
                assert!(text.contains(&format!("# HELP {} {}", metric.name, metric.help)), "{}", metric.name);
                let zeros = text.lines().filter(|line| {
                    line.starts_with(&format!("{}{{", metric.name)) || *line == format!("{} 0", metric.name)
                });
                assert!(
                    zeros.clone().count() > 0 && zeros.clone().all(|line| line.ends_with(" 0")),
                    "{}",
                    metric.name
                );
            }
        }
        let mut names: Vec<&str> = METRICS.iter().map(|metric| metric.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), METRICS.len(), "a metric twice");
    }
}
