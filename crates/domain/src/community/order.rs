//! The order of posts: the integer pair (time, id), newest first.
//!
//! The time is assigned in the transaction that publishes, under a lock that is held until it commits. So whoever sees a post
//! sees every post before it, and "newer than what I saw" never misses one (hole 56). A pair of integers needs no fractions
//! and has no neighbours that share a place (hole 52).

use crate::time::Timestamp;

/// Where a post is in every list by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeedKey {
    pub time: Timestamp,
    pub id: i64,
}

impl FeedKey {
    /// Before every post there can be: where a list that is read newest first begins.
    pub const NEWEST: Self = Self { time: Timestamp(i64::MAX), id: i64::MAX };

    /// The key of the next post. It is after `self`, whatever the clock says and whatever ids are made elsewhere: the time is
    /// that of the clock unless the clock is behind, and a millisecond more where the id alone would be before.
    pub fn next(self, now: Timestamp, id: i64) -> Self {
        let time = self.time.max(now);
        let key = Self { time, id };
        if key > self { key } else { Self { time: Timestamp(time.0 + 1), id } }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn key(time: i64, id: i64) -> FeedKey {
        FeedKey { time: Timestamp(time), id }
    }

    #[test]
    fn the_next_key_is_later() {
        for (last, now, id, expected) in [
            (key(0, 0), 5, 7, key(5, 7)),
            (key(5, 7), 5, 8, key(5, 8)),
            // Made on another node a little earlier.
            (key(5, 7), 5, 6, key(6, 6)),
            (key(5, 7), 5, 7, key(6, 7)),
            // The clock is behind.
            (key(5, 7), 3, 8, key(5, 8)),
            (key(5, 7), 3, 6, key(6, 6)),
        ] {
            assert_eq!(last.next(Timestamp(now), id), expected, "{last:?} {now} {id}");
        }
    }

    #[test]
    fn hole_52_ids_are_compared_as_integers() {
        let mut keys = [key(1, 10), key(1, 1), key(1, 2), key(1, 11), key(0, 99)];
        keys.sort_unstable();
        assert_eq!(keys.map(|key| key.id), [99, 1, 2, 10, 11]);
        // A double holds neither a snowflake id nor the sum of a millisecond and a fraction of one.
        let (a, b) = (key(1_763_450_000_000, (1 << 53) + 1), key(1_763_450_000_000, (1 << 53) + 2));
        assert!(a < b);
    }

    proptest! {
        #[test]
        fn keys_only_rise(steps in prop::collection::vec((0i64..50, 0i64..1_000), 1..200)) {
            let mut last = key(0, 0);
            for (now, id) in steps {
                let next = last.next(Timestamp(now), id);
                prop_assert!(next > last);
                prop_assert!(next.time >= Timestamp(now));
                prop_assert_eq!(next.id, id);
                last = next;
            }
        }
    }
}
