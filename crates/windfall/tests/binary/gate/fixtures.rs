//! Sales on a stage, and who stands in front of them.

use domain::access::Roles;
use domain::activity::*;
use domain::ids::{ActivityId, UserId};
use domain::ledger::{Command, Key, Line, MustRun, Quantity, Take, Text};
use domain::lottery::strategy::Strategy;
use domain::sale::{Currency, GatePlan, ItemKind, Policy, Price, RoomPlan, SALES_CALLER, SalePlan};
use domain::time::HOUR_MS;
use engine::activities as flow;
use engine::ports::{Stock, StockAnswer};
use engine::sales::gate;
use engine::sales::gate::{Buyer, IssuedToken};
use engine::{Failure, Result};
use serde_json::{Value, json};
use store::model::{Actor, NewUser, UserCreate};

use crate::activities::fixtures::{HOUR_MS as HOUR, now_ms};
use crate::activities::world::{ANN, BOB, Stage, T0};

pub const FROM_MS: i64 = HOUR_MS;
pub const UNTIL_MS: i64 = 2 * HOUR_MS;
pub const OPEN: GatePlan = GatePlan { captcha: false, room: None };
pub const PICTURE: GatePlan = GatePlan { captcha: true, room: None };
pub const LINE: GatePlan = GatePlan { captcha: false, room: Some(RoomPlan { per_second: 2 }) };

pub fn content(gate: GatePlan, units: u64) -> Content {
    content_of(gate, units, Policy::AtOrder)
}

fn content_of(gate: GatePlan, units: u64, policy: Policy) -> Content {
    let draft = ActivityDraft {
        name: "Teapots".to_owned(),
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
        name: "Clay teapot".to_owned(),
        name_en: String::new(),
        details: String::new(),
        details_en: String::new(),
        pictures: Vec::new(),
        price: Price { minor: 9_900, currency: Currency::parse("CNY").unwrap() },
        list_price_minor: None,
        units,
        per_user: 0,
        hold_ms: 60_000,
        policy,
        gate,
    };
    Content { configuration: draft.check().unwrap(), plan: Plan::Sale(plan), cards: Vec::new() }
}

fn plainly(_: &Strategy, field: &str) -> String {
    field.to_owned()
}

/// Published, and at its start.
pub async fn sale(stage: &Stage, gate: GatePlan, units: u64) -> ActivityId {
    publish(stage, content(gate, units)).await
}

/// The same, of a sale whose units are deducted at payment.
pub async fn sale_at_payment(stage: &Stage, units: u64) -> ActivityId {
    publish(stage, content_of(OPEN, units, Policy::AtPayment)).await
}

async fn publish(stage: &Stage, content: Content) -> ActivityId {
    stage.set(0);
    let signed = stage.signed(ANN);
    let id = flow::activity_create(&stage.world, signed, None, content).await.unwrap();
    approve(stage, id).await;
    stage.set(FROM_MS);
    id
}

async fn approve(stage: &Stage, id: ActivityId) {
    flow::activity_submit(&stage.world, stage.signed(ANN), None, id, plainly).await.unwrap();
    let verdict = flow::ReviewTarget { id, seen: None };
    flow::activity_approve(&stage.world, stage.signed(BOB), None, verdict).await.unwrap();
}

/// A version with so many units, put in place.
pub async fn restock(stage: &Stage, id: ActivityId, gate: GatePlan, units: u64) {
    let signed = stage.signed(ANN);
    flow::activity_edit(&stage.world, signed, None, id, 0, content(gate, units)).await.unwrap();
    approve(stage, id).await;
}

pub async fn run(stage: &Stage, id: ActivityId, run: flow::Run) {
    flow::activity_run(&stage.world, stage.signed(ANN), None, id, run).await.unwrap();
}

pub fn buyer(user: i64) -> Buyer {
    Buyer { user: UserId(user), address: Some([192, 0, 2, 7].into()) }
}

/// What came of it, in a word.
pub fn heard<T>(came: &Result<T>) -> &'static str {
    match came {
        Ok(_) => "yes",
        Err(Failure::Rejected(rejection)) => rejection.code(),
        Err(Failure::Fault(fault)) => panic!("{}", fault.story()),
    }
}

pub async fn token(stage: &Stage, sale: ActivityId, user: i64) -> Result<IssuedToken> {
    gate::token_give(&stage.world, buyer(user), sale, None).await
}

pub async fn token_text(stage: &Stage, sale: ActivityId, user: i64) -> String {
    token(stage, sale, user).await.unwrap().token
}

pub async fn admit(stage: &Stage, sale: ActivityId, user: i64, token: Option<&str>) -> &'static str {
    heard(&gate::admit(&stage.world, buyer(user), sale, token).await)
}

/// Takes units as an order does, held for a minute. Nothing when there are too few.
pub async fn hold(stage: &Stage, sale: ActivityId, id: &str, units: i64) -> Option<Key> {
    let version = stage.world.sales.gate.units_version(sale);
    let live = stage.world.caches.activities.find(&stage.world, sale).await.unwrap().unwrap();
    let key = Key::of("hold", SALES_CALLER, id);
    let command = Command::Reserve {
        key,
        id: Text::new(id).unwrap(),
        caller: SALES_CALLER,
        owner: None,
        lines: vec![Line { pool: sale_pool(sale).pool(), quantity: Quantity::new(units).unwrap() }],
        ttl_ms: 60_000,
        gates: vec![MustRun { activity: sale, round: live.life.round, version: live.version }],
    };
    match stage.stock.ask(sale.0, vec![command]).await.unwrap().pop().unwrap() {
        StockAnswer::Accepted(_) => Some(key),
        StockAnswer::Refused(domain::ledger::Refusal::Pool(domain::ledger::PoolRefusal::SoldOut {
            left,
            ..
        })) => {
            stage.world.sales.gate.record_units(sale, version, left, stage.world.now());
            None
        }
        other => panic!("{other:?}"),
    }
}

pub async fn cancel(stage: &Stage, hold: Key, id: &str) {
    let command = Command::Cancel { hold, id: Text::new(id).unwrap(), caller: SALES_CALLER };
    let answer = stage.stock.ask(0, vec![command]).await.unwrap().pop().unwrap();
    assert!(matches!(answer, StockAnswer::Accepted(_)), "{answer:?}");
}

/// Pays for what is held: it is gone for good.
pub async fn confirm(stage: &Stage, hold: Key) {
    let command = Command::Confirm { hold, take: Take::All };
    let answer = stage.stock.ask(0, vec![command]).await.unwrap().pop().unwrap();
    assert!(matches!(answer, StockAnswer::Accepted(_)), "{answer:?}");
}

/// Somebody with an account.
pub async fn person(stage: &Stage, id: UserId) {
    let user = NewUser {
        id,
        name: format!("user {id}"),
        phone_sealed: Vec::new(),
        password_hash: None,
        sign_up_day: 20_260_101,
    };
    let signed = stage.world.audit_stamp(Actor::System, "as planned", "test");
    let step = UserCreate { user, phone: None, roles: Roles::PLAYER, signed };
    stage.world.db.user_create(step).await.unwrap();
}

/// A sale on a server, running now, of so many units: one for each.
pub fn selling(units: u64, gate: &Value) -> Value {
    json!({
        "name": "Teapots",
        "from": now_ms() - HOUR,
        "until": now_ms() + HOUR,
        "zone": "UTC",
        "kind": "sale",
        "sale": { "name": "Clay teapot", "price_minor": 9_900, "currency": "CNY", "units": units, "per_user": 1,
            "gate": gate },
    })
}
