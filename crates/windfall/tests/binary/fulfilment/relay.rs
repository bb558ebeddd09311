//! A crash between any two steps from the win to what is given: given once, and nothing waits for ever.

use std::sync::Arc;
use std::time::Instant;

use domain::activity::Content;
use domain::fulfilment::FulfilmentState::{self, Failed, HandedOver, Ready};
use domain::ids::{ActivityId, FulfilmentId, UserId};
use domain::page::PageRequest;
use engine::activities::{ReviewTarget, activity_approve, activity_create, activity_submit};
use engine::draws::draw::{DrawAsk, draw};
use engine::ports::*;
use engine::relay::{Handler, HandlerOutcome, drain, handlers};
use serde_json::{Value, json};
use server::forms::{ActivityForm, form_field};
use store::model::*;

use super::fixtures::sure;
use crate::activities::world::{ANN, BOB, Stage, T0};
use crate::process::LIMIT;

const PLAYER: UserId = UserId(3_000);

/// An activity in which everybody wins this.
async fn published(stage: &Stage, prize: &Value) -> ActivityId {
    let mut form = sure(prize);
    (form["from"], form["until"]) = (json!(T0.0 - 1_000), json!(T0.0 + 100_000_000));
    let form: ActivityForm = serde_json::from_value(form).unwrap();
    let written = form.read(ActivityId(0), 1).unwrap();
    let content = Content { configuration: written.configuration, plan: written.plan, cards: written.cards };
    let world = &stage.world;
    let id = activity_create(world, stage.signed(ANN), None, content).await.unwrap();
    activity_submit(world, stage.signed(ANN), None, id, form_field).await.unwrap();
    activity_approve(world, stage.signed(BOB), None, ReviewTarget { id, seen: None }).await.unwrap();
    stage.run_jobs().await;
    id
}

async fn win(stage: &Stage, activity: ActivityId) {
    let ask = DrawAsk { user: PLAYER, id: stage.world.next_id().to_string(), draws: 1, client: None };
    draw(&stage.world, activity, &ask).await.unwrap();
}

/// What was won, once the database has it.
async fn wins(stage: &Stage, count: usize) -> Vec<FulfilmentId> {
    let started = Instant::now();
    loop {
        let wins = stage.db.wins_of(PLAYER, PageRequest::first(100)).await.unwrap().items;
        if wins.len() == count {
            return wins.into_iter().map(|win| FulfilmentId(win.id)).collect();
        }
        assert!(started.elapsed() < LIMIT, "the wins are not projected: {}", wins.len());
        tokio::task::yield_now().await;
    }
}

async fn state(stage: &Stage, id: FulfilmentId) -> FulfilmentState {
    stage.db.fulfilment(id).await.unwrap().unwrap().standing.state
}

async fn granted(stage: &Stage, activity: ActivityId) -> u32 {
    stage.stock.player(activity, PLAYER).await.unwrap().unwrap().account.bonus
}

