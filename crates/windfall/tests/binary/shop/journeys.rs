//! Buying as people do it.

use futures::future::join_all;
use serde_json::{Value, json};

use super::fixtures::*;
use crate::activities::fixtures::{Crew, HOUR_MS, now_ms};
use crate::backend::settled;
use crate::draws::campaign::generous;
use crate::people::{address, fresh_external};
use crate::process::shared;

#[tokio::test]
async fn a_parcel_is_bought_claimed_and_sent() {
    let (_, server) = shared().await;
    let (offer, ann) =
        (offer(server, json!({ "text": "来自杭州", "limit": 2 })).await, rich(server, 25).await);
    let seen = server.api("GET", &format!("/shop/{offer}")).expect(200).await.json();
    assert_eq!((&seen["price"], &seen["left"], &seen["limit"]), (&json!(10), &json!(5), &json!(2)));
    let shelf = server.api("GET", "/shop?limit=200").expect(200).await.items();
    assert!(shelf.iter().any(|one| one == &seen));

    let order = buy(server, &ann, &offer, 2).expect(201).await.json();
    assert_eq!(
        (&order["state"], &order["cost"], &order["name"]),
        (&json!("done"), &json!(20), &json!("green tea"))
    );
    let thing = &order["things"][0];
    assert_eq!(
        (&thing["kind"], &thing["amount"], &thing["giving"]["next"]),
        (&json!("parcel"), &json!(2), &json!("claim"))
    );
    assert_eq!((balance(server, &ann).await, left(server, &offer).await), (json!(5), json!(3)));
    let id = order["id"].as_str().unwrap();
    let claim = server.by(&ann, "POST", &format!("/me/wins/{id}/claim"));
    claim.json(json!({ "address": address("世纪大道 1 号") })).expect(200).await;
    let queue = server.console("GET", "/fulfilments?state=to_ship&kind=parcel").expect(200).await.items();
    let listed = queue.iter().find(|one| one["id"] == id).unwrap();
    assert_eq!((&listed["source"], &listed["prize_name"]), (&json!("shop"), &json!("green tea")));
    let ship = json!({ "carrier": "SF Express", "tracking": "SF1" });
    server.console("POST", &format!("/fulfilments/{id}/ship")).json(ship).expect(200).await;
    let mine = server.by(&ann, "GET", "/me/shop-orders").expect(200).await.items();
    assert_eq!((mine.len(), &mine[0]["things"][0]["giving"]["tracking"]), (1, &json!("SF1")));
    server
        .console("POST", &format!("/fulfilments/{id}/void"))
        .json(json!({ "reason": "x" }))
        .refused(409, "fulfilment_step_illegal")
        .await;

    points(server, &ann.id, 100).await;
    buy(server, &ann, &offer, 1).refused(409, "limit_reached").await;
    assert_eq!(balance(server, &ann).await, json!(105));
}

#[tokio::test]
async fn chances_and_codes_come_by_themselves() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let activity = crew.publish(generous(9, 1)).await;
    let ann = rich(server, 100).await;
    let chances = offer(server, json!({ "kind": "chances", "activity": activity, "amount": 3 })).await;
    assert_eq!(buy(server, &ann, &chances, 2).expect(201).await.json()["things"][0]["amount"], 6);
    let me = || server.by(&ann, "GET", &format!("/play/activities/{activity}/me"));
    settled(me, |answer| answer.json()["granted"] == 6).await;
    // Chances that nobody can use are not sold.
    crew.step(&activity, "close").expect(200).await;
    let before = balance(server, &ann).await;
    buy(server, &ann, &chances, 1).refused(409, "ended").await;
    assert_eq!((balance(server, &ann).await, left(server, &chances).await), (before, json!(0)));

    let pool = crate::codes::pool(server).await;
    crate::codes::import(server, &pool, "SHOP-1\nSHOP-2\nSHOP-3\n").await;
    let codes = offer(server, json!({ "kind": "code", "pool": pool })).await;
    buy(server, &ann, &codes, 2).expect(201).await;
    let mine = || server.by(&ann, "GET", "/me/shop-orders?limit=1");
    let code = |order: &Value, at: usize| order["things"][at]["code"].as_str().map(str::to_owned);
    let answer = settled(mine, |answer| code(&answer.items()[0], 1).is_some()).await;
    let mut got = [code(&answer.items()[0], 0).unwrap(), code(&answer.items()[0], 1).unwrap()];
    got.sort();
    assert_eq!(got, ["SHOP-1", "SHOP-2"]);
    // A word that is bought is given by saying so.
    let text = offer(server, json!({ "kind": "text" })).await;
    let order = buy(server, &ann, &text, 1).expect(201).await.json();
    assert_eq!(order["things"][0]["giving"]["state"], "given");
}

