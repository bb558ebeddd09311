//! Attempts: one final answer each, whatever people do.

use std::collections::HashSet;

use futures::future::join_all;
use serde_json::{Value, json};

use super::fixtures::*;
use crate::activities::fixtures::Crew;
use crate::backend::settled;
use crate::process::{Home, shared};

#[tokio::test]
async fn an_attempt_becomes_an_order_that_holds_its_units() {
    let (_, server) = shared().await;
    let (sale, ann) = (sale(server, json!({})).await, server.person(&[]).await);
    let taken_in = attempt(server, &ann, &sale, 2).await.expect(202).await;
    let first = taken_in.json();
    assert_eq!((&first["state"], &first["code"]), (&json!("queued"), &json!("0")));
    assert!(first["ask_again_ms"].as_u64().is_some_and(|ms| ms >= 500), "{first}");
    let came = answer(server, &ann, &taken_in).await;
    assert_eq!(
        (&came["state"], &came["code"], &came["order"]),
        (&json!("ordered"), &first["id"], &first["id"])
    );
    assert_eq!((&came["ask_again_ms"], &came["waiting"]), (&Value::Null, &Value::Null));

    let order = order(server, &ann, first["id"].as_str().unwrap()).await;
    assert_eq!(
        (&order["state"], &order["total_minor"], &order["currency"], &order["policy"]),
        (&json!("unpaid"), &json!(1_980), &json!("CNY"), &json!("at_order"))
    );
    let line = &order["lines"][0];
    assert_eq!(
        (&line["sale"], &line["name"], &line["quantity"], &line["price_minor"], &line["version"]),
        (&json!(sale), &json!("teapot"), &json!(2), &json!(990), &json!(1))
    );
    let mine = server.by(&ann, "GET", "/me/orders").expect(200).await.items();
    assert_eq!((mine.len(), &mine[0]), (1, &order));
    assert_eq!(refused(server, &ann, &sale, 1).await, "limit_reached");
    let live = server.by(&ann, "GET", &format!("/attempts/{}/live", taken_in.member("id"))).expect(200).await;
    assert!(live.text().starts_with("event: attempt\ndata: {"), "{}", live.text());

    let ben = server.person(&[]).await;
    for path in ["/attempts/{id}", "/attempts/{id}/live", "/orders/{id}"] {
        let path = path.replace("{id}", first["id"].as_str().unwrap());
        server.by(&ben, "GET", &path).refused(404, "not_found").await;
    }
    let lost = server.by(&ben, "GET", "/attempts/77").expect(200).await.json();
    assert_eq!((&lost["state"], &lost["problem"]["code"]), (&json!("refused"), &json!("attempt_lost")));
}

#[tokio::test]
async fn the_same_key_is_the_same_attempt_also_after_a_restart() {
    let home = Home::new();
    let server = home.start("serve").await;
    let (sale, ann) = (sale(&server, json!({ "per_user": 5 })).await, server.person(&[]).await);
    let body = json!({ "quantity": 1, "token": token(&server, &ann, &sale).await });
    let path = format!("/sales/{sale}/attempts");
    let first = server.by(&ann, "POST", &path).header("idempotency-key", "k1").json(body.clone());
    let made = first.clone().expect(202).await;
    assert_eq!(first.expect(200).await.member("id"), made.member("id"));
    let came = answer(&server, &ann, &made).await;
    assert_eq!(came["state"], "ordered");
    let more = server.by(&ann, "POST", &path).header("idempotency-key", "k1");
    more.json(json!({ "quantity": 2 })).refused(409, "idempotency_conflict").await;

    // Killed: what was told stays, and the same request finds the same order.
    server.kill().await;
    let server = home.start("serve").await;
    let told = answer(&server, &ann, &made).await;
    assert_eq!((&told["state"], &told["order"]), (&json!("ordered"), &came["order"]));
    let body = json!({ "quantity": 1, "token": token(&server, &ann, &sale).await });
    let again = server.by(&ann, "POST", &path).header("idempotency-key", "k1").json(body);
    let again = again.expect(200).await;
    assert_eq!((again.member("id"), &again.json()["order"]), (made.member("id"), &came["order"]));
    assert_eq!(server.by(&ann, "GET", "/me/orders").expect(200).await.items().len(), 1);
    assert!(server.stop().await.success());
}

