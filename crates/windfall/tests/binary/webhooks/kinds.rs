//! Every kind of event, from the request that brings it about to the signed delivery.

use std::collections::BTreeSet;

use domain::webhook::EventKind;
use serde_json::{Value, json};

use super::receiver::{Receiver, Seen};
use super::subscribe;
use crate::activities::fixtures::Crew;
use crate::backend::settled;
use crate::client::Call;
use crate::community::fixtures as community;
use crate::draws::campaign::raffle;
use crate::fulfilment::fixtures::{failed, id, ship, step, void, won};
use crate::people::{address, fresh_external};
use crate::process::{Home, Server};
use crate::raffles::fixtures as raffles;
use crate::sales::fixtures as sales;
use crate::shop::fixtures as shop;
use crate::{codes, sales::fixtures::comes_to};

/// Somebody of the company's own, named by its key.
struct Customer {
    external: String,
    key: String,
}

impl Customer {
    async fn new(server: &Server) -> Self {
        Self { external: fresh_external(), key: server.new_key(&["play"]).await.secret }
    }

    fn sign(&self, call: Call) -> Call {
        call.key(&self.key).header("windfall-user", &self.external)
    }
}

/// One subscription to everything, and what it hears.
struct Ear {
    receiver: Receiver,
    secret: String,
}

impl Ear {
    /// The first event of a kind that says this of what it is about.
    async fn hears(&self, kind: &str, field: &str, value: &str) -> Value {
        let is_it = |seen: &Seen| {
            let body: Value = serde_json::from_str(&seen.body).unwrap();
            seen.header("windfall-event") == kind && body["data"][field] == value
        };
        let seen = self.receiver.took_as(1, is_it).await.remove(0);
        assert!(seen.is_signed_with(&self.secret), "{kind}");
        let body: Value = serde_json::from_str(&seen.body).unwrap();
        assert_eq!(body["kind"], kind);
        body
    }
}

#[tokio::test]
async fn every_kind_of_event_arrives_where_it_is_wanted() {
    let home = Home::new();
    let server = &home.demo().await;
    let receiver = Receiver::start().await;
    let (_, secret) = subscribe(server, &receiver.url(), &["*", "coupon.due"]).await;
    let ear = Ear { receiver, secret };
    wins(server, &ear).await;
    coupons(server, &ear).await;
    orders(server, &ear).await;
    shop_orders(server, &ear).await;
    stock(server, &ear).await;
    drawn(&home, server, &ear).await;
    posts(server, &ear).await;
    let heard: BTreeSet<String> =
        ear.receiver.taken().iter().map(|seen| seen.header("windfall-event")).collect();
    let missing: Vec<&str> =
        EventKind::ALL.map(EventKind::name).into_iter().filter(|name| !heard.contains(*name)).collect();
    // These have tests of their own: what nobody claimed, reminders, stock that is low, receivers that fail, and what
    // needs an operator.
    let elsewhere = [
        "win.unclaimed",
        "stock.low",
        "reminder.due",
        "webhook.off",
        "webhook.test",
        "attention.raised",
        "attention.cleared",
    ];
    assert!(missing.iter().all(|name| elsewhere.contains(name)), "nothing was heard of {missing:?}");
}

/// A post that is published and removed.
async fn posts(server: &Server, ear: &Ear) {
    let (ann, judge) = (server.person(&[]).await, server.person(&["moderator"]).await);
    let post = community::post(server, &ann).await;
    let published = ear.hears("post.published", "post_id", &post).await;
    assert_eq!(published["data"]["title"], "Snow");
    let path = format!("/threads/post/{post}/comments");
    server.by(&judge, "POST", &path).json(json!({ "text": "Lovely" })).expect(201).await;
    assert_eq!(ear.hears("comment.made", "subject_id", &post).await["data"]["on"], "post");
    let remove = json!({ "act": "remove", "reason": "off topic" });
    server.by(&judge, "POST", &format!("/admin/posts/{post}/moderate")).json(remove).expect(200).await;
    assert_eq!(ear.hears("post.removed", "post_id", &post).await["data"]["note"], "off topic");
}

