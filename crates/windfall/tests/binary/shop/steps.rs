//! The process dies between any two steps of an order: nothing is left, or one whole order.

use std::sync::Arc;
use std::time::Instant;

use domain::fulfilment::FulfilmentState;
use domain::ids::{OfferId, ShopOrderId, UserId};
use domain::ledger::PoolView;
use domain::page::PageRequest;
use domain::points::{Amount, Move, NEVER};
use domain::shop::{OfferChange, OfferDraft, OfferKind, OfferState, Settling, ShopOrderState};
use domain::time::{MINUTE_MS, Timestamp};
use engine::ports::Stock as _;
use engine::relay::{drain, handlers};
use engine::shop::{NewOffer, buy, offer_edit, offer_make, offer_restock, settle};
use store::Db;
use store::interruption::{Interruption, StepMoment};
use store::model::*;
use tokio::sync::Notify;

use crate::activities::world::{ANN, BOB, Stage, T0};
use crate::process::LIMIT;

const KEY: &str = "one order";

/// How many messages were carried out. The index of the search, which hears of each offer, is not looked at here.
async fn carried_out(stage: &Stage) -> u64 {
    let of_orders: Vec<_> = handlers().into_iter().filter(|handler| handler.name() != SEARCH).collect();
    drain(&stage.world, &of_orders, "w").await.unwrap()
}

/// What an order is settled with.
type Settle = (ShopOrderId, Settling, Timestamp);

/// Where the process dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dies {
    /// The units are held, and nothing is paid.
    BeforePaying,
    /// Paid, and nobody was told.
    AfterPaying,
    /// The ledger has taken the units, and the order does not know.
    BeforeSettling,
    /// All is written, and nobody was told.
    AfterSettling,
}

impl Dies {
    fn interrupt(self, db: &Db, died: &Arc<Notify>) {
        let death = Interruption::Death { reached: Arc::clone(died) };
        match self {
            Self::BeforePaying => db.interrupt::<OrderPlace>(StepMoment::Before, death),
            Self::AfterPaying => db.interrupt::<OrderPlace>(StepMoment::After, death),
            Self::BeforeSettling => db.interrupt::<Settle>(StepMoment::Before, death),
            Self::AfterSettling => db.interrupt::<Settle>(StepMoment::After, death),
        }
    }
}

/// An offer of so many words for ten points, and two people with ten points each.
async fn offered(stage: &Stage, stock: i64) -> OfferId {
    let world = &stage.world;
    for user in [ANN, BOB] {
        let (external_id, name) = (user.to_string(), format!("Player {user}"));
        let mark = [u8::try_from(user.0 % 251).unwrap(); 32];
        let step = ExternalUser { external_id, mark, id: user, name, sign_up_day: 20_260_101, now: T0 };
        stage.db.external_user(step).await.unwrap();
        let asked = Move::Credit { amount: Amount::new(10).unwrap(), expires: NEVER };
        let (key, reason) = ("start".to_owned(), "start".to_owned());
        stage.db.points_post(vec![Posting { user, asked, key, reason, at: T0 }]).await.unwrap();
    }
    let draft = OfferDraft {
        name: "a kind word".to_owned(),
        name_en: String::new(),
        text: String::new(),
        text_en: String::new(),
        gives: OfferKind::Text,
        price: 10,
        limit: 1,
        from: None,
        until: None,
    };
    let signed = || world.audit_stamp(Actor::Console, "as planned", "test");
    let made = offer_make(world, signed(), None, NewOffer { draft, stock }).await.unwrap();
    let on = OfferChange { state: Some(OfferState::On), ..OfferChange::default() };
    offer_edit(world, signed(), made.row.id, 1, on).await.unwrap();
    made.row.id
}

/// Ann buys one and the process dies there; another one starts.
async fn dies(stage: Stage, offer: OfferId, at: Dies) -> Stage {
    let died = Arc::new(Notify::new());
    at.interrupt(&stage.db, &died);
    tokio::select! {
        bought = buy(&stage.world, ANN, offer, 1, Some(KEY.to_owned())) => panic!("it lives: {bought:?}"),
        () = died.notified() => {}
    }
    let stage = stage.restarted().await;
    stage.db.lanes_end().await.unwrap();
    stage
}

async fn balance(stage: &Stage, user: UserId) -> i64 {
    stage.db.points_of(user).await.unwrap().balance
}

async fn pool(stage: &Stage, offer: OfferId) -> PoolView {
    let name = domain::ledger::PoolName::new(&format!("shop/{offer}")).unwrap();
    stage.stock.pool(name.pool()).await.unwrap().unwrap()
}

/// Free, held and taken, once they are so.
async fn counts(stage: &Stage, offer: OfferId, expected: [u64; 3]) {
    let started = Instant::now();
    loop {
        let view = pool(stage, offer).await;
        let counts = [view.available, view.held, view.taken];
        if counts == expected {
            return;
        }
        assert!(started.elapsed() < LIMIT, "{counts:?}, not {expected:?}");
        tokio::task::yield_now().await;
    }
}

async fn orders(stage: &Stage) -> Vec<ShopOrderRow> {
    stage.db.order_list(ANN, PageRequest::first(10)).await.unwrap().items
}

