//! Nobody is kept out by somebody else's guesses, and nobody makes the site send codes without end.

use serde_json::json;

use crate::client::{Answer, Call};
use crate::people::{Person, fresh_phone};
use crate::process::{Home, Server};

/// The proxy is this machine, so that tests can come from anywhere. Waits do not pass and days do not end here.
async fn behind_proxy(settings: &[(&str, &str)]) -> (Home, Server) {
    let proxy =
        [("WINDFALL__HTTP__TRUSTED_PROXIES", "127.0.0.0/8"), ("WINDFALL__LIMITS__SIGN_IN_TRIES_FREE", "5")];
    let (home, _) = Home::with_still_clock(&[&proxy[..], settings].concat());
    let server = home.demo().await;
    (home, server)
}

fn sign_in(server: &Server, phone: &str, password: &str, from: &str) -> Call {
    let body = json!({ "phone": phone, "password": password });
    server.api("POST", "/auth/sign-in/password").json(body).header("x-forwarded-for", from)
}

/// The device's cookie, as a browser sends it back.
fn device(answer: &Answer) -> String {
    let set = answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
    let device =
        set.filter_map(|value| value.split(';').next()).find(|pair| pair.starts_with("windfall_device="));
    device.unwrap().to_owned()
}

/// Guesses from one address until it has to wait; answers how many were judged.
async fn guess_until_told_to_wait(server: &Server, owner: &Person, from: &str) -> u32 {
    let mut judged = 0;
    for _ in 0..1_000 {
        let answer = sign_in(server, &owner.phone, "a guess", from).send().await;
        match answer.code().as_str() {
            "credentials_wrong" => judged += 1,
            "rate_limited" => return judged,
            other => panic!("{other}"),
        }
    }
    panic!("a thousand guesses were judged");
}

#[tokio::test]
async fn nobody_keeps_an_owner_out_by_guessing() {
    let (_home, server) = behind_proxy(&[]).await;
    let owner = server.person(&[]).await;
    let home = "198.51.100.7";
    let known = device(&sign_in(&server, &owner.phone, &owner.password, home).expect(200).await);
    // From many addresses, the owner's own among them.
    for n in 0..20 {
        let judged = guess_until_told_to_wait(&server, &owner, &format!("203.0.113.{n}")).await;
        assert!(judged >= 5, "the first five are free: {judged}");
    }
    guess_until_told_to_wait(&server, &owner, home).await;

    for from in ["192.0.2.1", "192.0.2.2", "2001:db8::1"] {
        sign_in(&server, &owner.phone, &owner.password, from).expect(200).await;
    }
    for _ in 0..3 {
        guess_until_told_to_wait(&server, &owner, home).await;
        let call = sign_in(&server, &owner.phone, &owner.password, home).cookie(&known);
        call.expect(200).await;
    }
}

/// A device is known to the account that was signed in to from it, and guesses from it are counted too.
#[tokio::test]
async fn a_known_device_is_no_free_pass() {
    let (_home, server) = behind_proxy(&[]).await;
    let (owner, other) = (server.person(&[]).await, server.person(&[]).await);
    let from = "198.51.100.8";
    let known = device(&sign_in(&server, &other.phone, &other.password, from).expect(200).await);
    // Another address each time, so that nothing but the device could count.
    let guess = |phone: &str, n: u32| {
        sign_in(&server, phone, "a guess", &format!("203.0.113.{}", n % 250)).cookie(&known).send()
    };
    for n in 0..20 {
        let answer = guess(&owner.phone, n).await;
        assert_eq!(answer.code(), "credentials_wrong", "somebody else's device says nothing");
    }
    let mut judged = 0;
    while guess(&other.phone, judged).await.code() == "credentials_wrong" {
        judged += 1;
        assert!(judged < 1_000, "guesses from a known device are counted");
    }
    assert!(judged >= 5, "the first five are free: {judged}");
}

fn ask(server: &Server, phone: &str, from: &str) -> Call {
    let body = json!({ "phone": phone, "purpose": "sign_in" });
    server.api("POST", "/auth/codes").json(body).header("x-forwarded-for", from)
}

/// Asks for a code and answers the digits, which the demo shows.
async fn ask_for_digits(call: Call) -> String {
    call.expect(202).await.member("demo_code")
}

fn sign_in_by_code(server: &Server, phone: &str, digits: &str, from: &str) -> Call {
    let body = json!({ "phone": phone, "code": digits });
    server.api("POST", "/auth/sign-in/code").json(body).header("x-forwarded-for", from)
}

/// Digits that are not these.
fn wrong(digits: &str) -> String {
    format!("{:06}", (digits.parse::<u32>().unwrap() + 1) % 1_000_000)
}

