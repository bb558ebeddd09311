//! Lists by a figure that moves while somebody reads, paged over snapshots.
//!
//! A snapshot is the first thousand ids of a list as they were at one moment, at most ten seconds before it was asked for. A
//! cursor names the snapshot and a place in it, so pages of one snapshot neither repeat nor skip. A snapshot is kept for a
//! while after newer ones came; then its cursor is refused by name.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use domain::Rejection;
use domain::time::{MINUTE_MS, SECOND_MS, Timestamp};

use crate::failure::Result;

/// Ids in a snapshot.
pub const SNAPSHOT_MAX: u32 = 1_000;
/// How old a snapshot may be for whoever begins.
const FRESH_MS: i64 = 10 * SECOND_MS;
/// How long whoever began may go on.
const KEPT_MS: i64 = 30 * MINUTE_MS;
/// Snapshots that are kept at most: eight thousand bytes each.
const KEPT_MAX: usize = 2_000;

/// A place in a list as it was at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotPlace {
    /// When the snapshot was taken, which is its name.
    pub taken: Timestamp,
    /// Ids before it.
    pub place: u32,
}

/// The ids of one list at one moment.
#[derive(Debug)]
pub(super) struct Snapshot<K> {
    list: K,
    pub taken: Timestamp,
    pub ids: Vec<i64>,
}

/// Snapshots of lists, newest last.
#[derive(Debug)]
pub struct Snapshots<K> {
    kept: Mutex<VecDeque<Arc<Snapshot<K>>>>,
    /// A crowd reads once.
    reading: tokio::sync::Mutex<()>,
}

impl<K> Default for Snapshots<K> {
    fn default() -> Self {
        Self { kept: Mutex::default(), reading: tokio::sync::Mutex::default() }
    }
}

impl<K: Copy + Eq> Snapshots<K> {
    /// The snapshot that a cursor names, or a fresh one for whoever begins.
    pub(super) async fn find(
        &self,
        list: K,
        after: Option<SnapshotPlace>,
        now: Timestamp,
        read: impl Future<Output = Result<Vec<i64>>> + Send,
    ) -> Result<Arc<Snapshot<K>>> {
        if let Some(after) = after {
            return Ok(self.named(list, after.taken, now).ok_or(Rejection::SnapshotExpired)?);
        }
        if let Some(newest) = self.newest(list, now) {
            return Ok(newest);
        }
        let _one = self.reading.lock().await;
        if let Some(newest) = self.newest(list, now) {
            return Ok(newest);
        }
        let snapshot = Arc::new(Snapshot { list, taken: now, ids: read.await? });
        self.keep(Arc::clone(&snapshot));
        Ok(snapshot)
    }

    fn newest(&self, list: K, now: Timestamp) -> Option<Arc<Snapshot<K>>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = kept.iter().rev().find(|one| one.list == list)?;
        (-FRESH_MS..FRESH_MS).contains(&(now.0 - newest.taken.0)).then(|| Arc::clone(newest))
    }

    fn named(&self, list: K, taken: Timestamp, now: Timestamp) -> Option<Arc<Snapshot<K>>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |one: &&Arc<Snapshot<K>>| one.list == list && one.taken == taken;
        kept.iter().find(is_it).filter(|one| now.0 - one.taken.0 < KEPT_MS).map(Arc::clone)
    }

    fn keep(&self, snapshot: Arc<Snapshot<K>>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|one| one.list != snapshot.list || one.taken != snapshot.taken);
        let is_old = |oldest: &Arc<Snapshot<K>>| snapshot.taken.0 - oldest.taken.0 >= KEPT_MS;
        while kept.len() >= KEPT_MAX || kept.front().is_some_and(is_old) {
            kept.pop_front();
        }
        kept.push_back(snapshot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(list: u8, taken: i64) -> Arc<Snapshot<u8>> {
        Arc::new(Snapshot { list, taken: Timestamp(taken), ids: Vec::new() })
    }

    #[test]
    fn a_snapshot_is_fresh_for_seconds_and_kept_for_minutes() {
        let lists = Snapshots::default();
        lists.keep(snapshot(1, 1_000));
        for (now, fresh, kept) in [
            (1_000, true, true),
            (1_000 + FRESH_MS - 1, true, true),
            (1_000 + FRESH_MS, false, true),
            (1_000 + KEPT_MS - 1, false, true),
            (1_000 + KEPT_MS, false, false),
            // The clock was put back by a minute.
            (1_000 - MINUTE_MS, false, true),
        ] {
            let now = Timestamp(now);
            assert_eq!(lists.newest(1, now).is_some(), fresh, "{now:?}");
            assert_eq!(lists.named(1, Timestamp(1_000), now).is_some(), kept, "{now:?}");
            assert!(lists.newest(2, now).is_none() && lists.named(2, Timestamp(1_000), now).is_none());
        }
        assert!(lists.named(1, Timestamp(999), Timestamp(1_000)).is_none(), "never taken");
    }

    #[test]
    fn snapshots_are_bounded() {
        let lists = Snapshots::default();
        for n in 0..1_000 {
            lists.keep(snapshot(1, n * FRESH_MS));
        }
        let kept = i64::try_from(lists.kept.lock().unwrap().len()).unwrap();
        assert_eq!(kept, KEPT_MS / FRESH_MS);
        for n in 0..5_000 {
            lists.keep(snapshot(u8::try_from(n % 256).unwrap(), 10_000_000 + n));
        }
        assert_eq!(lists.kept.lock().unwrap().len(), KEPT_MAX);
    }

    #[tokio::test]
    async fn whoever_goes_on_reads_what_they_began() {
        let lists = Snapshots::default();
        let find =
            |after, now, ids: Vec<i64>| lists.find(1_u8, after, Timestamp(now), async move { Ok(ids) });
        let first = find(None, 0, vec![1, 2, 3]).await.unwrap();
        assert_eq!(find(None, 9_999, vec![9]).await.unwrap().ids, [1, 2, 3], "ten seconds are fresh");
        assert_eq!(find(None, 10_000, vec![3, 2, 1]).await.unwrap().ids, [3, 2, 1]);
        let after = Some(SnapshotPlace { taken: first.taken, place: 1 });
        assert_eq!(find(after, 20_000, vec![]).await.unwrap().ids, [1, 2, 3]);
        let late = find(after, KEPT_MS, vec![]).await.unwrap_err();
        assert!(matches!(late, crate::Failure::Rejected(Rejection::SnapshotExpired)));
    }
}
