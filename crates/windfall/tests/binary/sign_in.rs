//! Signing in as the README shows it, step by step, and the other ways in.

use serde_json::json;

use crate::people::{fresh_external, fresh_password, fresh_phone};
use crate::process::{Home, shared};

#[tokio::test]
async fn a_phone_and_a_code_as_in_the_readme() {
    let (_, server) = shared().await;
    let phone = fresh_phone();
    let ask = json!({ "phone": phone, "purpose": "sign_in" });
    let sent = server.api("POST", "/auth/codes").json(ask).expect(202).await;
    assert_eq!((&sent.json()["expires_in_s"], &sent.json()["resend_in_s"]), (&json!(120), &json!(60)));
    let give = json!({ "phone": phone, "code": sent.member("demo_code") });
    let entered = server.api("POST", "/auth/sign-in/code").json(give).expect(200).await;
    let me = server.api("GET", "/me").cookie(&entered.cookie()).expect(200).await;
    assert_eq!(me.member("id"), entered.member("user_id"));
    assert_eq!(me.member("phone"), format!("+86*********{}", &phone[9..]), "masked");
    assert_eq!(me.json()["roles"], json!(["player"]));
    // A used code still counts for the pause between two.
    let ask = json!({ "phone": phone, "purpose": "sign_in" });
    server.api("POST", "/auth/codes").json(ask).refused(429, "code_too_soon").await;
    let cookie = entered.cookie();
    server.api("POST", "/auth/sign-out").cookie(&cookie).expect(204).await;
    server.api("GET", "/me").cookie(&cookie).refused(401, "unauthenticated").await;
}

/// The demo sign-ins that the program prints.
#[tokio::test]
async fn the_demo_people_can_sign_in() {
    let (home, server) = shared().await;
    let printed = std::fs::read_to_string(home.path().join("out")).unwrap();
    for (phone, role) in [
        ("13800000001", "player"),
        ("13800000002", "operator"),
        ("13800000003", "reviewer"),
        ("13800000004", "admin"),
        ("13800000005", "admin"),
    ] {
        let cookie = server.sign_in(phone, "windfall-demo").await;
        let me = server.api("GET", "/me").cookie(&cookie).expect(200).await.json();
        assert!(me["roles"].as_array().unwrap().contains(&json!(role)), "{me}");
        assert!(printed.lines().any(|line| line.contains(phone) && line.contains(role)), "{printed}");
    }
}

#[tokio::test]
async fn outside_demo_mode_the_code_is_in_the_log_and_not_in_the_answer() {
    let home = Home::new();
    let server = home.start("serve").await;
    let phone = fresh_phone();
    let ask = json!({ "phone": phone, "purpose": "sign_in" });
    let sent = server.api("POST", "/auth/codes").json(ask).expect(202).await;
    assert!(sent.json().get("demo_code").is_none(), "{}", sent.text());
    let logged = testkit::wait::until(crate::process::LIMIT, "the code in the log", || {
        let log = server.log();
        let at = log.find("code=\"").map(|at| at + 6)?;
        log.get(at..at + 6).map(str::to_owned)
    });
    let code = logged.await.unwrap();
    let give = json!({ "phone": phone, "code": code });
    server.api("POST", "/auth/sign-in/code").json(give).expect(200).await;
    assert!(!server.log().contains(&phone), "a phone is never logged whole");
}

#[tokio::test]
async fn a_link_of_the_companys_app_works_once() {
    let (_, server) = shared().await;
    let (key, external) = (server.new_key(&["play"]).await, fresh_external());
    let call = |method: &str, path: &str| {
        server.api(method, path).key(&key.secret).header("windfall-user", &external)
    };
    let user = call("GET", "/me").expect(200).await.member("id");
    let url = call("POST", "/links").expect(201).await.member("url");
    let (page, token) = url.split_once('#').unwrap();
    assert!(page.ends_with("/enter"), "{url}");
    let body = json!({ "token": token });
    let entered = server.api("POST", "/auth/links/redeem").json(body.clone()).expect(200).await;
    assert_eq!(entered.member("user_id"), user);
    server.api("GET", "/me").cookie(&entered.cookie()).expect(200).await;
    server.api("POST", "/auth/links/redeem").json(body).refused(401, "link_spent").await;
}

