//! Bringing a post into the timelines that are alive.
//!
//! Until that is done the post is merged at read, so a fan-out that is late, or given up, costs time and loses nothing. Each
//! part of it reads again whether the post is still there and who follows its author; a walk over followers goes on where it
//! stopped. What is delivered twice is there once.

use domain::community::FanOutWalk;
use domain::ids::{PostId, UserId};
use domain::time::Timestamp;
use store::model::{FollowersAfter, PostFanOut};

use super::TimelineParts;
use crate::failure::Result;
use crate::ports::AlivePlace;

/// Followers in one part of a walk.
const FOLLOWERS_MAX: u32 = 10_000;

impl TimelineParts<'_> {
    /// Delivers a post to its author and to everybody who follows them and has a timeline; answers to how many.
    pub async fn fan_out(&self, post: PostId, now: Timestamp) -> Result<u64> {
        let Some(fan_out) = self.db.fan_out_find(post).await? else { return Ok(0) };
        let own = self.home.deliver(fan_out.key, &[fan_out.author], now).await?;
        let others = match FanOutWalk::choose(fan_out.followers, self.home.count().await?) {
            FanOutWalk::Followers => self.walk_followers(fan_out, now).await?,
            FanOutWalk::Alive => self.walk_alive(fan_out, now).await?,
        };
        self.db.fan_out_finish(post).await?;
        Ok(own + others)
    }

    async fn walk_followers(&self, fan_out: PostFanOut, now: Timestamp) -> Result<u64> {
        let (post, mut after, mut delivered) = (PostId(fan_out.key.id), fan_out.after, 0);
        loop {
            let step = FollowersAfter { post, after, limit: FOLLOWERS_MAX };
            let follows = self.db.fan_out_followers(step).await?;
            let to: Vec<UserId> = follows.iter().map(|follow| UserId(follow.id)).collect();
            delivered += self.home.deliver(fan_out.key, &to, now).await?;
            match follows.last() {
                Some(last) if to.len() == FOLLOWERS_MAX as usize => after = *last,
                Some(_) | None => return Ok(delivered),
            }
            self.db.fan_out_move(post, after).await?;
        }
    }

    async fn walk_alive(&self, fan_out: PostFanOut, now: Timestamp) -> Result<u64> {
        let (mut place, mut delivered) = (Some(AlivePlace::default()), 0);
        while let Some(from) = place {
            let (alive, next) = self.home.list_alive(from, now).await?;
            let to = self.db.fan_out_filter(PostId(fan_out.key.id), alive).await?;
            delivered += self.home.deliver(fan_out.key, &to, now).await?;
            place = next;
        }
        Ok(delivered)
    }
}
