//! The crash simulator: what clients were told is still so after every crash.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`world`] | one run, step by step, from one number |
//! | [`trouble`] | what goes wrong in it, and recovery |
//! | [`ending`] | no more faults: everybody is answered, everything returned and sold again |
//! | [`clients`], [`players`] | those who ask, and repeat |
//! | [`disk`] | commits that fail, tear, or happen without saying so |
//! | [`database`] | the projection that lags, answers look-ups and is loaded |
//! | [`auditor`], [`truth`], [`truth_play`], [`truth_draws`] | what was told against what happened |
//! | [`fault`] | mistakes planted on purpose |
//!
//! `make crashtest` runs ten thousand numbers; `WINDFALL_SEED=n` replays one, step by step.

mod auditor;
mod clients;
mod database;
mod disk;
mod ending;
mod fault;
mod players;
mod random;
mod trouble;
mod truth;
mod truth_directives;
mod truth_draws;
mod truth_play;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use self::fault::{FAULTS, Fault};
use self::world::{Counts, World};

const SEEDS: u64 = 300;
/// Numbers within which every planted fault must show.
const FAULT_SEEDS: u64 = 5_000;

fn run(seed: u64, fault: Option<Fault>, trace: bool) -> Result<Counts, String> {
    // An assertion of the ledger itself is as good as a complaint.
    catch_unwind(AssertUnwindSafe(|| World::new(seed, fault, trace).run())).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        Err(text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_owned())
    })
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

#[test]
fn what_was_told_survives_every_crash() {
    let started = Instant::now();
    let (seeds, trace) = match number("WINDFALL_SEED") {
        Some(seed) => (seed..seed + 1, true),
        None => (0..number("WINDFALL_SEEDS").unwrap_or(SEEDS), false),
    };
    let (count, mut sum) = (seeds.end - seeds.start, Counts::default());
    for seed in seeds {
        match run(seed, None, trace) {
            Ok(counts) => sum.add(counts),
            Err(why) => panic!("seed {seed}: {why}\nWINDFALL_SEED={seed} replays it"),
        }
    }
    let Counts { events, told, crashes, failures, look_ups, fenced } = sum;
    println!(
        "{count} seeds: {told} answers, {events} events, {crashes} crashes, {failures} failed commits, \
         {fenced} fenced, {look_ups} look-ups; nothing lost, nothing oversold ({:.1} s)",
        started.elapsed().as_secs_f64()
    );
    assert!(count < 10 || [events, told, crashes, failures, look_ups, fenced].iter().all(|n| *n > 0));
}

#[test]
fn every_planted_fault_is_found() {
    for fault in FAULTS {
        let found = (0..FAULT_SEEDS).find_map(|seed| Some((seed, run(seed, Some(fault), false).err()?)));
        let Some((seed, why)) = found else { panic!("{fault:?} stays unnoticed for {FAULT_SEEDS} seeds") };
        println!("{fault:?}: seed {seed}: {why}");
    }
}
