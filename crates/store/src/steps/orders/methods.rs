//! The port of orders, one line per method.

use domain::ids::{ActivityId, OrderId, PaymentId, UserId};
use domain::ledger::Key;
use domain::page::{Page, PageRequest};
use domain::time::Timestamp;

use super::{address, hours, open, pay, queries, refund};
use crate::Db;
use crate::failure::Result;
use crate::model::*;
use crate::steps::outbox;

impl Db {
    pub async fn sale_order(&self, id: OrderId) -> Result<Option<SaleOrder>> {
        self.read(id, |tx, id| Box::pin(queries::find(tx, id))).await
    }

    /// The newest first.
    pub async fn sale_order_list(&self, search: OrderSearch, page: PageRequest) -> Result<Page<SaleOrder>> {
        self.read((search, page), |tx, step| Box::pin(queries::list(tx, step))).await
    }

    /// Hours of a sale from this one on, in order; [`SALE_HOURS_MAX`] rows at most, of which the last hour may be cut short.
    pub async fn sale_hours(&self, sale: ActivityId, from_hour: i64) -> Result<Vec<SaleHour>> {
        self.read((sale, from_hour), |tx, step| Box::pin(hours::of(tx, step))).await
    }

    /// Orders and payments of a sale in the [`MINUTES_MAX`] minutes from a moment on, in order.
    pub async fn sale_minutes(&self, sale: ActivityId, from: Timestamp) -> Result<Vec<SaleMinute>> {
        self.read((sale, from), |tx, step| Box::pin(hours::minutes(tx, step))).await
    }

    /// The order under a key of its user's; there is one for each key.
    pub async fn sale_order_open(&self, step: OrderOpen) -> Result<OpenedOrder> {
        self.write(step, |tx, step| Box::pin(open::open(tx, step))).await
    }

    /// The order under a key that nothing is held for.
    pub async fn sale_order_under(&self, key: Key) -> Result<Option<OrderId>> {
        self.read(key, |tx, key| Box::pin(queries::under(tx, key))).await
    }

    /// Everybody who ever had an order of a sale, in whatever state it is; `limit` of them at most.
    pub async fn sale_buyers(&self, sale: ActivityId, limit: u32) -> Result<Vec<UserId>> {
        self.read((sale, limit), |tx, step| Box::pin(queries::buyers(tx, step))).await
    }

    /// Of an order that nothing is held for. One that was cancelled before stays so.
    pub async fn sale_order_cancel(&self, id: OrderId, now: Timestamp) -> Result<SaleOrder> {
        self.write((id, now), |tx, step| Box::pin(open::cancel(tx, step))).await
    }

    /// Says where the parcels of an unpaid order go.
    pub async fn sale_order_address(&self, step: OrderAddressSet) -> Result<SaleOrder> {
        self.write(step, |tx, step| Box::pin(address::choose(tx, step))).await
    }

    /// Orders that nothing is held for and that nobody paid in time: a bounded number. Answers how many.
    pub async fn sale_orders_lapse(&self, fence: Fence, now: Timestamp, limit: u32) -> Result<u64> {
        self.write((fence, now, limit), |tx, step| Box::pin(open::lapse(tx, step))).await
    }

    /// Writes the payment and its message, once per provider and reference: the same again answers the row as it is.
    pub async fn payment_arrive(&self, step: PaymentArrive) -> Result<PaymentRow> {
        self.write(step, |tx, step| Box::pin(pay::arrive(tx, step))).await
    }

    pub async fn payment(&self, id: PaymentId) -> Result<Option<PaymentRow>> {
        self.read(id, |tx, id| Box::pin(queries::payment(tx, id))).await
    }

    /// Of one order, the oldest first.
    pub async fn payments_of(&self, order: OrderId) -> Result<Vec<PaymentRow>> {
        self.read(order, |tx, order| Box::pin(queries::payments(tx, order))).await
    }

    /// The order is paid, and what was bought goes on its way; or its money goes back. One that was settled stays so.
    pub async fn payment_settle(&self, step: PaymentSettle) -> Result<SaleOrder> {
        self.write(step, |tx, step| Box::pin(pay::settle(tx, step))).await
    }

    pub async fn sale_refund_ask(&self, step: RefundAsk) -> Result<RefundOutcome> {
        self.write(step, |tx, step| Box::pin(refund::ask(tx, step))).await
    }

    /// The provider has given the money back.
    pub async fn refund_done(&self, payment: PaymentId, now: Timestamp) -> Result<()> {
        self.write((payment, now), |tx, step| Box::pin(refund::done(tx, step))).await
    }

    /// What one person has, the newest first; what was paid back is not theirs any more.
    pub async fn collectibles_of(&self, user: UserId, page: PageRequest) -> Result<Page<Collectible>> {
        self.read((user, page), |tx, step| Box::pin(queries::collectibles(tx, step))).await
    }

    /// A message that pays an order in the sandbox, later.
    pub async fn sandbox_later(
        &self,
        order: OrderId,
        message: i64,
        now: Timestamp,
        due: Timestamp,
    ) -> Result<()> {
        let message = NewMessage {
            id: message,
            lane: SANDBOX.to_owned(),
            user: None,
            kind: SANDBOX,
            subject: order.0,
            body: "{}".to_owned(),
            made: now,
            due,
        };
        self.write(vec![message], |tx, messages| Box::pin(outbox::put(tx, messages))).await
    }
}