async fn given(stage: &Stage, order: &ShopOrderRow) -> FulfilmentState {
    stage.db.fulfilment(order.things[0]).await.unwrap().unwrap().standing.state
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_before_paying_leaves_a_hold_that_the_same_key_takes_up() {
    let stage = Stage::new().await;
    let offer = offered(&stage, 5).await;
    let stage = dies(stage, offer, Dies::BeforePaying).await;
    counts(&stage, offer, [4, 1, 0]).await;
    assert_eq!((balance(&stage, ANN).await, orders(&stage).await), (10, vec![]));
    assert_eq!(carried_out(&stage).await, 0);
    // Ann may have one, and that is hers.
    let (told, replayed) = buy(&stage.world, ANN, offer, 1, Some(KEY.to_owned())).await.unwrap();
    assert_eq!((told.order.state, replayed), (ShopOrderState::Done, false));
    counts(&stage, offer, [4, 0, 1]).await;
    assert_eq!(balance(&stage, ANN).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hold_that_nobody_pays_for_lapses_and_its_key_buys_later() {
    let stage = Stage::new().await;
    let offer = offered(&stage, 5).await;
    let stage = dies(stage, offer, Dies::BeforePaying).await;
    stage.set(3 * MINUTE_MS);
    counts(&stage, offer, [5, 0, 0]).await;
    let (told, _) = buy(&stage.world, ANN, offer, 1, Some(KEY.to_owned())).await.unwrap();
    assert_eq!(told.order.state, ShopOrderState::Done);
    counts(&stage, offer, [4, 0, 1]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_after_paying_is_gone_on_from_by_the_relay() {
    for at in [Dies::AfterPaying, Dies::BeforeSettling, Dies::AfterSettling] {
        let stage = Stage::new().await;
        let offer = offered(&stage, 5).await;
        let stage = dies(stage, offer, at).await;
        let order = orders(&stage).await.remove(0);
        let expected = if at == Dies::AfterSettling { ShopOrderState::Done } else { ShopOrderState::Placed };
        assert_eq!((order.state, balance(&stage, ANN).await), (expected, 0), "{at:?}");
        assert_eq!(carried_out(&stage).await, 1, "{at:?}");
        for _ in 0..2 {
            let orders = orders(&stage).await;
            assert_eq!((orders.len(), orders[0].state), (1, ShopOrderState::Done), "{at:?}");
            assert_eq!(given(&stage, &orders[0]).await, FulfilmentState::Given);
            counts(&stage, offer, [4, 0, 1]).await;
            // Ann asks again, and hears of the same order.
            let (told, replayed) = buy(&stage.world, ANN, offer, 1, Some(KEY.to_owned())).await.unwrap();
            assert_eq!((told.order.id, replayed), (order.id, true), "{at:?}");
        }
        assert_eq!(carried_out(&stage).await, 0, "{at:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hold_that_lapsed_is_taken_again_while_there_are_any() {
    let stage = Stage::new().await;
    let offer = offered(&stage, 2).await;
    let stage = dies(stage, offer, Dies::AfterPaying).await;
    stage.set(3 * MINUTE_MS);
    counts(&stage, offer, [2, 0, 0]).await;
    assert_eq!(carried_out(&stage).await, 1);
    let order = orders(&stage).await.remove(0);
    assert_eq!((order.state, given(&stage, &order).await), (ShopOrderState::Done, FulfilmentState::Given));
    counts(&stage, offer, [1, 0, 1]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_gone_by_then_is_paid_back() {
    let stage = Stage::new().await;
    let offer = offered(&stage, 1).await;
    let stage = dies(stage, offer, Dies::AfterPaying).await;
    stage.set(3 * MINUTE_MS);
    counts(&stage, offer, [1, 0, 0]).await;
    buy(&stage.world, BOB, offer, 1, None).await.unwrap();
    assert_eq!(carried_out(&stage).await, 2);
    let order = orders(&stage).await.remove(0);
    assert_eq!((order.state, order.note.as_deref()), (ShopOrderState::Reversed, Some("sold_out")));
    assert_eq!((given(&stage, &order).await, balance(&stage, ANN).await), (FulfilmentState::Voided, 10));
    assert_eq!(balance(&stage, BOB).await, 0);
    counts(&stage, offer, [0, 0, 1]).await;
    // The key has had its order; another one may be tried.
    let (told, replayed) = buy(&stage.world, ANN, offer, 1, Some(KEY.to_owned())).await.unwrap();
    assert_eq!((told.order.state, replayed), (ShopOrderState::Reversed, true));
    let refused = buy(&stage.world, ANN, offer, 1, None).await.unwrap_err();
    assert_eq!((refused.code(), balance(&stage, ANN).await), (Some("sold_out"), 10));
    // Somebody who still holds the order for placed comes late, and there are units again: none is taken for it.
    let signed = stage.world.audit_stamp(Actor::Console, "a delivery", "test");
    offer_restock(&stage.world, signed, offer, "more", 1).await.unwrap();
    let late = ShopOrderRow { state: ShopOrderState::Placed, ..order };
    assert_eq!(settle(&stage.world, &late).await.unwrap().state, ShopOrderState::Reversed);
    counts(&stage, offer, [1, 0, 1]).await;
}

/// A request with a key looks for its order, finds none, and waits; meanwhile another with the same key buys the last one.
/// Both hear of that order: nothing is sold out because of itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repetition_that_comes_too_late_to_buy_hears_of_the_order() {
    let stage = Stage::new().await;
    let offer = offered(&stage, 1).await;
    let (reached, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let pause = Interruption::Pause { reached: Arc::clone(&reached), go_on: Arc::clone(&go_on) };
    stage.db.interrupt::<(UserId, String)>(StepMoment::After, pause);
    let late = buy(&stage.world, ANN, offer, 1, Some(KEY.to_owned()));
    let fast = async {
        reached.notified().await;
        let bought = buy(&stage.world, ANN, offer, 1, Some(KEY.to_owned())).await;
        go_on.notify_one();
        bought
    };
    let (late, fast) = tokio::join!(late, fast);
    let ((late, replayed), (fast, first)) = (late.unwrap(), fast.unwrap());
    assert_eq!((late.order.id, replayed, first), (fast.order.id, true, false));
    counts(&stage, offer, [0, 0, 1]).await;
}
