//! The contract suite itself: it passes a right ledger in either manner of answering, and names what is wrong with a
//! wrong one.

mod memory;

use memory::{Manner, Memory};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use windfall_testkit::contract::check::verbs;
use windfall_testkit::contract::stories::STORIES;
use windfall_testkit::contract::{check, compare};
use windfall_testkit::model::{Shape, rows};

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(future)
}

#[test]
fn the_state_machine_itself_keeps_the_contract() {
    let report = run(check(&mut Memory::new(Manner::Right)));
    assert_eq!((report.ran, report.left_out.len()), (STORIES.len(), 0));
}

#[test]
fn stories_that_need_an_unknown_verb_are_left_out_by_name() {
    let lacks = &["cancel", "restart"];
    let report = run(check(&mut Memory::new(Manner::Right).lacking(lacks)));
    let expected: Vec<&str> = STORIES
        .iter()
        .filter(|story| verbs(story).iter().any(|verb| lacks.contains(verb)))
        .map(|story| story.name)
        .collect();
    let left_out: Vec<&str> = report.left_out.iter().map(|(story, _)| *story).collect();
    assert!(!expected.is_empty());
    assert_eq!(left_out, expected);
    assert_eq!(report.ran + left_out.len(), STORIES.len());
}

/// Each of these ledgers has one fault, and one story at least fails on it.
#[test]
fn a_wrong_ledger_does_not_pass() {
    for fault in [
        Manner::UnknownIsSoldOut,
        Manner::NobodyOwns,
        Manner::EachLineAlone,
        Manner::NewIdEachTime,
        Manner::AnyBody,
        Manner::AllConfirmed,
        Manner::NeverTooLate,
        Manner::ReverseOrder,
    ] {
        let passed = std::panic::catch_unwind(|| run(check(&mut Memory::new(fault))));
        assert!(passed.is_err(), "{fault:?} was not noticed");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_right_ledger_compares_equal(rows in rows(Shape { rows_max: 60, expire: false, play: false, put_back: false })) {
        run(compare(&mut Memory::stretched(Manner::Right), &rows)).map_err(TestCaseError::fail)?;
    }
}

#[test]
fn a_wrong_ledger_compares_unequal() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for fault in [Manner::UnknownIsSoldOut, Manner::NobodyOwns, Manner::EachLineAlone, Manner::AnyBody] {
        let noticed = (0..500).any(|_| {
            let tree = rows(Shape { rows_max: 60, expire: false, play: false, put_back: false })
                .new_tree(&mut runner)
                .expect("rows");
            run(compare(&mut Memory::stretched(fault), &tree.current())).is_err()
        });
        assert!(noticed, "{fault:?}");
    }
}
