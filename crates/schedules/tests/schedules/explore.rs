//! Runs a scenario under many schedules. A failure prints its schedule; `WINDFALL_SCHEDULE` replays it.
//!
//! Two ways of choosing: at random, and by priorities that change a few times (PCT), which finds what needs one thread
//! to be held up for long. Both start from a fixed number, so that a run can be repeated; `WINDFALL_SEED` sets another,
//! `WINDFALL_SCHEDULES` how many schedules each way tries.

use std::panic::{AssertUnwindSafe, catch_unwind};

use shuttle::scheduler::{PctScheduler, RandomScheduler, ReplayScheduler};
use shuttle::{Config, FailurePersistence, MaxSteps, Runner};

const SCHEDULES: usize = 1_500;
/// Schedules, each way, within which a planted fault must show.
const FAULT_SCHEDULES: usize = 3_000;
/// How often priorities change in one schedule.
const CHANGES: usize = 3;
/// A scenario takes a few hundred steps; beyond this, threads only chase each other.
const STEPS_MAX: usize = 100_000;
const STACK_BYTES: usize = 256 * 1024;

/// The scenario holds under every schedule tried.
pub fn holds(scenario: fn()) {
    if let Ok(schedule) = std::env::var("WINDFALL_SCHEDULE") {
        let mut replay = ReplayScheduler::new_from_encoded(&schedule);
        replay.set_allow_incomplete();
        Runner::new(replay, config(FailurePersistence::None)).run(scenario);
        return;
    }
    let schedules = number("WINDFALL_SCHEDULES").unwrap_or(SCHEDULES);
    let seed = number("WINDFALL_SEED").unwrap_or(1) as u64;
    let random = RandomScheduler::new_from_seed(seed, schedules);
    Runner::new(random, config(FailurePersistence::Print)).run(scenario);
    let pct = PctScheduler::new_from_seed(seed, CHANGES, schedules);
    Runner::new(pct, config(FailurePersistence::Print)).run(scenario);
}

/// What goes wrong, if anything does.
pub fn complaint(scenario: fn()) -> Option<String> {
    let random = || {
        let scheduler = RandomScheduler::new_from_seed(1, FAULT_SCHEDULES);
        Runner::new(scheduler, config(FailurePersistence::None)).run(scenario)
    };
    let pct = || {
        let scheduler = PctScheduler::new_from_seed(1, CHANGES, FAULT_SCHEDULES);
        Runner::new(scheduler, config(FailurePersistence::None)).run(scenario)
    };
    let panic =
        catch_unwind(AssertUnwindSafe(random)).and_then(|_| catch_unwind(AssertUnwindSafe(pct))).err()?;
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    Some(text.lines().next().unwrap_or_default().to_owned())
}

fn config(persistence: FailurePersistence) -> Config {
    let mut config = Config::new();
    config.failure_persistence = persistence;
    config.max_steps = MaxSteps::FailAfter(STEPS_MAX);
    config.stack_size = STACK_BYTES;
    config
}

fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}
