//! Timelines, as far as the database knows them.

use domain::community::{FeedKey, FollowsVersion, TimelineSnapshot};
use domain::ids::{PostId, UserId};
use domain::time::Timestamp;

/// The lane, and the kind, of messages that bring a post into timelines: their subject is the post.
pub const FAN_OUTS: &str = "timelines";

/// What a reader of a kept timeline asks the database first.
#[derive(Clone, Copy, Debug)]
pub struct TimelineAsk {
    pub user: UserId,
    pub before: FeedKey,
    pub limit: usize,
}

/// What kept timelines do not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineFacts {
    pub version: FollowsVersion,
    /// Where to read from: below the key that was asked for and below everything that is published later than now.
    pub before: FeedKey,
    /// Posts that are merged at read, newest first: those of authors with many followers, and those that are not delivered to
    /// everybody yet.
    pub beside: Vec<FeedKey>,
}

/// Which posts are pulled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PulledPosts {
    All,
    /// Those that are delivered and not merged at read.
    Pushed,
}

/// Asks for the newest posts of everybody whom somebody follows, and their own. Those that a moderator removed are among
/// them, since they may come back.
#[derive(Clone, Copy, Debug)]
pub struct TimelinePull {
    pub user: UserId,
    pub before: FeedKey,
    pub limit: usize,
    pub posts: PulledPosts,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PulledTimeline {
    /// Not newer than the follows that were read.
    pub version: FollowsVersion,
    pub snapshot: TimelineSnapshot,
}

/// Asks for entries of a timeline as its reader sees them now.
#[derive(Clone, Debug)]
pub struct TimelinePick {
    pub user: UserId,
    pub keys: Vec<FeedKey>,
    pub now: Timestamp,
}

/// A post that is not delivered to every timeline yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostFanOut {
    pub author: UserId,
    pub key: FeedKey,
    /// The follow that was delivered to last.
    pub after: FeedKey,
    pub followers: u64,
}

/// Asks for followers of the author of a post: a follow is its moment and its follower.
#[derive(Clone, Copy, Debug)]
pub struct FollowersAfter {
    pub post: PostId,
    pub after: FeedKey,
    pub limit: u32,
}