/// Hole 67: a repetition after a restart was given a number of its own, which the restart after that knew nothing of.
#[tokio::test]
async fn hole_67_an_attempt_that_was_told_ordered_stays_so_after_repetitions_and_restarts() {
    let home = Home::new();
    let mut server = home.start("serve").await;
    let crew = Crew::new(&server).await;
    let mut told = Vec::new();
    for policy in ["at_order", "at_payment"] {
        let sale = crew.publish(form(-1, 1, json!({ "policy": policy, "per_user": 5 }))).await;
        for at in 0..3 {
            let who = server.person(&[]).await;
            let body = json!({ "quantity": 1, "token": token(&server, &who, &sale).await });
            let (path, key) = (format!("/sales/{sale}/attempts"), format!("{policy}-{at}"));
            let call = server.by(&who, "POST", &path).header("idempotency-key", &key).json(body);
            let came = answer(&server, &who, &call.expect(202).await).await;
            assert_eq!((&came["state"], &came["order"]), (&json!("ordered"), &came["id"]), "{came}");
            told.push((who, sale.clone(), path, key, came["id"].clone()));
        }
    }
    for life in 1..=3 {
        server.kill().await;
        server = home.start("serve").await;
        for (who, sale, path, key, id) in &told {
            let body = json!({ "quantity": 1, "token": token(&server, who, sale).await });
            let again = server.by(who, "POST", path).header("idempotency-key", key).json(body);
            let again = again.expect(200).await.json();
            let look = format!("/attempts/{}", id.as_str().unwrap());
            let seen = server.by(who, "GET", &look).expect(200).await.json();
            for one in [again, seen] {
                assert_eq!(
                    (&one["id"], &one["state"], &one["order"]),
                    (id, &json!("ordered"), id),
                    "{key} in life {life}: {one}"
                );
            }
            assert_eq!(server.by(who, "GET", "/me/orders").expect(200).await.items().len(), 1);
        }
    }
}

/// Turned away at the gate, an attempt is first looked for in the life before.
#[tokio::test]
async fn a_request_repeated_after_a_restart_finds_its_order_before_its_buyer_is_turned_away() {
    let home = Home::new();
    let server = home.start("serve").await;
    let (crew, ann) = (Crew::new(&server).await, server.person(&[]).await);
    let mut made = Vec::new();
    for policy in ["at_order", "at_payment"] {
        let sale = crew.publish(form(-1, 1, json!({ "policy": policy }))).await;
        let body = json!({ "quantity": 1, "token": token(&server, &ann, &sale).await });
        let path = format!("/sales/{sale}/attempts");
        let call = server.by(&ann, "POST", &path).header("idempotency-key", policy).json(body.clone());
        let came = answer(&server, &ann, &call.expect(202).await).await;
        assert_eq!(came["state"], "ordered");
        made.push((policy, sale, path, body, came["order"].clone()));
    }
    let sales: Vec<String> = made.iter().map(|(_, sale, ..)| sale.clone()).collect();
    server.kill().await;
    let server = home.start("serve").await;
    let crew = Crew::new(&server).await;
    for sale in sales {
        crew.step(&sale, "pause").expect(200).await;
    }
    for (policy, _, path, body, order) in made {
        let ask = |key: &str, body: &Value| {
            server.by(&ann, "POST", &path).header("idempotency-key", key).json(body.clone())
        };
        let again = ask(policy, &body).expect(200).await.json();
        assert_eq!((&again["state"], &again["order"]), (&json!("ordered"), &order), "{policy}");
        ask("another", &body).refused(409, "paused").await;
        let mut more = body.clone();
        more["quantity"] = json!(2);
        ask(policy, &more).refused(409, "idempotency_conflict").await;
    }
    assert!(server.stop().await.success());
}

/// Holes 30 and 31: a double click takes one; more buyers than units sell exactly the units.
#[tokio::test]
async fn hole_31_clicks_beside_each_other_take_what_may_be_taken_and_no_more() {
    let (_, server) = shared().await;
    let sale = sale(server, json!({ "units": 7, "per_user": 1 })).await;
    let buyers = join_all((0..12).map(|_| server.person(&[]))).await;
    let clicks = buyers.iter().flat_map(|who| [who, who]).map(|who| {
        let sale = &sale;
        async move {
            let body = json!({ "token": token(server, who, sale).await });
            let made = server.by(who, "POST", &format!("/sales/{sale}/attempts")).json(body).send().await;
            if made.status == 202 {
                let came = answer(server, who, &made).await;
                return came["order"].as_str().map(|order| (who.id.clone(), order.to_owned()));
            }
            assert!(
                ["attempt_under_way", "sold_out", "limit_reached", "token_spent"]
                    .contains(&made.code().as_str()),
                "{}",
                made.text()
            );
            None
        }
    });
    let sold: Vec<(String, String)> = join_all(clicks).await.into_iter().flatten().collect();
    let (people, orders): (HashSet<_>, HashSet<_>) = sold.iter().cloned().unzip();
    assert_eq!((sold.len(), people.len(), orders.len()), (7, 7, 7), "sold = stock, one for each");
    let listed = || server.console("GET", &format!("/admin/orders?sale={sale}"));
    settled(listed, |answer| answer.items().len() == 7).await;
}

