//! A sale from its form to its end.

use serde_json::{Value, json};

use super::fixtures::*;
use crate::activities::fixtures::{Crew, HOUR_MS, now_ms, problems};
use crate::backend::settled;
use crate::client::Answer;
use crate::people::fresh_external;
use crate::process::{Home, Server, shared};

async fn look(server: &Server, id: &str) -> Value {
    server.api("GET", &format!("/sales/{id}")).expect(200).await.json()
}

#[tokio::test]
async fn a_sale_is_written_reviewed_and_shown() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let change =
        json!({ "sale.pictures": ["🫖", "https://example.com/pot.png"], "sale.gate": { "captcha": true } });
    let id = crew.write(teapots(change)).await;
    let unseen = format!("/sales/{id}");
    server.api("GET", &unseen).refused(404, "not_found").await;
    crew.step(&id, "submit").expect(200).await;
    server.api("GET", &unseen).refused(404, "not_found").await;
    crew.step(&id, "approve").expect(200).await;

    let seen = look(server, &id).await;
    for (field, expected) in [
        ("name", json!("Noon sale")),
        ("price_minor", json!(9_900)),
        ("currency", json!("CNY")),
        ("units", json!(5)),
        ("left", json!(5)),
        ("sold_out", json!(false)),
        ("per_user", json!(2)),
        ("hold_s", json!(900)),
        ("policy", json!("at_order")),
        ("gate", json!({ "captcha": true, "room": false })),
        ("state", json!("running")),
        ("round", json!(1)),
        ("version", json!(1)),
    ] {
        assert_eq!(seen[field], expected, "{field}");
    }
    assert_eq!(seen["item"]["kind"], "parcel");
    assert_eq!(seen["item"]["name"], "Clay teapot");
    assert_eq!(seen["item"]["pictures"], json!(["🫖", "https://example.com/pot.png"]));
    assert!((now_ms() - seen["server_ms"].as_i64().unwrap()).abs() < HOUR_MS, "the server's own clock");
    let all = server.api("GET", "/sales?limit=200").expect(200).await.items();
    assert!(all.iter().any(|one| one["id"] == seen["id"]));

    // Nobody draws from it or enters it, and an activity of another kind is no sale.
    let ann = server.person(&[]).await;
    for what in ["draws", "entries"] {
        let path = format!("/play/activities/{id}/{what}");
        server
            .by(&ann, "POST", &path)
            .json(json!({ "id": fresh_external() }))
            .refused(409, "sells_only")
            .await;
    }
    let wheel = crew.publish(crate::activities::fixtures::running()).await;
    server.api("GET", &format!("/sales/{wheel}")).refused(404, "not_found").await;
    crew.step(&id, "pause").expect(200).await;
    assert_eq!(look(server, &id).await["state"], "paused");
    crew.step(&id, "close").expect(200).await;
    assert_eq!(look(server, &id).await["state"], "closed");
}

#[tokio::test]
async fn every_reason_is_told_at_submit() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let form = teapots(json!({ "sale.per_user": 9, "chances": { "total": 1 }, "tree": "7" }));
    let id = crew.write(form).await;
    let refused = crew.step(&id, "submit").refused(422, "flawed").await;
    let told: Vec<(String, String)> = problems(&refused);
    let told: Vec<(&str, &str)> = told.iter().map(|(field, code)| (field.as_str(), code.as_str())).collect();
    assert_eq!(
        told,
        [("sale.per_user", "per_user_beyond_units"), ("chances", "sale_chances"), ("tree", "tree_unknown")]
    );
}

