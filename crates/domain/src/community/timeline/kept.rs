//! What one kept timeline holds: its newest keys, in order, and from where on the database has to be asked.
//!
//! What always holds: every delivered key that belongs to it and is not below its floor is in it. So whatever is missing is
//! older than the floor, and a timeline without a floor goes back to the beginning: the database said so when it was filled.

use std::collections::VecDeque;

use crate::community::FeedKey;

/// Keys that one timeline keeps. What is older is read from the database.
pub const KEPT_MAX: usize = 500;

/// Keys as the database had them at one moment, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimelineSnapshot {
    pub keys: Vec<FeedKey>,
    /// There was nothing older.
    pub is_whole: bool,
}

/// One timeline, oldest key first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptTimeline {
    keys: VecDeque<FeedKey>,
    /// The oldest key from which on nothing is missing; none when nothing is missing at all.
    floor: Option<FeedKey>,
}

impl KeptTimeline {
    /// A snapshot and what was delivered while it was read.
    pub fn swap(snapshot: &TimelineSnapshot, buffer: &Self) -> Self {
        let mut kept = Self { keys: VecDeque::with_capacity(snapshot.keys.len().min(KEPT_MAX)), floor: None };
        kept.merge(snapshot);
        // What the buffer let go is older than everything that it kept.
        kept.raise(buffer.floor);
        for key in &buffer.keys {
            kept.insert(*key);
        }
        kept
    }

