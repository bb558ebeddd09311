//! Appeals over HTTP: from a removal to the text that is back, or the answer that it stays removed.

use serde_json::{Value, json};

use super::fixtures::*;
use crate::people::Person;
use crate::process::{Server, shared};

async fn decision(server: &Server, author: &Person) -> Value {
    server.by(author, "GET", "/me/decisions").expect(200).await.items()[0].clone()
}

async fn find_appeal(server: &Server, judge: &Person, state: &str, id: &str) -> Option<Value> {
    let mut query = format!("?state={state}&limit=100");
    loop {
        let page = server.by(judge, "GET", &format!("/admin/appeals{query}")).expect(200).await;
        if let Some(found) = page.items().into_iter().find(|one| one["decision"]["id"] == json!(id)) {
            return Some(found);
        }
        query = format!("?state={state}&limit=100&after={}", page.json()["next"].as_str()?);
    }
}

#[tokio::test]
async fn another_moderator_decides_an_appeal_once() {
    let (_, server) = shared().await;
    let ann = server.person(&[]).await;
    let (judge, other) = (server.person(&["moderator"]).await, server.person(&["moderator"]).await);
    let id = removed_post(server, &ann, &judge).await;
    let told = decision(server, &ann).await;
    let fields = ["id", "on", "excerpt", "reason", "appeal"].map(|name| &told[name]);
    assert_eq!(fields, [&json!(id), &json!("post"), &json!("Snow"), &json!("off topic"), &Value::Null]);
    let appeal = |text: &str| {
        server.by(&ann, "POST", &format!("/me/decisions/{id}/appeal")).json(json!({ "text": text }))
    };
    for _ in 0..2 {
        appeal("It is about snow").expect(204).await;
    }
    appeal("And about rain").refused(409, "appeal_made").await;
    let case = find_appeal(server, &other, "open", &id).await.unwrap();
    assert_eq!(case["decision"]["appeal"]["text"], json!("It is about snow"));
    assert_eq!((&case["author"]["id"], &case["moderator"]["id"]), (&json!(ann.id), &json!(judge.id)));
    let decide = |by: &Person, granted: bool| {
        let body = json!({ "granted": granted, "reason": "Snow is on topic" });
        server.by(by, "POST", &format!("/admin/appeals/{id}/decide")).json(body)
    };
    decide(&judge, false).refused(403, "own_work").await;
    let post = told["subject"].as_str().unwrap();
    server.api("GET", &format!("/posts/{post}")).refused(404, "not_found").await;
    for _ in 0..2 {
        decide(&other, true).expect(204).await;
    }
    decide(&other, false).refused(409, "appeal_closed").await;
    server.api("GET", &format!("/posts/{post}")).expect(200).await;
    let closed = decision(server, &ann).await;
    let fields = ["state", "answer"].map(|name| &closed["appeal"][name]);
    assert_eq!(fields, [&json!("granted"), &json!("Snow is on topic")]);
    assert!(closed["over_at_ms"].is_i64(), "{closed}");
    assert!(find_appeal(server, &other, "open", &id).await.is_none());
    assert!(find_appeal(server, &other, "granted", &id).await.is_some());
    eventually("the author hears of the removal and of the outcome", async || {
        let heard = server.by(&ann, "GET", "/me/notifications").expect(200).await.items();
        let times = heard.iter().find(|one| one["kind"] == "moderation")?["times"].as_i64()?;
        (times == 2).then_some(())
    })
    .await;
    let audit = server.console("GET", &format!("/admin/audit?subject=appeal:{id}")).expect(200).await.items();
    assert_eq!(audit.iter().map(|line| &line["action"]).collect::<Vec<_>>(), [&json!("appeal.granted")]);
}

#[tokio::test]
async fn nobody_appeals_for_others_or_against_what_is_over() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let judge = server.person(&["moderator"]).await;
    let id = removed_post(server, &ann, &judge).await;
    let appeal = |person: &Person| {
        server.by(person, "POST", &format!("/me/decisions/{id}/appeal")).json(json!({ "text": "Why?" }))
    };
    appeal(&bob).refused(404, "not_found").await;
    assert!(server.by(&bob, "GET", "/me/decisions").expect(200).await.items().is_empty());
    let post = decision(server, &ann).await["subject"].as_str().unwrap().to_owned();
    server.by(&ann, "DELETE", &format!("/posts/{post}")).expect(204).await;
    appeal(&ann).refused(409, "decision_over").await;
}
