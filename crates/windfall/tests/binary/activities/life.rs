//! The life of an activity over HTTP: who takes which step, and what is refused by which name.

use serde_json::json;

use super::fixtures::{Crew, form, problems, running};
use crate::process::{Server, shared};

#[tokio::test]
async fn from_the_first_word_to_the_second_round() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let id = crew.write(running()).await;
    for (step, state, round) in [
        ("submit", "in_review", 1),
        ("withdraw", "editing", 1),
        ("submit", "in_review", 1),
        ("refuse", "refused", 1),
    ] {
        let body = crew.step(&id, step).expect(200).await.json();
        assert_eq!((&body["state"], &body["round"]), (&json!(state), &json!(round)), "{step}");
    }
    let refused = crew.get(&format!("/activities/{id}")).expect(200).await.json();
    assert_eq!(refused["making"]["decision_reason"], "as planned");
    assert_eq!(refused["making"]["decided"]["by"]["id"], json!(crew.reviewer.id));
    crew.edit(&id, 1, &running()).expect(200).await;
    for (step, state, round) in [
        ("submit", "in_review", 1),
        // Its window has begun: by the clock it runs at once.
        ("approve", "approved", 1),
        ("pause", "paused", 1),
        ("resume", "running", 1),
        ("close", "closed", 1),
        ("reopen", "reopened", 2),
        ("close", "closed", 2),
    ] {
        let body = crew.step(&id, step).expect(200).await.json();
        let running = matches!(state, "approved" | "reopened");
        let expected = if running { "running" } else { state };
        assert_eq!((&body["state"], &body["round"]), (&json!(expected), &json!(round)), "{step}");
        crew.carried(&id).await;
    }
    let log = format!("/admin/audit?subject=activity:{id}&action=activity.approve");
    let admin = server.person(&["admin"]).await;
    let lines = server.by(&admin, "GET", &log).expect(200).await.items();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["reason"], "as planned");
    assert_eq!(lines[0]["actor"]["id"], json!(crew.reviewer.id));
}

/// Every step in every state it does not exist in.
#[tokio::test]
async fn illegal_steps_are_refused_by_name() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let (id, steps) = (
        crew.write(form(1, 2)).await,
        ["submit", "withdraw", "approve", "refuse", "close", "pause", "resume", "reopen"],
    );
    for (way, state, legal) in [
        (None, "editing", vec!["submit"]),
        (Some("submit"), "in_review", vec!["withdraw", "approve", "refuse"]),
        (Some("refuse"), "refused", vec![]),
    ] {
        if let Some(way) = way {
            crew.step(&id, way).expect(200).await;
        }
        assert_eq!(crew.state(&id).await, state);
        for step in steps.iter().filter(|step| !legal.contains(step)) {
            crew.step(&id, step).refused(409, "step_illegal").await;
        }
    }
    let waiting = crew.publish(form(1, 2)).await;
    assert_eq!(crew.state(&waiting).await, "approved", "not before its start");
    for step in steps.iter().filter(|step| **step != "close") {
        crew.step(&waiting, step).refused(409, "step_illegal").await;
    }
    let open = crew.publish(running()).await;
    for (way, state, legal) in [
        (None, "running", vec!["close", "pause", "resume"]),
        (Some("pause"), "paused", vec!["close", "pause", "resume"]),
        (Some("close"), "closed", vec!["reopen"]),
    ] {
        if let Some(way) = way {
            crew.step(&open, way).expect(200).await;
        }
        assert_eq!(crew.state(&open).await, state);
        for step in steps.iter().filter(|step| !legal.contains(step)) {
            crew.step(&open, step).refused(409, "step_illegal").await;
        }
    }
    let over = crew.write(form(-2, -1)).await;
    let refused = crew.step(&over, "submit").refused(422, "flawed").await;
    assert_eq!(problems(&refused), [("until".to_owned(), "window_over".to_owned())]);
    crew.step("7", "close").refused(404, "not_found").await;
}

#[tokio::test]
async fn nobody_approves_what_they_had_a_part_in() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let [ann, bob, eve] =
        [server.person(&["admin"]).await, server.person(&["admin"]).await, server.person(&["admin"]).await];
    let id = server.by(&ann, "POST", "/activities").json(running()).expect(201).await.member("id");
    let path = format!("/activities/{id}?edition=1");
    server.by(&bob, "PUT", &path).json(form(-1, 2)).expect(200).await;
    server.by(&eve, "POST", &format!("/activities/{id}/submit")).json(json!({})).expect(200).await;
    let decide = |who, step: &str| {
        server.by(who, "POST", &format!("/activities/{id}/{step}")).json(json!({ "reason": "looked at it" }))
    };
    for who in [&ann, &bob, &eve] {
        decide(who, "approve").refused(403, "own_work").await;
        decide(who, "refuse").refused(403, "own_work").await;
    }
    decide(&crew.author, "withdraw").refused(403, "not_author").await;
    decide(&crew.author, "approve").refused(403, "forbidden").await;
    decide(&crew.reviewer, "refuse").json(json!({ "reason": " " })).send().await;
    assert_eq!(crew.state(&id).await, "in_review");

    // What was looked at is what is approved.
    let approve = |body| server.by(&crew.reviewer, "POST", &format!("/activities/{id}/approve")).json(body);
    approve(json!({ "version": 1, "edition": 1 })).refused(409, "edited_meanwhile").await;
    approve(json!({ "version": 1 })).refused(400, "invalid_field").await;
    approve(json!({ "version": 1, "edition": 2 })).expect(200).await;
}

