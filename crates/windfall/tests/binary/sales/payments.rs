//! Payments by the sandbox: early, late, twice; and what is given for them.

use serde_json::{Value, json};

use super::fixtures::*;
use crate::activities::fixtures::Crew;
use crate::backend::settled;
use crate::client::Answer;
use crate::people::{Person, address};
use crate::process::{Home, Server, shared};

#[tokio::test]
async fn a_parcel_is_paid_claimed_sent_and_fulfilled() {
    let (_, server) = shared().await;
    let (sale, ann) = (sale(server, json!({})).await, server.person(&[]).await);
    let id = ordered(server, &ann, &sale, 2).await;
    let pay = server.by(&ann, "POST", &format!("/orders/{id}/pay")).expect(200).await.member("url");
    assert_eq!(pay, format!("/sandbox/pay/{id}"));
    let yen = super::fixtures::sale(server, json!({ "currency": "JPY" })).await;
    let whole = ordered(server, &ann, &yen, 1).await;
    let page = server.page("GET", &format!("/sandbox/pay/{whole}")).expect(200).await;
    assert!(page.text().contains("<p class=\"sum\">JPY 990</p>"), "{}", page.text());
    for (tongue, words) in [("en", "Pay twice"), ("zh-CN", "重复支付")] {
        let page = server.page("GET", &pay).header("accept-language", tongue).expect(200).await;
        assert!(page.text().contains(words) && page.text().contains("CNY 19.80"), "{}", page.text());
    }
    press(server, &id, "decline").expect(303).await;
    assert_eq!(state(server, &ann, &id).await, "unpaid");
    assert_eq!(press(server, &id, "pay").expect(303).await.header("location"), format!("/orders/{id}"));
    let paid = order(server, &ann, &id).await;
    assert_eq!((&paid["state"], &paid["payments"][0]["state"]), (&json!("paid"), &json!("used")));
    let thing = paid["things"][0].clone();
    assert_eq!(
        (&thing["kind"], &thing["amount"], &thing["giving"]["next"]),
        (&json!("parcel"), &json!(2), &json!("claim"))
    );
    server.by(&ann, "POST", &format!("/orders/{id}/cancel")).refused(409, "order_step_illegal").await;
    server.by(&ann, "POST", &format!("/orders/{id}/pay")).refused(409, "order_step_illegal").await;

    let thing = thing["id"].as_str().unwrap();
    let claim = json!({ "address": address("世纪大道 1 号") });
    server.by(&ann, "POST", &format!("/me/wins/{thing}/claim")).json(claim).expect(200).await;
    let queue =
        server.console("GET", "/fulfilments?state=to_ship&kind=parcel&limit=200").expect(200).await.items();
    let listed = queue.iter().find(|one| one["id"] == thing).unwrap();
    assert_eq!((&listed["source"], &listed["prize_name"]), (&json!("order"), &json!("teapot")));
    let ship = json!({ "carrier": "SF Express", "tracking": "SF1" });
    server.console("POST", &format!("/fulfilments/{thing}/ship")).json(ship).expect(200).await;
    server.console("POST", &format!("/fulfilments/{thing}/deliver")).json(json!({})).expect(200).await;
    assert_eq!(state(server, &ann, &id).await, "fulfilled");
    assert_eq!(money(server, &sale).await, [1_980, 1_980, 0, 0]);
}

#[tokio::test]
async fn codes_and_numbered_things_come_by_themselves() {
    let (_, server) = shared().await;
    let ann = server.person(&[]).await;
    let pool = crate::codes::pool(server).await;
    crate::codes::import(server, &pool, "SALE-1\nSALE-2\n").await;
    let codes = sale(server, json!({ "item": "code", "pool": pool, "units": 2 })).await;
    let id = ordered(server, &ann, &codes, 2).await;
    press(server, &id, "pay").expect(303).await;
    let whole = comes_to(server, &ann, &id, "fulfilled").await;
    let code = |at: usize| whole["things"][at]["code"].as_str().unwrap().to_owned();
    let mut got = [code(0), code(1)];
    got.sort();
    assert_eq!(got, ["SALE-1", "SALE-2"]);

    let prints = sale(server, json!({ "item": "collectible", "units": 3, "name": "print" })).await;
    let ben = server.person(&[]).await;
    for (who, quantity) in [(&ann, 2), (&ben, 1)] {
        let id = ordered(server, who, &prints, quantity).await;
        press(server, &id, "pay").expect(303).await;
        assert_eq!(state(server, who, &id).await, "fulfilled", "given by being paid");
    }
    let items = |who| async move { server.by(who, "GET", "/me/items").expect(200).await.items() };
    let (anns, bens) = (items(&ann).await, items(&ben).await);
    let edition = |item: &Value| (item["edition"].clone(), item["of"].clone(), item["name"].clone());
    assert_eq!(
        anns.iter().map(edition).collect::<Vec<_>>(),
        [2, 1].map(|n| (json!(n), json!(3), json!("print")))
    );
    assert_eq!(bens.iter().map(edition).collect::<Vec<_>>(), [(json!(3), json!(3), json!("print"))]);

    // More units change nothing of what was sold; what is paid back leaves its buyer, and its number is nobody's.
    let restock = json!({ "id": "more", "delta": 2, "reason": "a second print" });
    server.console("POST", &format!("/sales/{prints}/restock")).json(restock).expect(200).await;
    let back = bens[0]["order"].as_str().unwrap();
    let refund = server.console("POST", &format!("/admin/orders/{back}/refund"));
    refund.json(json!({ "reason": "asked" })).expect(200).await;
    let eve = server.person(&[]).await;
    let id = ordered(server, &eve, &prints, 1).await;
    press(server, &id, "pay").expect(303).await;
    assert_eq!(
        items(&eve).await.iter().map(edition).collect::<Vec<_>>(),
        [(json!(4), json!(5), json!("print"))]
    );
    assert_eq!(items(&ann).await, anns);
    assert_eq!(items(&ben).await.len(), 0);
}

