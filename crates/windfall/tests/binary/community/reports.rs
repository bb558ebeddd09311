//! What people report, and what moderators see of it.

use serde_json::{Value, json};

use super::fixtures::*;
use crate::process::shared;

#[tokio::test]
async fn a_report_discloses_the_message_and_five_on_either_side() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let moderator = server.person(&["moderator"]).await;
    let (to_bob, to_ann) = (format!("/users/{}/messages", bob.id), format!("/users/{}/messages", ann.id));
    for n in 1..=20 {
        let call =
            if n % 2 == 1 { server.by(&ann, "POST", &to_bob) } else { server.by(&bob, "POST", &to_ann) };
        call.json(json!({ "text": format!("Number {n}") })).expect(201).await;
    }
    // Bob reports what Ann wrote as the ninth.
    let report = json!({ "on": "message", "id": ann.id, "n": 9, "reason": "abuse" });
    for _ in 0..2 {
        server.by(&bob, "POST", "/reports").json(report.clone()).expect(204).await;
    }
    let stranger = server.person(&[]).await;
    server.by(&stranger, "POST", "/reports").json(report).refused(404, "not_found").await;
    let case = find_case(server, &moderator, &ann.id).await;
    assert_eq!((&case["reports"], &case["on"]), (&json!(1), &json!("message")));
    assert!(!case.to_string().contains("Number"), "nothing is shown unasked");
    let path = format!("/admin/reports/{}", case["id"].as_str().unwrap());
    let disclose =
        || server.by(&moderator, "POST", &format!("{path}/disclose")).json(json!({ "reason": "abuse?" }));
    let shown = disclose().expect(200).await.json();
    let shown: Vec<(&Value, bool)> = shown["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (&one["text"], one["reported"].as_bool().unwrap()))
        .collect();
    let texts: Vec<String> = (4..=14).map(|n| format!("Number {n}")).collect();
    assert_eq!(shown.iter().map(|(text, _)| text.as_str().unwrap()).collect::<Vec<_>>(), texts);
    assert_eq!(shown.iter().position(|(_, reported)| *reported), Some(5));
    let decide = |upheld| {
        let body = json!({ "upheld": upheld, "reason": "as they say" });
        server.by(&moderator, "POST", &format!("{path}/decide")).json(body)
    };
    for _ in 0..2 {
        decide(true).expect(204).await;
    }
    decide(false).refused(409, "report_closed").await;
    disclose().refused(409, "report_closed").await;
    let subject = format!("report:{}", case["id"].as_str().unwrap());
    let audit = server.console("GET", &format!("/admin/audit?subject={subject}")).expect(200).await;
    let mut actions: Vec<String> =
        audit.items().iter().map(|line| line["action"].as_str().unwrap().to_owned()).collect();
    actions.sort();
    assert_eq!(actions, ["report.disclose", "report.upheld"]);
}

#[tokio::test]
async fn nobody_decides_about_themselves_or_what_they_reported() {
    let (_, server) = shared().await;
    let (judge, other) = (server.person(&["moderator"]).await, server.person(&["moderator"]).await);
    let (ann, own) = (server.person(&[]).await, post(server, &judge).await);
    let report = |id: &str| json!({ "on": "post", "id": id, "reason": "spam", "text": "Look" });
    server.by(&ann, "POST", "/reports").json(report(&own)).expect(204).await;
    server.by(&judge, "POST", "/reports").json(report(&own)).refused(409, "yourself").await;
    let case = find_case(server, &other, &judge.id).await;
    assert_eq!((&case["excerpt"], &case["newest"][0]["text"]), (&json!("Snow"), &json!("Look")));
    let path = format!("/admin/reports/{}/decide", case["id"].as_str().unwrap());
    let body = json!({ "upheld": false, "reason": "fine" });
    server.by(&judge, "POST", &path).json(body.clone()).refused(403, "own_work").await;
    server.by(&other, "POST", "/reports").json(report(&own)).expect(204).await;
    server.by(&other, "POST", &path).json(body.clone()).refused(403, "own_work").await;
    let third = server.person(&["moderator"]).await;
    server.by(&third, "POST", &path).json(body).expect(204).await;
    assert!(!server.log().contains("Look"));
}
