//! From what somebody did to what they have for it: told by the backend, carried out by the relay, taken back.

use serde_json::{Value, json};

use crate::activities::fixtures::{Crew, HOUR_MS, now_ms};
use crate::backend::settled;
use crate::client::Call;
use crate::draws::campaign::generous;
use crate::people::fresh_external;
use crate::process::{Server, shared};

/// A kind of behaviour that no other test knows.
pub fn fresh_kind() -> String {
    format!("task:{}", fresh_external())
}

#[allow(clippy::needless_pass_by_value)] // Reads as `json!` at the call.
pub fn new_rule(behaviour: &str, gives: Value) -> Value {
    let mut rule = json!({
        "name": "daily check-in", "behaviour": behaviour, "period": "day", "zone": "Asia/Shanghai"
    });
    rule.as_object_mut().unwrap().extend(gives.as_object().unwrap().clone());
    rule
}

pub async fn rule(server: &Server, behaviour: &str, gives: Value) -> Value {
    server.console("POST", "/grant-rules").json(new_rule(behaviour, gives)).expect(201).await.json()
}

pub fn points(amount: i64) -> Value {
    json!({ "gives": "points", "amount": amount })
}

/// Somebody did something, told by the command line.
pub fn tell(server: &Server, kind: &str, id: &str, user: &str) -> Call {
    let one = json!({ "kind": kind, "id": id, "user_id": user });
    server.console("POST", "/behaviours").json(json!({ "behaviours": [one] }))
}

/// A grant of five points to somebody; its id.
pub async fn granted(server: &Server, user: &str) -> String {
    let kind = fresh_kind();
    rule(server, &kind, points(5)).await;
    let told = tell(server, &kind, "a", user).expect(200).await.json();
    told["answers"][0]["recorded"]["grants"][0]["id"].as_str().unwrap().to_owned()
}

/// A behaviour that gave five points to somebody; the end of its address.
pub async fn behaved(server: &Server) -> String {
    let (kind, user) = (fresh_kind(), server.person(&[]).await.id);
    rule(server, &kind, points(5)).await;
    tell(server, &kind, "a", &user).expect(200).await;
    format!("{kind}/a")
}

fn recorded(told: &Value) -> &Value {
    &told["answers"][0]["recorded"]
}

#[tokio::test]
async fn the_same_behaviour_three_times_is_one_grant() {
    let (_, server) = shared().await;
    let (kind, external) = (fresh_kind(), fresh_external());
    let rule = rule(server, &kind, points(7)).await;
    let (facts, play) = (server.new_key(&["facts"]).await, server.new_key(&["play"]).await);
    let one = json!({ "kind": kind, "id": "order-1", "external_id": external, "create_user": true, "object": "sku-5" });
    let send = |one: &Value| {
        server.api("POST", "/behaviours").key(&facts.secret).json(json!({ "behaviours": [one] }))
    };
    // A mistyped id makes nobody: an account is made when the backend asks for one.
    let mut mistyped = one.clone();
    mistyped["create_user"] = json!(false);
    let refused = send(&mistyped).expect(200).await.json();
    assert_eq!(refused["answers"][0]["problem"]["code"], "not_found", "{refused}");
    let first = send(&one).expect(200).await.json();
    assert_eq!(first["answers"][0]["status"], 201);
    let grant = &recorded(&first)["grants"][0];
    assert_eq!(
        (&grant["gives"], &grant["amount"], &grant["rule"]),
        (&json!("points"), &json!(7), &rule["id"])
    );
    for _ in 0..2 {
        let again = send(&one).expect(200).await.json();
        assert_eq!(
            (&again["answers"][0]["status"], &recorded(&again)["repeated"]),
            (&json!(200), &json!(true))
        );
        // The same grant, as it stands by now.
        let now = &recorded(&again)["grants"][0];
        assert!(now["state"] == "ready" || now["state"] == "given", "{now}");
        assert_eq!((&now["id"], &now["amount"]), (&grant["id"], &grant["amount"]));
    }
    let mine = || server.api("GET", "/me/points").key(&play.secret).header("windfall-user", &external);
    assert_eq!(grant["state"], "ready", "nobody has it yet");
    settled(mine, |answer| answer.json()["balance"] == 7).await;
    let mut other = one.clone();
    other["object"] = json!("sku-6");
    let refused = send(&other).expect(200).await.json();
    assert_eq!(
        (&refused["answers"][0]["status"], &refused["answers"][0]["problem"]["code"]),
        (&json!(409), &json!("conflict"))
    );
    // The day has had its one.
    let mut next = one.clone();
    next["id"] = json!("order-2");
    let told = send(&next).expect(200).await.json();
    assert_eq!(recorded(&told)["passed"], json!([{ "rule": rule["id"], "why": "times_reached" }]));
    let seen = server.api("GET", "/me/grants").key(&play.secret).header("windfall-user", &external);
    let seen = seen.expect(200).await.items();
    assert_eq!(
        (seen.len(), &seen[0]["rule_name"], seen[0].get("user_id"), &seen[0]["state"]),
        (1, &json!("daily check-in"), None, &json!("given"))
    );
    let statement =
        server.api("GET", "/me/points/statement").key(&play.secret).header("windfall-user", &external);
    assert_eq!(statement.expect(200).await.items()[0]["reason"], "daily check-in");
}

