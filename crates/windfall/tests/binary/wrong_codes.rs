//! A thousand wrong codes: each a named refusal, the code burnt after five, and the account as it was.

use std::collections::BTreeMap;

use serde_json::json;

use crate::people::fresh_phone;
use crate::process::{Home, Server, shared};

const TRIES: u32 = 1_000;

/// Tries wrong codes and counts the answers by name; none may be anything but a refusal.
async fn try_wrong_codes(server: &Server, phone: &str, right: &str) -> BTreeMap<String, u32> {
    let right: u32 = right.parse().unwrap();
    let mut names = BTreeMap::new();
    for step in 1..=TRIES {
        let code = format!("{:06}", (right + step) % 1_000_000);
        let call = server.api("POST", "/auth/sign-in/code").json(json!({ "phone": phone, "code": code }));
        let answer = call.send().await;
        assert!((400..500).contains(&answer.status), "try {step}: {}", answer.text());
        *names.entry(answer.code()).or_default() += 1;
    }
    names
}

#[tokio::test]
async fn a_thousand_wrong_codes_burn_the_code_and_nothing_else() {
    let (_, server) = shared().await;
    let person = server.person(&[]).await;
    let code = server.code(&person.phone, "sign_in").await;
    let names = try_wrong_codes(server, &person.phone, &code).await;
    let expected = [("code_wrong".to_owned(), 5), ("code_spent".to_owned(), TRIES - 5)];
    assert_eq!(names, BTreeMap::from(expected), "the fifth wrong try burns it");
    let right = server.api("POST", "/auth/sign-in/code").json(json!({ "phone": person.phone, "code": code }));
    right.refused(401, "code_spent").await;
    server.by(&person, "GET", "/me").expect(200).await;
    assert_eq!(server.by(&person, "GET", "/me/sessions").expect(200).await.items().len(), 1);
    server.sign_in(&person.phone, &person.password).await;
}

#[tokio::test]
async fn a_thousand_wrong_codes_against_the_default_limits() {
    let home = Home::with(&[
        ("WINDFALL__LIMITS__SIGN_IN_IP_PER_MINUTE", "30"),
        ("WINDFALL__LIMITS__SIGN_IN_TRIES_FREE", "5"),
    ]);
    let server = home.demo().await;
    let phone = fresh_phone();
    let code = server.code(&phone, "sign_in").await;
    let names = try_wrong_codes(&server, &phone, &code).await;
    assert_eq!(names.get("code_wrong"), Some(&5));
    assert!(names.contains_key("rate_limited"), "{names:?}");
    let known = ["code_wrong", "code_spent", "rate_limited"];
    assert!(names.keys().all(|name| known.contains(&name.as_str())), "{names:?}");
    let made: i64 = home.database().query_row("SELECT COUNT(*) FROM sessions", [], |row| row.get(0)).unwrap();
    assert_eq!(made, 0, "nobody came in");
}
