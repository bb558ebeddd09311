//! How often somebody may ask, and on whose account a request is counted.
//!
//! Allowances grow back while a test runs, so each scenario is judged only when it was quicker than that; on
//! a machine that stalls it is played again for somebody new.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Answer, Call};
use crate::people::fresh_phone;
use crate::process::{Home, Server};

/// What the tests allow in a minute; one more is there after this long.
const PER_MINUTE: u32 = 4;
const STEP: Duration = Duration::from_secs(15);

/// Sends one request after the other until all came within one step of the allowance. `calls` makes them anew
/// for every attempt, by somebody who was not seen before.
async fn in_one_step(mut calls: impl AsyncFnMut(u8) -> Vec<Call>) -> Vec<Answer> {
    for attempt in 1..=u8::MAX {
        let calls = calls(attempt).await;
        let started = Instant::now();
        let mut answers = Vec::new();
        for call in calls {
            answers.push(call.send().await);
        }
        if started.elapsed() < STEP {
            return answers;
        }
    }
    panic!("no attempt was quick enough");
}

fn codes(answers: &[Answer]) -> Vec<String> {
    answers.iter().map(Answer::code).collect()
}

/// The proxy is this machine, so that tests can come from anywhere.
async fn behind_proxy(settings: &[(&str, &str)]) -> (Home, Server) {
    let proxy =
        [("WINDFALL__HTTP__TRUSTED_PROXIES", "127.0.0.0/8"), ("WINDFALL__LIMITS__IP_PER_MINUTE", "4")];
    let home = Home::with(&[&proxy[..], settings].concat());
    let server = home.demo().await;
    (home, server)
}

#[tokio::test]
async fn the_headers_count_down_and_then_it_is_too_often() {
    let (_home, server) = behind_proxy(&[]).await;
    let answers = in_one_step(async |attempt| {
        let from = format!("198.51.100.{attempt}");
        (0..=PER_MINUTE).map(|_| server.api("GET", "/time").header("x-forwarded-for", &from)).collect()
    })
    .await;
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
    // Health is for the machine's own watchers and is not counted.
    server.page("GET", "/healthz").header("x-forwarded-for", "198.51.100.1").expect(200).await;
}

/// Where the requests say they come from, and how many of them pass.
#[tokio::test]
async fn addresses_are_counted_by_their_owner() {
    let (_home, server) = behind_proxy(&[]).await;
    let more = PER_MINUTE + 1;
    for (what, from, passing) in [
        ("one address", &(|n, _| format!("203.0.113.{n}")) as &dyn Fn(u8, u32) -> String, PER_MINUTE),
        ("another each", &|n, i| format!("192.0.2.{}", u32::from(n) * 8 + i), more),
        ("one /64 of IPv6", &|n, i| format!("2001:db8:1:{n}::{i}"), PER_MINUTE),
        ("another /64 each", &|n, i| format!("2001:db8:{}:{n}::1", i + 2), more),
        ("IPv4 written as IPv6", &|n, _| format!("::ffff:198.18.0.{n}"), PER_MINUTE),
        (
            "the last hop counts, not what a client wrote",
            &|n, i| format!("10.9.{n}.{i}, 198.19.0.{n}"),
            PER_MINUTE,
        ),
        ("through two trusted hops", &|n, _| format!("198.19.1.{n}, 127.0.0.9"), PER_MINUTE),
    ] {
        let answers = in_one_step(async |attempt| {
            let call = |i| server.api("GET", "/time").header("x-forwarded-for", from(attempt, i));
            (0..more).map(call).collect()
        })
        .await;
        let passed = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(passed, passing as usize, "{what}: {:?}", codes(&answers));
    }
}