#[tokio::test]
async fn a_batch_has_an_answer_for_each() {
    let (_, server) = shared().await;
    let (kind, user) = (fresh_kind(), server.person(&[]).await.id);
    rule(server, &kind, json!({ "gives": "points", "amount": 1, "period": "each", "cap_user": 2 })).await;
    let one = |id: &str| json!({ "kind": kind, "id": id, "user_id": user });
    let nobody = json!({ "kind": kind, "id": "x", "user_id": "7" });
    let early = json!({ "kind": kind, "id": "y", "user_id": user, "at_ms": now_ms() + HOUR_MS });
    let none = json!({ "kind": "Check In", "id": "z", "user_id": user });
    let body = json!({ "behaviours": [one("a"), nobody, one("b"), early, none, one("c"), one("a")] });
    let told = server.console("POST", "/behaviours").json(body).expect(200).await.json();
    let said: Vec<_> = told["answers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let granted = one["recorded"]["grants"].as_array().map_or(0, Vec::len);
            let blamed = one["problem"]["field"].as_str().or(one["problem"]["code"].as_str());
            (
                one["status"].as_u64().unwrap(),
                granted,
                blamed.or(one["recorded"]["passed"][0]["why"].as_str()),
            )
        })
        .collect();
    assert_eq!(
        said[..6],
        [
            (201, 1, None),
            (404, 0, Some("not_found")),
            (201, 1, None),
            (400, 0, Some("at_ms")),
            (400, 0, Some("kind")),
            (201, 0, Some("cap_user")),
        ]
    );
    assert_eq!((said[6].0, said[6].1), (200, 1));
}

#[tokio::test]
async fn chances_come_and_go_back_as_far_as_they_are_not_used() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let activity = crew.publish(generous(9, 0)).await;
    let (kind, player) = (fresh_kind(), server.person(&[]).await);
    rule(server, &kind, json!({ "gives": "chances", "activity": activity, "amount": 3 })).await;
    let told = tell(server, &kind, "a", &player.id).expect(200).await.json();
    let id = recorded(&told)["grants"][0]["id"].as_str().unwrap().to_owned();
    let me = || server.by(&player, "GET", &format!("/play/activities/{activity}/me"));
    settled(me, |answer| answer.json()["granted"] == 3).await;
    let draw = server.by(&player, "POST", &format!("/play/activities/{activity}/draws"));
    draw.json(json!({ "id": fresh_external() })).expect(201).await;

    let back = |body: Value| server.by(&crew.author, "POST", &format!("/grants/{id}/reverse")).json(body);
    back(json!({ "reason": " " })).refused(400, "invalid_field").await;
    let reversed = back(json!({ "reason": "by mistake" })).expect(200).await.json();
    assert_eq!((&reversed["taken_back"], &reversed["amount"]), (&json!(2), &json!(3)));
    assert_eq!(back(json!({ "reason": "again" })).expect(200).await.json(), reversed);
    assert_eq!(me().expect(200).await.json()["granted"], 0);
    let seen = server.by(&player, "GET", "/me/grants").expect(200).await.items();
    assert_eq!((&seen[0]["taken_back"], &seen[0]["reason"]), (&json!(2), &json!("by mistake")));
    assert_eq!(seen[0]["state"], "reversed");
    // No farming: the day's place stays taken.
    let told = tell(server, &kind, "b", &player.id).expect(200).await.json();
    assert_eq!(recorded(&told)["passed"][0]["why"], "times_reached");
}

