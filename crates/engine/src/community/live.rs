//! What one person's stream is told: what is not read yet, and the notifications that came after the last one it had.

use domain::account::Ban;
use domain::community::FeedKey;
use domain::ids::UserId;
use store::model::{NotificationRow, NotificationsSince};

use super::news::NewsFollower;
use super::notifications::{UnreadCounts, unread_counts};
use crate::failure::Result;
use crate::world::World;

/// Notifications in one look; more come with the next.
const LOOK_MAX: u32 = 50;

/// News since the last look.
#[derive(Clone, Debug)]
pub struct NewsSince {
    pub unread: UnreadCounts,
    /// The oldest first.
    pub notifications: Vec<NotificationRow>,
    /// Where the next look begins.
    pub last: FeedKey,
    /// There is more already.
    pub more: bool,
}

/// Follows somebody's news on this node.
pub fn news_follow(world: &World, user: UserId) -> NewsFollower {
    world.community.news.follow(user)
}

/// Where somebody begins who has had nothing yet: after everything that is in the list.
pub async fn news_begin(world: &World, user: UserId) -> Result<FeedKey> {
    world.db.notifications_newest(user).await
}

/// Nothing for somebody who has no account any more, or was banned: their stream ends.
pub async fn news_since(world: &World, user: UserId, after: FeedKey) -> Result<Option<NewsSince>> {
    let now = world.now();
    let account = world.db.account(user).await?;
    if !account.is_some_and(|account| !account.deleted && Ban::check(account.ban.as_ref(), now).is_ok()) {
        return Ok(None);
    }
    let step = NotificationsSince { user, after, limit: LOOK_MAX, now };
    let (notifications, last) = world.db.notifications_since(step).await?;
    let more = last != after;
    Ok(Some(NewsSince { unread: unread_counts(world, user).await?, notifications, last, more }))
}