/// A link may name a place on this site and none elsewhere.
#[tokio::test]
async fn a_link_may_say_where_it_leads() {
    let (_, server) = shared().await;
    let (key, external) = (server.new_key(&["play"]).await, fresh_external());
    let ask = |body: serde_json::Value| {
        server.api("POST", "/links").key(&key.secret).header("windfall-user", &external).json(body)
    };
    let url = ask(json!({ "to": "/play/7?from=app" })).expect(201).await.member("url");
    let (page, token) = url.split_once('#').unwrap();
    assert!(page.ends_with("/enter?to=/play/7%3Ffrom%3Dapp"), "{url}");
    server.api("POST", "/auth/links/redeem").json(json!({ "token": token })).expect(200).await;
    for to in ["//evil.example", "https://evil.example", "play", "/a b", ""] {
        ask(json!({ "to": to })).refused(400, "invalid_field").await;
    }
    ask(json!({ "page": "/" })).refused(400, "invalid_field").await;
}

#[tokio::test]
async fn a_new_phone_ends_the_other_sessions_and_keeps_this_one() {
    let (_, server) = shared().await;
    let person = server.person(&[]).await;
    let other = server.sign_in(&person.phone, &person.password).await;
    let new_phone = fresh_phone();
    let old_code = server.my_code(&person, None).await;
    let new_code = server.my_code(&person, Some(&new_phone)).await;
    let body = json!({ "old_code": old_code, "new_phone": new_phone, "new_code": new_code });
    server.by(&person, "POST", "/me/phone").json(body).expect(204).await;
    server.by(&person, "GET", "/me").expect(200).await;
    server.api("GET", "/me").cookie(&other).refused(401, "unauthenticated").await;
}

/// A site elsewhere sets where its numbers are at home.
#[tokio::test]
async fn a_number_without_a_country_is_one_at_home() {
    let home = Home::with(&[("WINDFALL__ACCOUNT__PHONE_COUNTRY", "+852")]);
    let server = home.demo().await;
    let cookie = server.sign_in_by_code("5123 4567").await;
    let me = server.api("GET", "/me").cookie(&cookie).expect(200).await;
    assert_eq!(me.member("phone"), "+85*******67");
    let body = json!({ "phone": "+852 5123 4567", "purpose": "register" });
    server.api("POST", "/auth/codes").json(body).expect(202).await;
}

#[tokio::test]
async fn a_new_password_ends_the_other_sessions_and_keeps_this_one() {
    let (_, server) = shared().await;
    let person = server.person(&[]).await;
    let other = server.sign_in(&person.phone, &person.password).await;
    let body = json!({ "old_password": person.password, "new_password": fresh_password() });
    server.by(&person, "POST", "/me/password").json(body).expect(204).await;
    server.by(&person, "GET", "/me").expect(200).await;
    server.api("GET", "/me").cookie(&other).refused(401, "unauthenticated").await;
}

#[tokio::test]
async fn a_deleted_account_is_gone_and_its_phone_is_free() {
    let (_, server) = shared().await;
    let person = server.person(&[]).await;
    let person_name = server.by(&person, "GET", "/me").expect(200).await.member("name");
    let code = server.my_code(&person, None).await;
    server.by(&person, "POST", "/me/delete").json(json!({ "code": code })).expect(204).await;
    server.by(&person, "GET", "/me").refused(401, "unauthenticated").await;
    server.api("GET", &format!("/users/{}", person.id)).refused(404, "not_found").await;
    let cookie = server.sign_in_by_code(&person.phone).await;
    let me = server.api("GET", "/me").cookie(&cookie).expect(200).await;
    assert_eq!(me.member("id"), person.id, "limits count by it");
    assert_ne!(me.member("name"), person_name, "nothing else comes back");
}
