//! Hole 61: "A fixed client-side salt makes the hash the password. The code is never burnt. A banned user
//! stays cached." Here passwords are hashed by the server with a salt each, a code works once, and a ban is
//! at once.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::people::{Person, address, fresh_external, fresh_password, fresh_phone};
use crate::process::{Home, LIMIT, Server, shared};

fn by_code(server: &Server, phone: &str, code: &str) -> crate::client::Call {
    server.api("POST", "/auth/sign-in/code").json(json!({ "phone": phone, "code": code }))
}

/// Another code than this one; `step` makes them differ.
fn wrong(code: &str, step: u32) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + step) % 1_000_000)
}

#[tokio::test]
async fn hole_61_a_code_is_burnt_by_its_use() {
    let (_, server) = shared().await;
    let phone = fresh_phone();
    let code = server.code(&phone, "sign_in").await;
    by_code(server, &phone, &code).expect(200).await;
    by_code(server, &phone, &code).refused(401, "code_spent").await;
}

#[tokio::test]
async fn hole_61_a_code_is_burnt_by_five_wrong_tries_and_the_pause_holds() {
    let (home, server) = shared().await;
    let phone = fresh_phone();
    let code = server.code(&phone, "sign_in").await;
    for step in 1..=5 {
        let answer = by_code(server, &phone, &wrong(&code, step)).refused(401, "code_wrong").await;
        assert!(answer.member("title").contains(&format!("{} tries left", 5 - step)), "{}", answer.text());
    }
    by_code(server, &phone, &code).refused(401, "code_spent").await;
    // Burning a code is no way to a new one at once. The pause is stretched: no slow machine outlasts it.
    home.database().execute("UPDATE codes SET sent = sent + 3600000 WHERE hash IS NULL", []).unwrap();
    let again = server.api("POST", "/auth/codes").json(json!({ "phone": phone, "purpose": "sign_in" }));
    let answer = again.refused(429, "code_too_soon").await;
    assert_eq!(answer.header("retry-after"), answer.json()["retry_after_s"].to_string());
}

#[tokio::test]
async fn hole_61_a_code_is_bound_to_its_phone_and_purpose() {
    let (_, server) = shared().await;
    let (phone, other) = (fresh_phone(), fresh_phone());
    let code = server.code(&phone, "sign_in").await;
    by_code(server, &other, &code).refused(401, "code_spent").await;
    let body = json!({ "phone": phone, "code": code, "name": "x", "password": fresh_password() });
    server.api("POST", "/auth/register").json(body).refused(401, "code_spent").await;
    by_code(server, &phone, &code).expect(200).await;
}

#[tokio::test]
async fn hole_61_a_banned_user_is_out_at_once_although_cached() {
    let (_, server) = shared().await;
    let person = server.person(&[]).await;
    // Used, and so cached; a second session is not.
    server.by(&person, "GET", "/me").expect(200).await;
    let uncached = server.sign_in(&person.phone, &person.password).await;
    server.ban(&person.id).await;
    for cookie in [&person.cookie, &uncached] {
        server.api("GET", "/me").cookie(cookie).refused(401, "unauthenticated").await;
    }
    let body = json!({ "phone": person.phone, "password": person.password });
    let told = server.api("POST", "/auth/sign-in/password").json(body).refused(403, "banned").await;
    assert!(told.member("title").contains("fraud"), "the reason is told: {}", told.text());
    let code = server.code(&person.phone, "sign_in").await;
    by_code(server, &person.phone, &code).refused(403, "banned").await;

    server.console("DELETE", &format!("/admin/users/{}/ban", person.id)).expect(204).await;
    for cookie in [&person.cookie, &uncached] {
        server.api("GET", "/me").cookie(cookie).refused(401, "unauthenticated").await;
    }
    server.sign_in(&person.phone, &person.password).await;
}