/// Hole 28: paid after it was cancelled or had lapsed is defined: the units are taken again if there are any, else the money
/// goes back.
#[tokio::test]
async fn hole_28_money_that_comes_late_takes_units_again_or_goes_back() {
    let (_, server) = shared().await;
    let sale = sale(server, json!({ "units": 1, "per_user": 1, "hold_s": 1 })).await;
    let (ann, ben) = (server.person(&[]).await, server.person(&[]).await);
    let late = ordered(server, &ann, &sale, 1).await;
    press(server, &late, "late").expect(303).await;
    comes_to(server, &ann, &late, "paid").await;

    let crew = Crew::new(server).await;
    let other = crew.publish(form(-1, 1, json!({ "units": 1, "per_user": 1 }))).await;
    let first = ordered(server, &ann, &other, 1).await;
    cancel(server, &ann, &first).await;
    let second = ordered(server, &ben, &other, 1).await;
    press(server, &first, "pay").expect(303).await;
    let back = comes_to(server, &ann, &first, "refunded").await;
    assert_eq!((&back["reason"], &back["payments"][0]["back_why"]), (&json!("sold_out"), &json!("gone")));
    press(server, &second, "pay").expect(303).await;
    assert_eq!(state(server, &ben, &second).await, "paid");
    cancel_is_refused(server, &ben, &second).await;
    assert_eq!(money(server, &other).await, [1_980, 990, 990, 0]);
}

async fn cancel_is_refused(server: &crate::process::Server, who: &crate::people::Person, id: &str) {
    server.by(who, "POST", &format!("/orders/{id}/cancel")).refused(409, "order_step_illegal").await;
}

#[tokio::test]
async fn what_is_paid_twice_goes_back_once() {
    let (_, server) = shared().await;
    let (sale, ann) = (sale(server, json!({})).await, server.person(&[]).await);
    let id = ordered(server, &ann, &sale, 1).await;
    press(server, &id, "twice").expect(303).await;
    let look = || server.by(&ann, "GET", &format!("/orders/{id}"));
    let settled = settled(look, |answer| answer.json()["payments"][1]["state"] == "back").await.json();
    assert_eq!((&settled["state"], &settled["payments"][0]["state"]), (&json!("paid"), &json!("used")));
    assert_eq!(settled["payments"][1]["back_why"], "paid_twice");
    assert_eq!(money(server, &sale).await, [1_980, 990, 990, 0]);
    assert_eq!(units(server, &sale).await, [0, 0, 1]);
}

#[tokio::test]
async fn deducted_at_payment_nothing_is_held_and_the_first_who_pays_has_it() {
    let (_, server) = shared().await;
    let sale = sale(server, json!({ "units": 1, "per_user": 1, "policy": "at_payment", "hold_s": 60 })).await;
    let (ann, ben) = (server.person(&[]).await, server.person(&[]).await);
    let (first, second) = (ordered(server, &ann, &sale, 1).await, ordered(server, &ben, &sale, 1).await);
    assert_eq!(refused(server, &ann, &sale, 1).await, "limit_reached", "one open order for each");
    press(server, &second, "pay").expect(303).await;
    assert_eq!(state(server, &ben, &second).await, "paid");
    press(server, &first, "pay").expect(303).await;
    let back = comes_to(server, &ann, &first, "refunded").await;
    assert_eq!(back["reason"], "sold_out");
    assert_eq!(money(server, &sale).await, [1_980, 990, 990, 0]);

    // What the ledger took counts on, also when the money went back; so nobody pays for a refusal.
    let refund = server.console("POST", &format!("/admin/orders/{second}/refund"));
    refund.json(json!({ "reason": "it broke" })).expect(200).await;
    comes_to(server, &ben, &second, "refunded").await;
    let restock = json!({ "id": "more", "delta": 1, "reason": "a delivery" });
    server.console("POST", &format!("/sales/{sale}/restock")).json(restock).expect(200).await;
    assert_eq!(refused(server, &ben, &sale, 1).await, "limit_reached");
    let third = ordered(server, &ann, &sale, 1).await;
    press(server, &third, "pay").expect(303).await;
    comes_to(server, &ann, &third, "paid").await;

    let more = super::fixtures::sale(server, json!({ "policy": "at_payment", "per_user": 1 })).await;
    let third = ordered(server, &ann, &more, 1).await;
    assert_eq!(cancel(server, &ann, &third).await["state"], "cancelled");
    let again = ordered(server, &ann, &more, 1).await;
    assert_eq!(state(server, &ann, &again).await, "unpaid");
    let short =
        super::fixtures::sale(server, json!({ "policy": "at_payment", "per_user": 1, "hold_s": 1 })).await;
    let fourth = ordered(server, &ann, &short, 1).await;
    comes_to(server, &ann, &fourth, "expired").await;
    press(server, &fourth, "pay").expect(303).await;
    comes_to(server, &ann, &fourth, "paid").await;
}

