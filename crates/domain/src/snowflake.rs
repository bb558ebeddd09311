//! 64-bit ids that sort by time: 41 bits of milliseconds, 10 bits of node, 12 bits of sequence.
//!
//! The generator is a value: it is told the time and answers with an id. A clock that jumps back does
//! not repeat an id, since the generator never goes behind its own last millisecond; a burst beyond
//! 4,096 ids in one millisecond borrows from the next one. Two nodes never share a node id because a
//! node id is leased ([`crate::job::Lease`] decides).

use crate::time::Timestamp;

/// 2024-01-01T00:00:00Z. Ids reach until 2093.
pub const EPOCH_MS: i64 = 1_704_067_200_000;
pub const NODE_BITS: u32 = 10;
pub const SEQUENCE_BITS: u32 = 12;
pub const NODES: i64 = 1 << NODE_BITS;
const SEQUENCES: i64 = 1 << SEQUENCE_BITS;

#[derive(Clone, Debug)]
pub struct Snowflake {
    node: i64,
    last_ms: i64,
    sequence: i64,
}

impl Snowflake {
    /// A generator for a leased node id.
    ///
    /// # Panics
    /// When the node id does not fit its ten bits: a lease never hands out such a number.
    pub fn new(node: i64) -> Self {
        assert!((0..NODES).contains(&node), "node id {node} is outside 0..{NODES}");
        Self { node, last_ms: 0, sequence: 0 }
    }

    pub fn next(&mut self, now: Timestamp) -> i64 {
        let now_ms = (now.0 - EPOCH_MS).max(1);
        if now_ms > self.last_ms {
            self.last_ms = now_ms;
            self.sequence = 0;
        } else {
            self.sequence += 1;
            if self.sequence == SEQUENCES {
                self.last_ms += 1;
                self.sequence = 0;
            }
        }
        (self.last_ms << (NODE_BITS + SEQUENCE_BITS)) | (self.node << SEQUENCE_BITS) | self.sequence
    }
}

/// No id that was made at this moment or later is lower.
pub fn first_id(at: Timestamp) -> i64 {
    (at.0 - EPOCH_MS).clamp(0, i64::MAX >> (NODE_BITS + SEQUENCE_BITS)) << (NODE_BITS + SEQUENCE_BITS)
}

/// The moment an id was made, to the millisecond.
pub fn made_at(id: i64) -> Timestamp {
    Timestamp((id >> (NODE_BITS + SEQUENCE_BITS)) + EPOCH_MS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ids_only_rise_whatever_the_clock_does(clock in prop::collection::vec(0i64..5_000, 1..400)) {
            let mut ids = Snowflake::new(7);
            let mut last = 0;
            for tick in clock {
                let id = ids.next(Timestamp(EPOCH_MS + tick));
                prop_assert!(id > last);
                last = id;
            }
        }
    }

    #[test]
    fn a_burst_borrows_from_the_next_millisecond() {
        let mut ids = Snowflake::new(1);
        let now = Timestamp(EPOCH_MS + 1_000);
        let made: std::collections::BTreeSet<i64> = (0..10_000).map(|_| ids.next(now)).collect();
        assert_eq!(made.len(), 10_000);
        assert_eq!(made_at(*made.first().unwrap()), now);
        assert_eq!(made_at(*made.last().unwrap()), now + 2);
    }

    #[test]
    fn the_first_id_of_a_moment_parts_what_was_made_before_it() {
        for ms in [0, 1, 999, 86_400_000, 2_000_000_000_000] {
            let at = Timestamp(EPOCH_MS + ms);
            let (mut before, mut then) = (Snowflake::new(1_023), Snowflake::new(0));
            assert!(ms < 2 || before.next(at + -1) < first_id(at), "{ms}");
            assert!(first_id(at) <= then.next(at), "{ms}");
        }
        assert_eq!((first_id(Timestamp(i64::MIN / 2)), first_id(Timestamp(0))), (0, 0));
        assert!(first_id(Timestamp(i64::MAX / 2)) > 0);
    }

    #[test]
    fn two_nodes_never_meet() {
        let (mut one, mut two) = (Snowflake::new(1), Snowflake::new(2));
        let now = Timestamp(EPOCH_MS + 1);
        assert_ne!(one.next(now), two.next(now));
    }
}