/// What a sale names has to be there: a code for each unit that is still to be sold, and every picture.
#[tokio::test]
async fn what_a_sale_names_and_is_not_there_is_told_at_submit() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let (few, picture) = (crate::codes::pool(server).await, uploaded(server).await);
    let code = fresh_external();
    crate::codes::import(server, &few, &format!("{code}-1\n{code}-2\n")).await;
    let nobodys = "99999999999999999999";
    for (change, expected) in [
        (json!({ "sale.item": "code", "sale.pool": few, "sale.units": 2 }), &[][..]),
        (json!({ "sale.item": "code", "sale.pool": few, "sale.units": 3 }), &["sale.pool pool_too_small"]),
        (json!({ "sale.item": "code", "sale.pool": "7" }), &["sale.pool pool_unknown"]),
        (json!({ "sale.pictures": [picture] }), &[]),
        (
            json!({ "sale.pictures": [picture, "7", "🫖", nobodys], "sale.per_user": 9 }),
            &[
                "sale.per_user per_user_beyond_units",
                "sale.pictures[1] picture_unknown",
                "sale.pictures[3] picture_unknown",
            ],
        ),
    ] {
        let id = crew.write(teapots(change.clone())).await;
        let answer = crew.step(&id, "submit").send().await;
        let told: Vec<String> =
            problems(&answer).into_iter().map(|(field, code)| format!("{field} {code}")).collect();
        assert_eq!(told, expected, "{change}");
    }

    // Of a sale that runs only what is not sold yet needs a code.
    let id = crew.publish(teapots(json!({ "sale.item": "code", "sale.pool": few, "sale.units": 2 }))).await;
    let ann = server.person(&[]).await;
    let paid = ordered(server, &ann, &id, 1).await;
    press(server, &paid, "pay").expect(303).await;
    comes_to(server, &ann, &paid, "fulfilled").await;
    let next = json!({ "sale.item": "code", "sale.pool": few, "sale.units": 2, "sale.price_minor": 1 });
    crew.edit(&id, 0, &teapots(next)).expect(200).await;
    crew.step(&id, "submit").expect(200).await;
}

/// A price is in the database before the ledger hears of the version that has it.
#[tokio::test]
async fn a_new_version_has_a_price_and_a_limit_of_its_own() {
    let home = Home::new();
    let server = home.demo().await;
    let crew = Crew::new(&server).await;
    let id = crew.publish(teapots(json!({}))).await;
    let next = teapots(json!({ "sale.price_minor": 8_800, "sale.per_user": 3, "sale.units": 8 }));
    crew.edit(&id, 0, &next).expect(200).await;
    assert_eq!(look(&server, &id).await["price_minor"], 9_900, "until it is approved");
    crew.step(&id, "submit").expect(200).await;
    crew.step(&id, "approve").expect(200).await;
    let seen = look(&server, &id).await;
    assert_eq!(
        (&seen["price_minor"], &seen["version"], &seen["per_user"]),
        (&json!(8_800), &json!(2), &json!(3))
    );
    assert_eq!((&seen["units"], &seen["left"]), (&json!(8), &json!(8)));
    let database = home.database();
    let mut prices = database
        .prepare("SELECT version, price_minor, currency, item, policy FROM sale_prices WHERE activity_id = ?1 ORDER BY 1")
        .unwrap();
    let rows = prices.query_map([id.parse::<i64>().unwrap()], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
    });
    let rows: Vec<(i64, i64, String, String, String)> = rows.unwrap().map(Result::unwrap).collect();
    let row = |version, price| (version, price, "CNY".to_owned(), "parcel".to_owned(), "at_order".to_owned());
    assert_eq!(rows, [row(1, 9_900), row(2, 8_800)]);
    // No version makes a wheel of a sale.
    let live = crate::activities::fixtures::running();
    crew.edit(&id, 0, &live).expect(200).await;
    let refused = crew.step(&id, "submit").refused(422, "flawed").await;
    assert!(
        problems(&refused).contains(&("kind".to_owned(), "kind_changed".to_owned())),
        "{}",
        refused.text()
    );
}

