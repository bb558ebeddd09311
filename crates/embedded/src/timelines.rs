//! Timelines in memory: sixteen bytes a key, in a bounded number of timelines.
//!
//! After a restart there are none: each is rebuilt when its reader returns. Where there is no room for one more, the one that
//! was not read for the longest time goes, among those of the same shard.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use domain::community::timeline::alive::is_alive;
use domain::community::{FeedKey, FollowsVersion, KeptTimeline, TimelineSnapshot};
use domain::ids::UserId;
use domain::time::Timestamp;
use engine::Fault;
use engine::ports::{AlivePlace, RebuildMark, TimelineChange, TimelinePart, TimelineRead, Timelines};

const SHARDS: usize = 64;

/// What is in the place of somebody's timeline.
#[derive(Debug)]
struct Slot {
    state: SlotState,
    last_read: Timestamp,
    kept: KeptTimeline,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlotState {
    /// It is being rebuilt; what is kept is what was delivered meanwhile.
    Marked(RebuildMark),
    Whole(FollowsVersion),
}

type Shard = HashMap<UserId, Slot>;

#[derive(Debug)]
pub struct MemoryTimelines {
    hasher: RandomState,
    shards: Vec<Mutex<Shard>>,
    shard_max: usize,
    marks: AtomicU64,
}

impl MemoryTimelines {
    /// So many timelines at most.
    pub fn new(timelines_max: usize) -> Self {
        Self::with(SHARDS, timelines_max.div_ceil(SHARDS))
    }

    fn with(shards: usize, shard_max: usize) -> Self {
        Self {
            hasher: RandomState::new(),
            shards: (0..shards).map(|_| Mutex::default()).collect(),
            shard_max,
            marks: AtomicU64::default(),
        }
    }

    /// Bytes of all timelines, each with its place in the map.
    pub fn bytes(&self) -> usize {
        let of_shard = |shard: &Mutex<Shard>| {
            let shard = lock(shard);
            let heap: usize = shard.values().map(|slot| slot.kept.heap_bytes()).sum();
            heap + shard.capacity() * size_of::<(UserId, Slot)>()
        };
        self.shards.iter().map(of_shard).sum()
    }

    fn shard(&self, user: UserId) -> MutexGuard<'_, Shard> {
        let at = usize::try_from(self.hasher.hash_one(user) % self.shards.len() as u64).unwrap_or(0);
        lock(&self.shards[at])
    }

    fn put(&self, user: UserId, slot: Slot) {
        let mut shard = self.shard(user);
        if shard.len() >= self.shard_max && !shard.contains_key(&user) {
            shard.retain(|_, other| is_alive(other.last_read, slot.last_read));
            if shard.len() >= self.shard_max
                && let Some(oldest) =
                    shard.iter().min_by_key(|(_, slot)| slot.last_read).map(|(user, _)| *user)
            {
                shard.remove(&oldest);
            }
        }
        shard.insert(user, slot);
    }
}

fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

#[async_trait]
impl Timelines for MemoryTimelines {
    async fn read(&self, read: TimelineRead) -> Result<Option<TimelinePart>, Fault> {
        let mut shard = self.shard(read.user);
        let Some(slot) = shard.get_mut(&read.user) else { return Ok(None) };
        // Nothing was delivered to one that is not alive any more.
        if slot.state != SlotState::Whole(read.version) || !is_alive(slot.last_read, read.now) {
            return Ok(None);
        }
        slot.last_read = slot.last_read.max(read.now);
        let keys = slot.kept.below(read.before, read.limit);
        Ok(Some(TimelinePart { keys, floor: slot.kept.floor() }))
    }

    async fn rebuild_begin(&self, user: UserId, now: Timestamp) -> Result<RebuildMark, Fault> {
        let mark = RebuildMark(self.marks.fetch_add(1, Ordering::Relaxed));
        let kept = KeptTimeline::default();
        self.put(user, Slot { state: SlotState::Marked(mark), last_read: now, kept });
        Ok(mark)
    }

    async fn rebuild_end(
        &self,
        user: UserId,
        mark: RebuildMark,
        version: FollowsVersion,
        snapshot: TimelineSnapshot,
    ) -> Result<bool, Fault> {
        let mut shard = self.shard(user);
        let Some(slot) = shard.get_mut(&user).filter(|slot| slot.state == SlotState::Marked(mark)) else {
            return Ok(false);
        };
        slot.kept = KeptTimeline::swap(&snapshot, &slot.kept);
        slot.state = SlotState::Whole(version);
        Ok(true)
    }