#[tokio::test]
async fn money_that_came_before_a_crash_is_settled_after_it() {
    let home = Home::with(&[("WINDFALL__PAYMENTS__PROVIDER", "sandbox")]);
    let server = home.start("serve").await;
    let (sale, ann) = (sale(&server, json!({ "units": 3 })).await, server.person(&[]).await);
    let id = ordered(&server, &ann, &sale, 1).await;
    assert_eq!(state(&server, &ann, &id).await, "unpaid");
    server.kill().await;
    // As when the process died between writing the payment down and settling it.
    let database = home.database();
    let now = crate::activities::fixtures::now_ms();
    let body = json!({ "order": id }).to_string();
    database
        .execute_batch(&format!(
            "INSERT INTO payments VALUES (5, 'sandbox', 'r', {id}, 990, 'CNY', 'arrived', {now}, {now});
             UPDATE orders SET payment_id = 5 WHERE id = {id};
             INSERT INTO outbox (lane, due_ms, id, user_id, attempts, kind, subject, body, made_ms)
             VALUES ('orders', {now}, 6, 0, 0, 'orders', 5, '{body}', {now});"
        ))
        .unwrap();
    drop(database);
    let server = home.start("serve").await;
    comes_to(&server, &ann, &id, "paid").await;
    assert!(server.stop().await.success());
}

/// Money has come and nobody has settled it yet: whoever cancels then hears what became of the order, and every step is
/// counted once, in the report and in the metrics.
#[tokio::test]
async fn cancelling_an_order_that_is_being_paid_answers_what_happened() {
    let home = Home::new();
    let server = home.demo().await;
    let (sale, ann) = (sale(&server, json!({ "per_user": 9 })).await, server.person(&[]).await);
    let figures = [
        "windfall_orders_total{came=\"paid\"}",
        "windfall_orders_total{came=\"cancelled\"}",
        // Each press is a payment of its own, and all of them go back.
        "windfall_payments_total{came=\"back_due\"}",
    ];
    let before = [
        counted(&server, figures[0]).await,
        counted(&server, figures[1]).await,
        counted(&server, figures[2]).await,
    ];
    let (paying, let_go) = (ordered(&server, &ann, &sale, 1).await, ordered(&server, &ann, &sale, 1).await);
    // Its row is there once it can be looked at.
    order(&server, &ann, &paying).await;
    home.database()
        .execute_batch(&format!(
            "INSERT INTO payments (id, provider, reference, order_id, amount_minor, currency, state, made_ms, changed_ms)
             SELECT 7, 'sandbox', 'lost', id, total_minor, currency, 'arrived', made_ms, made_ms FROM orders
             WHERE id = {paying};
             UPDATE orders SET payment_id = 7 WHERE id = {paying};"
        ))
        .unwrap();
    for _ in 0..3 {
        let cancel = server.by(&ann, "POST", &format!("/orders/{paying}/cancel"));
        let refused = cancel.refused(409, "order_step_illegal").await;
        assert!(refused.text().contains("paid"), "{}", refused.text());
        assert_eq!(cancel_again(&server, &ann, &let_go).await, "cancelled");
        press(&server, &paying, "pay").expect(303).await;
    }
    assert_eq!(state(&server, &ann, &paying).await, "paid");
    let path = format!("/sales/{sale}/report");
    let report = settled(|| server.console("GET", &path), |report| total(report, "paid") == json!(1)).await;
    for (counted, expected) in [("orders", 2), ("paid", 1), ("cancelled", 1), ("expired", 0)] {
        assert_eq!(total(&report, counted), json!(expected), "{counted}: {}", report.text());
    }
    for ((figure, before), more) in figures.iter().zip(before).zip([1, 1, 3]) {
        assert_eq!(counted(&server, figure).await, before + more, "{figure}");
    }
    assert!(server.stop().await.success());
}

/// A counter that was not counted yet is zero.
async fn counted(server: &Server, figure: &str) -> u64 {
    let text = server.page("GET", "/metrics").expect(200).await.text();
    let line = text.lines().find_map(|line| line.strip_prefix(figure));
    line.map_or(0, |value| value.trim().parse().unwrap())
}

async fn cancel_again(server: &Server, who: &Person, id: &str) -> Value {
    cancel(server, who, id).await["state"].clone()
}

/// A figure of all hours together.
fn total(report: &Answer, counted: &str) -> Value {
    report.json()["totals"][0][counted].clone()
}
