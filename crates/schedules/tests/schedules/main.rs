//! The ledger's queue and threads under thousands of schedules: what each promises holds however they meet.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`queueing`](real::queueing) | scenarios of the queue alone |
//! | [`serving`](real::serving) | scenarios of the whole writer: callers, commits that fail, a close at any moment |
//! | [`explore`] | runs a scenario under random and priority-based schedules, or replays one |
//! | [`sync`] | locks, channels and waits at which the schedule may switch |
//! | [`journal`] | a journal in memory whose commits fail by the schedule's choice |
//! | `planted.rs` | mistakes planted on purpose in the real sources; every one must be found |
//!
//! The sources under test are the real ones, compiled here a second time against [`sync`] and [`journal`] (`build.rs`).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]
#![allow(dead_code, reason = "a variant of the sources is not used in every part")]

mod explore;
mod journal;
#[path = "../../../embedded/src/ledger/pace.rs"]
mod pace;
mod sync;
#[path = "../../../embedded/src/ledger/tally.rs"]
mod tally;

include!(concat!(env!("OUT_DIR"), "/variants.rs"));

/// One test for each scenario, on the sources as they are.
macro_rules! scenarios {
    ($($module:ident: $($name:ident),+;)+) => {
        $($(
            #[test]
            fn $name() {
                explore::holds(real::$module::$name);
            }
        )+)+

        #[test]
        fn every_scenario_is_a_test() {
            let tests = [$($(stringify!($name)),+),+];
            let all = [real::queueing::ALL, real::serving::ALL].concat();
            assert_eq!(tests.to_vec(), all.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        }
    };
}

scenarios! {
    queueing:
        nothing_pushed_is_lost,
        a_full_queue_answers_at_once,
        a_nudge_and_a_close_wake;
    serving:
        everybody_hears_one_thing,
        what_is_told_is_on_disk,
        nobody_is_answered_from_memory_that_is_to_go,
        it_goes_on_after_failures;
}

#[test]
fn every_planted_fault_is_found() {
    let mut missed = Vec::new();
    for (fault, lists) in PLANTED {
        let found = lists.concat().into_iter().find_map(|(name, scenario)| {
            explore::complaint(scenario).map(|why| format!("{fault}: {name}: {why}"))
        });
        match found {
            Some(found) => println!("{found}"),
            None => missed.push(*fault),
        }
    }
    assert!(missed.is_empty(), "stay unnoticed: {missed:?}");
}