#[tokio::test]
async fn the_ledger_refuses_outside_the_window_and_while_paused() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let running = crew.publish(form(-1, 1, json!({}))).await;
    let later = crew.publish(form(1, 2, json!({}))).await;
    let ann = server.person(&[]).await;
    server
        .by(&ann, "POST", &format!("/sales/{later}/attempts"))
        .json(json!({ "token": "wft_x" }))
        .refused(403, "token_wrong")
        .await;
    server.by(&ann, "POST", "/sales/77/attempts").json(json!({})).refused(404, "not_found").await;
    for (body, field) in [
        (json!({ "quantity": 0 }), "quantity"),
        (json!({ "quantity": -1 }), "quantity"),
        (json!({ "quantity": 1_001 }), "quantity"),
        (json!({ "colour": "red" }), "colour"),
    ] {
        let call = server.by(&ann, "POST", &format!("/sales/{running}/attempts")).json(body);
        assert_eq!(call.refused(400, "invalid_field").await.json()["field"], field);
    }
    let held = token(server, &ann, &running).await;
    let buy = |body: Value| server.by(&ann, "POST", &format!("/sales/{running}/attempts")).json(body);
    let beyond = buy(json!({ "token": held, "quantity": 3 })).refused(400, "invalid_field").await;
    assert_eq!(beyond.json()["field"], "quantity", "one person may have two");
    crew.step(&running, "pause").expect(200).await;
    let paused = buy(json!({ "token": held })).refused(409, "paused").await;
    assert!(!paused.text().contains("chances"), "{}", paused.text());
    server.by(&ann, "POST", &format!("/sales/{running}/token")).json(json!({})).refused(409, "paused").await;
    server.by(&ann, "GET", "/attempts/7?wait_ms=25001").refused(400, "invalid_field").await;
}

/// In a folder of its own: the switch stops every sale there is.
#[tokio::test]
async fn while_everything_is_stopped_nobody_is_let_in() {
    let home = Home::new();
    let server = home.start("serve").await;
    let (sale, ann) = (sale(&server, json!({})).await, server.person(&[]).await);
    let held = token(&server, &ann, &sale).await;
    let halt = |on: bool| {
        server.console("POST", "/admin/halt").json(json!({ "on": on, "reason": "something is wrong" }))
    };
    let token_call = || server.by(&ann, "POST", &format!("/sales/{sale}/token")).json(json!({}));
    let buy = || server.by(&ann, "POST", &format!("/sales/{sale}/attempts")).json(json!({ "token": held }));
    halt(true).expect(200).await;
    for call in [token_call(), buy()] {
        let refused = call.refused(409, "halted").await;
        assert!(!refused.text().contains("chances"), "{}", refused.text());
    }
    halt(false).expect(200).await;
    token_call().expect(201).await;
    let taken_in = buy().expect(202).await;
    assert_eq!(answer(&server, &ann, &taken_in).await["state"], "ordered", "its token was still good");
    assert!(server.stop().await.success());
}

/// A price that is not what the buyer was shown is told at once, and costs no token.
#[tokio::test]
async fn nobody_pays_a_price_that_they_have_not_seen() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let tea = crew.publish(form(-1, 1, json!({ "name": "tea" }))).await;
    let cup = crew.publish(form(-1, 1, json!({ "name": "cup", "price_minor": 100 }))).await;
    let ann = server.person(&[]).await;
    let held = token(server, &ann, &tea).await;
    let buy = |price_minor: u64| {
        let body = json!({ "token": held, "price_minor": price_minor });
        server.by(&ann, "POST", &format!("/sales/{tea}/attempts")).json(body)
    };
    let refused = buy(980).refused(409, "price_changed").await.json();
    assert_eq!((&refused["price_minor"], &refused["currency"]), (&json!(990), &json!("CNY")));
    assert!(refused["title"].as_str().unwrap().contains("tea costs CNY 9.90"), "{refused}");

    // Changed while it was looked at.
    crew.edit(&tea, 0, &form(-1, 1, json!({ "name": "tea", "price_minor": 880 }))).expect(200).await;
    crew.step(&tea, "submit").expect(200).await;
    crew.step(&tea, "approve").expect(200).await;
    let refused = buy(990).refused(409, "price_changed").await.json();
    assert_eq!(refused["price_minor"], 880);

    let line = |sale: &str, token: &str, price_minor: u64| json!({ "sale": sale, "token": token, "price_minor": price_minor });
    let cups = token(server, &ann, &cup).await;
    let cart = |lines: Value| server.by(&ann, "POST", "/attempts").json(json!({ "lines": lines }));
    let refused = cart(json!([line(&tea, &held, 880), line(&cup, &cups, 99)]));
    assert_eq!(refused.refused(409, "price_changed").await.json()["price_minor"], 100);
    let made = cart(json!([line(&tea, &held, 880), line(&cup, &cups, 100)])).expect(202).await;
    let came = answer(server, &ann, &made).await;
    let whole = order(server, &ann, came["order"].as_str().unwrap()).await;
    assert_eq!(whole["total_minor"], 980, "the tokens were still good");
}

