//! What needs an operator: on the list as soon as it is so, told to a webhook and to a chat, and gone when it is mended.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::backend::settled;
use crate::client::Answer;
use crate::codes::{import, pool};
use crate::fulfilment::fixtures::{failed, parcel, won};
use crate::people::fresh_external;
use crate::process::{Home, Server};
use crate::webhooks::receiver::{Does, Receiver, Seen};
use crate::webhooks::{ping, subscribe};

/// The item of a kind about something, once there is one.
async fn item(server: &Server, kind: &str, subject: &str) -> Value {
    let is_it = |item: &Value| item["kind"] == kind && item["subject"] == subject;
    let there = |answer: &Answer| answer.items().iter().any(is_it);
    let answer = settled(|| server.console("GET", "/admin/attention"), there).await;
    answer.items().into_iter().find(|item| is_it(item)).unwrap()
}

async fn gone(server: &Server, kind: &str, subject: &str) {
    let is_it = |item: &Value| item["kind"] == kind && item["subject"] == subject;
    let gone = |answer: &Answer| !answer.items().iter().any(is_it);
    settled(|| server.console("GET", "/admin/attention"), gone).await;
}

async fn run(server: &Server) {
    server.console("POST", "/admin/jobs/attention/run").expect(202).await;
}

fn codes(count: usize) -> String {
    let x = fresh_external();
    (0..count).fold(String::new(), |mut text, n| {
        writeln!(text, "{x}-{n}").unwrap();
        text
    })
}

#[tokio::test]
async fn winners_without_a_code_are_listed_told_and_over_when_codes_come() {
    let home = Home::new();
    let server = &home.demo().await;
    let (program, chat) = (Receiver::start().await, Receiver::start().await);
    let kinds = ["attention.raised", "attention.cleared"];
    subscribe(server, &program.url(), &kinds).await;
    let chat_hook = json!({ "name": "ops", "url": chat.url(), "kinds": kinds, "format": "feishu" });
    server.console("POST", "/webhooks").json(chat_hook).expect(201).await;
    let pool = pool(server).await;
    let ann = server.person(&[]).await;
    won(server, &json!({ "kind": "code", "pool": pool }), |call| call.cookie(&ann.cookie)).await;

    let missing = item(server, "codes_missing", &pool).await;
    assert_eq!((&missing["level"], &missing["count"]), (&json!("urgent"), &json!(1)));
    assert!(missing["since_ms"].is_i64(), "{missing}");
    let short = item(server, "codes_short", &pool).await;
    // 999 can still be won, and one waits.
    assert_eq!((&short["count"], &short["of"]), (&json!(0), &json!(1_000)));
    run(server).await;
    let about = |kind: &'static str, event: &'static str| {
        move |seen: &Seen| {
            let body: Value = serde_json::from_str(&seen.body).unwrap();
            body["kind"] == event && body["data"]["attention"] == kind
        }
    };
    let told = program.took_as(1, about("codes_missing", "attention.raised")).await.remove(0);
    let told: Value = serde_json::from_str(&told.body).unwrap();
    assert_eq!(told["data"]["about"], pool.as_str());
    assert_eq!(told["data"]["text"], missing["text"]);
    let says = |words: &'static str| {
        move |seen: &Seen| {
            let body: Value = serde_json::from_str(&seen.body).unwrap();
            body["msg_type"] == "text" && body["content"]["text"].as_str().unwrap().contains(words)
        }
    };
    chat.took_as(1, says("1 位中奖者在等兑换码")).await;

    import(server, &pool, &codes(1_000)).await;
    gone(server, "codes_missing", &pool).await;
    gone(server, "codes_short", &pool).await;
    run(server).await;
    program.took_as(1, about("codes_missing", "attention.cleared")).await;
    chat.took_as(1, says("已恢复")).await;
    run(server).await;
    let raised = about("codes_missing", "attention.raised");
    let times = program.taken().into_iter().filter(|seen| raised(seen)).map(|seen| seen.delivery());
    assert_eq!(times.collect::<std::collections::BTreeSet<_>>().len(), 1, "told once");
}

#[tokio::test]
async fn everything_else_that_is_stuck_is_listed_too() {
    let home = Home::new();
    let server = &home.demo().await;
    let admin = server.person(&["admin"]).await;
    item(server, "second_factor_missing", "").await;

    let job = |body: Value| server.by(&admin, "PATCH", "/admin/jobs/sweep_links").json(body);
    job(json!({ "paused": true })).expect(200).await;
    let paused = item(server, "job_paused", "sweep_links").await;
    assert_eq!(paused["level"], "soon");
    job(json!({ "paused": false })).expect(200).await;
    gone(server, "job_paused", "sweep_links").await;

    let limits = json!({ "parameters": { "disk_free_min_mib": 1_000_000_000 } });
    server.by(&admin, "PATCH", "/admin/jobs/attention").json(limits).expect(200).await;
    let disk = item(server, "disk_low", "data").await;
    assert!(disk["count"].as_u64().unwrap() < disk["of"].as_u64().unwrap(), "{disk}");

    let deaf = Receiver::doing(&[], Does::Status(500)).await;
    let (hook, _) = subscribe(server, &deaf.url(), &["webhook.test"]).await;
    ping(server, &hook).await;
    item(server, "webhook_failing", &hook).await;

    let ann = server.person(&[]).await;
    parcel(server, &ann, "waiting").await;
    assert_eq!(item(server, "to_release", "").await["level"], "todo");
    parcel(server, &ann, "to_ship").await;
    item(server, "to_ship", "").await;

    failed(server).await;
    item(server, "prizes_failed", "chances").await;
    item(server, "dead_letters", "chances").await;
    let list = server.console("GET", "/admin/attention").expect(200).await.json();
    let alerts = list["items"].as_array().unwrap().iter().filter(|item| item["level"] != "todo").count();
    assert_eq!(list["alerts"], json!(alerts));
    let zh = server.console("GET", "/admin/attention").header("accept-language", "zh").expect(200).await;
    assert!(zh.items().iter().any(|item| item["text"] == "1 份奖品待人工发放"), "{:?}", zh.items());
}

#[tokio::test]
async fn a_chat_that_says_no_with_a_success_is_asked_again() {
    let home = Home::new();
    let server = &home.demo().await;
    let refuses =
        Receiver::doing(&[Does::Say(r#"{"code":19024,"msg":"Key Words Not Found"}"#)], Does::Take).await;
    let body =
        json!({ "name": "ops", "url": refuses.url(), "kinds": ["attention.raised"], "format": "feishu" });
    let hook = server.console("POST", "/webhooks").json(body).expect(201).await.member("id");
    let delivery = ping(server, &hook).await;
    let attempts = crate::webhooks::attempts(server, &hook, &delivery, "done").await;
    assert_eq!(attempts.len(), 2, "{attempts:?}");
    assert!(attempts[1]["error"].as_str().unwrap().contains("19024"), "{attempts:?}");
    assert!(attempts[0]["request_body"].as_str().unwrap().contains("这是一条测试消息"), "{attempts:?}");
}
