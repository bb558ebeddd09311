//! A sale in the ledger: exact at start and end, at a pause and at a change of version, with its limit per person.

use domain::activity::*;
use domain::ids::ActivityId;
use domain::ledger::{Command, Key, Line, MustRun, Owner, PoolView, Quantity, Text};
use domain::lottery::strategy::Strategy;
use domain::sale::*;
use engine::activities as flow;
use engine::ports::*;

use crate::activities::world::{ANN, BOB, Stage, T0};

const FROM_MS: i64 = 10_000;
const UNTIL_MS: i64 = 20_000;

fn content(units: u64, per_user: u32) -> Content {
    let draft = ActivityDraft {
        name: "Noon".to_owned(),
        description: String::new(),
        from: T0 + FROM_MS,
        until: T0 + UNTIL_MS,
        zone: "UTC".to_owned(),
        kind: KindSettings::Sale,
        entries: None,
        chances: Chances { total: 0, month: None, day: None },
        presentation: Presentation::default(),
        tree: None,
    };
    let plan = SalePlan {
        item: ItemKind::Parcel,
        name: "teapot".to_owned(),
        name_en: String::new(),
        details: String::new(),
        details_en: String::new(),
        pictures: Vec::new(),
        price: Price { minor: 9_900, currency: Currency::parse("CNY").unwrap() },
        list_price_minor: None,
        units,
        per_user,
        hold_ms: HOLD_MS_DEFAULT,
        policy: Policy::AtOrder,
        gate: GatePlan::default(),
    };
    Content { configuration: draft.check().unwrap(), plan: Plan::Sale(plan), cards: Vec::new() }
}

fn plainly(_: &Strategy, field: &str) -> String {
    field.to_owned()
}

async fn put_in_place(stage: &Stage, id: ActivityId) {
    flow::activity_submit(&stage.world, stage.signed(ANN), None, id, plainly).await.unwrap();
    let verdict = flow::ReviewTarget { id, seen: None };
    let row = flow::activity_approve(&stage.world, stage.signed(BOB), None, verdict).await.unwrap();
    assert!(row.carried);
}

async fn publish(stage: &Stage, content: Content) -> ActivityId {
    let id = flow::activity_create(&stage.world, stage.signed(ANN), None, content).await.unwrap();
    put_in_place(stage, id).await;
    id
}

async fn pool(stage: &Stage, id: ActivityId) -> PoolView {
    stage.stock.pool(PoolUse::Sale.pool_name(id).pool()).await.unwrap().unwrap()
}

/// One unit for somebody, if the sale is in this round and version; in a word.
async fn hold(stage: &Stage, id: ActivityId, (round, version): (u32, u32), who: &str) -> &'static str {
    let name = format!("order {}", stage.world.next_id());
    let command = Command::Reserve {
        key: Key::of("hold", SALES_CALLER, &name),
        id: Text::new(&name).unwrap(),
        caller: SALES_CALLER,
        owner: Some(Owner::new(Text::new(who).unwrap())),
        lines: vec![Line { pool: PoolUse::Sale.pool_name(id).pool(), quantity: Quantity::new(1).unwrap() }],
        ttl_ms: 1_000_000,
        gates: vec![MustRun { activity: id, round, version }],
    };
    match stage.stock.ask(0, vec![command]).await.unwrap().pop().unwrap() {
        StockAnswer::Accepted(_) => "held",
        StockAnswer::Replayed(_) => "again",
        StockAnswer::Refused(refusal) => refusal.name(),
    }
}

/// No job has to be here, and one that was late changes nothing.
#[tokio::test]
async fn it_sells_from_the_first_moment_to_the_last() {
    let stage = Stage::new().await;
    let id = publish(&stage, content(100, 0)).await;
    for (after_ms, heard) in [
        (0, "not_started"),
        (FROM_MS - 1, "not_started"),
        (FROM_MS, "held"),
        (UNTIL_MS - 1, "held"),
        (UNTIL_MS, "ended"),
    ] {
        stage.set(after_ms);
        assert_eq!(hold(&stage, id, (1, 1), "ann").await, heard, "at {after_ms}");
    }
    stage.run_jobs().await;
    assert_eq!(hold(&stage, id, (1, 1), "ann").await, "ended");
    let pool = pool(&stage, id).await;
    assert_eq!((pool.total, pool.available, pool.held), (100, 98, 2));
}

