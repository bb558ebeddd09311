//! Runs a scenario under many schedules. A failure prints its schedule; `WINDFALL_SCHEDULE` replays it.
//!
//! Two ways of choosing: at random, and by priorities that change a few times (PCT), which finds what needs one thread
//! to be held up for long. Both start from a fixed number, so that a run can be repeated; `WINDFALL_SEED` sets another,
//! `WINDFALL_SCHEDULES` how many schedules each way tries.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use shuttle::scheduler::{PctScheduler, RandomScheduler, ReplayScheduler};
use shuttle::{Config, FailurePersistence, MaxSteps, Runner};

const REPLAY: &str = "WINDFALL_SCHEDULE";
const SCHEDULES: usize = 1_500;
/// Schedules, each way, within which a planted fault must show.
const FAULT_SCHEDULES: usize = 3_000;
/// How often priorities change in one schedule.
const CHANGES: usize = 3;
/// A scenario takes a few hundred steps; beyond this, threads only chase each other.
const STEPS_MAX: usize = 100_000;
const STACK_BYTES: usize = 256 * 1024;

thread_local! {
    // A schedule's threads all run on the one real thread that runs the schedule.
    static REACHED: RefCell<BTreeMap<&'static str, usize>> = const { RefCell::new(BTreeMap::new()) };
}

/// The scenario came to something worth counting.
pub fn reached(what: &'static str) {
    REACHED.with_borrow_mut(|counts| *counts.entry(what).or_default() += 1);
}

/// The scenario holds under every schedule tried, and the schedules together come to everything in `reached`.
pub fn holds(scenario: fn(), reached: &[&str]) {
    REACHED.take();
    explore(scenario);
    let counts = REACHED.take();
    println!("{counts:?}");
    for what in reached {
        assert!(replaying() || counts.contains_key(what), "no schedule comes to {what:?}: {counts:?}");
    }
}

fn explore(scenario: fn()) {
    if replaying() {
        let schedule = std::env::var(REPLAY).unwrap_or_default();
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

fn replaying() -> bool {
    std::env::var_os(REPLAY).is_some()
}

fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}
