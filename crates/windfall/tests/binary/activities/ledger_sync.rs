//! From the database to the ledger: exact at start and end, and the same end whatever died in between.

use domain::activity::*;
use domain::ids::ActivityId;
use domain::ledger::{Act, Command, Key, Note, PoolId};
use domain::lottery::strategy::{
    Budget, Mode, OddsSlice, OddsTable, Prize, PrizeId, PrizeStock, SlotIndex, Strategy,
};
use engine::activities as flow;
use engine::ports::*;
use store::model::*;
use store::params;

use super::world::{ANN, BOB, Stage, T0};

const FROM_MS: i64 = 10_000;
const UNTIL_MS: i64 = 20_000;

fn prize() -> PrizeId {
    PrizeId::new(1).unwrap()
}

fn content(units: u64, entries: Option<u64>) -> Content {
    let draft = ActivityDraft {
        name: "Wheel".to_owned(),
        description: String::new(),
        from: T0 + FROM_MS,
        until: T0 + UNTIL_MS,
        zone: "UTC".to_owned(),
        kind: KindSettings::Instant { ten: false },
        entries,
        chances: Chances { total: 50, month: None, day: None },
        presentation: Presentation::default(),
        tree: None,
    };
    let prize_row = Prize {
        id: prize(),
        name: "car".to_owned(),
        slot: SlotIndex(1),
        stock: PrizeStock::Pool { pool: PoolId(0), units },
        cost_minor: 0,
        unlock: None,
        win_cap: None,
        release: Vec::new(),
        hourly_cap: None,
        withdrawn_for: Vec::new(),
    };
    let strategy = Strategy {
        version: 0,
        whole: 1_000,
        mode: Mode::Fixed,
        prizes: vec![prize_row],
        tables: vec![OddsTable { slices: vec![OddsSlice { prize: prize(), odds: 10 }] }],
        miss_slot: SlotIndex(0),
        tiers: None,
        consolation: None,
        fallback: None,
        pity: None,
        budget: Budget::default(),
    };
    Content { configuration: draft.check().unwrap(), plan: Plan::Instant(strategy), cards: Vec::new() }
}

fn plainly(_: &Strategy, field: &str) -> String {
    field.to_owned()
}

async fn write(stage: &Stage, content: Content) -> ActivityId {
    let id = flow::activity_create(&stage.world, stage.signed(ANN), None, content).await.unwrap();
    flow::activity_submit(&stage.world, stage.signed(ANN), None, id, plainly).await.unwrap();
    id
}

async fn publish(stage: &Stage, content: Content) -> ActivityId {
    let id = write(stage, content).await;
    approve(stage, id).await;
    id
}

async fn approve(stage: &Stage, id: ActivityId) -> ActivityRow {
    let verdict = flow::ReviewTarget { id, seen: None };
    flow::activity_approve(&stage.world, stage.signed(BOB), None, verdict).await.unwrap()
}

/// A version with other units, put in place.
async fn renew(stage: &Stage, id: ActivityId, content: Content) {
    let signed = stage.signed(ANN);
    flow::activity_edit(&stage.world, signed, None, id, 0, content).await.unwrap();
    flow::activity_submit(&stage.world, stage.signed(ANN), None, id, plainly).await.unwrap();
    approve(stage, id).await;
}

/// Total and what is free.
async fn pool(stage: &Stage, part: PoolUse, id: ActivityId) -> Option<(u64, u64)> {
    let view = stage.stock.pool(part.pool_name(id).pool()).await.unwrap();
    view.map(|view| (view.total, view.available))
}

async fn kept(stage: &Stage, id: ActivityId) -> (LifeState, u32, bool) {
    let row = stage.db.activity_find(id).await.unwrap().unwrap();
    (row.life.state, row.life.round, row.carried)
}