    /// Takes in the newest keys of one more author, or of all.
    pub fn merge(&mut self, snapshot: &TimelineSnapshot) {
        for key in snapshot.keys.iter().rev() {
            self.insert(*key);
        }
        if !snapshot.is_whole {
            self.raise(snapshot.keys.last().copied());
        }
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub fn floor(&self) -> Option<FeedKey> {
        self.floor
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.keys.capacity() * size_of::<FeedKey>()
    }

    /// Puts a key to its place. The same again changes nothing; one below the floor is the database's. Beyond the bound the
    /// oldest goes and the floor rises.
    pub fn insert(&mut self, key: FeedKey) -> bool {
        if self.floor.is_some_and(|floor| key < floor) {
            return false;
        }
        // Almost everything that is delivered is newer than all before it.
        let place = match self.keys.back() {
            Some(newest) if *newest >= key => match self.keys.binary_search(&key) {
                Ok(_) => return false,
                Err(place) => place,
            },
            Some(_) | None => self.keys.len(),
        };
        if self.keys.len() < KEPT_MAX {
            self.grow();
            self.keys.insert(place, key);
            return true;
        }
        if place == 0 {
            self.floor = self.keys.front().copied();
            return false;
        }
        self.keys.pop_front();
        self.keys.insert(place - 1, key);
        self.floor = self.keys.front().copied();
        true
    }

    /// Takes keys out. The floor stays where it is.
    pub fn remove(&mut self, keys: &[FeedKey]) {
        for key in keys {
            if let Ok(place) = self.keys.binary_search(key) {
                self.keys.remove(place);
            }
        }
    }

    /// The newest keys below a place, newest first.
    pub fn below(&self, before: FeedKey, wanted: usize) -> Vec<FeedKey> {
        let until = self.keys.partition_point(|key| *key < before);
        self.keys.range(..until).rev().take(wanted).copied().collect()
    }

    /// Something is missing below a key: what is there goes too.
    fn raise(&mut self, floor: Option<FeedKey>) {
        self.floor = self.floor.max(floor);
        while self.keys.front().copied() < self.floor && !self.keys.is_empty() {
            self.keys.pop_front();
        }
    }

    /// Room for one more, never for more than are kept.
    fn grow(&mut self) {
        let (length, room) = (self.keys.len(), self.keys.capacity());
        if length == room {
            self.keys.reserve_exact((room / 2).clamp(4, KEPT_MAX).min(KEPT_MAX - length));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::time::Timestamp;

    const fn key(n: i64) -> FeedKey {
        FeedKey { time: Timestamp(n / 10), id: n }
    }

    fn snapshot(keys: impl DoubleEndedIterator<Item = i64>, is_whole: bool) -> TimelineSnapshot {
        TimelineSnapshot { keys: keys.rev().map(key).collect(), is_whole }
    }

    fn all(kept: &KeptTimeline) -> Vec<i64> {
        kept.below(FeedKey::NEWEST, usize::MAX).into_iter().map(|key| key.id).collect()
    }

    #[test]
    fn what_is_delivered_comes_once_and_in_order() {
        let mut kept = KeptTimeline::default();
        for (n, is_new) in [(5, true), (9, true), (7, true), (7, false), (1, true), (9, false)] {
            assert_eq!(kept.insert(key(n)), is_new, "{n}");
        }
        assert_eq!((all(&kept), kept.floor()), (vec![9, 7, 5, 1], None));
        assert_eq!(kept.below(key(7), 1), [key(5)]);
        kept.remove(&[key(7), key(8)]);
        assert_eq!(all(&kept), [9, 5, 1]);
    }

    #[test]
    fn hole_54_a_swap_replaces_and_keeps_what_came_meanwhile() {
        let mut buffer = KeptTimeline::default();
        for n in [4, 12, 11] {
            buffer.insert(key(n));
        }
        for (whole, floor, expected) in
            [(true, None, vec![12, 11, 9, 8, 7, 4]), (false, Some(key(7)), vec![12, 11, 9, 8, 7])]
        {
            let kept = KeptTimeline::swap(&snapshot(7..10, whole), &buffer);
            assert_eq!((all(&kept), kept.floor()), (expected, floor), "{whole}");
        }
    }

    #[test]
    fn what_an_author_wrote_longer_ago_is_the_databases() {
        let most = i64::try_from(KEPT_MAX).unwrap();
        let mut kept = KeptTimeline::swap(&snapshot(0..3, true), &KeptTimeline::default());
        kept.merge(&snapshot(100..100 + most, false));
        assert_eq!((kept.len(), kept.floor()), (KEPT_MAX, Some(key(100))));
        let mut few = KeptTimeline::swap(&snapshot([1, 7].into_iter(), true), &KeptTimeline::default());
        few.merge(&snapshot(5..7, false));
        assert_eq!((all(&few), few.floor()), (vec![7, 6, 5], Some(key(5))));
    }

    #[test]
    fn beyond_the_bound_the_oldest_go_and_the_floor_rises() {
        let most = i64::try_from(KEPT_MAX).unwrap();
        let mut kept = KeptTimeline::swap(&snapshot(1..most + 1, true), &KeptTimeline::default());
        assert_eq!((kept.len(), kept.floor()), (KEPT_MAX, None));
        assert!(!kept.insert(key(0)), "older than all that is kept");
        assert_eq!(kept.floor(), Some(key(1)), "and from now on the database's");
        assert!(kept.insert(key(most + 1)));
        assert_eq!((kept.len(), kept.floor()), (KEPT_MAX, Some(key(2))));
        kept.remove(&[key(2), key(3)]);
        assert!(!kept.insert(key(1)), "below the floor");
        assert!(kept.insert(key(2)), "at the floor");
        assert!(kept.heap_bytes() <= KEPT_MAX * size_of::<FeedKey>(), "{}", kept.heap_bytes());
    }

    proptest! {
        /// Whatever comes in whatever order: from the floor on nothing is missing, and nothing is there that did not come.
        #[test]
        fn nothing_is_missing_above_the_floor(
            first in prop::collection::btree_set(0i64..3_000, 0..500),
            whole: bool,
            second in prop::collection::btree_set(0i64..3_000, 0..500),
            whole_too: bool,
            buffered in prop::collection::vec(0i64..3_000, 0..700),
            steps in prop::collection::vec((0i64..3_000, prop::bool::weighted(0.8)), 0..400),
        ) {
            let mut came = KeptTimeline::default();
            for n in &buffered {
                came.insert(key(*n));
            }
            let mut kept = KeptTimeline::swap(&snapshot(first.iter().copied(), whole), &came);
            kept.merge(&snapshot(second.iter().copied(), whole_too));
            let mut truth: BTreeSet<i64> = first.into_iter().chain(second).chain(buffered).collect();
            for (n, comes) in steps {
                if comes {
                    kept.insert(key(n));
                    truth.insert(n);
                } else {
                    kept.remove(&[key(n)]);
                    truth.remove(&n);
                }
                prop_assert!(kept.len() <= KEPT_MAX);
            }
            let floor = kept.floor().map_or(i64::MIN, |floor| floor.id);
            let expected: Vec<i64> = truth.into_iter().rev().filter(|n| *n >= floor).collect();
            prop_assert_eq!(all(&kept), expected);
        }
    }
}
