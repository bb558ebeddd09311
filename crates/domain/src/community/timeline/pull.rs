//! The newest keys of many authors, read author by author and no further than needed.
//!
//! A reader may follow thousands of authors, most of whom have written nothing lately. The first round reads a few keys of
//! each; after it only those are read on whose next key may still be among the newest, each time twice as far.

use super::kept::TimelineSnapshot;
use super::merge::merge_newest;
use crate::community::FeedKey;

/// Keys of each author in the first round, at least.
const FIRST_MIN: usize = 4;

/// What is to be read of one author.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuthorRead {
    /// The place among the authors.
    pub author: usize,
    pub before: FeedKey,
    pub limit: usize,
}

#[derive(Clone, Copy, Debug)]
struct AuthorPlace {
    /// Everything from here on is read.
    read_to: FeedKey,
    is_at_end: bool,
}

/// A merge that is under way.
#[derive(Debug)]
pub struct AuthorMerge {
    wanted: usize,
    limit: usize,
    authors: Vec<AuthorPlace>,
    keys: Vec<FeedKey>,
}

impl AuthorMerge {
    pub fn new(authors: usize, before: FeedKey, wanted: usize) -> Self {
        let limit = (2 * wanted / authors.max(1)).clamp(FIRST_MIN, wanted.max(FIRST_MIN));
        let place = AuthorPlace { read_to: before, is_at_end: false };
        Self { wanted, limit, authors: vec![place; authors], keys: Vec::new() }
    }

    /// What to read in this round; nothing when the newest are known.
    pub fn list_reads(&self) -> Vec<AuthorRead> {
        // The oldest key that is among the newest so far: older ones cannot come in.
        let cut = self.wanted.checked_sub(1).and_then(|last| self.keys.get(last));
        let is_wanted =
            |author: &AuthorPlace| !author.is_at_end && cut.is_none_or(|cut| author.read_to > *cut);
        let places = self.authors.iter().enumerate().filter(|(_, author)| is_wanted(author));
        let limit = self.limit;
        places.map(|(author, place)| AuthorRead { author, before: place.read_to, limit }).collect()
    }

    /// Takes what a round brought, in the order of its reads; keys come newest first.
    pub fn take(&mut self, reads: &[AuthorRead], found: &[Vec<FeedKey>]) {
        for (read, found) in reads.iter().zip(found) {
            let Some(place) = self.authors.get_mut(read.author) else { continue };
            place.is_at_end = found.len() < read.limit;
            place.read_to = found.last().copied().unwrap_or(place.read_to);
        }
        let mut lists: Vec<&[FeedKey]> = found.iter().map(Vec::as_slice).collect();
        lists.push(&self.keys);
        // One more than wanted, to know whether there is more.
        self.keys = merge_newest(&lists, self.wanted + 1);
        self.limit = self.limit.saturating_mul(2).min(self.wanted.max(FIRST_MIN));
    }

    pub fn finish(mut self) -> TimelineSnapshot {
        let is_whole = self.keys.len() <= self.wanted && self.authors.iter().all(|author| author.is_at_end);
        self.keys.truncate(self.wanted);
        TimelineSnapshot { keys: self.keys, is_whole }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::time::Timestamp;

    const fn key(n: i64) -> FeedKey {
        FeedKey { time: Timestamp(n / 3), id: n }
    }

    /// Runs a merge over authors whose keys are given oldest first; also how many reads it took.
    fn run(authors: &[Vec<FeedKey>], before: FeedKey, wanted: usize) -> (TimelineSnapshot, usize) {
        let (mut merge, mut asked) = (AuthorMerge::new(authors.len(), before, wanted), 0);
        loop {
            let reads = merge.list_reads();
            if reads.is_empty() {
                return (merge.finish(), asked);
            }
            asked += reads.len();
            let read = |read: &AuthorRead| {
                let older = authors[read.author].iter().rev().filter(|key| **key < read.before);
                older.take(read.limit).copied().collect()
            };
            let found: Vec<Vec<FeedKey>> = reads.iter().map(read).collect();
            merge.take(&reads, &found);
        }
    }

    #[test]
    fn those_who_are_silent_are_asked_once() {
        let mut authors = vec![vec![key(1)]; 1_000];
        authors.push((1_000..2_000).map(key).collect());
        let (found, asked) = run(&authors, FeedKey::NEWEST, 500);
        assert_eq!((found.keys.first(), found.keys.last()), (Some(&key(1_999)), Some(&key(1_500))));
        assert!(asked < 1_020, "{asked}");
    }

    #[test]
    fn nobody_has_nothing() {
        assert_eq!(run(&[], FeedKey::NEWEST, 20).0, TimelineSnapshot { keys: vec![], is_whole: true });
    }

    proptest! {
        #[test]
        fn the_newest_of_all(
            authors in prop::collection::vec(prop::collection::btree_set(0i64..400, 0..80), 0..12),
            before in 0i64..500,
            wanted in 1usize..60,
        ) {
            // A post has one author.
            let mut seen = std::collections::BTreeSet::new();
            let authors: Vec<Vec<FeedKey>> = authors
                .into_iter()
                .map(|keys| keys.into_iter().filter(|n| seen.insert(*n)).map(key).collect())
                .collect();
            let (found, _) = run(&authors, key(before), wanted);
            let mut expected: Vec<FeedKey> = authors.concat();
            expected.retain(|one| *one < key(before));
            expected.sort_unstable_by(|a, b| b.cmp(a));
            let total = expected.len();
            expected.truncate(wanted);
            prop_assert_eq!(found.keys, expected);
            // It may not know that it has everything; it never says so wrongly.
            prop_assert!(!found.is_whole || total <= wanted);
            prop_assert!(found.is_whole || total >= wanted);
        }
    }
}
