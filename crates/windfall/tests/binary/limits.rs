//! How often somebody may ask, and on whose account a request is counted.
//!
//! Allowances grow back with time, so the clock stands still here until a test moves it.

use domain::time::DAY_MS;
use serde_json::json;

use crate::client::{Answer, Call};
use crate::people::fresh_phone;
use crate::process::{Home, Server};

/// What the tests allow in a minute; one more is there after this long.
const PER_MINUTE: u32 = 4;
const STEP_MS: i64 = 15_000;

/// Sends one request after the other.
async fn send_all(calls: impl IntoIterator<Item = Call>) -> Vec<Answer> {
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.send().await);
    }
    answers
}

fn codes(answers: &[Answer]) -> Vec<String> {
    answers.iter().map(Answer::code).collect()
}

/// The proxy is this machine, so that tests can come from anywhere.
async fn behind_proxy(settings: &[(&str, &str)]) -> (Home, i64, Server) {
    let proxy =
        [("WINDFALL__HTTP__TRUSTED_PROXIES", "127.0.0.0/8"), ("WINDFALL__LIMITS__IP_PER_MINUTE", "4")];
    let (home, now) = Home::with_still_clock(&[&proxy[..], settings].concat());
    let server = home.demo().await;
    (home, now, server)
}

#[tokio::test]
async fn the_headers_count_down_and_then_it_is_too_often() {
    let (home, now, server) = behind_proxy(&[]).await;
    let ask = || server.api("GET", "/time").header("x-forwarded-for", "198.51.100.1");
    let answers = send_all((0..=PER_MINUTE).map(|_| ask())).await;
    let (last, passed) = answers.split_last().unwrap();
    for (answer, left) in passed.iter().zip((0..PER_MINUTE).rev()) {
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("ratelimit-limit"), PER_MINUTE.to_string());
        assert_eq!(answer.header("ratelimit-remaining"), left.to_string());
        assert!(answer.header("ratelimit-reset").parse::<u32>().is_ok_and(|s| (1..=60).contains(&s)));
    }
    assert_eq!((last.status, last.code().as_str()), (429, "rate_limited"));
    assert_eq!(last.header("ratelimit-remaining"), "0");
    assert!(
        last.header("retry-after").parse::<u32>().is_ok_and(|s| (1..=15).contains(&s)),
        "{:?}",
        last.headers
    );
    assert_eq!(last.header("content-type"), "application/problem+json");
    // It grows back, one by one.
    home.clock_at(now + STEP_MS);
    let statuses: Vec<u16> = send_all([ask(), ask()]).await.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [200, 429]);
    // Health is for the machine's own watchers and is not counted.
    server.page("GET", "/healthz").header("x-forwarded-for", "198.51.100.1").expect(200).await;
}

/// Where the requests say they come from, and how many of them pass.
#[tokio::test]
async fn addresses_are_counted_by_their_owner() {
    let (_home, _, server) = behind_proxy(&[]).await;
    let more = PER_MINUTE + 1;
    for (what, from, passing) in [
        ("one address", &(|_| "203.0.113.1".to_owned()) as &dyn Fn(u32) -> String, PER_MINUTE),
        ("another each", &|i| format!("192.0.2.{i}"), more),
        ("one /64 of IPv6", &|i| format!("2001:db8:1:1::{i}"), PER_MINUTE),
        ("another /64 each", &|i| format!("2001:db8:{}:1::1", i + 2), more),
        ("IPv4 written as IPv6", &|_| "::ffff:198.18.0.1".to_owned(), PER_MINUTE),
        ("the last hop counts, not what a client wrote", &|i| format!("10.9.1.{i}, 198.19.0.1"), PER_MINUTE),
        ("through two trusted hops", &|_| "198.19.1.1, 127.0.0.9".to_owned(), PER_MINUTE),
    ] {
        let call = |i| server.api("GET", "/time").header("x-forwarded-for", from(i));
        let answers = send_all((0..more).map(call)).await;
        let passed = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(passed, passing as usize, "{what}: {:?}", codes(&answers));
    }
}

#[tokio::test]
async fn an_untrusted_peer_is_not_believed() {
    let (home, _) = Home::with_still_clock(&[("WINDFALL__LIMITS__IP_PER_MINUTE", "1")]);
    let server = home.demo().await;
    let call = |n: u8| server.api("GET", "/time").header("x-forwarded-for", format!("203.0.113.{n}"));
    let answers = send_all([call(1), call(2)]).await;
    assert_eq!((answers[0].status, answers[1].status), (200, 429), "all come from one peer");
}

#[tokio::test]
async fn people_and_keys_are_counted_apart_from_addresses() {
    let settings = [("WINDFALL__LIMITS__USER_PER_MINUTE", "2"), ("WINDFALL__LIMITS__KEY_PER_MINUTE", "3")];
    let (_home, _, server) = behind_proxy(&settings).await;
    let from = |i: u8| format!("192.0.2.{i}");
    let body = json!({ "phone": fresh_phone(), "password": "correct horse" });
    server.console("POST", "/admin/users").json(body.clone()).expect(201).await;
    let sign_in = server.api("POST", "/auth/sign-in/password").json(body);
    let cookie = sign_in.header("x-forwarded-for", from(0)).expect(200).await.cookie();
    // From another address each time: the person counts.
    let call = |i| server.api("GET", "/me").cookie(&cookie).header("x-forwarded-for", from(i));
    let answers = send_all((1..=3).map(call)).await;
    assert_eq!(codes(&answers), ["", "", "rate_limited"]);
    let key = server.new_key(&["read"]).await.secret;
    let answers = send_all((0..4).map(|_| server.api("GET", "/admin/jobs").key(&key))).await;
    assert_eq!(codes(&answers), ["", "", "", "rate_limited"]);
}

#[tokio::test]
async fn attempts_to_sign_in_are_counted_by_address() {
    let settings =
        [("WINDFALL__LIMITS__IP_PER_MINUTE", "100000"), ("WINDFALL__LIMITS__SIGN_IN_IP_PER_MINUTE", "4")];
    let (_home, _, server) = behind_proxy(&settings).await;
    let guess = |_| {
        let body = json!({ "phone": fresh_phone(), "password": "a guess" });
        server.api("POST", "/auth/sign-in/password").json(body).header("x-forwarded-for", "198.19.0.1")
    };
    let wrong = "credentials_wrong";
    let answers = send_all((0..5).map(guess)).await;
    assert_eq!(codes(&answers), [wrong, wrong, wrong, wrong, "rate_limited"], "one address for every phone");
}

#[tokio::test]
async fn codes_are_capped_by_the_day() {
    // One network has half of a phone's day.
    let caps = [("WINDFALL__CODE__PHONE_DAILY_MAX", "4"), ("WINDFALL__CODE__IP_DAILY_MAX", "3")];
    let (home, now) = Home::with_still_clock(&caps);
    let server = home.demo().await;
    let ask = |phone: &str, purpose: &str| {
        server.api("POST", "/auth/codes").json(json!({ "phone": phone, "purpose": purpose }))
    };
    let phone = fresh_phone();
    let answers = send_all([
        ask(&phone, "sign_in"),
        ask(&phone, "register"),
        ask(&phone, "reset_password"),
        ask(&fresh_phone(), "sign_in"),
        ask(&fresh_phone(), "sign_in"),
    ])
    .await;
    assert_eq!(codes(&answers), ["", "", "code_daily_cap", "", "code_daily_cap"]);
    // Another day, another count.
    home.clock_at(now + DAY_MS);
    ask(&phone, "reset_password").expect(202).await;
}
