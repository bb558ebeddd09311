//! The port of points, one line per method.

use domain::Rejection;
use domain::ids::UserId;
use domain::page::{Page, PageRequest};
use domain::points::PointsAccount;
use domain::time::Timestamp;

use super::{adjust, expire, level, post, read};
use crate::db::Db;
use crate::failure::{Fault, Result};
use crate::model::{
    ByHand, Fence, POINTS_BATCH_MAX, PointsAdjust, PointsGive, PointsRow, PostedEntry, Posting,
};

impl Db {
    /// Each is carried out or refused for itself, in order, all in one transaction.
    pub async fn points_post(&self, postings: Vec<Posting>) -> Result<Vec<Result<PostedEntry, Rejection>>> {
        if postings.len() > POINTS_BATCH_MAX {
            return Err(Fault::new(format!("more than {POINTS_BATCH_MAX} postings at once")).into());
        }
        self.write(postings, |tx, postings| Box::pin(post::post_all(tx, postings))).await
    }

    /// The same, and every message whose posting was carried out is done, in the same transaction.
    pub async fn points_give(&self, step: PointsGive) -> Result<Vec<Result<PostedEntry, Rejection>>> {
        if step.postings.len() > POINTS_BATCH_MAX || step.postings.len() != step.messages.len() {
            return Err(Fault::new("postings and messages that do not go together").into());
        }
        self.write(step, |tx, step| Box::pin(post::give(tx, step))).await
    }

    pub async fn points_adjust(&self, step: PointsAdjust) -> Result<ByHand> {
        self.write(step, |tx, step| Box::pin(adjust::adjust(tx, step))).await
    }

    /// The points at which the levels from 2 on begin. What is so already is not written.
    pub async fn level_steps_set(&self, steps: Vec<i64>) -> Result<()> {
        self.write(steps, |tx, steps| Box::pin(level::set_steps(tx, steps))).await
    }

    /// What an account has ever earned, without what was taken back.
    pub async fn points_earned(&self, user: UserId) -> Result<i64> {
        self.read(user, |tx, user| Box::pin(level::find_earned(tx, user))).await
    }

    /// An account that nothing was ever posted to is empty.
    pub async fn points_of(&self, user: UserId) -> Result<PointsAccount> {
        self.read(user, |tx, user| Box::pin(read::account(tx, user))).await
    }

    /// The newest rows first.
    pub async fn points_statement(&self, user: UserId, page: PageRequest) -> Result<Page<PointsRow>> {
        self.read((user, page), |tx, step| Box::pin(read::statement(tx, step))).await
    }

    /// Takes what is past its time off a bounded number of accounts; answers off how many.
    pub async fn points_expire(&self, fence: Fence, now: Timestamp, limit: u32) -> Result<u64> {
        self.write((fence, now, limit), |tx, step| Box::pin(expire::expire(tx, step))).await
    }
}
