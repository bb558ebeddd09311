//! The hot list, paged over a snapshot.
//!
//! Scores move while somebody reads. So a list is the first thousand posts as they were at one moment, at most ten seconds
//! before it was asked for; its cursor names that snapshot and a place in it, and pages of one snapshot neither repeat nor
//! skip. Each page is checked against what its reader may see now. A snapshot is kept for a while after newer ones came; then
//! its cursor is refused by name.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use domain::Rejection;
use domain::ids::{PostId, UserId};
use domain::time::{MINUTE_MS, SECOND_MS, Timestamp};
use store::model::{PostRow, PostsPick};

use super::check_reader;
use crate::failure::Result;
use crate::world::World;

/// Posts in a snapshot.
pub const HOT_MAX: u32 = 1_000;
/// How old a snapshot may be for whoever begins.
const FRESH_MS: i64 = 10 * SECOND_MS;
/// How long whoever began may go on.
const KEPT_MS: i64 = 30 * MINUTE_MS;
/// Posts that are looked at for one page.
const SCANNED_MAX: usize = 400;

/// A place in a list as it was at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotPlace {
    /// When the snapshot was taken, which is its name.
    pub taken: Timestamp,
    /// Posts before it.
    pub place: u32,
}

#[derive(Debug)]
struct Snapshot {
    taken: Timestamp,
    posts: Vec<PostId>,
}

/// Snapshots, newest last.
#[derive(Debug, Default)]
pub struct HotList {
    kept: Mutex<VecDeque<Arc<Snapshot>>>,
    /// A crowd reads once.
    reading: tokio::sync::Mutex<()>,
}

impl HotList {
    fn newest(&self, now: Timestamp) -> Option<Arc<Snapshot>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let age = |snapshot: &Snapshot| now.0 - snapshot.taken.0;
        kept.back().filter(|newest| (-FRESH_MS..FRESH_MS).contains(&age(newest))).map(Arc::clone)
    }

    fn named(&self, taken: Timestamp, now: Timestamp) -> Option<Arc<Snapshot>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |one: &&Arc<Snapshot>| one.taken == taken && now.0 - taken.0 < KEPT_MS;
        kept.iter().find(is_it).map(Arc::clone)
    }

    fn keep(&self, snapshot: Arc<Snapshot>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // There is at most one for each ten seconds of the half hour.
        while kept.front().is_some_and(|oldest| snapshot.taken.0 - oldest.taken.0 >= KEPT_MS) {
            kept.pop_front();
        }
        kept.retain(|one| one.taken != snapshot.taken);
        kept.push_back(snapshot);
    }

    async fn fresh(&self, world: &World) -> Result<Arc<Snapshot>> {
        let _one = self.reading.lock().await;
        let now = world.now();
        if let Some(newest) = self.newest(now) {
            return Ok(newest);
        }
        let snapshot = Arc::new(Snapshot { taken: now, posts: world.db.posts_hot(HOT_MAX).await? });
        self.keep(Arc::clone(&snapshot));
        Ok(snapshot)
    }
}

/// A page of the hot list, and where the next one begins.
pub async fn hot_posts(
    world: &World,
    reader: Option<UserId>,
    limit: u32,
    after: Option<SnapshotPlace>,
) -> Result<(Vec<PostRow>, Option<SnapshotPlace>)> {
    check_reader(world, reader)?;
    let (hot, now) = (&world.community.hot, world.now());
    let snapshot = match after {
        Some(after) => hot.named(after.taken, now).ok_or(Rejection::SnapshotExpired)?,
        None => match hot.newest(now) {
            Some(newest) => newest,
            None => hot.fresh(world).await?,
        },
    };
    let (wanted, mut items) = (limit as usize, Vec::new());
    let begin = after.map_or(0, |after| after.place as usize);
    let mut place = begin;
    while items.len() < wanted && place < snapshot.posts.len() && place - begin < SCANNED_MAX {
        // As many as are missing, so that nothing that is looked at is left out.
        let until = snapshot.posts.len().min(place + wanted - items.len());
        let ids = snapshot.posts[place..until].to_vec();
        items.extend(world.db.posts_pick(PostsPick { ids, reader, now }).await?);
        place = until;
    }
    let more = place < snapshot.posts.len();
    let next =
        more.then(|| SnapshotPlace { taken: snapshot.taken, place: u32::try_from(place).unwrap_or(HOT_MAX) });
    Ok((items, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(taken: i64) -> Arc<Snapshot> {
        Arc::new(Snapshot { taken: Timestamp(taken), posts: Vec::new() })
    }

    #[test]
    fn a_snapshot_is_fresh_for_seconds_and_kept_for_minutes() {
        let hot = HotList::default();
        hot.keep(snapshot(1_000));
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
            assert_eq!(hot.newest(now).is_some(), fresh, "{now:?}");
            assert_eq!(hot.named(Timestamp(1_000), now).is_some(), kept, "{now:?}");
        }
        assert!(hot.named(Timestamp(999), Timestamp(1_000)).is_none(), "never taken");
    }

    #[test]
    fn snapshots_are_bounded() {
        let hot = HotList::default();
        for n in 0..1_000 {
            hot.keep(snapshot(n * FRESH_MS));
        }
        let kept = i64::try_from(hot.kept.lock().unwrap().len()).unwrap();
        assert_eq!(kept, KEPT_MS / FRESH_MS);
    }
}
