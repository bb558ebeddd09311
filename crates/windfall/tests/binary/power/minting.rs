//! Points out of nothing: one person alone comes to no more than a day allows, by whatever number of keys and rules.

use serde_json::{Value, json};

use super::fixtures::{approve, made_key};
use crate::backend::settled;
use crate::grants::{fresh_kind, new_rule, points};
use crate::people::fresh_external;
use crate::process::shared;

/// What one admin did in a second: keys that make keys, and a rule of a thousand million points for each behaviour.
#[tokio::test]
async fn hole_71_one_person_alone_mints_nothing() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&["admin"]).await, server.person(&["admin"]).await);
    let player = server.person(&[]).await;
    // Ten keys are not ten allowances: all of them and their maker share a day of 10,000.
    let adjust = format!("/admin/users/{}/points", player.id);
    let give = |points: i64| json!({ "points": points, "reason": "a survey" });
    for _ in 0..2 {
        let key = made_key(server, &ann, &["admin"]).await;
        server.api("POST", &adjust).key(&key.secret).json(give(5_000)).expect(200).await;
    }
    let third = made_key(server, &ann, &["admin"]).await;
    server.api("POST", &adjust).key(&third.secret).json(give(1)).refused(403, "points_alone_max").await;
    server.by(&ann, "POST", &adjust).json(give(1)).expect(202).await;

    // A rule is a mint: without a bound in all it gives nothing before a second person has looked at it.
    let (kind, facts) = (fresh_kind(), made_key(server, &ann, &["facts"]).await);
    let rule = new_rule(&kind, points(1_000_000_000));
    server
        .api("POST", "/grant-rules")
        .key(&third.secret)
        .json(rule.clone())
        .refused(403, "points_alone_max")
        .await;
    let made = server.by(&ann, "POST", "/grant-rules").json(rule).expect(202).await;
    let tell = |id: &str| {
        let one = json!({ "kind": kind, "id": id, "user_id": player.id });
        server.api("POST", "/behaviours").key(&facts.secret).json(json!({ "behaviours": [one] }))
    };
    let told = tell("a").expect(200).await.json();
    let recorded = &told["answers"][0]["recorded"];
    assert_eq!((&recorded["grants"], &recorded["kept"]), (&json!([]), &json!(false)), "it waits");
    let approval = made.member("approval_id");
    approve(server, &ann, &approval).refused(403, "own_work").await;
    let shown = server.by(&bob, "GET", &format!("/admin/approvals/{approval}")).expect(200).await.json();
    assert_eq!(shown["request"]["amount"], 1_000_000_000, "who approves sees what it gives: {shown}");
    approve(server, &bob, &approval).expect(200).await;
    // What was told too early was not spent.
    assert_eq!(tell("a").expect(200).await.json()["answers"][0]["status"], 201);

    // Nobody raises a rule alone after it was approved; less is anybody's to say.
    let path = format!("/grant-rules/{}", made.member("id"));
    let change = |body: Value| server.by(&ann, "PATCH", &path).json(body);
    change(json!({ "edition": 1, "amount": 5 })).expect(200).await;
    let raised = change(json!({ "edition": 2, "times": 1_000 })).expect(202).await;
    let refuse = format!("/admin/approvals/{}/refuse", raised.member("approval_id"));
    server.by(&bob, "POST", &refuse).json(json!({})).expect(200).await;
    let now = server.by(&bob, "GET", &path).expect(200).await.json();
    assert_eq!((&now["on"], now.get("approval_id")), (&json!(false), None), "refused: it is off");
}

#[tokio::test]
async fn small_rules_count_for_the_day_of_whoever_makes_them() {
    let (_, server) = shared().await;
    let ann = server.person(&["operator"]).await;
    let make = |cap: i64| {
        let mut rule = new_rule(&fresh_kind(), points(5));
        rule["cap_total"] = json!(cap);
        server.by(&ann, "POST", "/grant-rules").json(rule)
    };
    make(6_000).expect(201).await;
    make(6_000).expect(202).await;
    make(4_000).expect(201).await;
    make(5).expect(202).await;
}

/// What people say that others did is on the record; what a backend says is its own.
#[tokio::test]
async fn behaviours_told_by_people_are_audited() {
    let (_, server) = shared().await;
    let (admin, player) = (server.person(&["admin"]).await, server.person(&[]).await);
    let (kind, id) = (fresh_kind(), fresh_external());
    crate::grants::rule(server, &kind, points(5)).await;
    let one = json!({ "kind": kind, "id": id, "user_id": player.id });
    server.by(&admin, "POST", "/behaviours").json(json!({ "behaviours": [one] })).expect(200).await;
    let lines = server
        .by(&admin, "GET", &format!("/admin/audit?action=behaviour.tell&subject=user:{}", player.id))
        .expect(200)
        .await
        .items();
    assert_eq!(lines.len(), 1);
    assert_eq!((&lines[0]["actor"]["id"], &lines[0]["after"]["id"]), (&json!(admin.id), &json!(id)));
    assert_eq!(lines[0]["after"]["grants"], json!([{ "gives": "points", "amount": 5 }]));
    let mine = || server.by(&player, "GET", "/me/points");
    settled(mine, |answer| answer.json()["balance"] == 5).await;
}