/// Meant to send people to activities, though it sends nobody.
async fn routing_tree(server: &Server) -> String {
    let tree = json!({ "name": "to the wheel", "purpose": "routing", "root": 1,
        "nodes": [{ "id": 1, "leaf": "deny" }] });
    server.console("POST", "/trees").json(tree).expect(201).await.member("id")
}

#[tokio::test]
async fn a_strategy_that_cannot_work_is_refused_with_every_reason() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let mut broken = form(-2, -1);
    broken["ten"] = json!(true);
    broken["prizes"] = json!([
        { "name": "car", "odds": 900_000, "units": 0 },
        { "name": "bike", "odds": 200_000, "units": 5, "unlock": { "draws": 9 },
          "release": [{ "at": broken["from"], "units": 1 }, { "at": broken["until"], "units": 5 }] },
        { "name": "nobody's", "units": 5 },
        { "name": "a crate", "units": 5, "kind": "parcel" },
    ]);
    broken["fallback"] = json!({ "prize": 3, "amount_min": 1, "amount_max": 10, "budget_amount": 5 });
    broken["pity"] = json!({ "prize": 1, "misses": 5 });
    broken["consolation"] = json!(7);
    broken["tiers"] = json!({ "steps": [{ "from": 5, "odds": [{ "prize": 1, "odds": 1 }] }] });
    broken["tree"] = json!(routing_tree(server).await);
    let id = crew.write(broken).await;
    let refused = crew.step(&id, "submit").refused(422, "flawed").await;
    let expected = [
        ("until", "window_over"),
        ("prizes[0].units", "stock_zero"),
        ("prizes", "odds_exceed_whole"),
        ("consolation", "prize_unknown"),
        ("fallback.budget_amount", "fallback_without_budget"),
        ("prizes[2]", "prize_unreachable"),
        ("prizes[1].release[1].at", "release_beyond_window"),
        ("prizes[1].unlock.draws", "unlock_beyond_quota"),
        ("tiers.steps[0].from", "tier_beyond_quota"),
        ("pity.misses", "pity_beyond_quota"),
        ("ten", "ten_beyond_quota"),
        ("fallback.prize", "fallback_kind"),
        ("tree", "tree_routes"),
    ];
    let expected = expected.map(|(field, code)| (field.to_owned(), code.to_owned()));
    assert_eq!(problems(&refused), expected);
    assert_eq!(crew.state(&id).await, "editing");

    // What cannot even be read is told in the same way, before anything is kept.
    let mut unread = running();
    unread["name"] = json!("");
    unread["zone"] = json!("Mars/Olympus");
    unread["prizes"][0]["units"] = json!(null);
    let refused = server.by(&crew.author, "POST", "/activities").json(unread).refused(422, "flawed").await;
    let fields: Vec<String> = problems(&refused).into_iter().map(|(field, _)| field).collect();
    assert_eq!(fields, ["name", "zone", "prizes[0].units"]);
}

#[tokio::test]
async fn the_same_key_writes_once_and_takes_a_step_once() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let wheel = running();
    let write =
        || server.by(&crew.author, "POST", "/activities").header("idempotency-key", "a").json(wheel.clone());
    let id = write().expect(201).await.member("id");
    assert_eq!(write().expect(201).await.member("id"), id);
    let other =
        server.by(&crew.author, "POST", "/activities").header("idempotency-key", "a").json(form(1, 2));
    other.refused(409, "idempotency_conflict").await;
    for step in ["submit", "approve", "pause"] {
        for _ in 0..2 {
            crew.step(&id, step).header("idempotency-key", step).expect(200).await;
        }
    }
    let secrets = server.api("GET", &format!("/activities/{id}/secrets")).expect(200).await.items();
    assert_eq!(secrets.len(), 1);
}

/// The kill switch needs no words, and may be pulled again; what ends or begins a round says why.
#[tokio::test]
async fn steps_without_a_body() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let id = crew.write(running()).await;
    let bare = |step: &str| {
        let who = if step == "approve" { &crew.reviewer } else { &crew.author };
        server.by(who, "POST", &format!("/activities/{id}/{step}"))
    };
    for (step, state) in [
        ("submit", "in_review"),
        ("withdraw", "editing"),
        ("submit", "in_review"),
        ("approve", "running"),
        ("resume", "running"),
        ("pause", "paused"),
        ("pause", "paused"),
        ("resume", "running"),
        ("resume", "running"),
    ] {
        assert_eq!(bare(step).expect(200).await.json()["state"], json!(state), "{step}");
    }
    for step in ["close", "reopen"] {
        assert_eq!(bare(step).refused(400, "invalid_field").await.member("field"), "reason", "{step}");
    }
    bare("pause").json(json!({ "raeson": "x" })).refused(400, "invalid_field").await;
    bare("pause").header("idempotency-key", "p").expect(200).await;
    bare("pause").header("idempotency-key", "p").json(json!({})).expect(200).await;
    let other = bare("pause").header("idempotency-key", "p").json(json!({ "reason": "x" }));
    other.refused(409, "idempotency_conflict").await;
    bare("clone").expect(201).await;
}

#[tokio::test]
async fn lists_by_state_and_name() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let mut named = form(1, 2);
    named["name"] = json!("Ω special");
    let id = crew.write(named).await;
    let items = crew.get("/activities?q=%CE%A9%20SPECIAL&state=editing").expect(200).await.items();
    assert_eq!(items.iter().map(|item| item["id"].as_str().unwrap()).collect::<Vec<_>>(), [id.as_str()]);
    assert!(crew.get("/activities?q=%CE%A9%20special&state=closed").expect(200).await.items().is_empty());
    crew.get("/activities?state=asleep").refused(400, "invalid_field").await;
}