/// The ledger keeps to the window to the millisecond; the job only writes down what has happened.
#[tokio::test]
async fn it_starts_and_ends_exactly() {
    let stage = Stage::new().await;
    let id = publish(&stage, content(3, Some(100))).await;
    assert_eq!(kept(&stage, id).await, (LifeState::Approved, 1, true));
    for (after_ms, heard, job, then) in [
        (FROM_MS - 1, "not_started", false, LifeState::Approved),
        (FROM_MS - 1, "not_started", true, LifeState::Approved),
        (FROM_MS, "drawn", false, LifeState::Approved),
        (FROM_MS, "drawn", true, LifeState::Running),
        (UNTIL_MS - 1, "drawn", true, LifeState::Running),
        (UNTIL_MS, "ended", false, LifeState::Running),
        (UNTIL_MS, "ended", true, LifeState::Closed),
    ] {
        stage.set(after_ms);
        if job {
            stage.run_jobs().await;
        }
        let user = stage.world.next_id();
        assert_eq!(stage.draw(id, 1, user).await, heard, "at {after_ms}, job {job}");
        assert_eq!(kept(&stage, id).await.0, then, "at {after_ms}, job {job}");
        let seen = flow::activity_detail(&stage.world, id).await.unwrap().row.life.state;
        let by_the_clock = match after_ms {
            ..FROM_MS => LifeState::Approved,
            FROM_MS..UNTIL_MS => LifeState::Running,
            UNTIL_MS.. => LifeState::Closed,
        };
        assert_eq!(seen, by_the_clock, "people see the state by the clock");
    }
    assert_eq!(pool(&stage, PoolUse::Entries, id).await, Some((100, 97)));
    assert_eq!(pool(&stage, PoolUse::Prize(prize()), id).await, Some((3, 3)));
}

/// The process dies after the step was decided and before the ledger heard of it: the job of the next one carries it.
#[tokio::test]
async fn a_crash_before_the_ledger_hears_leads_to_the_same_end() {
    let mut stage = Stage::new().await;
    let id = write(&stage, content(3, None)).await;
    for (action, by, after_ms, before, then) in [
        (Action::Approve, BOB, FROM_MS, "activity_unknown", "drawn"),
        (Action::Pause, BOB, FROM_MS + 1, "drawn", "paused"),
        (Action::Resume, BOB, FROM_MS + 2, "paused", "drawn"),
        (Action::Close, BOB, FROM_MS + 3, "drawn", "ended"),
    ] {
        stage.set(after_ms);
        stage.decide(id, action, by).await;
        assert!(!kept(&stage, id).await.2, "{action:?} is not carried");
        stage = stage.restarted().await;
        assert_eq!(stage.draw(id, 1, stage.world.next_id()).await, before, "{action:?} was not heard");
        stage.run_jobs().await;
        assert!(kept(&stage, id).await.2, "{action:?} is carried");
        assert_eq!(stage.draw(id, 1, stage.world.next_id()).await, then, "{action:?} was heard");
    }
    stage.decide(id, Action::Reopen, BOB).await;
    stage.run_jobs().await;
    assert_eq!(stage.draw(id, 1, 7).await, "activity_round_stale");
    assert_eq!(stage.draw(id, 2, 7).await, "drawn");
}

/// Steps that were never carried one by one: what counts is where it stands.
#[tokio::test]
async fn many_steps_are_carried_at_once() {
    let stage = Stage::new().await;
    let id = write(&stage, content(3, None)).await;
    stage.decide(id, Action::Approve, BOB).await;
    for action in [Action::Close, Action::Reopen, Action::Close, Action::Reopen] {
        stage.decide(id, action, BOB).await;
    }
    stage.set(FROM_MS);
    stage.decide(id, Action::Pause, BOB).await;
    stage.run_jobs().await;
    assert_eq!(kept(&stage, id).await, (LifeState::Paused, 3, true));
    assert_eq!(stage.draw(id, 3, 7).await, "paused");
    flow::activity_run(&stage.world, stage.signed(BOB), None, id, flow::Run::Resume).await.unwrap();
    assert_eq!(stage.draw(id, 3, 7).await, "drawn");
}

/// The process dies after the ledger heard and before that was written down: everything is sent again, and nothing
/// happens twice.
#[tokio::test]
async fn a_crash_after_the_ledger_heard_changes_nothing() {
    let mut stage = Stage::new().await;
    let id = publish(&stage, content(3, Some(10))).await;
    renew(&stage, id, content(5, Some(10))).await;
    stage.set(FROM_MS);
    flow::activity_run(&stage.world, stage.signed(BOB), None, id, flow::Run::Close).await.unwrap();
    flow::activity_run(&stage.world, stage.signed(BOB), None, id, flow::Run::Reopen).await.unwrap();
    assert_eq!(stage.draw(id, 2, 7).await, "drawn");
    // Once with nothing known of the ledger at all, once with what was known before the reopening.
    for forget in [
        "UPDATE activities SET carry = 1, ledger_round = 0, ledger_version = 0, ledger_state = ''",
        "UPDATE activities SET carry = 1, ledger_round = 1, ledger_version = 2, ledger_state = 'open'",
    ] {
        let write = stage.db.write(forget, |tx, forget| {
            Box::pin(async move {
                tx.execute(forget, params![]).await?;
                tx.execute("UPDATE activity_stock SET done = 0", params![]).await
            })
        });
        write.await.unwrap();
        stage = stage.restarted().await;
        stage.run_jobs().await;
        assert_eq!(kept(&stage, id).await, (LifeState::Running, 2, true));
        assert_eq!(stage.draw(id, 2, stage.world.next_id()).await, "drawn", "{forget}");
        assert_eq!(pool(&stage, PoolUse::Prize(prize()), id).await, Some((5, 5)));
    }
    assert_eq!(pool(&stage, PoolUse::Entries, id).await, Some((10, 7)));
}

