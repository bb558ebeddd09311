//! The ledger's queue and threads under thousands of schedules: what each promises holds however they meet.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`queueing`](real::queueing) | scenarios of the queue alone |
//! | [`serving`](real::serving) | scenarios of the whole writer: callers, commits that fail, a close at any moment |
//! | [`explore`] | runs a scenario under random and priority-based schedules, or replays one |
//! | [`sync`] | locks, channels and waits at which the schedule may switch |
//! | [`disk`] | a log in memory whose commits fail by the schedule's choice |
//! | `planted.rs` | mistakes planted on purpose in the real sources; every one must be found |
//!
//! The sources under test are the real ones, compiled here a second time against [`sync`] (`build.rs`).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]
#![allow(clippy::duplicate_mod, reason = "each variant compiles the files anew, against its own neighbours")]
#![allow(dead_code, reason = "a variant of the sources is not used in every part")]

mod disk;
mod explore;
mod sync;

include!(concat!(env!("OUT_DIR"), "/variants.rs"));

/// One test for each scenario, on the sources as they are, with what its schedules must come to.
macro_rules! scenarios {
    ($($module:ident::$name:ident $reached:expr;)+) => {
        $(
            #[test]
            fn $name() {
                explore::holds(real::$module::$name, &$reached);
            }
        )+
    };
}

scenarios! {
    queueing::nothing_pushed_is_lost ["taken in", "full", "closed"];
    queueing::a_full_queue_answers_at_once ["taken in", "full"];
    queueing::a_nudge_and_a_close_wake [];
    serving::everybody_hears_one_thing ["accepted", "replayed", "closed"];
    serving::what_is_told_is_on_disk
        ["accepted", "replayed", "refused", "seen", "not seen", "look up", "overloaded", "unknown", "unavailable", "closed"];
    serving::nobody_is_answered_from_memory_that_is_to_go ["accepted", "refused", "unknown", "unavailable"];
    serving::nothing_is_told_after_the_lease ["accepted", "refused", "unknown", "unavailable"];
    serving::it_goes_on_after_failures ["accepted", "replayed", "unknown", "unavailable"];
    serving::a_failure_is_over_without_a_request ["accepted", "unknown"];
    serving::a_close_ends_a_ledger_that_cannot_start_over ["accepted", "unknown", "unavailable", "closed"];
}

#[test]
fn every_planted_fault_is_found() {
    let mut missed = Vec::new();
    for (fault, name, scenario) in PLANTED {
        match explore::complaint(*scenario) {
            Some(why) => println!("{fault}: {name}: {why}"),
            None => missed.push((fault, name)),
        }
    }
    assert!(missed.is_empty(), "stay unnoticed: {missed:?}");
}