    async fn deliver(&self, post: FeedKey, to: &[UserId], now: Timestamp) -> Result<u64, Fault> {
        let mut delivered = 0;
        for user in to {
            let mut shard = self.shard(*user);
            let Some(slot) = shard.get_mut(user) else { continue };
            if is_alive(slot.last_read, now) {
                slot.kept.insert(post);
                delivered += 1;
            } else {
                shard.remove(user);
            }
        }
        Ok(delivered)
    }

    async fn revise(&self, change: TimelineChange) -> Result<(), Fault> {
        let TimelineChange { user, version, add, remove } = change;
        let mut shard = self.shard(user);
        let Some(slot) = shard.get_mut(&user) else { return Ok(()) };
        match slot.state {
            SlotState::Marked(_) => {
                shard.remove(&user);
            }
            SlotState::Whole(kept) if kept.next() == version => {
                slot.kept.remove(&remove);
                slot.kept.merge(&add);
                slot.state = SlotState::Whole(version);
            }
            // A reader finds that it is of other follows.
            SlotState::Whole(_) => {}
        }
        Ok(())
    }

    async fn forget(&self, user: UserId) -> Result<(), Fault> {
        self.shard(user).remove(&user);
        Ok(())
    }

    async fn list_alive(
        &self,
        from: AlivePlace,
        now: Timestamp,
    ) -> Result<(Vec<UserId>, Option<AlivePlace>), Fault> {
        let place = usize::try_from(from.0).unwrap_or(usize::MAX);
        let Some(shard) = self.shards.get(place) else { return Ok((Vec::new(), None)) };
        let alive = |(user, slot): (&UserId, &Slot)| is_alive(slot.last_read, now).then_some(*user);
        let users = lock(shard).iter().filter_map(alive).collect();
        Ok((users, (place + 1 < self.shards.len()).then_some(AlivePlace(from.0 + 1))))
    }

    async fn count(&self) -> Result<u64, Fault> {
        Ok(self.shards.iter().map(|shard| lock(shard).len() as u64).sum())
    }
}

#[cfg(test)]
mod tests {
    use domain::community::timeline::kept::KEPT_MAX;

    use super::*;

    const VERSION: FollowsVersion = FollowsVersion(0);

    fn key(n: usize) -> FeedKey {
        FeedKey { time: Timestamp(n as i64), id: n as i64 }
    }

    async fn rebuild(home: &MemoryTimelines, user: i64, now: i64) {
        let mark = home.rebuild_begin(UserId(user), Timestamp(now)).await.unwrap();
        let snapshot = TimelineSnapshot { keys: vec![], is_whole: true };
        assert!(home.rebuild_end(UserId(user), mark, VERSION, snapshot).await.unwrap());
    }

    async fn read(home: &MemoryTimelines, user: i64, now: i64) -> bool {
        let (user, now) = (UserId(user), Timestamp(now));
        let read = TimelineRead { user, version: VERSION, before: FeedKey::NEWEST, limit: 1, now };
        home.read(read).await.unwrap().is_some()
    }

    #[tokio::test]
    async fn where_there_is_no_room_the_one_not_read_longest_goes() {
        let home = MemoryTimelines::with(1, 3);
        for user in 1..=3 {
            rebuild(&home, user, user).await;
        }
        assert!(read(&home, 1, 10).await);
        rebuild(&home, 4, 11).await;
        assert_eq!(home.count().await.unwrap(), 3);
        for (user, is_kept) in [(1, true), (2, false), (3, true), (4, true)] {
            assert_eq!(read(&home, user, 12).await, is_kept, "{user}");
        }
    }

    #[tokio::test]
    async fn a_full_timeline_takes_at_most_ten_kilobytes() {
        let (home, timelines) = (MemoryTimelines::new(1_000), 1_000);
        let users: Vec<UserId> = (0..timelines).map(UserId).collect();
        for user in &users {
            rebuild(&home, user.0, 0).await;
        }
        for n in 0..2 * KEPT_MAX {
            home.deliver(key(n), &users, Timestamp(0)).await.unwrap();
        }
        let kept = usize::try_from(home.count().await.unwrap()).unwrap();
        let each = home.bytes() / kept;
        assert!(kept > 800 && each <= 10_000, "{kept} timelines of {each} bytes");
    }
}