/// The window of a newer version holds in the ledger once it is carried, whoever carries it, and not before.
#[tokio::test]
async fn the_terms_of_a_newer_version_reach_the_ledger() {
    let mut stage = Stage::new().await;
    let id = publish(&stage, content(3, None)).await;
    let window = |from_ms: i64, until_ms: i64| {
        let content = content(3, None);
        let mut draft = content.configuration.draft();
        (draft.from, draft.until) = (T0 + from_ms, T0 + until_ms);
        Content { configuration: draft.check().unwrap(), ..content }
    };
    stage.set(FROM_MS);
    assert_eq!(stage.draw(id, 1, stage.world.next_id()).await, "drawn");
    renew(&stage, id, window(FROM_MS + 100, UNTIL_MS)).await;
    assert_eq!(kept(&stage, id).await, (LifeState::Approved, 1, true), "it waits for its start again");
    assert_eq!(stage.draw(id, 1, stage.world.next_id()).await, "not_started");

    // Approved, and the process dies before the ledger hears of it.
    let again = window(FROM_MS, UNTIL_MS + 500);
    flow::activity_edit(&stage.world, stage.signed(ANN), None, id, 0, again).await.unwrap();
    flow::activity_submit(&stage.world, stage.signed(ANN), None, id, plainly).await.unwrap();
    stage.decide(id, Action::Approve, BOB).await;
    stage = stage.restarted().await;
    assert_eq!(stage.draw(id, 1, stage.world.next_id()).await, "not_started");
    stage.run_jobs().await;
    assert_eq!(stage.draw(id, 1, stage.world.next_id()).await, "drawn");
    for (after_ms, heard) in [(UNTIL_MS, "drawn"), (UNTIL_MS + 499, "drawn"), (UNTIL_MS + 500, "ended")] {
        stage.set(after_ms);
        stage.run_jobs().await;
        assert_eq!(stage.draw(id, 1, stage.world.next_id()).await, heard, "at {after_ms}");
    }
    assert_eq!(kept(&stage, id).await, (LifeState::Closed, 1, true));
    assert_eq!(stage.db.secret_list(id).await.unwrap().len(), 3, "each version has a secret of its own");
}

/// Fewer units than were given out already: what was won stays won, and the rest goes.
#[tokio::test]
async fn a_version_with_fewer_units_takes_what_is_left() {
    let stage = Stage::new().await;
    let id = publish(&stage, content(10, None)).await;
    let pool_id = PoolUse::Prize(prize()).pool_name(id).pool();
    let adjust =
        Command::direct(Key::of("t", 0, "a"), Note::default(), Act::PoolAdjust { pool: pool_id, delta: -4 });
    stage.stock.ask(0, vec![adjust]).await.unwrap();
    assert_eq!(pool(&stage, PoolUse::Prize(prize()), id).await, Some((6, 6)));
    renew(&stage, id, content(2, None)).await;
    assert_eq!(pool(&stage, PoolUse::Prize(prize()), id).await, Some((0, 0)), "eight fewer were asked for");
    assert!(kept(&stage, id).await.2);
    // And up again, by the difference to what the version before said.
    renew(&stage, id, content(7, Some(5))).await;
    assert_eq!(pool(&stage, PoolUse::Prize(prize()), id).await, Some((5, 5)));
    assert_eq!(pool(&stage, PoolUse::Entries, id).await, Some((5, 5)));
}

/// One that cannot be carried keeps no other from its turn.
#[tokio::test]
async fn one_that_is_stuck_keeps_no_other_waiting() {
    let stage = Stage::new().await;
    let (stuck, other) = (write(&stage, content(3, None)).await, write(&stage, content(3, None)).await);
    // Somebody has taken the name of its pool.
    let name = PoolUse::Prize(prize()).pool_name(stuck);
    let (key, pool, note) = (Key::of("t", 0, "o"), name.pool(), Note::default());
    let open = Command::direct(key, note, Act::PoolOpen { pool, name, round: 1, total: 1, owner_max: 0 });
    stage.stock.ask(0, vec![open]).await.unwrap();
    for id in [stuck, other] {
        stage.decide(id, Action::Approve, BOB).await;
    }
    stage.run_jobs().await;
    assert_eq!((kept(&stage, stuck).await.2, kept(&stage, other).await.2), (false, true));
}
