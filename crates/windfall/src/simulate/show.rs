//! What came of a simulation, for people and for programs.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use domain::lottery::simulate::Report;
use serde_json::Value;

use domain::lottery::simulate::Course;

pub fn flaws(_: &Path, reasons: &[String], _: bool) {
    for reason in reasons {
        println!("{reason}");
    }
}

pub fn json(report: &Report, elapsed: Duration, _: NonZeroUsize) -> Value {
    serde_json::json!({"draws": report.draws, "draws_per_s": report.draws as f64 / elapsed.as_secs_f64(), "p": report.chi_square().map(|c| c.p_value)})
}

pub fn print(_: &Course, report: &Report, elapsed: Duration, threads: NonZeroUsize) {
    println!("{}", json(report, elapsed, threads));
    println!("{report:?}");
}
