//! The port of the outbox, one line per method.

use domain::page::{Page, PageRequest};
use domain::time::Timestamp;

use super::{dead_letters, due, finish, lanes};
use crate::Db;
use crate::failure::Result;
use crate::model::{DeadLetter, FailedAttempt, Finish, LaneClaim, LaneFence, LaneFigures, Message, Redrive};

impl Db {
    /// Takes or renews a lane; nothing while another holds it.
    pub async fn lane_claim(&self, step: LaneClaim) -> Result<Option<LaneFence>> {
        self.write(step, |tx, step| Box::pin(lanes::claim(tx, step))).await
    }

    /// Ends every lease: for whoever knows that no other process is at work here.
    pub async fn lanes_end(&self) -> Result<()> {
        self.write((), |tx, ()| Box::pin(lanes::end(tx))).await
    }

    /// A look is a read: an idle lane asks several times a second. Only what is held back is written.
    /// Messages that are due, in order, without those that an earlier one of the same user holds back: these are moved to
    /// when that one is tried again.
    pub async fn outbox_due(&self, fence: LaneFence, now: Timestamp, limit: u32) -> Result<Vec<Message>> {
        let asked = (fence.lane.clone(), now, limit);
        let due = self.read(asked, |tx, step| Box::pin(due::due(tx, step))).await?;
        if !due.held.is_empty() {
            self.write((fence, due.held), |tx, step| Box::pin(due::hold(tx, step))).await?;
        }
        Ok(due.messages)
    }

    /// What came of messages, in one transaction with what follows for the prizes they give. A message that is not there
    /// any more, or was tried meanwhile, is passed over.
    pub async fn outbox_finish(&self, step: Finish) -> Result<()> {
        self.write(step, |tx, step| Box::pin(finish::finish(tx, step))).await
    }

    pub async fn lane_figures(&self, lane: String, now: Timestamp) -> Result<LaneFigures> {
        self.read((lane, now), |tx, step| Box::pin(due::figures(tx, step))).await
    }

    /// Dead letters, of one lane or of all, the newest first.
    pub async fn dead_letters(&self, lane: Option<String>, page: PageRequest) -> Result<Page<DeadLetter>> {
        self.read((lane, page), |tx, step| Box::pin(dead_letters::list(tx, step))).await
    }

    /// One, with its failed attempts, the oldest first.
    pub async fn dead_letter(&self, id: i64) -> Result<Option<(DeadLetter, Vec<FailedAttempt>)>> {
        self.read(id, |tx, step| Box::pin(dead_letters::find(tx, step))).await
    }

    /// Puts dead letters back under their own ids, with no attempt counted. Answers how many.
    pub async fn redrive(&self, step: Redrive) -> Result<u64> {
        self.write(step, |tx, step| Box::pin(dead_letters::redrive(tx, step))).await
    }
}
