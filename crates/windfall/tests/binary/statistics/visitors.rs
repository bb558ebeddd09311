//! Who is a visitor: a browser that brings back the cookie that a page gave it, and nobody else.

use serde_json::json;

use super::fixtures::*;
use crate::client::Answer;
use crate::process::{Home, Server};

fn sets_cookie(answer: &Answer) -> bool {
    answer.headers.contains_key("set-cookie")
}

#[tokio::test]
async fn pages_give_a_cookie_and_the_api_gives_none() {
    let (home, _) = Home::at_noon(&[]);
    let server = &home.demo().await;
    let first = open(server).await;
    let set = first.header("set-cookie").to_owned();
    for part in ["windfall_visitor=", "; Path=/", "; HttpOnly", "; SameSite=Lax", "; Max-Age=34560000"] {
        assert!(set.contains(part), "{set}");
    }
    assert!(!set.contains("Secure"), "without TLS: {set}");
    assert_eq!(first.header("cache-control"), "no-cache", "nobody else gets it from a cache");
    let cookie = first.cookie();
    let again = server.page("GET", "/").header("accept", "text/html").cookie(&cookie).expect(200).await;
    assert!(!sets_cookie(&again), "a known browser keeps its cookie");
    let deep = server.page("GET", "/activities/7").header("accept", "text/html").expect(200).await;
    assert!(deep.header("set-cookie").starts_with("windfall_visitor="));
    // A cookie that this site did not make is replaced, and counts for nothing.
    let forged = format!("windfall_visitor={}", "0".repeat(64));
    let replaced = server.page("GET", "/").header("accept", "text/html").cookie(&forged).expect(200).await;
    assert!(sets_cookie(&replaced));
    look(server, &forged).expect(200).await;
    let key = server.new_key(&["play", "read"]).await;
    for call in [
        server.api("GET", "/time"),
        server.api("GET", "/time").header("accept", "text/html"),
        server.api("GET", "/play/activities").key(&key.secret),
        server.page("GET", "/healthz"),
        server.page("GET", "/console").header("accept", "text/html"),
    ] {
        assert!(!sets_cookie(&call.expect(200).await));
    }
    // Programs that keep no cookies open the page as often as they like.
    for _ in 0..20 {
        open(server).await;
    }
    // A key is nobody's browser, whatever it sends along.
    server.api("GET", "/play/activities").key(&key.secret).cookie(&browser(server).await).expect(200).await;
    // Staff is not counted either.
    let staff = server.person(&["operator"]).await;
    signed_in(server, &browser(server).await, &staff, "/me").expect(200).await;
    look(server, &cookie).expect(200).await;
    written(server).await;
    let day = today(server, 1, 0).await;
    assert_eq!((&day["visitors"], &day["visitors_exact"]), (&json!(1), &json!(true)));
}

#[tokio::test]
async fn switched_off_nobody_gets_a_cookie_and_nothing_is_counted() {
    let mut home = Home::with(&[]);
    let server = home.demo().await;
    let (known, ann) = (browser(&server).await, server.person(&[]).await);
    server.stop().await;
    home.set("WINDFALL__STATISTICS__ENABLED", "false");
    let server = &home.demo().await;
    assert!(!sets_cookie(&open(server).await));
    signed_in(server, &known, &ann, "/me").expect(200).await;
    written(server).await;
    let report = server.console("GET", "/admin/statistics/daily").expect(200).await.json();
    assert_eq!(report["enabled"], json!(false));
    let days = report["days"].as_array().unwrap();
    assert!(days.iter().all(|day| day["visitors"] == 0 && day["people"] == 0), "{report}");
}

/// What one address can add to a day is bounded, and everybody else counts as before. Each row of a day is, too.
#[tokio::test]
async fn hole_59_one_address_adds_so_many_visitors_and_no_more() {
    let (home, noon) = Home::at_noon(&[
        ("WINDFALL__HTTP__TRUSTED_PROXIES", "127.0.0.0/8"),
        ("WINDFALL__STATISTICS__VISITORS_OF_ADDRESS_DAILY_MAX", "3"),
    ]);
    let server = &home.demo().await;
    async fn come(server: &Server, from: &str, times: u32) -> Vec<String> {
        let mut browsers = Vec::new();
        for _ in 0..times {
            let browser = browser(server).await;
            look(server, &browser).header("x-forwarded-for", from).expect(200).await;
            browsers.push(browser);
        }
        browsers
    }
    let crowd = come(server, "198.51.100.1", 10).await;
    written(server).await;
    today(server, 3, 0).await;
    // An IPv6 network is one address, whatever its last bits are.
    for last in 1..=5 {
        come(server, &format!("2001:db8::{last}"), 1).await;
    }
    come(server, "198.51.100.2", 2).await;
    // Those who were counted come again, from wherever they are.
    for browser in &crowd {
        look(server, browser).header("x-forwarded-for", "198.51.100.1").expect(200).await;
    }
    written(server).await;
    today(server, 8, 0).await;
    // Browsers that were kept for another day are worth no more on that day.
    home.clock_at(noon + 2 * DAY_MS);
    for browser in &crowd {
        look(server, browser).header("x-forwarded-for", "198.51.100.1").expect(200).await;
    }
    written(server).await;
    today(server, 3, 0).await;
    let longest: i64 = home
        .database()
        .query_row("SELECT MAX(length(counted)) FROM visit_counts", [], |row| row.get(0))
        .unwrap();
    assert_eq!(longest, 1 + 8 * 8, "eight visitors on the first day, eight bytes each");
}