fn chances() -> Arc<dyn Handler> {
    handlers().into_iter().find(|handler| handler.name() == "chances").unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hole_21_a_crash_anywhere_between_win_and_done_gives_once() {
    let stage = Stage::new().await;
    let activity = published(&stage, &json!({ "kind": "chances", "amount": 7 })).await;
    win(&stage, activity).await;
    // Won, and nobody was told.
    let stage = stage.restarted().await;
    let id = wins(&stage, 1).await[0];
    assert_eq!((state(&stage, id).await, granted(&stage, activity).await), (FulfilmentState::Ready, 0));
    // The message is there, and nobody has looked at it.
    let stage = stage.restarted().await;
    stage.db.lanes_end().await.unwrap();
    let claim =
        LaneClaim { lane: "chances".to_owned(), holder: "dies".to_owned(), now: T0, lease_ms: 60_000 };
    let fence = stage.db.lane_claim(claim).await.unwrap().unwrap();
    let batch = stage.db.outbox_due(fence.clone(), T0 + 1_000, 10).await.unwrap();
    assert_eq!(batch.len(), 1);
    let handled = chances().handle(&stage.world, &fence, &batch).await.unwrap();
    assert_eq!(handled, [HandlerOutcome::Done]);
    // Given, and not written down.
    assert_eq!((state(&stage, id).await, granted(&stage, activity).await), (FulfilmentState::Ready, 7));
    let stage = stage.restarted().await;
    stage.db.lanes_end().await.unwrap();
    assert_eq!(drain(&stage.world, &[chances()], "w").await.unwrap(), 1);
    assert_eq!((state(&stage, id).await, granted(&stage, activity).await), (FulfilmentState::Given, 7));
    // The one that died wakes up and writes what it had to say.
    let came = batch.into_iter().map(|message| (message, DeliveryOutcome::Done)).collect();
    let late = stage.db.outbox_finish(Finish { fence, came, now: T0 }).await;
    assert_eq!(late.unwrap_err().code(), Some("lease_lost"));
    assert_eq!(drain(&stage.world, &[chances()], "w").await.unwrap(), 0);
    assert_eq!(granted(&stage, activity).await, 7);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn points_that_were_won_are_posted_once() {
    let stage = Stage::new().await;
    let activity = published(&stage, &json!({ "kind": "points", "amount": 50 })).await;
    for _ in 0..2 {
        win(&stage, activity).await;
    }
    let ids = wins(&stage, 2).await;
    let claim = LaneClaim { lane: "points".to_owned(), holder: "dies".to_owned(), now: T0, lease_ms: 60_000 };
    let fence = stage.db.lane_claim(claim).await.unwrap().unwrap();
    let batch = stage.db.outbox_due(fence.clone(), T0 + 1_000, 10).await.unwrap();
    let points = handlers().into_iter().find(|handler| handler.name() == "points").unwrap();
    let twice = [HandlerOutcome::Finished, HandlerOutcome::Finished];
    assert_eq!(points.handle(&stage.world, &fence, &batch).await.unwrap(), twice);
    // Posted and written down in one transaction; whoever repeats it, or comes late, posts nothing more.
    assert_eq!(points.handle(&stage.world, &fence, &batch).await.unwrap(), twice);
    let stage = stage.restarted().await;
    stage.db.lanes_end().await.unwrap();
    let late = points.handle(&stage.world, &fence, &batch).await;
    assert_eq!(late.unwrap_err().code(), Some("lease_lost"));
    assert_eq!(drain(&stage.world, &[points], "w").await.unwrap(), 0);
    assert_eq!(stage.db.points_of(PLAYER).await.unwrap().balance, 100);
    let statement = stage.db.points_statement(PLAYER, PageRequest::first(10)).await.unwrap().items;
    assert_eq!(statement.iter().map(|row| row.entry.delta).collect::<Vec<_>>(), [50, 50]);
    for id in ids {
        assert_eq!(state(&stage, id).await, FulfilmentState::Given);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hole_49_what_lapses_returns_its_unit_once() {
    let stage = Stage::new().await;
    let prize = json!({ "kind": "parcel", "units": 3, "claim_within": "1m" });
    let activity = published(&stage, &prize).await;
    win(&stage, activity).await;
    let id = wins(&stage, 1).await[0];
    let pool =
        domain::activity::prize_pool(activity, domain::lottery::strategy::PrizeId::new(0).unwrap()).pool();
    let left = || async { stage.stock.pool(pool).await.unwrap().unwrap().available };
    stage.set(59_999);
    stage.run_job("claims").await;
    assert_eq!(
        (state(&stage, id).await, left().await),
        (FulfilmentState::Claimable, 2),
        "not a moment before"
    );
    stage.set(60_000);
    for _ in 0..2 {
        stage.run_job("claims").await;
        drain(&stage.world, &handlers(), "w").await.unwrap();
        assert_eq!((state(&stage, id).await, left().await), (FulfilmentState::Unclaimed, 3));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hole_50_a_timed_grant_is_given_at_its_time() {
    let stage = Stage::new().await;
    let prize = json!({ "kind": "chances", "amount": 1, "grant": T0.0 + 5_000 });
    let activity = published(&stage, &prize).await;
    win(&stage, activity).await;
    let id = wins(&stage, 1).await[0];
    for (at_ms, expected, bonus) in [
        (4_999, FulfilmentState::Waiting, 0),
        (5_000, FulfilmentState::Given, 1),
        (9_000, FulfilmentState::Given, 1),
    ] {
        stage.set(at_ms);
        stage.run_job("grants").await;
        drain(&stage.world, &handlers(), "w").await.unwrap();
        assert_eq!((state(&stage, id).await, granted(&stage, activity).await), (expected, bonus), "{at_ms}");
    }
}

/// Panics at one message, whenever it is in the batch.
struct Fragile(i64);

#[async_trait::async_trait]
impl Handler for Fragile {
    fn name(&self) -> &'static str {
        "coupons"
    }

    fn reaches_outside(&self) -> bool {
        false
    }

    fn limits(&self) -> engine::relay::LaneLimits {
        engine::relay::LaneLimits { batch: 10, at_once: 1 }
    }

    async fn handle(
        &self,
        _: &engine::World,
        _: &LaneFence,
        batch: &[Message],
    ) -> engine::Result<Vec<HandlerOutcome>> {
        assert!(batch.iter().all(|message| message.id != self.0), "poison");
        Ok(vec![HandlerOutcome::HandedOver; batch.len()])
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hole_48_a_message_that_breaks_its_handler_is_found_out_and_given_up() {
    let stage = Stage::new().await;
    let activity = published(&stage, &json!({ "kind": "coupon" })).await;
    for _ in 0..3 {
        win(&stage, activity).await;
    }
    let mut ids = wins(&stage, 3).await;
    ids.sort_unstable();
    let fragile: Vec<Arc<dyn Handler>> = vec![Arc::new(Fragile(ids[1].0))];
    drain(&stage.world, &fragile, "w").await.unwrap();
    let states = |stage: &Stage| {
        let (db, ids) = (stage.db.clone(), ids.clone());
        async move {
            let rows = db.fulfilments_of(ids).await.unwrap();
            rows.iter().map(|row| row.standing.state).collect::<Vec<_>>()
        }
    };
    assert_eq!(states(&stage).await, [HandedOver, Ready, Ready], "the later one of the same user waits");
    // It is tried with growing waits, and then no more.
    let mut at = 0;
    for _ in 0..40 {
        at += 2 * 3_600_000;
        stage.set(at);
        drain(&stage.world, &fragile, "w").await.unwrap();
    }
    assert_eq!(states(&stage).await, [HandedOver, Failed, HandedOver], "and then nobody waits for it");
    let (letter, attempts) = stage.db.dead_letter(ids[1].0).await.unwrap().unwrap();
    assert_eq!((letter.attempts, attempts.len()), (20, 20));
    assert!(letter.error.contains("panicked"), "{}", letter.error);
}