#[tokio::test]
async fn a_cart_is_one_order_or_none() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let tea = crew.publish(form(-1, 1, json!({ "name": "tea" }))).await;
    let cup = crew
        .publish(form(-1, 1, json!({ "name": "cup", "units": 1, "per_user": 0, "price_minor": 100 })))
        .await;
    let dollars = crew.publish(form(-1, 1, json!({ "currency": "USD" }))).await;
    let later = crew.publish(form(-1, 1, json!({ "policy": "at_payment", "name": "later" }))).await;
    let ann = server.person(&[]).await;
    let cart = |lines: Vec<(String, i64)>| {
        let ann = &ann;
        async move {
            let mut all = Vec::new();
            for (sale, quantity) in lines {
                let token = token(server, ann, &sale).await;
                all.push(json!({ "sale": sale, "quantity": quantity, "token": token }));
            }
            server.by(ann, "POST", "/attempts").json(json!({ "lines": all }))
        }
    };
    let of = |sale: &String, quantity| (sale.clone(), quantity);
    cart(vec![of(&tea, 1), of(&dollars, 1)]).await.refused(409, "cart_currencies").await;
    cart(vec![of(&tea, 1), of(&later, 1)]).await.refused(409, "cart_at_payment").await;
    let twice = cart(vec![of(&tea, 1), of(&tea, 1)]).await.refused(400, "invalid_field").await;
    assert_eq!(twice.json()["field"], "lines[1].sale");
    let none = server.by(&ann, "POST", "/attempts").json(json!({ "lines": [] }));
    assert_eq!(none.refused(400, "invalid_field").await.json()["field"], "lines");

    let gone = cart(vec![of(&tea, 2), of(&cup, 2)]).await.expect(202).await;
    let came = answer(server, &ann, &gone).await;
    assert_eq!((&came["problem"]["code"], &came["problem"]["pool"]), (&json!("sold_out"), &json!("cup")));
    let made = cart(vec![of(&tea, 2), of(&cup, 1)]).await.expect(202).await;
    let came = answer(server, &ann, &made).await;
    let whole = order(server, &ann, came["order"].as_str().unwrap()).await;
    assert_eq!((whole["lines"].as_array().unwrap().len(), &whole["total_minor"]), (2, &json!(2_080)));
    press(server, came["order"].as_str().unwrap(), "pay").expect(303).await;
    let paid = order(server, &ann, came["order"].as_str().unwrap()).await;
    assert_eq!((&paid["state"], paid["things"].as_array().unwrap().len()), (&json!("paid"), 2));
}

/// Hole 36: what is cancelled or lapses is sold again, and does not keep its buyer from buying again.
#[tokio::test]
async fn hole_36_units_that_go_back_are_sold_again() {
    let home = Home::with_clock(&[]);
    let server = &home.start("serve").await;
    let sale = sale(server, json!({ "units": 1, "per_user": 1, "hold_s": 600 })).await;
    let (ann, ben) = (server.person(&[]).await, server.person(&[]).await);
    let first = ordered(server, &ann, &sale, 1).await;
    let sold_out = attempt_or_gone(server, &ben, &sale).await;
    assert_eq!(sold_out, "sold_out");
    assert_eq!(cancel(server, &ann, &first).await["state"], "cancelled");
    assert_eq!(cancel(server, &ann, &first).await["state"], "cancelled", "the same again is the same");
    let second = ordered(server, &ann, &sale, 1).await;
    home.clock_off(600_000);
    comes_to(server, &ann, &second, "expired").await;
    let late = server.by(&ann, "POST", &format!("/orders/{second}/cancel"));
    late.refused(409, "order_step_illegal").await;
    server.by(&ann, "POST", &format!("/orders/{second}/pay")).refused(409, "order_step_illegal").await;
    // The flag clears by itself.
    let try_again = || server.by(&ben, "POST", &format!("/sales/{sale}/token")).json(json!({}));
    settled(try_again, |answer| answer.status == 201).await;
    let third = ordered(server, &ben, &sale, 1).await;
    assert_eq!(state(server, &ben, &third).await, "unpaid");
    assert_eq!(units(server, &sale).await, [2, 1, 0]);
}

/// Refused in front of the gate, or by the ledger.
async fn attempt_or_gone(server: &crate::process::Server, who: &crate::people::Person, sale: &str) -> String {
    let asked = server.by(who, "POST", &format!("/sales/{sale}/token")).json(json!({})).send().await;
    if asked.status != 201 {
        return asked.code();
    }
    refused(server, who, sale, 1).await
}
