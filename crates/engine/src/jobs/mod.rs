//! Recurring jobs: an explicit list, one file each, all run by the same runner under a lease.
//!
//! A job is a bounded step, called again until it reports that nothing is left or its time is used up.
//! Whatever a step writes goes through a port that checks the job's [`Fence`](store::model::Fence), so a
//! worker that lost its lease changes nothing.

mod runner;
mod schedule;

use domain::Rejection;
use domain::rejection::FieldProblem;
use futures::future::BoxFuture;
use store::model::JobRun;

use crate::failure::Result;
use crate::world::World;
use crate::{access, activities, draws, fulfilment, operations, points, sales, search, statistics, webhooks};

pub use runner::{declare, run_due, run_until};
pub use schedule::Schedule;

/// What one step did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobStep {
    pub handled: u64,
    /// Nothing is left for now.
    pub done: bool,
    /// Where to go on; given to the next step, and to the next run.
    pub cursor: String,
}

pub struct Job {
    pub name: &'static str,
    pub schedule: &'static str,
    /// What an operator may set.
    pub parameters: &'static [Parameter],
    pub step: for<'a> fn(&'a World, &'a JobRun) -> BoxFuture<'a, Result<JobStep>>,
}

/// A whole number an operator may set, within bounds.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub default: i64,
    pub min: i64,
    pub max: i64,
}

impl Job {
    pub fn named(name: &str) -> Option<&'static Job> {
        JOBS.iter().find(|job| job.name == name)
    }

    /// The parameters as the registry keeps them: a JSON object.
    fn defaults(&self) -> String {
        let pairs =
            self.parameters.iter().map(|parameter| (parameter.name.to_owned(), parameter.default.into()));
        serde_json::Value::Object(pairs.collect()).to_string()
    }

    /// Refuses what this job would not understand: an unknown name, anything but a whole number, one out of bounds.
    pub fn check(&self, given: &serde_json::Value) -> Result<(), Rejection> {
        let malformed = || Rejection::invalid("parameters", FieldProblem::Malformed);
        for (name, value) in given.as_object().ok_or_else(malformed)? {
            let field = format!("parameters.{}", name.chars().take(60).collect::<String>());
            let known = self.parameters.iter().find(|parameter| parameter.name == name);
            let Parameter { min, max, .. } =
                known.ok_or_else(|| Rejection::invalid(&field, FieldProblem::Unknown))?;
            if !value.as_i64().is_some_and(|number| (*min..=*max).contains(&number)) {
                return Err(Rejection::invalid(&field, FieldProblem::OutOfRange { min: *min, max: *max }));
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Every job there is. Adding one is a file `…_job.rs` in its feature and a line here.
pub const JOBS: &[Job] = &[
    operations::sweeps_job::SESSIONS,
    operations::sweeps_job::CODES,
    operations::sweeps_job::LINKS,
    operations::sweeps_job::DEVICES,
    operations::sweeps_job::FORMER_ACCOUNTS,
    operations::sweeps_job::ANSWERS,
    operations::sweeps_job::NOTIFICATIONS,
    operations::sweeps_job::STATISTICS,
    operations::sweeps_job::RUNS,
    operations::reseal_job::RESEAL,
    activities::clock_job::ACTIVITIES,
    activities::low_stock_job::LOW_STOCK,
    points::expiry_job::POINTS_EXPIRY,
    fulfilment::low_codes_job::LOW_CODES,
    draws::raffle_job::RAFFLES,
    sales::reminders_job::REMINDERS,
    fulfilment::jobs::GRANTS,
    fulfilment::jobs::CLAIMS,
    webhooks::deliveries_job::DELIVERIES,
    sales::orders_job::ORDERS,
    search::index_job::SEARCH_INDEX,
    access::audit_trail_job::AUDIT_TRAIL,
    operations::backup_job::BACKUP,
    operations::attention::tell_job::ATTENTION,
    statistics::STATISTICS,
];

impl Parameter {
    /// Its value in a run, never out of bounds.
    pub(crate) fn of(&self, run: &JobRun) -> i64 {
        self.within(&run.parameters)
    }

    /// The same from the parameters as the registry keeps them.
    pub(crate) fn within(&self, parameters: &str) -> i64 {
        let given = serde_json::from_str::<serde_json::Value>(parameters).ok();
        let number = given.and_then(|value| value.get(self.name).and_then(serde_json::Value::as_i64));
        number.unwrap_or(self.default).clamp(self.min, self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_known_whole_and_within_bounds() {
        let job = Job::named("sweep_answers").unwrap();
        for (given, expected) in [
            (r#"{"keep_hours":48}"#, None),
            (r"{}", None),
            (r#"{"keep_hours":0}"#, Some("parameters.keep_hours")),
            (r#"{"keep_hours":9000000000000000000}"#, Some("parameters.keep_hours")),
            (r#"{"keep_hours":1.5}"#, Some("parameters.keep_hours")),
            (r#"{"keep_hours":"48"}"#, Some("parameters.keep_hours")),
            (r#"{"keep":1}"#, Some("parameters.keep")),
            (r"[]", Some("parameters")),
        ] {
            let got = job.check(&serde_json::from_str(given).unwrap()).err();
            assert_eq!(got.as_ref().and_then(Rejection::field), expected, "{given}");
        }
        assert_eq!(job.defaults(), r#"{"keep_hours":48}"#);
    }

    #[test]
    fn every_default_is_within_its_bounds_and_every_schedule_is_one() {
        for job in JOBS {
            assert!(Schedule::parse(job.schedule).is_ok(), "{}", job.name);
            assert!(job.check(&serde_json::from_str(&job.defaults()).unwrap()).is_ok(), "{}", job.name);
        }
    }
}
