//! The ports of sales and pictures, one line per method.

use async_trait::async_trait;
use domain::fingerprint::Fingerprint;
use domain::ids::{ActivityId, PictureId, UserId};
use domain::page::{Page, PageRequest};
use engine::Outcome;
use engine::ports::*;

use super::{pictures, reminders};
use crate::Db;
use crate::steps::activities;

#[async_trait]
impl Sales for Db {
    async fn sale_list(&self, page: PageRequest) -> Outcome<Page<ActivityRow>> {
        self.read(page, |tx, page| Box::pin(activities::sale_list(tx, page))).await
    }

    async fn sale_extend(&self, step: SaleExtend) -> Outcome<Made> {
        self.write(step, |tx, step| Box::pin(activities::extend(tx, step))).await
    }

    async fn reminder_set(&self, step: ReminderSet) -> Outcome<()> {
        self.write(step, |tx, step| Box::pin(reminders::set(tx, step))).await
    }

    async fn reminder_drop(&self, activity: ActivityId, user: UserId) -> Outcome<bool> {
        self.write((activity, user), |tx, step| Box::pin(reminders::drop_one(tx, step))).await
    }

    async fn reminder_list(&self, user: UserId, page: PageRequest) -> Outcome<Page<ReminderRow>> {
        self.read((user, page), |tx, step| Box::pin(reminders::list(tx, step))).await
    }

    async fn reminders_tell(&self, step: RemindersTell) -> Outcome<u32> {
        self.write(step, |tx, step| Box::pin(reminders::tell_due(tx, step))).await
    }
}

#[async_trait]
impl Pictures for Db {
    async fn picture_known(&self, digest: Fingerprint) -> Outcome<Option<PictureRow>> {
        self.read(digest, |tx, digest| Box::pin(pictures::known(tx, digest))).await
    }

    async fn picture_keep(&self, step: PictureKeep) -> Outcome<(PictureRow, bool)> {
        self.write(step, |tx, step| Box::pin(pictures::keep(tx, step))).await
    }

    async fn picture_widths(&self, id: PictureId) -> Outcome<Vec<u32>> {
        self.read(id, |tx, id| Box::pin(pictures::widths(tx, id))).await
    }

    async fn picture_size(&self, id: PictureId, width: u32) -> Outcome<Option<PictureSize>> {
        self.read((id, width), |tx, step| Box::pin(pictures::size(tx, step))).await
    }
}
