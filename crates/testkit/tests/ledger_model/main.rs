//! `domain::ledger` and the reference model say the same, row by row, whatever is asked.
//!
//! Beside the ledger that decides runs a second one that only folds the events, encoded and decoded. At a restart it
//! takes over: whatever the first one had and the second had not would show.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod twin;

use std::collections::BTreeSet;

use domain::lottery::live::ExclusionReason;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use windfall_testkit::model::{Shape, rows};

use crate::twin::Twin;

const SHAPE: Shape = Shape { rows_max: 60, expire: true, play: true, put_back: true };

/// Sequences per run; `PROPTEST_CASES` asks for more.
fn config() -> Config {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(3_000);
    Config { cases, failure_persistence: None, max_shrink_iters: 50_000, ..Config::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_ledger_says_what_the_reference_says(rows in rows(SHAPE)) {
        Twin::default().run(&rows).map_err(TestCaseError::fail)?;
    }
}

/// Rows that never reach an answer would prove nothing about it.
#[test]
fn the_rows_reach_every_answer() {
    let mut runner = TestRunner::deterministic();
    let (mut heard, mut drawn) = (BTreeSet::new(), BTreeSet::new());
    for _ in 0..8_000 {
        let rows = rows(SHAPE).new_tree(&mut runner).unwrap().current();
        let mut twin = Twin::default();
        twin.run(&rows).unwrap();
        heard.append(&mut twin.heard);
        drawn.append(&mut twin.drawn);
    }
    let every = "already_cancelled already_confirmed cancelled closed confirmed conflict expired extend_too_far frozen \
                 held hold_unknown limit_reached look_up no_lines not_free not_held nothing_due open pool_unknown \
                 quantity_too_large round_stale sold_out tombstones_full too_many_lines total_too_large \
                 ttl_out_of_range clock_behind \
                 activity_round_stale activity_unknown chances_spent chances_spent_day chances_spent_month day_stale \
                 ended entries_gone grant_out_of_range granted not_started paused revoke_out_of_range running \
                 client_value_fixed drawn entered halt halted version_stale";
    let again = ["cancelled again", "closed again", "confirmed again", "expired again", "frozen again"];
    let again = again.into_iter().chain(["held again", "open again", "taken by its twin"]).chain([
        "ended again",
        "granted again",
        "paused again",
        "running again",
        "drawn again",
        "entered again",
        "halt again",
        "no halt again",
        "no halt",
    ]);
    let expected: BTreeSet<String> = every.split_whitespace().chain(again).map(str::to_owned).collect();
    assert_eq!(heard, expected);
    // That somebody may not have a prize yet is never told.
    let told = ExclusionReason::ALL.into_iter().filter(|reason| *reason != ExclusionReason::Locked);
    let told = told.map(|reason| format!("told: {reason:?}"));
    let ways = ["won: Rolled", "won: Pity", "won: Consolation", "won instead: Exhausted", "missed: NoPrize"];
    let ways = ways.into_iter().chain(["missed instead: Exhausted", "missed: Fallback(NothingLeft)"]);
    let missing: Vec<String> =
        told.chain(ways.map(str::to_owned)).filter(|way| !drawn.contains(way)).collect();
    assert_eq!(missing, Vec::<String>::new(), "{drawn:?}");
}
