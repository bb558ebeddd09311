//! The ports of sales and pictures, one line per method.

use domain::fingerprint::Fingerprint;
use domain::ids::{ActivityId, PictureId, UserId};
use domain::page::{Page, PageRequest};

use super::{pictures, reminders};
use crate::Db;
use crate::failure::Result;
use crate::model::*;
use crate::steps::activities;

impl Db {
    /// Whatever was approved at some time, the newest first.
    pub async fn sale_list(&self, page: PageRequest) -> Result<Page<ActivityRow>> {
        self.read(page, |tx, page| Box::pin(activities::sale_list(tx, page))).await
    }

    pub async fn sale_extend(&self, step: SaleExtend) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(activities::extend(tx, step))).await
    }

    /// Again is the same.
    pub async fn reminder_set(&self, step: ReminderSet) -> Result<()> {
        self.write(step, |tx, step| Box::pin(reminders::set(tx, step))).await
    }

    /// Answers whether there was one.
    pub async fn reminder_drop(&self, activity: ActivityId, user: UserId) -> Result<bool> {
        self.write((activity, user), |tx, step| Box::pin(reminders::drop_one(tx, step))).await
    }

    /// By activity, the newest first.
    pub async fn reminder_list(&self, user: UserId, page: PageRequest) -> Result<Page<ReminderRow>> {
        self.read((user, page), |tx, step| Box::pin(reminders::list(tx, step))).await
    }

    /// Tells of starts, each person once of each; answers how many were told.
    pub async fn reminders_tell(&self, step: RemindersTell) -> Result<u32> {
        self.write(step, |tx, step| Box::pin(reminders::tell_due(tx, step))).await
    }
}

impl Db {
    /// One that was uploaded before, by what it was.
    pub async fn picture_find_by_digest(&self, digest: Fingerprint) -> Result<Option<PictureRow>> {
        self.read(digest, |tx, digest| Box::pin(pictures::find_by_digest(tx, digest))).await
    }

    /// Answers the picture, and whether it is new.
    pub async fn picture_keep(&self, step: PictureKeep) -> Result<(PictureRow, bool)> {
        self.write(step, |tx, step| Box::pin(pictures::keep(tx, step))).await
    }

    /// The widths that there are of it; none of a picture that is not there.
    pub async fn picture_widths(&self, id: PictureId) -> Result<Vec<u32>> {
        self.read(id, |tx, id| Box::pin(pictures::widths(tx, id))).await
    }

    pub async fn picture_size(&self, id: PictureId, width: u32) -> Result<Option<PictureSize>> {
        self.read((id, width), |tx, step| Box::pin(pictures::size(tx, step))).await
    }
}