#[tokio::test]
async fn chances_of_an_activity_that_is_over_are_told_to_have_failed() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let activity = crew.publish(generous(9, 0)).await;
    let (kind, player) = (fresh_kind(), server.person(&[]).await);
    rule(server, &kind, json!({ "gives": "chances", "activity": activity, "amount": 3 })).await;
    crew.step(&activity, "close").expect(200).await;
    tell(server, &kind, "a", &player.id).expect(200).await;
    let mine = || server.by(&player, "GET", "/me/grants");
    settled(mine, |answer| answer.items()[0]["state"] == "failed").await;
    let failed = mine().expect(200).await.items();
    assert_eq!((&failed[0]["amount"], &failed[0]["activity"]), (&json!(3), &json!(activity)));
}

#[tokio::test]
async fn an_undone_behaviour_takes_everything_back() {
    let (_, server) = shared().await;
    let activity = Crew::new(server).await.publish(generous(9, 0)).await;
    let (kind, player, facts) = (fresh_kind(), server.person(&[]).await, server.new_key(&["facts"]).await);
    rule(server, &kind, points(5)).await;
    rule(server, &kind, json!({ "gives": "chances", "activity": activity, "amount": 2 })).await;
    tell(server, &kind, "a", &player.id).expect(200).await;
    let undo = || server.api("POST", &format!("/behaviours/{kind}/a/undo")).key(&facts.secret);
    let undone = undo().expect(200).await.json();
    let taken: Vec<_> =
        undone["grants"].as_array().unwrap().iter().map(|grant| grant["taken_back"].clone()).collect();
    assert_eq!((taken, &undone["undone"]), (vec![json!(5), json!(2)], &json!(true)));
    assert_eq!(undo().expect(200).await.json(), undone);
    let told = tell(server, &kind, "a", &player.id).expect(200).await.json();
    assert_eq!((&recorded(&told)["undone"], &recorded(&told)["repeated"]), (&json!(true), &json!(true)));
    assert_eq!(server.by(&player, "GET", "/me/points").expect(200).await.json()["balance"], 0);
    let me = server.by(&player, "GET", &format!("/play/activities/{activity}/me"));
    assert_eq!(me.expect(200).await.json()["granted"], 0);
    server
        .api("POST", &format!("/behaviours/{kind}/b/undo"))
        .key(&facts.secret)
        .refused(404, "not_found")
        .await;
}

#[tokio::test]
async fn rules_are_kept_by_operators() {
    let (_, server) = shared().await;
    let (oper, admin, kind) =
        (server.person(&["operator"]).await, server.person(&["admin"]).await, fresh_kind());
    let key = fresh_external();
    let make = || {
        let call = server.by(&oper, "POST", "/grant-rules").header("idempotency-key", &key);
        let mut rule = new_rule(&kind, points(5));
        rule["cap_total"] = json!(100);
        call.json(rule).expect(201)
    };
    let made = make().await.json();
    assert_eq!(make().await.json(), made, "made once");
    let path = format!("/grant-rules/{}", made["id"].as_str().unwrap());
    let change = |body: Value| server.by(&oper, "PATCH", &path).json(body);
    let changed = change(json!({ "edition": 1, "cap_total": 9, "times": 2 })).expect(200).await.json();
    assert_eq!((&changed["edition"], &changed["cap_total"]), (&json!(2), &json!(9)));
    change(json!({ "edition": 1, "on": false })).refused(409, "edited_meanwhile").await;
    let changed = change(json!({ "edition": 2, "cap_total": null, "on": false })).expect(200).await.json();
    assert_eq!(
        (changed.get("cap_total"), &changed["on"], &changed["times"]),
        (None, &json!(false), &json!(2))
    );
    assert_eq!(server.by(&oper, "GET", &path).expect(200).await.json(), changed);
    let listed = server.by(&oper, "GET", &format!("/grant-rules?behaviour={kind}")).expect(200).await.items();
    assert_eq!(listed, [changed]);
    let told = tell(server, &kind, "a", &oper.id).expect(200).await.json();
    assert_eq!(
        (&recorded(&told)["grants"], &recorded(&told)["passed"]),
        (&json!([]), &json!([])),
        "it is off"
    );
    let subject = format!("/admin/audit?subject=grant_rule:{}", made["id"].as_str().unwrap());
    let lines = server.by(&admin, "GET", &subject).expect(200).await.items();
    let actions: Vec<_> = lines.iter().rev().map(|line| line["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["grant_rule.make", "grant_rule.edit", "grant_rule.edit"]);
    // Nobody takes back for themselves.
    let own = granted(server, &oper.id).await;
    let back = server.by(&oper, "POST", &format!("/grants/{own}/reverse")).json(json!({ "reason": "mine" }));
    back.refused(403, "own_account").await;
}
