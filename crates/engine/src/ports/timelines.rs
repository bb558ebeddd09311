//! Kept timelines: keys of posts by (time, id), for people who read lately.
//!
//! A home may lose any of them at any time. What it answers is right for the version of its reader's follows that it names;
//! an answer for another version is none.

use async_trait::async_trait;
use domain::community::{FeedKey, FollowsVersion, TimelineSnapshot};
use domain::ids::UserId;
use domain::time::Timestamp;
use store::failure::Fault;

/// Asks for a part of a timeline. To ask is to read: it keeps the timeline alive.
#[derive(Clone, Copy, Debug)]
pub struct TimelineRead {
    pub user: UserId,
    /// As of which follows.
    pub version: FollowsVersion,
    pub before: FeedKey,
    pub limit: usize,
    pub now: Timestamp,
}

/// A part of a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelinePart {
    /// Newest first.
    pub keys: Vec<FeedKey>,
    /// The oldest key from which on nothing is missing; none when nothing is missing at all.
    pub floor: Option<FeedKey>,
}

/// Names one rebuild. A later one of the same timeline makes it void.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RebuildMark(pub u64);

/// What becomes of a timeline when its reader follows one more, or one fewer.
#[derive(Clone, Debug)]
pub struct TimelineChange {
    pub user: UserId,
    /// The version that this change made; it applies to the one before.
    pub version: FollowsVersion,
    pub add: TimelineSnapshot,
    pub remove: Vec<FeedKey>,
}

/// Where a walk over all timelines has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlivePlace(pub u64);

/// Keeps timelines.
#[async_trait]
pub trait Timelines: Send + Sync {
    /// A part of a timeline; nothing where there is none, where it is of other follows, and while it is rebuilt.
    async fn read(&self, read: TimelineRead) -> Result<Option<TimelinePart>, Fault>;

    /// Puts a mark in the place of a timeline. From now on deliveries are collected beside it.
    async fn rebuild_begin(&self, user: UserId, now: Timestamp) -> Result<RebuildMark, Fault>;

    /// Puts a snapshot, read after the mark was put there, and what was delivered since in the place of the mark. False where
    /// the mark is gone: then the snapshot is worth nothing.
    async fn rebuild_end(
        &self,
        user: UserId,
        mark: RebuildMark,
        version: FollowsVersion,
        snapshot: TimelineSnapshot,
    ) -> Result<bool, Fault>;

    /// Delivers a post to those of these people whose timeline is alive; answers how many they are. It makes no timeline, and
    /// the same again changes nothing.
    async fn deliver(&self, post: FeedKey, to: &[UserId], now: Timestamp) -> Result<u64, Fault>;

    /// Changes a timeline with the follows of its reader. A mark in its place goes: its rebuild starts over.
    async fn revise(&self, change: TimelineChange) -> Result<(), Fault>;

    /// Drops a timeline, or the mark in its place.
    async fn forget(&self, user: UserId) -> Result<(), Fault>;

    /// Some people whose timelines are alive or being rebuilt, and where to continue. Whoever is among them for the whole
    /// walk comes at least once.
    async fn list_alive(
        &self,
        from: AlivePlace,
        now: Timestamp,
    ) -> Result<(Vec<UserId>, Option<AlivePlace>), Fault>;

    /// How many timelines there are, about.
    async fn count(&self) -> Result<u64, Fault>;
}
