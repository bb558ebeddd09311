//! What follows, blocks and deletions do to timelines that are kept.
//!
//! None of it is needed for a page to be right: a timeline is of one version of its reader's follows, and another version is
//! rebuilt. It saves that rebuild, and the places of posts that nobody sees any more.

use domain::community::{FollowsVersion, TimelineSnapshot};
use domain::ids::UserId;

use super::TimelineParts;
use crate::failure::Result;
use crate::ports::TimelineChange;

impl TimelineParts<'_> {
    /// Somebody follows one more person: that person's posts come in.
    pub async fn backfill(&self, user: UserId, other: UserId, version: FollowsVersion) -> Result<()> {
        let add = self.db.pushed_posts(other).await?;
        self.home.revise(TimelineChange { user, version, add, remove: Vec::new() }).await?;
        Ok(())
    }

    /// Somebody follows one person fewer: that person's posts go.
    pub async fn purge(&self, user: UserId, other: UserId, version: FollowsVersion) -> Result<()> {
        let remove = self.db.pushed_posts(other).await?.keys;
        let add = TimelineSnapshot { keys: Vec::new(), is_whole: true };
        self.home.revise(TimelineChange { user, version, add, remove }).await?;
        Ok(())
    }

    /// Both may have lost a follow.
    pub async fn forget_both(&self, user: UserId, other: UserId) -> Result<()> {
        self.home.forget(user).await?;
        self.home.forget(other).await?;
        Ok(())
    }
}

/// The step itself is done: a failure here costs a rebuild and is no answer.
pub(crate) fn note(revised: Result<()>) {
    if let Err(failure) = revised {
        tracing::warn!(error = failure.to_string(), "a kept timeline was not revised");
    }
}