/// Somebody else asks for codes all day and guesses at each: the owner signs in by code all the same.
#[tokio::test]
async fn nobody_keeps_out_an_owner_who_signs_in_by_code() {
    let settings = [
        ("WINDFALL__HTTP__TRUSTED_PROXIES", "127.0.0.0/8"),
        ("WINDFALL__CODE__PHONE_DAILY_MAX", "10"),
        ("WINDFALL__CODE__IP_DAILY_MAX", "30"),
    ];
    let (home, start) = Home::at_noon(&settings);
    let server = home.demo().await;
    let (phone, at_home) = (fresh_phone(), "198.51.100.7");
    let digits = ask_for_digits(ask(&server, &phone, at_home)).await;
    let known = device(&sign_in_by_code(&server, &phone, &digits, at_home).expect(200).await);

    // From many networks, the owner's own among them, until the phone has had its day.
    let mut sent = 0;
    for minute in 1..60 {
        home.clock_at(start + minute * 61_000);
        let from = if minute % 3 == 0 { at_home.to_owned() } else { format!("203.0.113.{minute}") };
        let asked = ask(&server, &phone, &from).send().await;
        if asked.code() == "code_daily_cap" {
            continue;
        }
        let digits = asked.member("demo_code");
        for guess in 0..5 {
            let heard =
                sign_in_by_code(&server, &phone, &wrong(&digits), &format!("203.0.113.{guess}")).send();
            assert!(["code_wrong", "rate_limited"].contains(&heard.await.code().as_str()));
        }
        sent += 1;
    }
    assert_eq!(sent, 9, "ten codes in a day, the owner's first among them");

    // And at the very moment at which the owner asks.
    for minute in 60..63 {
        home.clock_at(start + minute * 61_000);
        let digits = ask_for_digits(ask(&server, &phone, at_home).cookie(&known)).await;
        for place in 0..10 {
            let guess = sign_in_by_code(&server, &phone, &wrong(&digits), &format!("192.0.2.{place}"));
            guess.send().await;
        }
        let call = sign_in_by_code(&server, &phone, &digits, at_home).cookie(&known);
        call.expect(200).await;
    }
}

/// On a new phone nobody is known yet: whoever guesses uses up their own tries, not the owner's.
#[tokio::test]
async fn guesses_from_elsewhere_do_not_burn_a_code() {
    let (_home, server) = behind_proxy(&[]).await;
    let phone = fresh_phone();
    let digits = ask_for_digits(ask(&server, &phone, "198.51.100.7")).await;
    for guess in 0..5 {
        let call = sign_in_by_code(&server, &phone, &wrong(&digits), "203.0.113.1");
        assert_eq!(call.send().await.code(), "code_wrong", "guess {guess}");
    }
    let right = sign_in_by_code(&server, &phone, &digits, "203.0.113.1").send().await;
    assert!(["code_spent", "rate_limited"].contains(&right.code().as_str()), "its five tries are gone");
    sign_in_by_code(&server, &phone, &digits, "198.51.100.7").expect(200).await;
}

#[tokio::test]
async fn codes_go_to_the_countries_that_are_served() {
    let (_home, server) = behind_proxy(&[("WINDFALL__CODE__COUNTRIES", "+86,+852")]).await;
    for (phone, expected) in [
        (fresh_phone().as_str(), ""),
        ("+85251234567", ""),
        ("+12025550143", "phone_country"),
        ("+8615", "invalid_field"),
        ("+88216555000", "phone_country"),
    ] {
        assert_eq!(ask(&server, phone, "192.0.2.1").send().await.code(), expected, "{phone}");
    }
    let metrics = server.page("GET", "/metrics").expect(200).await.text();
    assert!(metrics.contains("windfall_codes_not_sent_total{why=\"country\"} 2"), "{metrics}");
}

/// One customer has 256 networks of size /64.
#[tokio::test]
async fn codes_are_capped_by_network_and_for_the_whole_site() {
    let settings = [("WINDFALL__CODE__IP_DAILY_MAX", "2"), ("WINDFALL__CODE__SITE_DAILY_MAX", "4")];
    let (_home, server) = behind_proxy(&settings).await;
    let mut heard = Vec::new();
    for from in [
        "2001:db8:1:2a01::1",
        "2001:db8:1:2aff::1",
        "2001:db8:1:2a33::9",
        "2001:db8:1:2b00::1",
        "192.0.2.1",
        "192.0.2.2",
    ] {
        heard.push(ask(&server, &fresh_phone(), from).send().await.code());
    }
    assert_eq!(heard, ["", "", "code_daily_cap", "", "", "code_site_cap"]);
    server.logged("daily cap of codes is reached").await;
    let metrics = server.page("GET", "/metrics").expect(200).await.text();
    assert!(metrics.contains("windfall_codes_not_sent_total{why=\"site_cap\"} 1"), "{metrics}");
}
