//! An order that is deducted at payment is written, and whoever wrote it does not hear of it. What happens to the sale meanwhile
//! is no reason for a "no": the attempt was told in, and the order is there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use domain::Rejection;
use domain::ids::{ActivityId, OrderId, PaymentId, UserId};
use domain::ledger::Key;
use domain::page::{Page, PageRequest};
use domain::sale::AttemptState;
use domain::time::Timestamp;
use engine::Outcome;
use engine::flows::activity as flow;
use engine::flows::sale::{Asked, attempt, attempt_look};
use engine::ports::*;
use store::Db;
use tokio::sync::Notify;

use super::given::{buyer, person, sale_at_payment, token_text};
use crate::activities::world::{ANN, Stage};
use crate::process::LIMIT;

/// Orders, of which the first is written and its answer lost.
struct Losing {
    db: Db,
    lost: AtomicBool,
    written: Arc<Notify>,
    go_on: Arc<Notify>,
}

#[async_trait]
impl Orders for Losing {
    async fn sale_order(&self, id: OrderId) -> Outcome<Option<SaleOrder>> {
        self.db.sale_order(id).await
    }

    async fn sale_order_list(&self, search: OrderSearch, page: PageRequest) -> Outcome<Page<SaleOrder>> {
        self.db.sale_order_list(search, page).await
    }

    async fn sale_hours(&self, sale: ActivityId, from_hour: i64) -> Outcome<Vec<SaleHour>> {
        self.db.sale_hours(sale, from_hour).await
    }

    async fn sale_order_open(&self, step: OrderOpen) -> Outcome<Opened> {
        let opened = self.db.sale_order_open(step).await;
        if self.lost.swap(true, Ordering::SeqCst) {
            return opened;
        }
        opened?;
        self.written.notify_one();
        self.go_on.notified().await;
        Err(Rejection::OutcomeUnknown.into())
    }

    async fn sale_order_under(&self, key: Key) -> Outcome<Option<OrderId>> {
        self.db.sale_order_under(key).await
    }

    async fn sale_buyers(&self, sale: ActivityId, limit: u32) -> Outcome<Vec<UserId>> {
        self.db.sale_buyers(sale, limit).await
    }

    async fn sale_order_cancel(&self, id: OrderId, now: Timestamp) -> Outcome<SaleOrder> {
        self.db.sale_order_cancel(id, now).await
    }

    async fn sale_orders_lapse(&self, fence: Fence, now: Timestamp, limit: u32) -> Outcome<u64> {
        self.db.sale_orders_lapse(fence, now, limit).await
    }

    async fn payment_arrive(&self, step: PaymentArrive) -> Outcome<PaymentRow> {
        self.db.payment_arrive(step).await
    }

    async fn payment(&self, id: PaymentId) -> Outcome<Option<PaymentRow>> {
        self.db.payment(id).await
    }

    async fn payments_of(&self, order: OrderId) -> Outcome<Vec<PaymentRow>> {
        self.db.payments_of(order).await
    }

    async fn payment_settle(&self, step: PaymentSettle) -> Outcome<SaleOrder> {
        self.db.payment_settle(step).await
    }

    async fn refund_ask(&self, step: RefundAsk) -> Outcome<RefundOutcome> {
        self.db.refund_ask(step).await
    }

    async fn refund_done(&self, payment: PaymentId, now: Timestamp) -> Outcome<()> {
        self.db.refund_done(payment, now).await
    }

    async fn collectibles_of(&self, user: UserId, page: PageRequest) -> Outcome<Page<Collectible>> {
        self.db.collectibles_of(user, page).await
    }

    async fn sandbox_later(
        &self,
        order: OrderId,
        message: i64,
        now: Timestamp,
        due: Timestamp,
    ) -> Outcome<()> {
        self.db.sandbox_later(order, message, now, due).await
    }
}

#[tokio::test]
async fn an_order_whose_answer_was_lost_is_told_whatever_became_of_the_sale() {
    const USER: i64 = 7;
    let mut stage = Stage::new().await;
    person(&stage, UserId(USER)).await;
    let sale = sale_at_payment(&stage, 5).await;
    let token = token_text(&stage, sale, USER).await;
    let (written, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    stage.world.orders = Arc::new(Losing {
        db: stage.db.clone(),
        lost: AtomicBool::new(false),
        written: Arc::clone(&written),
        go_on: Arc::clone(&go_on),
    });
    let paused = stage.signed(ANN);
    let world = Arc::new(stage.world);
    let stop = Arc::new(Notify::new());
    let deciding = {
        let (world, stop) = (Arc::clone(&world), Arc::clone(&stop));
        tokio::spawn(async move { engine::attempts::run_until(world, stop.notified()).await })
    };
    let asked = vec![Asked { line: None, sale, quantity: 1, token: Some(token), price_minor: None }];
    let (told, _) = attempt(&world, buyer(USER), asked, Some("wish".to_owned())).await.unwrap();
    assert_eq!(told.state, AttemptState::Queued);
    written.notified().await;
    flow::activity_run(&world, paused, None, sale, flow::Run::Pause).await.unwrap();
    go_on.notify_one();
    let told = attempt_look(&world, UserId(USER), told.id, LIMIT).await.unwrap();
    assert_eq!(told.state, AttemptState::Ordered(told.id), "the order is there");
    stop.notify_one();
    deciding.await.unwrap();
}
