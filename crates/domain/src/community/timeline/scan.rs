//! A page of a timeline: scanned until it is full, until enough was scanned, or until the database says that there is no
//! more. Entries that its reader may not see are passed over, and the next page begins after the last entry that was scanned.

use crate::community::FeedKey;

/// Entries that are scanned for one page, at most.
pub const SCANNED_MAX: usize = 400;
/// Entries that are looked at together, at least, after the first ones did not fill the page.
const CHUNK_MIN: usize = 50;

/// A page that is being filled.
#[derive(Debug)]
pub struct PageScan<T> {
    limit: usize,
    scanned: usize,
    last: FeedKey,
    items: Vec<T>,
    is_at_end: bool,
}

impl<T> PageScan<T> {
    pub fn new(limit: usize, before: FeedKey) -> Self {
        Self { limit, scanned: 0, last: before, items: Vec::new(), is_at_end: false }
    }

    /// How many entries to look at next, and below which key; nothing when the page is done.
    pub fn next_chunk(&self) -> Option<(FeedKey, usize)> {
        let left = SCANNED_MAX.saturating_sub(self.scanned);
        if self.is_at_end || self.items.len() >= self.limit || left == 0 {
            return None;
        }
        // One more at first, to know at once whether there is another page.
        let wanted = if self.scanned == 0 { self.limit + 1 } else { CHUNK_MIN };
        Some((self.last, wanted.min(left)))
    }

    /// Takes entries that were looked at, newest first, each with what its reader sees of it; `is_end` when the database has
    /// nothing below them.
    pub fn take(&mut self, entries: impl IntoIterator<Item = (FeedKey, Option<T>)>, is_end: bool) {
        for (key, seen) in entries {
            if self.items.len() >= self.limit {
                return;
            }
            self.scanned += 1;
            self.last = key;
            self.items.extend(seen);
        }
        self.is_at_end = is_end;
    }

    /// The page, and the key to continue after, when there may be more.
    pub fn finish(self) -> (Vec<T>, Option<FeedKey>) {
        (self.items, (!self.is_at_end).then_some(self.last))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::time::Timestamp;

    const fn key(n: usize) -> FeedKey {
        FeedKey { time: Timestamp(0), id: n as i64 }
    }

    /// A page of entries 0..total, newest first, of which some are seen; also how many entries were looked at.
    fn page(
        total: usize,
        before: usize,
        limit: usize,
        is_seen: impl Fn(usize) -> bool,
    ) -> (Vec<usize>, Option<usize>) {
        let mut scan = PageScan::new(limit, key(before));
        let mut chunks = 0;
        while let Some((before, wanted)) = scan.next_chunk() {
            let top = usize::try_from(before.id).unwrap().min(total);
            let bottom = top.saturating_sub(wanted);
            let entries = (bottom..top).rev().map(|n| (key(n), is_seen(n).then_some(n)));
            scan.take(entries, bottom == 0);
            chunks += 1;
            assert!(chunks <= 10, "a page is few chunks");
        }
        let (items, next) = scan.finish();
        (items, next.map(|key| usize::try_from(key.id).unwrap()))
    }

    #[test]
    fn when_a_page_ends() {
        let all: fn(usize) -> bool = |_| true;
        let none: fn(usize) -> bool = |_| false;
        for (total, is_seen, count, next) in [
            (0, all, 0, None),
            (19, all, 19, None),
            (20, all, 20, None),
            (21, all, 20, Some(1)),
            (SCANNED_MAX, none, 0, None),
            // Nothing was visible, and that is no end.
            (SCANNED_MAX + 1, none, 0, Some(1)),
            (500, |n| n < 200, 20, Some(180)),
        ] {
            let (items, after) = page(total, usize::MAX >> 1, 20, is_seen);
            assert_eq!((items.len(), after), (count, next), "{total}");
        }
    }

    proptest! {
        #[test]
        fn pages_repeat_nothing_and_leave_nothing_out(
            seen in prop::collection::vec(prop::bool::weighted(0.3), 0..1_500),
            limit in 1usize..60,
        ) {
            let (mut all, mut before) = (Vec::new(), Some(seen.len()));
            while let Some(below) = before {
                let (items, next) = page(seen.len(), below, limit, |n| seen[n]);
                prop_assert!(items.len() <= limit);
                prop_assert!(next.is_none_or(|next| next < below), "every page goes on");
                all.extend(items);
                before = next;
            }
            let expected: Vec<usize> = (0..seen.len()).rev().filter(|n| seen[*n]).collect();
            prop_assert_eq!(all, expected);
        }
    }
}