#[tokio::test]
async fn the_same_key_three_times_is_one_order() {
    let (_, server) = shared().await;
    let (offer, ann) = (offer(server, json!({})).await, rich(server, 100).await);
    let key = fresh_external();
    let ask = |quantity| buy(server, &ann, &offer, quantity).header("idempotency-key", &key);
    let first = ask(1).expect(201).await.json();
    for _ in 0..2 {
        assert_eq!(ask(1).expect(200).await.json()["id"], first["id"]);
    }
    ask(2).refused(409, "idempotency_conflict").await;
    // And all at once.
    let key = fresh_external();
    let ask = || buy(server, &ann, &offer, 1).header("idempotency-key", &key).send();
    let answers = join_all((0..8).map(|_| ask())).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 201)), "{answers:?}");
    assert_eq!((made, balance(server, &ann).await, left(server, &offer).await), (1, json!(80), json!(3)));
}

#[tokio::test]
async fn two_tabs_and_a_crowd_get_what_there_is_and_no_more() {
    let (_, server) = shared().await;
    // Points for two, asked for ten times at once.
    let (tea, ann) = (offer(server, json!({ "stock": 50 })).await, rich(server, 29).await);
    let answers = join_all((0..10).map(|_| buy(server, &ann, &tea, 1).send())).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    assert!(
        answers.iter().all(|answer| answer.status == 201 || answer.code() == "points_short"),
        "{answers:?}"
    );
    assert_eq!((made, balance(server, &ann).await), (2, json!(9)));
    settled(|| server.api("GET", &format!("/shop/{tea}")), |answer| answer.json()["left"] == 48).await;

    // Five pieces, and eight people with points.
    let cake = offer(server, json!({ "name": "cake", "limit": 1 })).await;
    let mut crowd = Vec::new();
    for _ in 0..8 {
        crowd.push(rich(server, 10).await);
    }
    let answers = join_all(crowd.iter().map(|one| buy(server, one, &cake, 1).send())).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    assert!(answers.iter().all(|answer| answer.status == 201 || answer.code() == "sold_out"), "{answers:?}");
    assert_eq!((made, left(server, &cake).await), (5, json!(0)));
    for (one, answer) in crowd.iter().zip(&answers) {
        let expected = if answer.status == 201 { 0 } else { 10 };
        assert_eq!(balance(server, one).await, json!(expected), "whoever got nothing paid nothing");
    }
    let told = restock(server, &cake, 1).expect(200).await.json();
    assert_eq!((&told["left"], &told["sold"]), (&json!(1), &json!(5)));
}

#[tokio::test]
async fn what_is_not_sold_is_refused_by_its_name() {
    let (_, server) = shared().await;
    let ann = rich(server, 9).await;
    let hidden = draft(server, json!({})).await;
    buy(server, &ann, &hidden, 1).refused(404, "not_found").await;
    server.api("GET", &format!("/shop/{hidden}")).refused(404, "not_found").await;
    let early = offer(server, json!({ "from": now_ms() + HOUR_MS })).await;
    buy(server, &ann, &early, 1).refused(409, "offer_not_started").await;
    let late = offer(server, json!({ "until": now_ms() - HOUR_MS })).await;
    buy(server, &ann, &late, 1).refused(409, "offer_over").await;
    let shelf = server.api("GET", "/shop?limit=200").expect(200).await.items();
    let shown = |id: &str| shelf.iter().any(|one| one["id"] == id);
    assert_eq!((shown(&hidden), shown(&early), shown(&late)), (false, true, false));
    let tea = offer(server, json!({ "stock": 0 })).await;
    buy(server, &ann, &tea, 1).refused(409, "points_short").await;
    points(server, &ann.id, 100).await;
    let refused = buy(server, &ann, &tea, 1).refused(409, "sold_out").await;
    assert!(refused.text().contains("green tea"), "{}", refused.text());
    edit(server, &tea, json!({ "edition": 2, "state": "off" })).expect(200).await;
    buy(server, &ann, &tea, 1).refused(409, "offer_off").await;
    edit(server, &tea, json!({ "edition": 3, "state": "draft" })).refused(409, "offer_step_illegal").await;
    assert_eq!(balance(server, &ann).await, json!(109));
    assert_eq!(server.by(&ann, "GET", "/me/shop-orders").expect(200).await.items(), Vec::<Value>::new());
}

