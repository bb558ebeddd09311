//! What happens to a win, as its winner and operators see it.

use serde_json::{Value, json};

use super::fixtures::*;
use crate::backend::settled;
use crate::people::{address, fresh_external};
use crate::process::{Server, shared};

async fn giving(server: &Server, cookie: &str) -> Value {
    let wins = server.api("GET", "/me/wins").cookie(cookie).expect(200).await.items();
    wins[0]["giving"].clone()
}

#[tokio::test]
async fn a_parcel_from_the_win_to_the_door() {
    let (_, server) = shared().await;
    let winner = server.person(&[]).await;
    let by_winner = |method, path: &str| server.by(&winner, method, path);
    let prize = json!({ "kind": "parcel", "claim_within": "7d" });
    let (_, win) = won(server, &prize, |call| call.cookie(&winner.cookie)).await;
    let (id, path) = (id(&win), format!("/me/wins/{}/claim", id(&win)));
    assert_eq!(
        (&win["giving"]["state"], &win["giving"]["next"], &win["giving"]["needs_address"]),
        (&json!("claimable"), &json!("claim"), &json!(true))
    );
    let until = win["giving"]["claim_until_ms"].as_i64().unwrap();
    assert_eq!(until - win["at_ms"].as_i64().unwrap(), 7 * 24 * 3_600_000);

    let refused = by_winner("POST", &path).json(json!({})).refused(400, "invalid_field").await;
    assert_eq!(refused.json()["field"], "address");
    by_winner("POST", &path).json(json!({ "address_id": "1" })).refused(404, "not_found").await;
    let stranger = server.person(&[]).await;
    let body = json!({ "address": address("别处 9 号") });
    server.by(&stranger, "POST", &path).json(body).refused(404, "not_found").await;

    let book =
        by_winner("POST", "/me/addresses").json(address("世纪大道 1 号")).expect(201).await.member("id");
    let claim = || by_winner("POST", &path).json(json!({ "address_id": book }));
    for _ in 0..2 {
        let claimed = claim().header("idempotency-key", "once").expect(200).await.json();
        assert_eq!((&claimed["state"], &claimed["next"]), (&json!("to_ship"), &json!("wait")));
    }
    // What was sealed with the prize stays, whatever becomes of the book.
    by_winner("DELETE", &format!("/me/addresses/{book}")).expect(204).await;
    let queue = server.console("GET", "/fulfilments?state=to_ship&kind=parcel").expect(200).await.items();
    let listed = queue.iter().find(|one| one["id"] == id.as_str()).unwrap();
    assert_eq!((&listed["prize_name"], listed.get("address")), (&json!("sure thing"), None));
    let detail = look(server, &id).expect(200).await.json();
    assert_eq!(detail["address"]["street"], "世纪大道 1 号");
    let log = server.console("GET", &format!("/admin/audit?subject=fulfilment:{id}")).expect(200).await;
    let looks = log.items().iter().filter(|line| line["action"] == "fulfilment.look").count();
    assert_eq!(looks, 1, "whoever sees an address is on record");

    step(server, &id, "deliver", json!({})).refused(409, "fulfilment_step_illegal").await;
    step(server, &id, "ship", ship()).expect(200).await;
    let seen = giving(server, &winner.cookie).await;
    assert_eq!((&seen["state"], &seen["tracking"]), (&json!("shipped"), &json!("SF1029384756")));
    step(server, &id, "deliver", json!({})).expect(200).await;
    assert_eq!(giving(server, &winner.cookie).await["next"], "nothing");
    step(server, &id, "void", because()).refused(409, "given_for_good").await;
}

#[tokio::test]
async fn chances_are_granted_by_the_relay() {
    let (_, server) = shared().await;
    let winner = server.person(&[]).await;
    let prize = json!({ "kind": "chances", "amount": 3 });
    let (activity, win) = won(server, &prize, |call| call.cookie(&winner.cookie)).await;
    stands(server, &id(&win), "given").await;
    let me = server.api("GET", &format!("/play/activities/{activity}/me")).cookie(&winner.cookie);
    let me = me.expect(200).await.json();
    assert_eq!((&me["granted"], &me["total"]), (&json!(3), &json!(4)));
}

