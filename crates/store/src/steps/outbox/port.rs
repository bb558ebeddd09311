//! The port of the outbox, one line per method.

use async_trait::async_trait;
use domain::page::{Page, PageRequest};
use domain::time::Timestamp;
use engine::Outcome;
use engine::ports::{
    DeadLetter, FailedAttempt, Finish, LaneClaim, LaneFence, LaneFigures, Message, Outbox, Redrive,
};

use super::{dead, due, finish, lanes};
use crate::Db;

#[async_trait]
impl Outbox for Db {
    async fn lane_claim(&self, step: LaneClaim) -> Outcome<Option<LaneFence>> {
        self.write(step, |tx, step| Box::pin(lanes::claim(tx, step))).await
    }

    async fn lanes_end(&self) -> Outcome<()> {
        self.write((), |tx, ()| Box::pin(lanes::end(tx))).await
    }

    /// A look is a read: an idle lane asks several times a second. Only what is held back is written.
    async fn outbox_due(&self, fence: LaneFence, now: Timestamp, limit: u32) -> Outcome<Vec<Message>> {
        let asked = (fence.lane.clone(), now, limit);
        let due = self.read(asked, |tx, step| Box::pin(due::due(tx, step))).await?;
        if !due.held.is_empty() {
            self.write((fence, due.held), |tx, step| Box::pin(due::hold(tx, step))).await?;
        }
        Ok(due.messages)
    }

    async fn outbox_finish(&self, step: Finish) -> Outcome<()> {
        self.write(step, |tx, step| Box::pin(finish::finish(tx, step))).await
    }

    async fn lane_figures(&self, lane: String, now: Timestamp) -> Outcome<LaneFigures> {
        self.read((lane, now), |tx, step| Box::pin(due::figures(tx, step))).await
    }

    async fn dead_letters(&self, lane: Option<String>, page: PageRequest) -> Outcome<Page<DeadLetter>> {
        self.read((lane, page), |tx, step| Box::pin(dead::list(tx, step))).await
    }

    async fn dead_letter(&self, id: i64) -> Outcome<Option<(DeadLetter, Vec<FailedAttempt>)>> {
        self.read(id, |tx, step| Box::pin(dead::find(tx, step))).await
    }

    async fn redrive(&self, step: Redrive) -> Outcome<u64> {
        self.write(step, |tx, step| Box::pin(dead::redrive(tx, step))).await
    }
}
