//! Two candidates for one shard, pauses, lost messages and clocks that differ: what is told is always so.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`world`] | one run, step by step, from one number |
//! | [`server`] | the log's server: the fenced head, and what is in the log |
//! | [`node`] | a candidate or leader, as [`windfall_cluster::lease`] has it |
//! | [`fault`] | mistakes planted on purpose; every one must be found |
//!
//! `WINDFALL_SEED=n` replays one number; `WINDFALL_SEEDS=n` runs so many.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod fault;
mod node;
mod random;
mod server;
mod world;

use self::fault::{FAULTS, Fault};
use self::world::{Counts, World};

const SEEDS: u64 = 2_000;
/// Numbers within which every planted fault must show.
const FAULT_SEEDS: u64 = 5_000;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

fn run(seed: u64, fault: Option<Fault>) -> Result<Counts, String> {
    World::new(seed, fault).run()
}

#[test]
fn what_two_candidates_tell_is_so() {
    let seeds = match number("WINDFALL_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("WINDFALL_SEEDS").unwrap_or(SEEDS),
    };
    let (count, mut sum) = (seeds.end - seeds.start, Counts::default());
    for seed in seeds {
        match run(seed, None) {
            Ok(counts) => sum.add(counts),
            Err(why) => panic!("seed {seed}: {why}\nWINDFALL_SEED={seed} replays it"),
        }
    }
    println!("{count} seeds: {sum:?}");
    assert!(count < 10 || sum.is_rich(), "{sum:?}");
}

#[test]
fn every_planted_fault_is_found() {
    for fault in FAULTS {
        let found = (0..FAULT_SEEDS).find_map(|seed| Some((seed, run(seed, Some(fault)).err()?)));
        let Some((seed, why)) = found else { panic!("{fault:?} stays unnoticed for {FAULT_SEEDS} seeds") };
        println!("{fault:?}: seed {seed}: {why}");
    }
}