#[tokio::test]
async fn a_limit_is_per_person_and_changes_with_the_version() {
    let stage = Stage::new().await;
    let id = publish(&stage, content(10, 1)).await;
    stage.set(FROM_MS);
    assert_eq!(pool(&stage, id).await.owner_max, 1);
    assert_eq!(hold(&stage, id, (1, 1), "ann").await, "held");
    assert_eq!(hold(&stage, id, (1, 1), "ann").await, "limit_reached");
    assert_eq!(hold(&stage, id, (1, 1), "bob").await, "held");

    flow::activity_edit(&stage.world, stage.signed(ANN), None, id, 0, content(7, 2)).await.unwrap();
    put_in_place(&stage, id).await;
    let now = pool(&stage, id).await;
    assert_eq!((now.total, now.available, now.owner_max), (7, 5, 2), "three fewer, and two each");
    assert_eq!(hold(&stage, id, (1, 1), "ann").await, "version_stale", "at the old price nobody buys");
    assert_eq!(hold(&stage, id, (1, 2), "ann").await, "held");
    assert_eq!(hold(&stage, id, (1, 2), "ann").await, "limit_reached");

    // A later end keeps what everybody has and how much they may have.
    let until = T0 + UNTIL_MS + 5_000;
    engine::sales::running::sale_extend(&stage.world, stage.signed(ANN), None, id, until).await.unwrap();
    let then = pool(&stage, id).await;
    assert_eq!((then.total, then.available, then.owner_max), (7, 4, 2));
    stage.set(UNTIL_MS + 4_999);
    assert_eq!(hold(&stage, id, (1, 3), "ann").await, "limit_reached");
    assert_eq!(hold(&stage, id, (1, 3), "eve").await, "held");
    stage.set(UNTIL_MS + 5_000);
    assert_eq!(hold(&stage, id, (1, 3), "eve").await, "ended");
}

/// Everything above survives the process.
#[tokio::test]
async fn a_pause_and_another_round_hold_after_a_restart() {
    let stage = Stage::new().await;
    let id = publish(&stage, content(10, 0)).await;
    stage.set(FROM_MS);
    flow::activity_run(&stage.world, stage.signed(ANN), None, id, flow::Run::Pause).await.unwrap();
    let stage = stage.restarted().await;
    assert_eq!(hold(&stage, id, (1, 1), "ann").await, "paused");
    flow::activity_run(&stage.world, stage.signed(ANN), None, id, flow::Run::Resume).await.unwrap();
    assert_eq!(hold(&stage, id, (1, 1), "ann").await, "held");
    for run in [flow::Run::Close, flow::Run::Reopen] {
        flow::activity_run(&stage.world, stage.signed(ANN), None, id, run).await.unwrap();
    }
    assert_eq!(hold(&stage, id, (1, 1), "ann").await, "activity_round_stale");
    assert_eq!(hold(&stage, id, (2, 1), "ann").await, "held");
    let pool = pool(&stage, id).await;
    assert_eq!((pool.total, pool.available, pool.round), (10, 8, 1), "the stock is one for all rounds");
}

/// Decided and not carried when the process died: the job of the next one opens pool, round and window.
#[tokio::test]
async fn what_was_not_carried_is_carried_later() {
    let stage = Stage::new().await;
    let id = flow::activity_create(&stage.world, stage.signed(ANN), None, content(10, 1)).await.unwrap();
    flow::activity_submit(&stage.world, stage.signed(ANN), None, id, plainly).await.unwrap();
    stage.decide(id, Action::Approve, BOB).await;
    stage.set(FROM_MS);
    assert_eq!(hold(&stage, id, (1, 1), "ann").await, "activity_unknown");
    let stage = stage.restarted().await;
    stage.run_jobs().await;
    assert_eq!(hold(&stage, id, (1, 1), "ann").await, "held");
    assert_eq!(pool(&stage, id).await.owner_max, 1);
}