#[tokio::test]
async fn a_code_is_shown_to_its_winner_alone() {
    let (_, server) = shared().await;
    let winner = server.person(&[]).await;
    let pool = crate::codes::pool(server).await;
    let prize = json!({ "kind": "code", "pool": pool });
    let (_, win) = won(server, &prize, |call| call.cookie(&winner.cookie)).await;
    assert_eq!((&win["giving"]["next"], win.get("code")), (&json!("wait"), None), "no code is there yet");
    assert_eq!(win["giving"]["waits_for"], "more codes");
    assert_eq!(look(server, &id(&win)).expect(200).await.json()["waits_for"], "more codes");
    // Another win finds one: whoever waits for codes holds nobody else up.
    crate::codes::import(server, &pool, "GIFT-1\nGIFT-2\n").await;
    let other = server.person(&[]).await;
    let (_, second) = won(server, &prize, |call| call.cookie(&other.cookie)).await;
    for (person, id) in [(&other, id(&second)), (&winner, id(&win))] {
        stands(server, &id, "given").await;
        let mine = server.by(person, "GET", "/me/wins").expect(200).await.items();
        let code = mine[0]["code"].as_str().unwrap().to_owned();
        assert_eq!(mine[0]["giving"].get("waits_for"), None);
        assert!(code.starts_with("GIFT-"), "{code}");
        let support = server.console("GET", &format!("/admin/users/{}/support", person.id)).expect(200).await;
        assert!(!support.json().to_string().contains(&code), "operators ask for it with a reason");
    }
}

#[tokio::test]
async fn points_are_on_the_account() {
    let (_, server) = shared().await;
    let winner = server.person(&[]).await;
    let (_, win) =
        won(server, &json!({ "kind": "points", "amount": 70 }), |call| call.cookie(&winner.cookie)).await;
    stands(server, &id(&win), "given").await;
    let points = server.by(&winner, "GET", "/me/points").expect(200).await.json();
    assert_eq!(points["balance"], 70);
}

#[tokio::test]
async fn hole_50_what_is_granted_by_hand_waits_for_a_hand() {
    let (_, server) = shared().await;
    let winner = server.person(&[]).await;
    let later = crate::activities::fixtures::now_ms() + 1_000_000;
    for grant in [json!("by_hand"), json!(later)] {
        let prize = json!({ "kind": "chances", "amount": 3, "grant": grant });
        let (_, win) = won(server, &prize, |call| call.cookie(&winner.cookie)).await;
        assert_eq!((&win["giving"]["state"], &win["giving"]["next"]), (&json!("waiting"), &json!("wait")));
        assert_eq!(win["giving"]["due_ms"], if grant == "by_hand" { Value::Null } else { grant });
        step(server, &id(&win), "release", json!({ "reason": "" })).refused(400, "invalid_field").await;
        step(server, &id(&win), "release", because()).expect(200).await;
        stands(server, &id(&win), "given").await;
        step(server, &id(&win), "release", because()).refused(409, "fulfilment_step_illegal").await;
    }
}

#[tokio::test]
async fn a_text_is_given_by_being_won() {
    let (_, server) = shared().await;
    let winner = server.person(&[]).await;
    let (_, win) = won(server, &json!({}), |call| call.cookie(&winner.cookie)).await;
    assert_eq!((&win["giving"]["state"], &win["giving"]["next"]), (&json!("given"), &json!("nothing")));
    look(server, &id(&win)).refused(404, "not_found").await;
    let (_, win) = won(server, &json!({ "claim_within": "1h" }), |call| call.cookie(&winner.cookie)).await;
    let claim = server.by(&winner, "POST", &format!("/me/wins/{}/claim", id(&win)));
    assert_eq!(claim.json(json!({})).expect(200).await.json()["state"], "given");
}

