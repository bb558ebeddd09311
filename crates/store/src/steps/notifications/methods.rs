//! The steps of notifications as methods of `Db`.

use domain::community::FeedKey;
use domain::ids::UserId;
use domain::time::Timestamp;

use super::{lists, settings, write};
use crate::db::Db;
use crate::failure::Result;
use crate::model::{
    FeedPage, MuteSet, NotificationRow, NotificationSettings, NotificationSwitchesSet, NotificationsFind,
    NotificationsRead, NotificationsSince, NotificationsWrite,
};

impl Db {
    /// Writes what messages say, with the end of those messages. Answers whose notifications changed.
    pub async fn notifications_write(&self, step: NotificationsWrite) -> Result<Vec<UserId>> {
        self.write(step, |tx, step| Box::pin(write::write(tx, step))).await
    }

    pub async fn notifications_find(&self, step: NotificationsFind) -> Result<FeedPage<NotificationRow>> {
        self.read(step, |tx, step| Box::pin(lists::find(tx, step))).await
    }

    /// What came after a key, the oldest first, and the key to continue after.
    pub async fn notifications_since(
        &self,
        step: NotificationsSince,
    ) -> Result<(Vec<NotificationRow>, FeedKey)> {
        self.read(step, |tx, step| Box::pin(lists::since(tx, step))).await
    }

    pub async fn notifications_unread(&self, user: UserId, now: Timestamp) -> Result<i64> {
        self.read((user, now), |tx, step| Box::pin(lists::count_unread(tx, step))).await
    }

    pub async fn notifications_newest(&self, user: UserId) -> Result<FeedKey> {
        self.read(user, |tx, step| Box::pin(lists::newest(tx, step))).await
    }

    pub async fn notifications_read(&self, step: NotificationsRead) -> Result<()> {
        self.write(step, |tx, step| Box::pin(lists::mark_read(tx, step))).await
    }

    pub async fn notification_settings(&self, user: UserId) -> Result<NotificationSettings> {
        self.read(user, |tx, step| Box::pin(settings::find(tx, step))).await
    }

    pub async fn notification_switches_set(&self, step: NotificationSwitchesSet) -> Result<()> {
        self.write(step, |tx, step| Box::pin(settings::switch(tx, step))).await
    }

    pub async fn mute_set(&self, step: MuteSet) -> Result<()> {
        self.write(step, |tx, step| Box::pin(settings::mute(tx, step))).await
    }
}