/// From the win to the hand of its winner; whoever sends it reads the address, and the log says so.
async fn wins(server: &Server, ear: &Ear) {
    let customer = Customer::new(server).await;
    let (_, win) = won(server, &json!({ "kind": "parcel" }), |call| customer.sign(call)).await;
    let win = id(&win);
    let made = ear.hears("win.made", "win_id", &win).await;
    assert_eq!(made["user"]["external_id"], customer.external.as_str());
    assert_eq!(
        (&made["data"]["prize_name"], &made["data"]["prize_kind"]),
        (&json!("sure thing"), &json!("parcel"))
    );

    let fulfil = server.new_key(&["fulfil"]).await.secret;
    let look = || server.api("GET", &format!("/fulfilments/{win}")).key(&fulfil);
    assert!(look().expect(200).await.json()["address"].is_null(), "nobody has to send it yet");
    let claim = server.api("POST", &format!("/me/wins/{win}/claim"));
    customer.sign(claim).json(json!({ "address": address("世纪大道 1 号") })).expect(200).await;
    for kind in ["win.claimed", "win.to_ship"] {
        let body = ear.hears(kind, "win_id", &win).await;
        assert_eq!(body["user"]["external_id"], customer.external.as_str(), "{kind}");
    }
    let kinds: Vec<String> = ear.receiver.taken().iter().map(|seen| seen.header("windfall-event")).collect();
    let place = |kind: &str| kinds.iter().position(|one| one == kind).unwrap();
    assert!(place("win.claimed") < place("win.to_ship"), "in order: {kinds:?}");

    let to_ship = server.api("GET", "/fulfilments?state=to_ship").key(&fulfil).expect(200).await.items();
    assert_eq!((&to_ship[0]["id"], &to_ship[0]["external_id"]), (&json!(win), &json!(customer.external)));
    let before = looks(server, &win).await;
    assert_eq!(look().expect(200).await.json()["address"]["street"], "世纪大道 1 号");
    assert_eq!(looks(server, &win).await, before + 1, "one line for each look");

    step(server, &win, "ship", ship()).expect(200).await;
    let shipped = ear.hears("win.shipped", "win_id", &win).await;
    assert_eq!(shipped["data"]["tracking"], "SF1029384756");
    step(server, &win, "deliver", json!({})).expect(200).await;
    ear.hears("win.given", "win_id", &win).await;
    assert!(look().expect(200).await.json()["address"].is_null(), "there is nothing left to send");

    let other = server.person(&[]).await;
    let (_, parcel) = won(server, &json!({ "kind": "parcel" }), |call| call.cookie(&other.cookie)).await;
    void(server, &id(&parcel)).await;
    ear.hears("win.voided", "win_id", &id(&parcel)).await;
    let lost = failed(server).await;
    ear.hears("win.failed", "win_id", &lost).await;
}

/// Looks at the address of a parcel, as the audit log has them.
async fn looks(server: &Server, win: &str) -> usize {
    let path = format!("/admin/audit?subject=fulfilment:{win}&limit=200");
    let lines = server.console("GET", &path).expect(200).await.items();
    lines.iter().filter(|line| line["action"] == "fulfilment.look").count()
}

/// What the system that issues coupons says of one reaches its winner.
async fn coupons(server: &Server, ear: &Ear) {
    let customer = Customer::new(server).await;
    let (_, win) = won(server, &json!({ "kind": "coupon" }), |call| customer.sign(call)).await;
    let win = id(&win);
    let due = ear.hears("coupon.due", "win_id", &win).await;
    assert_eq!(
        (&due["data"]["name"], &due["user"]["external_id"]),
        (&json!("sure thing"), &json!(customer.external))
    );
    let fulfil = server.new_key(&["fulfil"]).await.secret;
    let report = json!({ "outcome": "given", "note": "SPRING-2027, valid until June" });
    let look = || server.api("GET", &format!("/fulfilments/{win}")).key(&fulfil);
    settled(look, |answer| answer.json()["state"] == "handed_over").await;
    server.api("POST", &format!("/fulfilments/{win}/report")).key(&fulfil).json(report).expect(200).await;
    let mine = customer.sign(server.api("GET", "/me/wins")).expect(200).await.items();
    assert_eq!(mine[0]["giving"]["note"], "SPRING-2027, valid until June", "{}", mine[0]);
}

