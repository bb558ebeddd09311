//! Blocks that share a commit: all of them are durable, or none.

use domain::ledger::{Ledger, Limits};
use domain::time::Timestamp;
use ledger::Block;
use ledger::core::Core;
use windfall_embedded::journal::{Journal, JournalError};

use crate::place::Place;
use crate::support::{open, reserve};

const HOUR_MS: i64 = 3_600_000;

/// The term and a pool, then two reservations, a block each.
fn blocks() -> Vec<Block> {
    let mut core = Core::begin(Ledger::new(Limits::default()), 1, Timestamp(0));
    let mut block = |ask| {
        core.decide(Timestamp(1), &ask);
        core.take_block().unwrap()
    };
    vec![block(open(10)), block(reserve("a", 1, HOUR_MS)), block(reserve("b", 1, HOUR_MS))]
}

/// A commit that is not synced is lost with the power. See also `hole_17_…` in `crates/windfall/tests/binary/durable.rs`.
#[test]
fn the_journal_is_synced_at_every_commit() {
    const FULL: i64 = 2;
    let place = Place::new();
    for life in 0..2 {
        let journal = Journal::open(&place.path).unwrap();
        assert_eq!(journal.durability().unwrap(), ("wal".to_owned(), FULL), "life {life}");
    }
}

#[test]
fn blocks_that_share_a_commit_are_there_together_or_not_at_all() {
    let blocks = blocks();
    for (order, expected) in [
        (vec![0, 1, 2], Ok(4)),
        (vec![0], Ok(2)),
        (vec![], Ok(0)),
        // The last one does not continue: what was written before it in the same commit goes with it.
        (vec![0, 2], Err(2)),
        (vec![0, 1, 1], Err(3)),
    ] {
        let place = Place::new();
        let mut journal = Journal::open(&place.path).unwrap();
        assert_eq!(journal.claim(0, 0).unwrap().term, 1);
        let done = journal.append_all(order.iter().map(|at| &blocks[*at]));
        let done = done.map(|()| journal.head().unwrap().1).map_err(|error| match error {
            JournalError::Fenced { last_seq, .. } => last_seq,
            other => panic!("{other}"),
        });
        assert_eq!(done, expected, "{order:?}");
        if done.is_err() {
            assert_eq!(journal.head().unwrap().1, 0, "{order:?}");
            assert!(journal.read_after(0, 100).unwrap().is_empty(), "{order:?}");
            journal.append_all(&blocks).unwrap();
        }
    }
}
