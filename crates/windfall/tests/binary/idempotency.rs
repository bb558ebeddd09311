//! Same key, same answer; the same key for something else is refused.

use serde_json::{Value, json};

use crate::client::Call;
use crate::people::{address, fresh_password, fresh_phone};
use crate::process::shared;

/// Sends a request twice under one key, then another under the same key; answers what both first ones said.
async fn twice(call: Call, body: Value, other: Value, status: u16) -> [crate::client::Answer; 2] {
    let call = call.header("idempotency-key", "abc-123");
    let first = call.clone().json(body.clone()).expect(status).await;
    let second = call.clone().json(body).expect(status).await;
    assert_eq!(first.json(), second.json(), "same key, same answer");
    // Where a code opens the door, another body is a guess at it, and counts as one.
    let (status, code) =
        if other.get("code").is_some() { (401, "code_spent") } else { (409, "idempotency_conflict") };
    call.json(other).refused(status, code).await;
    [first, second]
}

#[tokio::test]
async fn an_address_is_added_once() {
    let (_, server) = shared().await;
    let person = server.person(&[]).await;
    let add = server.by(&person, "POST", "/me/addresses");
    twice(add.clone(), address("a"), address("b"), 201).await;
    assert_eq!(server.by(&person, "GET", "/me/addresses").expect(200).await.items().len(), 1);
    // Without the key it is another address, and somebody else's key is another key.
    add.json(address("a")).expect(201).await;
    assert_eq!(server.by(&person, "GET", "/me/addresses").expect(200).await.items().len(), 2);
    let other = server.person(&[]).await;
    twice(server.by(&other, "POST", "/me/addresses"), address("c"), address("d"), 201).await;
}

#[tokio::test]
async fn a_key_is_made_once_and_its_secret_told_again() {
    let (_, server) = shared().await;
    let admin = server.person(&["admin"]).await;
    let give = |name: &str| json!({ "name": name, "scopes": ["read"] });
    let made = twice(server.by(&admin, "POST", "/admin/keys"), give("一"), give("二"), 201).await;
    let [id, secret] = ["id", "secret"].map(|name| made[1].member(name));
    server.api("GET", "/admin/jobs").key(&secret).expect(200).await;
    let hours = |hours: i64| json!({ "overlap_hours": hours });
    let rotate = server.by(&admin, "POST", &format!("/admin/keys/{id}/rotate"));
    let call = rotate.header("idempotency-key", "rotate-1");
    let first = call.clone().json(hours(1)).expect(200).await.member("secret");
    assert_eq!(call.clone().json(hours(1)).expect(200).await.member("secret"), first);
    call.json(hours(2)).refused(409, "idempotency_conflict").await;
    for secret in [&secret, &first] {
        server.api("GET", "/admin/jobs").key(secret).expect(200).await;
    }
    let mine = server.by(&admin, "GET", "/admin/audit?action=key.rotate").expect(200).await.items();
    let turns = mine.iter().filter(|line| line["subject"] == format!("key:{id}")).count();
    assert_eq!(turns, 1, "rotated once");
}

#[tokio::test]
async fn a_sign_in_by_code_is_answered_again_with_the_same_cookie() {
    let (_, server) = shared().await;
    let phone = fresh_phone();
    let code = server.code(&phone, "sign_in").await;
    let other = if code == "000000" { "000001" } else { "000000" };
    let [give, other] = [code.as_str(), other].map(|code| json!({ "phone": phone, "code": code }));
    let entered = twice(server.api("POST", "/auth/sign-in/code"), give.clone(), other, 200).await;
    assert_eq!(entered[0].cookie(), entered[1].cookie());
    let sessions = server.api("GET", "/me/sessions").cookie(&entered[0].cookie()).expect(200).await;
    assert_eq!(sessions.items().len(), 1);
    // The code itself is spent.
    server.api("POST", "/auth/sign-in/code").json(give).refused(401, "code_spent").await;
}

#[tokio::test]
async fn a_registration_is_answered_again_with_the_same_account() {
    let (_, server) = shared().await;
    let phone = fresh_phone();
    let code = server.code(&phone, "register").await;
    let password = fresh_password();
    let give = |name: &str| json!({ "phone": phone, "code": code, "name": name, "password": password });
    let (body, other) = (give("一"), give("二"));
    let entered = twice(server.api("POST", "/auth/register"), body, other, 201).await;
    assert_eq!(entered[0].cookie(), entered[1].cookie());
}

#[tokio::test]
async fn a_refusal_is_not_kept() {
    let (_, server) = shared().await;
    let person = server.person(&[]).await;
    let add = server.by(&person, "POST", "/me/addresses").header("idempotency-key", "k");
    add.clone().json(address("")).refused(400, "invalid_field").await;
    add.json(address("mended")).expect(201).await;
}

/// Many at the same moment: one is made, all are told of it.
#[tokio::test]
async fn the_same_key_at_the_same_moment_makes_one() {
    let (_, server) = shared().await;
    let person = server.person(&[]).await;
    let add = server.by(&person, "POST", "/me/addresses").header("idempotency-key", "k").json(address("a"));
    let calls: Vec<_> = (0..20).map(|_| tokio::spawn(add.clone().expect(201))).collect();
    let mut ids = std::collections::BTreeSet::new();
    for call in calls {
        ids.insert(call.await.unwrap().member("id"));
    }
    assert_eq!(ids.len(), 1);
}
