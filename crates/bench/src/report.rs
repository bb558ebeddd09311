//! What a bench prints: a table for people, or one flat JSON object on one line, metric name → number.
//!
//! A metric name once given stays: scripts and later figures are compared by it.

use std::time::Duration;

use comfy_table::{CellAlignment, Table};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Map, Value, json};

use super::load::{LoadPlan, LoadProgress, LoadReport, Statuses};

/// Prints a run's figures on standard output. `per_s` is the metric's name for the requests per second.
pub fn print(per_s: &str, plan: &LoadPlan, report: &LoadReport, as_json: bool) {
    let figures = figures(per_s, plan, report);
    if as_json {
        println!("{}", flat_json(&figures));
    } else {
        println!("{}", table(&figures, report));
    }
}

/// A bar on standard error over warm-up and measurement; hidden when not wanted or not on a terminal.
pub fn progress_bar(plan: &LoadPlan, hidden: bool) -> ProgressBar {
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template("{msg} {wide_bar} {elapsed}/{prefix}");
    let total = plan.warmup + plan.duration;
    ProgressBar::with_draw_target(Some(whole_ms(total)), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_prefix(format!("{:.0}s", total.as_secs_f64()))
}

/// Moves the bar to where the run stands.
pub fn show_progress(bar: &ProgressBar, plan: &LoadPlan, progress: LoadProgress) {
    bar.set_position(whole_ms(progress.elapsed));
    if progress.elapsed < plan.warmup {
        bar.set_message("warming up");
    } else {
        bar.set_message(format!("{} requests", progress.requests));
    }
}

fn whole_ms(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

fn figures<'a>(per_s: &'a str, plan: &LoadPlan, report: &LoadReport) -> [(&'a str, Value); 10] {
    let quantile_ms = |quantile| report.histogram.value_at_quantile(quantile) as f64 / 1_000.0;
    [
        (per_s, json!((report.per_s * 10.0).round() / 10.0)),
        ("p50_ms", json!(quantile_ms(0.5))),
        ("p90_ms", json!(quantile_ms(0.9))),
        ("p99_ms", json!(quantile_ms(0.99))),
        ("p999_ms", json!(quantile_ms(0.999))),
        ("max_ms", json!(report.histogram.max() as f64 / 1_000.0)),
        ("connections", json!(plan.connections)),
        ("requests", json!(report.requests)),
        ("errors", json!(report.errors)),
        ("seconds", json!(report.seconds)),
    ]
}

fn flat_json(figures: &[(&str, Value)]) -> Value {
    let object: Map<_, _> =
        figures.iter().map(|(name, number)| ((*name).to_owned(), number.clone())).collect();
    Value::Object(object)
}

fn table(figures: &[(&str, Value)], report: &LoadReport) -> Table {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::UTF8_FULL_CONDENSED).set_header(["figure", "value"]);
    for (name, number) in figures {
        table.add_row([(*name).to_owned(), number.to_string()]);
    }
    let Statuses { success, redirect, client_error, server_error } = report.statuses;
    let notes = [
        Some(("2xx / 3xx / 4xx / 5xx", format!("{success} / {redirect} / {client_error} / {server_error}"))),
        (report.unsent > 0).then(|| ("never sent", report.unsent.to_string())),
        report.first_error.clone().map(|error| ("first error", error)),
    ];
    for (name, text) in notes.into_iter().flatten() {
        table.add_row([name.to_owned(), text]);
    }
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

#[cfg(test)]
mod tests {
    use hdrhistogram::Histogram;

    use super::*;

    #[test]
    fn json_is_one_flat_object_of_numbers() {
        let mut histogram = Histogram::new_with_bounds(1, 1_000_000, 3).unwrap();
        histogram.record_n(1_500, 100).unwrap();
        let report = LoadReport {
            requests: 100,
            errors: 0,
            unsent: 0,
            seconds: 2.0,
            per_s: 50.0,
            histogram,
            statuses: Statuses::default(),
            first_error: None,
        };
        let plan = LoadPlan {
            address: ([127, 0, 0, 1], 0).into(),
            connections: 8,
            warmup: Duration::ZERO,
            duration: Duration::from_secs(2),
            target_rate: None,
        };
        let line = flat_json(&figures("echo_per_s", &plan, &report)).to_string();
        assert!(!line.contains('\n'));
        let expected = json!({
            "echo_per_s": 50.0, "p50_ms": 1.5, "p90_ms": 1.5, "p99_ms": 1.5, "p999_ms": 1.5, "max_ms": 1.5,
            "connections": 8, "requests": 100, "errors": 0, "seconds": 2.0,
        });
        assert_eq!(line.parse::<Value>().unwrap(), expected);
    }
}
