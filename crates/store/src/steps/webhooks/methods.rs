//! The port of webhooks, one line per method.

use domain::ids::{UserId, WebhookId};
use domain::page::{Page, PageRequest};

use super::{attempts, columns, replay, sweep, write};
use crate::Db;
use crate::failure::Result;
use crate::model::{
    AttemptBatch, AttemptRetention, AuditStamp, CreateOutcome, DeliveryRow, FanOut, Fence, NewMessage,
    Replay, ReplayCount, WebhookCreate, WebhookEdit, WebhookRotate, WebhookRow,
};

impl Db {
    pub async fn webhook_create(&self, step: WebhookCreate) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(write::create(tx, step))).await
    }

    pub async fn webhook_edit(&self, step: WebhookEdit) -> Result<WebhookRow> {
        self.write(step, |tx, step| Box::pin(write::edit(tx, step))).await
    }

    pub async fn webhook_rotate(&self, step: WebhookRotate) -> Result<CreateOutcome> {
        self.write(step, |tx, step| Box::pin(write::rotate(tx, step))).await
    }

    /// Switching on what is on, or off what is off, changes nothing.
    pub async fn webhook_switch(&self, id: WebhookId, on: bool, signed: AuditStamp) -> Result<WebhookRow> {
        self.write((id, on, signed), |tx, step| Box::pin(write::switch(tx, step))).await
    }

    pub async fn webhook_remove(&self, id: WebhookId, signed: AuditStamp) -> Result<()> {
        self.write((id, signed), |tx, step| Box::pin(write::remove(tx, step))).await
    }

    /// The newest first; `WEBHOOKS_MAX` at most.
    pub async fn webhook_list(&self) -> Result<Vec<WebhookRow>> {
        self.read((), |tx, ()| Box::pin(columns::list(tx))).await
    }

    pub async fn webhook_find(&self, id: WebhookId) -> Result<Option<WebhookRow>> {
        self.read(id, |tx, id| Box::pin(columns::find(tx, id))).await
    }

    /// Copies and events in one transaction.
    pub async fn fan_out(&self, step: FanOut) -> Result<()> {
        self.write(step, |tx, step| Box::pin(attempts::fan_out(tx, step))).await
    }

    /// A message for one subscription alone.
    pub async fn webhook_tell(&self, id: WebhookId, message: NewMessage, signed: AuditStamp) -> Result<()> {
        self.write((id, message, signed), |tx, step| Box::pin(write::tell(tx, step))).await
    }

    /// Writes attempts down, and how the receiver does. Answers whether it was given up just now.
    pub async fn deliveries_write(&self, step: AttemptBatch) -> Result<bool> {
        self.write(step, |tx, step| Box::pin(attempts::record_attempts(tx, step))).await
    }

    /// The newest first; of one delivery if it is named.
    pub async fn deliveries(
        &self,
        id: WebhookId,
        delivery: Option<i64>,
        page: PageRequest,
    ) -> Result<Page<DeliveryRow>> {
        self.read((id, delivery, page), |tx, step| Box::pin(attempts::list(tx, step))).await
    }

    /// Puts deliveries back under their own ids. What waits already is left alone among many, and refused if asked for.
    pub async fn delivery_replay(&self, step: Replay) -> Result<ReplayCount> {
        self.write(step, |tx, step| Box::pin(replay::replay(tx, step))).await
    }

    /// Clears away what is not kept, and what was removed. Answers how many rows went.
    pub async fn deliveries_sweep(&self, fence: Fence, keep: AttemptRetention, limit: u32) -> Result<u64> {
        self.write((fence, keep, limit), |tx, step| Box::pin(sweep::sweep(tx, step))).await
    }

    /// The company's own ids of users, of those who have one.
    pub async fn external_ids(&self, users: Vec<UserId>) -> Result<Vec<(UserId, String)>> {
        self.read(users, |tx, users| Box::pin(attempts::external_ids(tx, users))).await
    }
}
