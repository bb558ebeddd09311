//! Filling a timeline that is not kept: marker first, then the snapshot, then one swap.
//!
//! Of those who wait for the same timeline one fills it. A bounded number is filled at once: after a restart all readers come
//! back together.

use domain::community::timeline::kept::KEPT_MAX;
use domain::community::{FeedKey, FollowsVersion};
use domain::ids::UserId;
use domain::time::Timestamp;
use store::model::{PulledPosts, TimelinePull};
use tokio::sync::Semaphore;

use super::TimelineParts;
use crate::failure::{Fault, Result};
use crate::ports::TimelineRead;
use crate::single_flight::SingleFlight;

/// Timelines that are filled at once.
const AT_ONCE_MAX: usize = 16;

/// The rebuilds that are under way.
#[derive(Debug)]
pub struct Rebuilds {
    turns: SingleFlight<UserId>,
    at_once: Semaphore,
}

impl Default for Rebuilds {
    fn default() -> Self {
        Self { turns: SingleFlight::default(), at_once: Semaphore::new(AT_ONCE_MAX) }
    }
}

impl TimelineParts<'_> {
    /// Fills a timeline, if nobody else has done so while this waited. What changes meanwhile makes it void: a reader who
    /// finds nothing asks again.
    pub(super) async fn rebuild(&self, user: UserId, version: FollowsVersion, now: Timestamp) -> Result<()> {
        let _turn = self.rebuilds.turns.turn(user).await;
        let read = TimelineRead { user, version, before: FeedKey::NEWEST, limit: 0, now };
        if self.home.read(read).await?.is_some() {
            return Ok(());
        }
        let _place =
            self.rebuilds.at_once.acquire().await.map_err(|error| Fault::caused("rebuilds", error))?;
        let mark = self.home.rebuild_begin(user, now).await?;
        let pull =
            TimelinePull { user, before: FeedKey::NEWEST, limit: KEPT_MAX, posts: PulledPosts::Pushed };
        let pulled = self.db.timeline_pull(pull).await?;
        self.home.rebuild_end(user, mark, pulled.version, pulled.snapshot).await?;
        Ok(())
    }
}