#[tokio::test]
async fn offers_are_kept_by_operators() {
    let (_, server) = shared().await;
    let (oper, admin) = (server.person(&["operator"]).await, server.person(&["admin"]).await);
    let key = fresh_external();
    let make = || {
        let call = server.by(&oper, "POST", "/shop/offers").header("idempotency-key", &key);
        call.json(tea(json!({ "name": "once" }))).expect(201)
    };
    let made = make().await.json();
    assert_eq!(make().await.json(), made, "made once, with its stock");
    assert_eq!((&made["state"], &made["left"], &made["edition"]), (&json!("draft"), &json!(5), &json!(1)));
    let id = made["id"].as_str().unwrap();
    let again = json!({ "id": "delivery-1", "delta": 4, "reason": "a delivery" });
    for _ in 0..2 {
        let call = server.by(&oper, "POST", &format!("/shop/offers/{id}/restock")).json(again.clone());
        assert_eq!(call.expect(200).await.json()["left"], 9);
    }
    restock(server, id, -10).refused(409, "not_free").await;
    let lines =
        server.by(&admin, "GET", &format!("/admin/audit?subject=offer:{id}")).expect(200).await.items();
    let actions: Vec<_> = lines.iter().rev().map(|line| line["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["offer.make", "offer.restock", "offer.restock"], "the first stock has its line too");
    // A limit that changes holds from then on.
    edit(server, id, json!({ "edition": 1, "state": "on" })).expect(200).await;
    let ann = rich(server, 100).await;
    buy(server, &ann, id, 3).expect(201).await;
    edit(server, id, json!({ "edition": 2, "limit": 3 })).expect(200).await;
    buy(server, &ann, id, 1).refused(409, "limit_reached").await;
    edit(server, id, json!({ "edition": 3, "limit": 4 })).expect(200).await;
    buy(server, &ann, id, 1).expect(201).await;
}

#[tokio::test]
async fn what_was_bought_is_refunded_by_two_people() {
    let (_, server) = shared().await;
    let (tea, ann) = (offer(server, json!({})).await, rich(server, 20).await);
    let order = buy(server, &ann, &tea, 2).expect(201).await.member("id");
    assert_eq!((balance(server, &ann).await, left(server, &tea).await), (json!(0), json!(3)));
    let ask = |who| {
        server
            .by(who, "POST", &format!("/shop/orders/{order}/refund"))
            .json(json!({ "reason": "a broken cup" }))
    };
    ask(&ann).refused(403, "forbidden").await;
    let operator = server.person(&["operator", "admin"]).await;
    let approval = ask(&operator).expect(202).await.member("approval_id");
    assert_eq!(ask(&operator).expect(202).await.member("approval_id"), approval, "asked for once");
    let approve = server.by(&operator, "POST", &format!("/admin/approvals/{approval}/approve"));
    approve.json(json!({})).refused(403, "own_work").await;
    let approved = refund(server, &order).await;
    assert_eq!(approved["request"], json!({ "kind": "refund_shop_order", "order_id": order }));
    let mine = server.by(&ann, "GET", "/me/shop-orders").expect(200).await.items().remove(0);
    assert_eq!((&mine["state"], &mine["reason"]), (&json!("reversed"), &json!("a broken cup")));
    assert_eq!(mine["things"][0]["giving"]["state"], "voided");
    assert_eq!(balance(server, &ann).await, json!(20));
    // Nobody has the cups: they are sold again.
    settled(|| server.api("GET", &format!("/shop/{tea}")), |answer| answer.json()["left"] == 5).await;
    ask(&operator).refused(409, "order_step_illegal").await;

    // A word is given by being said: the points come back, the piece does not.
    let text = offer(server, json!({ "kind": "text" })).await;
    let order = buy(server, &ann, &text, 1).expect(201).await.member("id");
    refund(server, &order).await;
    let mine = server.by(&ann, "GET", "/me/shop-orders").expect(200).await.items().remove(0);
    assert_eq!(
        (&mine["state"], &mine["things"][0]["giving"]["state"]),
        (&json!("reversed"), &json!("given"))
    );
    assert_eq!((balance(server, &ann).await, left(server, &text).await), (json!(20), json!(4)));

    // Staff who bought something neither ask nor approve.
    let staff = server.person(&["operator", "admin"]).await;
    points(server, &staff.id, 10).await;
    let order = buy(server, &staff, &text, 1).expect(201).await.member("id");
    let ask = |who| {
        let call = server.by(who, "POST", &format!("/shop/orders/{order}/refund"));
        call.json(json!({ "reason": "mine" }))
    };
    ask(&staff).refused(403, "own_account").await;
    let approval = ask(&operator).expect(202).await.member("approval_id");
    let approve = server.by(&staff, "POST", &format!("/admin/approvals/{approval}/approve"));
    approve.json(json!({})).refused(403, "own_account").await;
}