#[tokio::test]
async fn an_untrusted_peer_is_not_believed() {
    // One a minute, so that a second passes only after a minute: a new server each time until quick enough.
    loop {
        let home = Home::with(&[("WINDFALL__LIMITS__IP_PER_MINUTE", "1")]);
        let server = home.demo().await;
        let started = Instant::now();
        let call = |n: u8| server.api("GET", "/time").header("x-forwarded-for", format!("203.0.113.{n}"));
        let answers = [call(1).send().await, call(2).send().await];
        if started.elapsed() < Duration::from_secs(60) {
            assert_eq!((answers[0].status, answers[1].status), (200, 429), "all come from one peer");
            return;
        }
    }
}

#[tokio::test]
async fn people_and_keys_are_counted_apart_from_addresses() {
    let settings = [("WINDFALL__LIMITS__USER_PER_MINUTE", "2"), ("WINDFALL__LIMITS__KEY_PER_MINUTE", "3")];
    let (_home, server) = behind_proxy(&settings).await;
    let answers = in_one_step(async |attempt| {
        let from = |i: u8| format!("192.0.{attempt}.{i}");
        let body = json!({ "phone": fresh_phone(), "password": "correct horse" });
        server.console("POST", "/admin/users").json(body.clone()).expect(201).await;
        let sign_in = server.api("POST", "/auth/sign-in/password").json(body);
        let cookie = sign_in.header("x-forwarded-for", from(0)).expect(200).await.cookie();
        // From another address each time: the person counts.
        let call = |i| server.api("GET", "/me").cookie(&cookie).header("x-forwarded-for", from(i));
        (1..=3).map(call).collect()
    })
    .await;
    assert_eq!(codes(&answers), ["", "", "rate_limited"]);
    let answers = in_one_step(async |_| {
        let key = server.new_key(&["read"]).await.secret;
        (0..4).map(|_| server.api("GET", "/admin/jobs").key(&key)).collect()
    })
    .await;
    assert_eq!(codes(&answers), ["", "", "", "rate_limited"]);
}

#[tokio::test]
async fn attempts_to_sign_in_are_counted_by_address() {
    let settings =
        [("WINDFALL__LIMITS__IP_PER_MINUTE", "100000"), ("WINDFALL__LIMITS__SIGN_IN_IP_PER_MINUTE", "4")];
    let (_home, server) = behind_proxy(&settings).await;
    let attempt = |phone: &str, from: String| {
        let body = json!({ "phone": phone, "password": "a guess" });
        server.api("POST", "/auth/sign-in/password").json(body).header("x-forwarded-for", from)
    };
    let wrong = "credentials_wrong";
    let answers =
        in_one_step(async |n| (0..5).map(|_| attempt(&fresh_phone(), format!("198.19.0.{n}"))).collect())
            .await;
    assert_eq!(codes(&answers), [wrong, wrong, wrong, wrong, "rate_limited"], "one address for every phone");
}

#[tokio::test]
async fn codes_are_capped_by_the_day() {
    let home = Home::with(&[("WINDFALL__CODE__PHONE_DAILY_MAX", "2"), ("WINDFALL__CODE__IP_DAILY_MAX", "3")]);
    let server = home.demo().await;
    let ask = |phone: &str, purpose: &str| {
        server.api("POST", "/auth/codes").json(json!({ "phone": phone, "purpose": purpose }))
    };
    // The day may end in between; then the count starts anew and the scenario with it.
    loop {
        let phone = fresh_phone();
        let mut answers = Vec::new();
        for (phone, purpose) in [
            (phone.as_str(), "sign_in"),
            (&phone, "register"),
            (&phone, "reset_password"),
            (&fresh_phone(), "sign_in"),
            (&fresh_phone(), "sign_in"),
        ] {
            answers.push(ask(phone, purpose).send().await);
        }
        let days: i64 = home
            .database()
            .query_row("SELECT COUNT(DISTINCT day) FROM send_counts", [], |row| row.get(0))
            .unwrap();
        if days == 1 {
            assert_eq!(codes(&answers), ["", "", "code_daily_cap", "", "code_daily_cap"]);
            return;
        }
        home.database().execute("DELETE FROM send_counts", []).unwrap();
    }
}