/// The ban is committed, and then its caller is gone: what the server has cached must end all the same. Without that a
/// session lives on for as long as it is cached, which is longer than this test waits.
#[tokio::test]
async fn hole_61_a_ban_counts_although_its_caller_hung_up() {
    let (_, server) = shared().await;
    let admin = server.person(&["admin"]).await;
    for _ in 0..20 {
        let person = server.person(&[]).await;
        server.by(&person, "GET", "/me").expect(200).await;
        let path = format!("/admin/users/{}", person.id);
        let ban = server.by(&admin, "PUT", &format!("{path}/ban")).json(json!({ "reason": "fraud" }));
        let _ = tokio::time::timeout(Duration::from_micros(900), ban.send()).await;
        // A request that was cut off before it arrived bans nobody; one that was committed bans at once.
        let banned = server.by(&admin, "GET", &path).expect(200).await.json().get("ban").is_some();
        let started = Instant::now();
        while banned && server.by(&person, "GET", "/me").send().await.status != 401 {
            assert!(started.elapsed() < LIMIT, "a banned user is still in");
        }
    }
}

#[tokio::test]
async fn hole_61_a_key_cannot_act_for_somebody_banned() {
    let (_, server) = shared().await;
    let (key, external) = (server.new_key(&["play"]).await, fresh_external());
    let call = |method: &str, path: &str| {
        server.api(method, path).key(&key.secret).header("windfall-user", &external)
    };
    let user = call("GET", "/me").expect(200).await.member("id");
    let url = call("POST", "/links").expect(201).await.member("url");
    server.ban(&user).await;
    call("GET", "/me").refused(403, "banned").await;
    call("POST", "/links").refused(403, "banned").await;
    let token = url.split_once('#').unwrap().1;
    server.api("POST", "/auth/links/redeem").json(json!({ "token": token })).refused(401, "link_spent").await;
}

#[tokio::test]
async fn hole_61_the_stored_hash_is_argon2id_with_a_salt_each_and_no_password() {
    let (home, server) = shared().await;
    let password = fresh_password();
    let mut hashes = Vec::new();
    for _ in 0..2 {
        let phone = fresh_phone();
        let code = server.code(&phone, "register").await;
        // The password itself is sent, and no salt is offered to mix it with on the way.
        let body = json!({ "phone": phone, "code": code, "name": "小满", "password": password });
        let id = server.api("POST", "/auth/register").json(body).expect(201).await.member("user_id");
        let hash: String = home
            .database()
            .query_row("SELECT password_hash FROM users WHERE id = ?1", [id], |row| row.get(0))
            .unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=1024,t=1,p=1$"), "{hash}");
        let body = json!({ "phone": phone, "password": hash });
        let stolen = server.api("POST", "/auth/sign-in/password").json(body);
        stolen.refused(401, "credentials_wrong").await;
        server.sign_in(&phone, &password).await;
        hashes.push(hash);
    }
    assert_ne!(hashes[0], hashes[1], "the same password has another hash for another person");
}

/// Nothing that leads to a person or opens a door is readable in the files.
#[tokio::test]
async fn hole_61_no_phone_password_code_or_token_is_in_the_files() {
    let home = Home::new();
    let server = home.demo().await;
    let Person { phone, password, cookie, .. } = server.person(&[]).await;
    let street = "藏身巷 42 号";
    server.api("POST", "/me/addresses").cookie(&cookie).json(address(street)).expect(201).await;
    let code_phone = fresh_phone();
    let code = server.code(&code_phone, "sign_in").await;
    let key = server.new_key(&["play"]).await;
    let token = cookie.split_once('=').unwrap().1;
    let secrets = [
        ("a phone", phone.as_str()),
        ("the phone of a code", &code_phone),
        ("a demo phone", "13800000001"),
        ("a password", &password),
        ("a session's token", token),
        ("a key's secret", &key.secret),
        ("an address", street),
    ];
    let found = |when: &str| {
        for file in ["windfall.db", "windfall.db-wal"] {
            let Ok(bytes) = std::fs::read(home.data().join(file)) else { continue };
            for (what, secret) in secrets {
                let there = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
                assert!(!there, "{what} is readable in {file}, {when}");
            }
        }
    };
    found("while it runs");
    by_code(&server, &code_phone, &code).expect(200).await;
    server.stop().await;
    found("after a stop");
}
