//! Recurring jobs: an explicit list, one file each, all run by the same runner under a lease.
//!
//! A job is a bounded step, called again until it reports that nothing is left or its time is used up.
//! Whatever a step writes goes through a port that checks the job's [`Fence`](crate::ports::Fence), so a
//! worker that lost its lease changes nothing.

mod reseal;
mod runner;
mod schedule;
mod sweeps;

use futures::future::BoxFuture;

use crate::failure::Outcome;
use crate::ports::JobRun;
use crate::world::World;

pub use runner::{declare, run_due, run_until};
pub use schedule::Schedule;

/// What one step did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    pub handled: u64,
    /// Nothing is left for now.
    pub done: bool,
    /// Where to go on; given to the next step, and to the next run.
    pub cursor: String,
}

pub struct Job {
    pub name: &'static str,
    pub schedule: &'static str,
    /// The JSON object an operator may edit.
    pub parameters: &'static str,
    pub step: for<'a> fn(&'a World, &'a JobRun) -> BoxFuture<'a, Outcome<Step>>,
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Every job there is. Adding one is a file beside these and a line here.
pub const JOBS: &[Job] =
    &[sweeps::SESSIONS, sweeps::CODES, sweeps::LINKS, sweeps::ANSWERS, sweeps::RUNS, reseal::RESEAL];

/// A whole number out of a job's parameters, or its default.
fn parameter(run: &JobRun, name: &str, default: i64) -> i64 {
    serde_json::from_str::<serde_json::Value>(&run.parameters)
        .ok()
        .and_then(|value| value.get(name).and_then(serde_json::Value::as_i64))
        .unwrap_or(default)
}
