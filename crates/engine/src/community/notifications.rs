//! What somebody hears about, and what they do not want to hear of.

use domain::Rejection;
use domain::community::{FeedKey, NotificationKind};
use domain::ids::UserId;
use domain::rejection::FieldProblem;
use store::model::{
    FeedPage, FeedRequest, Mute, MuteSet, NotificationRow, NotificationSettings, NotificationSwitchesSet,
    NotificationsFind, NotificationsRead,
};

use crate::failure::Result;
use crate::world::World;

/// What is not read yet, as a badge shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnreadCounts {
    /// Groups of notifications.
    pub notifications: i64,
    /// Messages.
    pub messages: i64,
}

pub async fn notification_list(
    world: &World,
    user: UserId,
    page: FeedRequest,
) -> Result<FeedPage<NotificationRow>> {
    world.db.notifications_find(NotificationsFind { user, page, now: world.now() }).await
}

pub async fn unread_counts(world: &World, user: UserId) -> Result<UnreadCounts> {
    let now = world.now();
    let notifications = world.db.notifications_unread(user, now).await?;
    Ok(UnreadCounts { notifications, messages: world.db.messages_unread(user, now).await? })
}

/// Everything up to `until` was seen. Again is the same.
pub async fn notifications_read(world: &World, user: UserId, until: FeedKey) -> Result<UnreadCounts> {
    world.db.notifications_read(NotificationsRead { user, until }).await?;
    world.community.news.announce(user);
    unread_counts(world, user).await
}

pub async fn notification_settings(world: &World, user: UserId) -> Result<NotificationSettings> {
    world.db.notification_settings(user).await
}

/// Replaces the kinds that are switched off.
pub async fn notification_settings_update(
    world: &World,
    user: UserId,
    off: &[String],
) -> Result<NotificationSettings> {
    let unknown = || Rejection::invalid("off", FieldProblem::NotOneOf { allowed: NotificationKind::NAMES });
    let off: Option<Vec<NotificationKind>> = off.iter().map(|name| NotificationKind::parse(name)).collect();
    world
        .db
        .notification_switches_set(NotificationSwitchesSet { user, off: off.ok_or_else(unknown)? })
        .await?;
    notification_settings(world, user).await
}

/// Does not hear of a person or a thread any more, or hears of it again. Again is the same.
pub async fn mute_set(world: &World, user: UserId, mute: Mute, on: bool) -> Result<()> {
    world.db.mute_set(MuteSet { user, mute, on, now: world.now() }).await
}
