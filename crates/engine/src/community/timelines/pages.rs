//! A page of somebody's timeline.
//!
//! What is kept only says where to look: each entry is read from its row, which says whether this reader still sees it. A page
//! is right without anything that is kept, and where keeping fails it is read from the database alone.

use domain::community::timeline::merge::merge_newest;
use domain::community::timeline::scan::PageScan;
use domain::community::{FeedKey, TimelineSnapshot};
use domain::ids::UserId;
use domain::time::Timestamp;
use store::model::{
    FeedPage, FeedRequest, PostRow, PulledPosts, TimelineAsk, TimelineFacts, TimelinePick, TimelinePull,
};

use super::TimelineParts;
use crate::failure::{Failure, Result};
use crate::ports::{TimelinePart, TimelineRead};
use crate::world::World;

/// Times that a reader waits for a rebuild before the database alone is read.
const REBUILDS_MAX: u32 = 3;

/// Posts of everybody whom somebody follows, and their own, newest first.
pub async fn timeline(world: &World, user: UserId, page: FeedRequest) -> Result<FeedPage<PostRow>> {
    TimelineParts::of(world).page(user, page, world.now()).await
}

impl TimelineParts<'_> {
    pub async fn page(&self, user: UserId, page: FeedRequest, now: Timestamp) -> Result<FeedPage<PostRow>> {
        let mut scan = PageScan::new(page.limit as usize, page.before());
        while let Some((before, limit)) = scan.next_chunk() {
            let TimelineSnapshot { keys, is_whole } =
                self.chunk(TimelineAsk { user, before, limit }, now).await?;
            let seen = self.db.timeline_pick(TimelinePick { user, keys: keys.clone(), now }).await?;
            scan.take(keys.into_iter().zip(seen), is_whole);
        }
        let (items, next) = scan.finish();
        Ok(FeedPage { items, next })
    }

    /// The next entries, whether or not the reader may see them.
    async fn chunk(&self, ask: TimelineAsk, now: Timestamp) -> Result<TimelineSnapshot> {
        for _ in 0..REBUILDS_MAX {
            // Before what is kept: a post that is delivered in between is in what is kept.
            let facts = self.db.timeline_facts(ask).await?;
            let TimelineAsk { user, limit, .. } = ask;
            let (version, before) = (facts.version, facts.before);
            let read = TimelineRead { user, version, before, limit, now };
            let kept = match self.home.read(read).await {
                Ok(None) => self.rebuild(user, version, now).await.map(|()| None),
                read => read.map_err(Failure::from),
            };
            match kept {
                Ok(Some(part)) => return self.join(ask, facts, part).await,
                // Filled just now, or the follows have changed meanwhile.
                Ok(None) => {}
                Err(failure) => {
                    tracing::warn!(error = failure.to_string(), "a timeline is read without what is kept");
                    break;
                }
            }
        }
        self.pull(ask.user, ask.before, ask.limit).await
    }

    /// What is kept, what is merged at read, and below that the database.
    async fn join(
        &self,
        ask: TimelineAsk,
        facts: TimelineFacts,
        part: TimelinePart,
    ) -> Result<TimelineSnapshot> {
        let mut keys = merge_newest(&[&part.keys, &facts.beside], ask.limit);
        keys.retain(|key| part.floor.is_none_or(|floor| *key >= floor));
        if keys.len() == ask.limit {
            return Ok(TimelineSnapshot { keys, is_whole: false });
        }
        let Some(floor) = part.floor else { return Ok(TimelineSnapshot { keys, is_whole: true }) };
        let older = self.pull(ask.user, floor.min(facts.before), ask.limit - keys.len()).await?;
        keys.extend(older.keys);
        Ok(TimelineSnapshot { keys, is_whole: older.is_whole })
    }

    async fn pull(&self, user: UserId, before: FeedKey, limit: usize) -> Result<TimelineSnapshot> {
        let pull = TimelinePull { user, before, limit, posts: PulledPosts::All };
        Ok(self.db.timeline_pull(pull).await?.snapshot)
    }
}