#[tokio::test]
async fn more_units_and_a_later_end_while_it_runs() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let id = crew.publish(teapots(json!({}))).await;
    let restock = |command: &str, delta: i64| {
        let body = json!({ "id": command, "delta": delta, "reason": "a delivery" });
        server.by(&crew.author, "POST", &format!("/sales/{id}/restock")).json(body)
    };
    for _ in 0..2 {
        let units = restock("a", 7).expect(200).await.json();
        assert_eq!(units, json!({ "total": 12, "left": 12, "held": 0, "sold": 0 }), "once, however often");
    }
    restock("a", 8).refused(409, "conflict").await;
    restock("b", -13).refused(409, "not_free").await;
    assert_eq!(restock("c", -12).expect(200).await.json()["left"], 0);
    settled(|| server.api("GET", &format!("/sales/{id}")), |answer| answer.json()["sold_out"] == true).await;
    assert_eq!(restock("d", 1).expect(200).await.json()["left"], 1);
    settled(|| server.api("GET", &format!("/sales/{id}")), |answer| answer.json()["left"] == 1).await;

    let extend = |until: i64| {
        let body = json!({ "until": until, "reason": "so many ask" });
        server.by(&crew.author, "POST", &format!("/sales/{id}/extend")).json(body)
    };
    let before = look(server, &id).await["until_ms"].as_i64().unwrap();
    extend(before).refused(400, "invalid_field").await;
    let later = before + HOUR_MS;
    for _ in 0..2 {
        let answer = extend(later).header("idempotency-key", format!("later-{id}")).expect(200).await.json();
        assert_eq!((&answer["version"], &answer["state"]), (&json!(2), &json!("running")));
        crew.carried(&id).await;
    }
    let seen = look(server, &id).await;
    assert_eq!((&seen["until_ms"], &seen["version"], &seen["left"]), (&json!(later), &json!(2), &json!(1)));
    let diff = crew.get(&format!("/activities/{id}/versions/2/diff")).expect(200).await.json();
    assert_eq!(diff["changes"].as_array().unwrap().len(), 1);
    let admin = server.person(&["admin"]).await;
    let log = format!("/admin/audit?subject=activity:{id}&action=activity.extend");
    assert_eq!(server.by(&admin, "GET", &log).expect(200).await.items().len(), 1);
    // What is being written is not passed over.
    crew.edit(&id, 0, &teapots(json!({ "sale.units": 6 }))).expect(200).await;
    extend(later + HOUR_MS).refused(409, "version_in_making").await;
    crew.step(&id, "close").expect(200).await;
    let closed = crew.publish(teapots(json!({}))).await;
    crew.step(&closed, "close").expect(200).await;
    let body = json!({ "until": now_ms() + 9 * HOUR_MS, "reason": "again" });
    server
        .by(&crew.author, "POST", &format!("/sales/{closed}/extend"))
        .json(body)
        .refused(409, "ended")
        .await;
}

/// What `windfall demo` has for people to try.
#[tokio::test]
async fn the_demo_has_four_sales() {
    let home = Home::new();
    let server = home.demo().await;
    let sales = server.api("GET", "/sales").expect(200).await.items();
    let shown = |sale: &Value| {
        let part = |field: &str| sale[field].to_string();
        format!("{} {} left {} of {}", part("state"), sale["item"]["kind"], part("left"), part("units"))
    };
    let mut shown: Vec<String> = sales.iter().map(shown).collect();
    shown.sort();
    assert_eq!(
        shown,
        [
            r#""approved" "parcel" left 50 of 50"#,
            r#""running" "collectible" left 500 of 500"#,
            r#""running" "parcel" left 0 of 12"#,
            r#""running" "parcel" left 200 of 200"#,
        ]
    );
    // What is gone was bought by somebody: its orders are there to be looked at.
    let gone = sales.iter().find(|sale| sale["left"] == 0).unwrap()["id"].as_str().unwrap();
    let orders = || server.console("GET", &format!("/admin/orders?sale={gone}"));
    let states = |answer: &Answer| -> Vec<String> {
        answer.items().iter().map(|order| order["state"].as_str().unwrap().to_owned()).collect()
    };
    let told = settled(orders, |answer| states(answer).contains(&"refunded".to_owned())).await;
    assert_eq!(states(&told), ["paid", "paid", "paid", "paid", "paid", "refunded"]);
    assert_eq!(server.api("GET", &format!("/sales/{gone}")).expect(200).await.json()["left"], 0);
}