#[tokio::test]
async fn voiding_takes_a_second_person_and_gives_the_unit_back() {
    let (_, server) = shared().await;
    let winner = server.person(&[]).await;
    let prize = json!({ "kind": "parcel", "units": 10 });
    let (activity, win) = won(server, &prize, |call| call.cookie(&winner.cookie)).await;
    let id = id(&win);
    let (operator, admin) = (server.person(&["operator", "admin"]).await, server.person(&["admin"]).await);
    let path = format!("/fulfilments/{id}/void");
    let ask = || server.by(&operator, "POST", &path).json(json!({ "reason": "two accounts" }));
    let approval = ask().header("idempotency-key", "void").expect(202).await.member("approval_id");
    let again = ask().header("idempotency-key", "void").expect(202).await.member("approval_id");
    assert_eq!(approval, again);
    assert_eq!(ask().expect(202).await.member("approval_id"), approval, "what waits is not asked for twice");
    let approve = |by| server.by(by, "POST", &format!("/admin/approvals/{approval}/approve")).json(json!({}));
    approve(&operator).refused(403, "own_work").await;
    let approved = approve(&admin).expect(200).await.json();
    assert_eq!(approved["request"], json!({ "kind": "void_fulfilment", "fulfilment_id": id }));
    let seen = giving(server, &winner.cookie).await;
    assert_eq!((&seen["state"], &seen["reason"]), (&json!("voided"), &json!("two accounts")));
    let claim = server.by(&winner, "POST", &format!("/me/wins/{id}/claim"));
    claim.json(json!({ "address": address("x 1 号") })).refused(409, "fulfilment_step_illegal").await;
    let report = || server.console("GET", &format!("/activities/{activity}/report"));
    let total = |answer: &crate::client::Answer| answer.json()["prizes"][0]["left"].clone();
    let prize = settled(report, |answer| total(answer) == 10).await.json()["prizes"][0].clone();
    assert_eq!(
        (&prize["total"], &prize["returned"], &prize["given"]),
        (&json!(10), &json!(1), &json!(1)),
        "a unit that came back is no eleventh one"
    );
}

#[tokio::test]
async fn points_and_chances_that_were_given_are_taken_back() {
    let (_, server) = shared().await;
    let (winner, operator) = (server.person(&[]).await, server.person(&["operator"]).await);
    let sign = |call: crate::client::Call| call.cookie(&winner.cookie);
    let (_, win) = won(server, &json!({ "kind": "points", "amount": 70 }), sign).await;
    stands(server, &id(&win), "given").await;
    let spend = json!({ "points": -50, "reason": "a cup of tea" });
    server.by(&operator, "POST", &format!("/admin/users/{}/points", winner.id)).json(spend).expect(200).await;
    void(server, &id(&win)).await;
    let voided = look(server, &id(&win)).expect(200).await.json();
    assert_eq!((&voided["state"], &voided["taken_back"]), (&json!("voided"), &json!(70)));
    assert_eq!(
        server.by(&winner, "GET", "/me/points").expect(200).await.json()["balance"],
        -50,
        "what was spent is owed"
    );
    let statement = server.by(&winner, "GET", "/me/points/statement").expect(200).await.items();
    assert_eq!((&statement[0]["kind"], &statement[0]["points"]), (&json!("reverse"), &json!(-70)));

    let prize = json!({ "kind": "chances", "amount": 3, "units": 1 });
    let (activity, win) = won(server, &prize, sign).await;
    stands(server, &id(&win), "given").await;
    // The four that everybody has are used, and one of these; the prize is gone, so nothing more is won with them.
    for _ in 0..5 {
        let draw = server.by(&winner, "POST", &format!("/play/activities/{activity}/draws"));
        draw.json(json!({ "id": fresh_external() })).expect(201).await;
    }
    void(server, &id(&win)).await;
    let voided =
        settled(|| look(server, &id(&win)), |answer| answer.json().get("taken_back").is_some()).await;
    assert_eq!((&voided.json()["state"], &voided.json()["taken_back"]), (&json!("voided"), &json!(2)));
    let me = || server.by(&winner, "GET", &format!("/play/activities/{activity}/me"));
    settled(me, |answer| answer.json()["granted"] == 0).await;
}

