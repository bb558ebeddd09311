//! The second factor of staff: set up, asked for, spent once, lost, required.

use serde_json::{Value, json};

use crate::activities::fixtures::now_ms;
use crate::client::{Answer, Call};
use crate::people::Person;
use crate::process::{Home, Server, shared};

const STEP_MS: i64 = 30_000;

fn this_step() -> i64 {
    now_ms() / STEP_MS
}

/// Six digits as an app computes them (RFC 6238), from the key as it is typed in.
fn digits(key: &str, step: i64) -> String {
    let (mut buffer, mut bits, mut secret) = (0_u32, 0, Vec::new());
    for c in key.bytes() {
        let value = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".iter().position(|b| *b == c).unwrap();
        buffer = (buffer << 5 | u32::try_from(value).unwrap()) & 0xffff;
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            secret.push(u8::try_from(buffer >> bits & 255).unwrap());
        }
    }
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &secret);
    let tag = ring::hmac::sign(&key, &step.to_be_bytes());
    let tag = tag.as_ref();
    let at = usize::from(tag[19] & 15);
    let number = u32::from_be_bytes([tag[at] & 127, tag[at + 1], tag[at + 2], tag[at + 3]]);
    format!("{:06}", number % 1_000_000)
}

fn wrong(right: &str) -> String {
    format!("{:06}", (right.parse::<u32>().unwrap() + 1) % 1_000_000)
}

/// Sends with digits of a step from now; once more if the clock went on to another step meanwhile.
async fn with_digits(key: &str, ahead: i64, call: impl Fn(&str) -> Call) -> (Answer, String) {
    loop {
        let step = this_step();
        let code = digits(key, step + ahead);
        let answer = call(&code).send().await;
        if answer.status < 400 || step == this_step() {
            return (answer, code);
        }
    }
}

/// Sets a second factor up; answers the key of the app and the recovery codes.
async fn enrol(server: &Server, person: &Person) -> (String, Vec<String>) {
    let begun = server.by(person, "POST", "/me/second-factor").expect(201).await;
    let key = begun.member("secret");
    assert!(begun.member("uri").contains(&format!("secret={key}")), "{}", begun.text());
    assert!(
        begun.member("qr_path").starts_with("M0 0h1v1h-1z") && begun.json()["qr_size"].as_i64() > Some(20)
    );
    let confirm =
        |code: &str| server.by(person, "POST", "/me/second-factor/confirm").json(json!({ "code": code }));
    confirm(&wrong(&digits(&key, this_step()))).refused(401, "second_factor_wrong").await;
    let (confirmed, _) = with_digits(&key, 0, confirm).await;
    assert_eq!(confirmed.status, 200, "{}", confirmed.text());
    let codes = confirmed.json()["recovery_codes"].as_array().cloned().unwrap();
    let codes: Vec<String> = codes.iter().map(|code| code.as_str().unwrap().to_owned()).collect();
    assert_eq!(codes.len(), 10);
    (key, codes)
}

fn sign_in(server: &Server, person: &Person, second: Option<&str>) -> Call {
    let mut body = json!({ "phone": person.phone, "password": person.password });
    if let Some(second) = second {
        body["second_code"] = json!(second);
    }
    server.api("POST", "/auth/sign-in/password").json(body)
}

#[tokio::test]
async fn a_second_factor_is_asked_for_and_each_code_is_good_once() {
    let (_, server) = shared().await;
    let admin = server.person(&["admin"]).await;
    let other = server.sign_in(&admin.phone, &admin.password).await;
    let state = server.by(&admin, "GET", "/me/second-factor").expect(200).await.json();
    assert_eq!(state, json!({ "on": false, "required": false, "recovery_left": 0 }));
    let (key, recovery) = enrol(server, &admin).await;
    server.by(&admin, "GET", "/admin/jobs").expect(200).await;
    server.api("GET", "/me").cookie(&other).refused(401, "unauthenticated").await;
    let me = server.by(&admin, "GET", "/me").expect(200).await.json();
    assert_eq!(me["second_factor"], true);

    // Whoever does not know the password hears nothing of it.
    let guess = json!({ "phone": admin.phone, "password": "a guess" });
    server.api("POST", "/auth/sign-in/password").json(guess).refused(401, "credentials_wrong").await;
    sign_in(server, &admin, None).refused(401, "second_factor_needed").await;
    let (entered, used) = with_digits(&key, 1, |code| sign_in(server, &admin, Some(code))).await;
    assert_eq!(entered.status, 200, "{}", entered.text());
    sign_in(server, &admin, Some(&used)).refused(401, "second_factor_wrong").await;
    sign_in(server, &admin, Some("no code")).refused(400, "invalid_field").await;
    sign_in(server, &admin, Some(&recovery[0])).expect(200).await;
    sign_in(server, &admin, Some(&recovery[0])).refused(401, "second_factor_wrong").await;

    // By a code to the phone: the code stays until the second factor is given, and a wrong one costs it.
    let code = server.code(&admin.phone, "sign_in").await;
    let by_code = |second: Value| {
        let mut body = json!({ "phone": admin.phone, "code": code });
        if !second.is_null() {
            body["second_code"] = second;
        }
        server.api("POST", "/auth/sign-in/code").json(body)
    };
    by_code(Value::Null).refused(401, "second_factor_needed").await;
    by_code(json!(recovery[1].to_lowercase())).expect(200).await;
    by_code(json!(recovery[2])).refused(401, "code_spent").await;

    let state = server.by(&admin, "GET", "/me/second-factor").expect(200).await.json();
    assert_eq!(state, json!({ "on": true, "required": false, "recovery_left": 8 }));
    server.by(&admin, "POST", "/me/second-factor").refused(409, "second_factor_on").await;
    let remove =
        |code: &str| server.by(&admin, "POST", "/me/second-factor/remove").json(json!({ "code": code }));
    remove(&used).refused(401, "second_factor_wrong").await;
    remove(&recovery[3]).expect(204).await;
    remove(&recovery[4]).refused(409, "second_factor_off").await;
    sign_in(server, &admin, None).expect(200).await;
}