async fn orders(server: &Server, ear: &Ear) {
    let ann = server.person(&[]).await;
    let sale = sales::sale(server, json!({})).await;
    let order = sales::ordered(server, &ann, &sale, 1).await;
    let made = ear.hears("order.made", "order_id", &order).await;
    let line = json!([{ "name": "teapot", "sale_id": sale, "quantity": 1, "price_minor": 990 }]);
    assert_eq!((&made["data"]["lines"], &made["data"]["total_minor"]), (&line, &json!(990)));
    sales::press(server, &order, "pay").expect(303).await;
    ear.hears("order.paid", "order_id", &order).await;
    let paid = comes_to(server, &ann, &order, "paid").await;
    let thing = paid["things"][0]["id"].as_str().unwrap().to_owned();
    let claim = server.by(&ann, "POST", &format!("/me/wins/{thing}/claim"));
    claim.json(json!({ "address": address("世纪大道 1 号") })).expect(200).await;
    step(server, &thing, "ship", ship()).expect(200).await;
    let shipped = ear.hears("order.shipped", "order_id", &order).await;
    assert_eq!(
        (&shipped["data"]["fulfilment_id"], &shipped["data"]["carrier"]),
        (&json!(thing), &json!("SF Express"))
    );
    step(server, &thing, "deliver", json!({})).expect(200).await;
    let delivered = ear.hears("order.delivered", "order_id", &order).await;
    assert_eq!(delivered["data"]["state"], "fulfilled");
    let refund = server.console("POST", &format!("/admin/orders/{order}/refund"));
    refund.json(json!({ "reason": "a broken spout" })).expect(200).await;
    let refunded = ear.hears("order.refunded", "order_id", &order).await;
    assert_eq!(refunded["data"]["note"], "a broken spout");

    let given_up = sales::ordered(server, &ann, &sale, 1).await;
    sales::cancel(server, &ann, &given_up).await;
    ear.hears("order.cancelled", "order_id", &given_up).await;
    for change in [json!({ "hold_s": 1 }), json!({ "hold_s": 1, "policy": "at_payment" })] {
        let bob = server.person(&[]).await;
        let short = sales::sale(server, change).await;
        let late = sales::ordered(server, &bob, &short, 1).await;
        ear.hears("order.made", "order_id", &late).await;
        ear.hears("order.expired", "order_id", &late).await;
    }
}

async fn shop_orders(server: &Server, ear: &Ear) {
    let order = shop::bought(server).await;
    let made = ear.hears("order.made", "order_id", &order).await;
    assert_eq!((&made["data"]["source"], &made["data"]["points"]), (&json!("shop"), &json!(10)));
    ear.hears("order.paid", "order_id", &order).await;
    shop::refund(server, &order).await;
    ear.hears("order.refunded", "order_id", &order).await;
    ear.hears("points.changed", "change", "spend").await;
    let back = ear.hears("points.changed", "change", "reverse").await;
    assert_eq!((&back["data"]["delta"], &back["data"]["balance"]), (&json!(10), &json!(10)));
}

async fn stock(server: &Server, ear: &Ear) {
    let (pool, hold) = (fresh_external(), fresh_external());
    let open = json!({ "id": fresh_external(), "name": pool, "total": 3 });
    server.console("POST", "/inventory/pools").json(open).expect(201).await;
    let lines = json!([{ "pool": pool, "quantity": 2 }]);
    let body = json!({ "id": hold, "lines": lines, "ttl_ms": 100 });
    server.console("POST", "/inventory/holds").json(body).expect(201).await;
    let expired = ear.hears("hold.expired", "hold_id", &hold).await;
    assert_eq!(expired["data"]["lines"], lines);

    let codes = codes::pool(server).await;
    codes::import(server, &codes, "ONLY-ONE\n").await;
    server.console("POST", "/admin/jobs/low_codes/run").expect(202).await;
    let low = ear.hears("code_pool.low", "code_pool_id", &codes).await;
    assert_eq!((&low["data"]["left"], &low["data"]["imported"]), (&json!(1), &json!(1)));
}

/// A raffle whose hour has come: nobody waits for it, the clock in its row is put forward.
async fn drawn(home: &Home, server: &Server, ear: &Ear) {
    let crew = Crew::new(server).await;
    let id = crew.publish(raffle()).await;
    ear.hears("activity.opened", "activity_id", &id).await;
    crew.step(&id, "close").expect(200).await;
    ear.hears("activity.closed", "activity_id", &id).await;
    raffles::state(server, &id, "roll_published").await;
    home.database().execute("UPDATE raffles SET draw_at = 1 WHERE activity_id = ?1", [&id]).unwrap();
    let drawn = ear.hears("raffle.drawn", "activity_id", &id).await;
    assert_eq!((&drawn["data"]["round"], &drawn["data"]["winners"]), (&json!(1), &json!(0)));
}