#[tokio::test]
async fn another_system_reports_with_a_key_of_its_own() {
    let (_, server) = shared().await;
    let winner = server.person(&[]).await;
    let id = parcel(server, &winner, "shipped").await;
    let key = server.new_key(&["fulfil"]).await;
    let report =
        |body: Value| server.api("POST", &format!("/fulfilments/{id}/report")).key(&key.secret).json(body);
    report(json!({ "outcome": "failed" })).refused(400, "invalid_field").await;
    let lost = report(json!({ "outcome": "failed", "note": "lost by the carrier" })).expect(200).await.json();
    assert_eq!((&lost["state"], &lost["note"]), (&json!("failed"), &json!("lost by the carrier")));
    let again = step(server, &id, "redrive", because()).expect(200).await.json();
    assert_eq!((&again["state"], again.get("tracking"), again.get("note")), (&json!("to_ship"), None, None));
    step(server, &id, "ship", ship()).expect(200).await;
    report(json!({ "outcome": "lost" })).refused(400, "invalid_field").await;
    for _ in 0..2 {
        let told =
            report(json!({ "outcome": "given", "note": "signed for by 小满" })).expect(200).await.json();
        assert_eq!((&told["state"], &told["note"]), (&json!("given"), &json!("signed for by 小满")));
    }
    let log =
        server.console("GET", &format!("/admin/audit?subject=fulfilment:{id}")).expect(200).await.items();
    let reports: Vec<&Value> =
        log.iter().filter(|line| line["action"] == "fulfilment.report_given").collect();
    assert_eq!(reports.len(), 1, "the same report again is no news");
    assert_eq!(reports[0]["actor"], json!({ "kind": "key", "id": key.id }));
}

#[tokio::test]
async fn hole_48_what_cannot_be_given_is_a_dead_letter_with_its_story() {
    let (_, server) = shared().await;
    let id = failed(server).await;
    let path = format!("/outbox/dead-letters/{id}");
    let story = server.console("GET", &path).expect(200).await.json();
    assert_eq!(
        (&story["lane"], &story["kind"], &story["subject"]),
        (&json!("chances"), &json!("fulfil"), &json!(id))
    );
    assert!(story["error"].as_str().unwrap().contains("ended"), "{story}");
    assert_eq!(story["story"].as_array().unwrap().len(), 1);
    let listed = server.console("GET", "/outbox/dead-letters?lane=chances").expect(200).await.items();
    assert!(listed.iter().any(|letter| letter["id"] == id.as_str()));
    let redrive = || server.console("POST", &format!("{path}/redrive")).json(because());
    assert_eq!(redrive().expect(200).await.json()["redriven"], 1);
    // The activity has still ended: it fails again, under the same id and with a longer story.
    let again = settled(
        || server.console("GET", &path),
        |answer| answer.status == 200 && answer.json()["story"].as_array().unwrap().len() == 2,
    )
    .await;
    assert_eq!(again.json()["id"], id.as_str());
    let many = |lane: &str, limit: i64| {
        let body = json!({ "lane": lane, "limit": limit, "reason": "the cause is gone" });
        server.console("POST", "/outbox/dead-letters/redrive").json(body)
    };
    assert_eq!(many("returns", 9).expect(200).await.json()["redriven"], 0);
    for lane in ["return", "", "hook:", "hook:5"] {
        let refused = many(lane, 9).refused(400, "invalid_field").await.json();
        assert_eq!(refused["field"], "lane", "{lane}");
    }
    let refused = many("chances", -1).refused(400, "invalid_field").await.json();
    assert!(refused["title"].as_str().unwrap().contains("between 1 and 1000"), "{refused}");
    many("chances", 0).refused(400, "invalid_field").await;
    many("chances", 1_001).refused(400, "invalid_field").await;
}

#[tokio::test]
async fn queues_are_filtered_and_say_what_they_do_not_know() {
    let (_, server) = shared().await;
    let winner = server.person(&[]).await;
    let id = parcel(server, &winner, "waiting").await;
    let activity = look(server, &id).expect(200).await.member("activity");
    for (query, found) in [
        (format!("activity={activity}"), true),
        (format!("activity={activity}&state=waiting&kind=parcel"), true),
        (format!("activity={activity}&state=to_ship"), false),
        (format!("activity={activity}&kind=code"), false),
    ] {
        let items = server.console("GET", &format!("/fulfilments?{query}")).expect(200).await.items();
        assert_eq!(items.len(), usize::from(found), "{query}");
    }
    for query in ["state=lost", "kind=car", "activity=x"] {
        server.console("GET", &format!("/fulfilments?{query}")).refused(400, "invalid_field").await;
    }
}
