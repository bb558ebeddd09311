//! Who may append: the one who claimed last, behind what is there.

use ledger::{Log, LogError};
use windfall_cluster::log::Candidacy;

use crate::place::{Place, SHARD, append, blocks, fresh};
use crate::support::{open, reserve};

const HOUR_MS: i64 = 3_600_000;

#[test]
fn blocks_that_share_a_commit_are_there_together_or_not_at_all() {
    let written = blocks(1, fresh(), [open(10), reserve("a", 1, HOUR_MS), reserve("b", 1, HOUR_MS)]);
    for (order, expected) in [
        (vec![0, 1, 2, 3], Some(4)),
        (vec![0], Some(1)),
        (vec![], Some(0)),
        // One does not continue: what was before it in the same commit goes with it.
        (vec![0, 2], None),
        (vec![0, 1, 1], None),
    ] {
        let place = Place::new();
        let mut writer = place.log().writer().unwrap();
        assert_eq!(writer.claim(0, 0).unwrap().term, 1);
        let chosen: Vec<_> = order.iter().map(|at| &written[*at]).collect();
        let done = writer.append(&chosen);
        assert_eq!(done.is_ok(), expected.is_some(), "{order:?}: {done:?}");
        assert_eq!(writer.head().unwrap(), (1, expected.unwrap_or(0)), "{order:?}");
        let read = writer.read_after(0, 100).unwrap();
        assert_eq!(read.len() as u64, expected.unwrap_or(0), "{order:?}");
    }
}

#[test]
fn a_writer_that_was_replaced_appends_nothing_and_never_leads_again() {
    let place = Place::new();
    let (old, new) = (place.log(), place.log());
    let mut first = old.writer().unwrap();
    assert_eq!(first.claim(0, 0).unwrap().term, 1);
    let written = blocks(1, fresh(), [open(10), reserve("a", 1, HOUR_MS)]);
    append(first.as_mut(), &written[..1]).unwrap();

    let mut second = new.writer().unwrap();
    assert_eq!(second.claim(1, 1).unwrap().term, 2);
    let refused = append(first.as_mut(), &written[1..]);
    assert!(matches!(refused, Err(LogError::Fenced { term: 2, last_seq: 1 })), "{refused:?}");
    // It starts over, as the decider does after a failure.
    for _ in 0..2 {
        let claimed = old.writer().unwrap().claim(1, 1);
        assert!(matches!(claimed, Err(LogError::Fenced { term: 2, .. })), "{claimed:?}");
    }
    let mut ledger = fresh();
    ledger::log::replay(second.as_ref(), &mut ledger, |_| {}).unwrap();
    append(second.as_mut(), &blocks(2, ledger, [open(5)])).unwrap();
    assert_eq!(second.head().unwrap(), (2, 3));
}

#[test]
fn a_holder_claims_again_and_its_writer_before_is_fenced() {
    let place = Place::new();
    let log = place.log();
    let mut before = log.writer().unwrap();
    before.claim(0, 0).unwrap();
    let mut after = log.writer().unwrap();
    assert_eq!(after.claim(0, 0).unwrap().term, 2);
    let refused = append(before.as_mut(), &blocks(1, fresh(), []));
    assert!(matches!(refused, Err(LogError::Fenced { term: 2, last_seq: 0 })), "{refused:?}");
    append(after.as_mut(), &blocks(2, fresh(), [])).unwrap();
}

#[test]
fn a_writer_that_failed_appends_nothing_until_it_claims() {
    let place = Place::new();
    let mut writer = place.log().writer().unwrap();
    let written = blocks(1, fresh(), [open(1)]);
    assert!(matches!(append(writer.as_mut(), &written), Err(LogError::Failed(_))), "it never claimed");
    writer.claim(0, 0).unwrap();
    assert!(matches!(append(writer.as_mut(), &written[1..]), Err(LogError::Fenced { .. })), "a gap");
    assert!(matches!(append(writer.as_mut(), &written), Err(LogError::Failed(_))), "nothing is known now");
    assert_eq!(writer.claim(0, 0).unwrap().term, 2);
    append(writer.as_mut(), &blocks(2, fresh(), [open(1)])).unwrap();
}

/// What a candidate saw standing still must still be so when it claims.
#[test]
fn a_leader_that_was_heard_of_is_not_replaced() {
    let place = Place::new();
    let mut leader = place.log().writer().unwrap();
    assert_eq!(leader.claim(0, 0).unwrap().term, 1);
    for (term, lease, expected) in [(1, 0, false), (0, 1, false), (1, 2, false), (1, 1, true)] {
        let log = place.log_with(|settings| settings.candidacy = Candidacy::Lapsed { term, lease });
        let claimed = log.writer().unwrap().claim(0, 0);
        assert_eq!(claimed.is_ok(), expected, "{term} {lease}: {claimed:?}");
        // Once it leads, it may start over, though its grounds are no longer so.
        assert_eq!(log.writer().unwrap().claim(0, 0).is_ok(), expected);
    }
    assert!(append(leader.as_mut(), &blocks(1, fresh(), [])).is_err());
}

#[test]
fn a_newer_format_is_left_alone() {
    let place = Place::new();
    let log = place.log();
    let mut writer = log.writer().unwrap();
    place.query(&format!("UPDATE windfall_log.heads SET format = 2 WHERE shard = {SHARD}"));
    let claimed = writer.claim(0, 0);
    assert!(matches!(claimed, Err(LogError::Format { format: 2, known: 1 })), "{claimed:?}");
    assert_eq!(writer.head().unwrap(), (0, 0), "nothing was raised");
}
