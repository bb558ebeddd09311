//! Trying an activity out before it is submitted. Nothing is kept of it.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Json;
use domain::Rejection;
use domain::activity::{Plan, flaws};
use domain::flaw::Flaw;
use domain::ids::ActivityId;
use domain::lottery::deck::Deck;
use domain::lottery::simulate::{Course, Nothing, SimulationReport};
use domain::rejection::FieldProblem;
use engine::activities::simulation::{days, simulate};
use engine::{Failure, Fault};
use jiff::tz::TimeZone;
use serde::Deserialize;
use tokio::sync::Semaphore;
use utoipa::ToSchema;

use crate::auth::Reader;
use crate::body::BatchBody;
use crate::forms::{ActivityForm, SimulationBody, form_field};
use crate::problem::Problem;

/// Draws of one request: a second or two of one core. The command line has no such bound.
pub const DRAWS_MAX: u64 = 5_000_000;
pub const USERS_MAX: u32 = 1_000_000;
/// Simulations at a time. The machine has draws to serve.
static RUNNING: Semaphore = Semaphore::const_new(1);
const RETRY_AFTER_S: i64 = 2;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SimulationRequest {
    pub activity: ActivityForm,
    /// 1 to 5,000,000, spread evenly over the window.
    pub draws: u64,
    /// 1 to 1,000,000, not more than draws. They take turns.
    pub users: u32,
    /// The same seed gives the same draws.
    #[serde(default = "one")]
    pub seed: u64,
}

fn one() -> u64 {
    1
}

/// Try an activity out
///
/// Decides so many draws with the activity's own odds and rules, and the real generator under a secret made for it.
/// Nothing is kept. An activity that cannot work is refused with every reason.
#[utoipa::path(post, path = "/activities/simulate", tag = "activities",
    responses((status = 200, body = SimulationBody)))]
pub async fn activity_simulate(
    _: Reader,
    BatchBody(given): BatchBody<SimulationRequest>,
) -> Result<Json<SimulationBody>, Problem> {
    let course = course(&given)?;
    let busy = || Rejection::Overloaded { retry_after_s: RETRY_AFTER_S };
    let permit = RUNNING.try_acquire().map_err(|_| busy())?;
    // Whoever went away is not worked for any longer; the permit stays with the work until it has ended.
    let waiting = Waiting::default();
    let wanted = Arc::clone(&waiting.0);
    let simulated = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        simulate(&course, NonZeroUsize::MIN, &mut Nothing, |_| wanted.load(Ordering::Relaxed))
    });
    let report: Option<SimulationReport> =
        simulated.await.map_err(|error| Failure::from(Fault::caused("the simulation broke off", error)))?;
    Ok(Json(SimulationBody::from(&report.ok_or_else(busy)?)))
}

fn course(given: &SimulationRequest) -> Result<Course, Problem> {
    within("draws", given.draws, 1, DRAWS_MAX)?;
    within("users", u64::from(given.users), 1, given.draws.min(u64::from(USERS_MAX)))?;
    let inside = |flaw: Flaw| flaw.within("activity");
    let written = match given.activity.read(ActivityId(1), 1) {
        Ok(written) => written,
        Err(wrong) => {
            Rejection::of_flaws(wrong.into_iter().map(Flaw::from).map(inside))?;
            return Err(Rejection::invalid("activity", FieldProblem::Malformed).into());
        }
    };
    Rejection::of_flaws(flaws(&written, form_field).into_iter().map(inside))?;
    // A raffle and a sale have no odds to try out.
    let refused = || Rejection::invalid("activity.kind", FieldProblem::NotOneOf { allowed: "instant" });
    let strategy = match written.plan {
        Plan::Instant(strategy) => strategy,
        Plan::Raffle(_) | Plan::Sale(_) => return Err(refused().into()),
    };
    let configuration = written.configuration;
    let malformed = |field: &str| Rejection::invalid(field, FieldProblem::Malformed);
    let zone = TimeZone::get(configuration.zone())
        .map_err(|_| Rejection::invalid("activity.zone", FieldProblem::ZONE))?;
    let course = Course::new(
        Deck::new(strategy).map_err(|_| malformed("activity"))?,
        configuration.window(),
        days(configuration.window(), &zone),
        configuration.chances().limits(),
        configuration.entries(),
        given.draws,
        given.users,
        given.seed,
    );
    Ok(course.map_err(|_| malformed("draws"))?)
}

fn within(field: &str, value: u64, min: i64, max: u64) -> Result<(), Rejection> {
    let max = i64::try_from(max).unwrap_or(i64::MAX);
    let fits = i64::try_from(value).is_ok_and(|value| (min..=max).contains(&value));
    if fits { Ok(()) } else { Err(Rejection::invalid(field, FieldProblem::OutOfRange { min, max })) }
}

/// True as long as somebody waits for the answer.
struct Waiting(Arc<AtomicBool>);

impl Default for Waiting {
    fn default() -> Self {
        Self(Arc::new(AtomicBool::new(true)))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