#[tokio::test]
async fn whoever_lost_it_is_helped_by_two_admins() {
    let (_, server) = shared().await;
    let lost = server.person(&["admin"]).await;
    let (ann, bob) = (server.person(&["admin"]).await, server.person(&["admin"]).await);
    enrol(server, &lost).await;
    let path = format!("/admin/users/{}/second-factor/reset", lost.id);
    let asked =
        server.by(&ann, "POST", &path).json(json!({ "reason": "phone in the lake" })).expect(202).await;
    let approve = format!("/admin/approvals/{}/approve", asked.member("approval_id"));
    let decide = |who: &Person| server.by(who, "POST", &approve).json(json!({ "reason": "called back" }));
    decide(&ann).refused(403, "own_work").await;
    sign_in(server, &lost, None).refused(401, "second_factor_needed").await;
    decide(&bob).expect(200).await;
    server.by(&lost, "GET", "/me").refused(401, "unauthenticated").await;
    sign_in(server, &lost, None).expect(200).await;
    let log = server.by(&ann, "GET", &format!("/admin/audit?subject=user:{}", lost.id)).expect(200).await;
    let actions: Vec<Value> = log.items().iter().map(|line| line["action"].clone()).collect();
    assert!(actions.contains(&json!("user.second_factor_reset")), "{actions:?}");
    assert!(actions.contains(&json!("user.second_factor_on")), "{actions:?}");
}

#[tokio::test]
async fn the_only_admin_who_lost_it_is_helped_at_the_machine() {
    let home = Home::new();
    let server = home.start("serve").await;
    let lost = server.person(&["admin"]).await;
    enrol(&server, &lost).await;
    let listed = home.run(&["admin", "list-users", "--role", "admin"]).ok();
    assert!(listed.contains("second factor") && listed.contains("yes"), "{listed}");
    let ran = home.run(&["admin", "reset-second-factor", &lost.id, "--reason", "phone in the lake"]);
    assert!(ran.ok().contains("all of their sessions have ended"), "{}", ran.out());
    server.by(&lost, "GET", "/me").refused(401, "unauthenticated").await;
    let entered = sign_in(&server, &lost, None).expect(200).await;
    let log = server.api("GET", &format!("/admin/audit?subject=user:{}", lost.id)).cookie(&entered.cookie());
    let log = log.expect(200).await;
    let reset = log.items().into_iter().find(|line| line["action"] == "user.second_factor_reset").unwrap();
    assert_eq!((&reset["actor"]["kind"], &reset["reason"]), (&json!("console"), &json!("phone in the lake")));
}

#[tokio::test]
async fn where_it_is_required_staff_have_no_powers_without_it() {
    let home = Home::with(&[("WINDFALL__STAFF__SECOND_FACTOR", "required")]);
    let server = home.start("serve").await;
    let (admin, player) = (server.person(&["admin"]).await, server.person(&[]).await);
    server.by(&player, "GET", "/me").expect(200).await;
    for path in ["/admin/jobs", "/admin/users", "/admin/keys"] {
        server.by(&admin, "GET", path).refused(403, "second_factor_required").await;
        server.by(&player, "GET", path).refused(403, "forbidden").await;
    }
    let ran = home.run(&["doctor"]);
    assert!(ran.out().contains("second factors") && ran.out().contains("1 of 1 admins"), "{}", ran.out());
    enrol(&server, &admin).await;
    server.by(&admin, "GET", "/admin/jobs").expect(200).await;
    assert!(home.run(&["doctor"]).out().contains("1 admins, each with one"));
}
