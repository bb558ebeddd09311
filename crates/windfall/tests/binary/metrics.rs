//! `/metrics`: what happened, counted by route and by refusal; for this machine or a key that may read.

use crate::process::Home;

#[tokio::test]
async fn requests_and_refusals_are_counted() {
    let home = Home::with(&[("WINDFALL__HTTP__TRUSTED_PROXIES", "127.0.0.1")]);
    let server = home.demo().await;
    server.api("GET", "/time").expect(200).await;
    server.api("GET", "/users/1").refused(404, "not_found").await;
    server.api("GET", "/users/2").refused(404, "not_found").await;
    server.api("GET", "/me").refused(401, "unauthenticated").await;
    let text = server.page("GET", "/metrics").expect(200).await.text();
    let value = |parts: &[&str]| -> Option<f64> {
        let line = text.lines().find(|line| parts.iter().all(|part| line.contains(part)))?;
        line.rsplit_once(' ')?.1.parse().ok()
    };
    for (parts, expected) in [
        (vec!["windfall_http_requests_total{", "/time\"", "method=\"GET\"", "status=\"200\""], 1.0),
        (vec!["windfall_http_requests_total{", "/users/{id}\"", "status=\"404\""], 2.0),
        (vec!["windfall_rejections_total{", "code=\"not_found\""], 2.0),
        (vec!["windfall_rejections_total{", "code=\"unauthenticated\""], 1.0),
        (vec!["windfall_http_request_seconds_count", "outcome=\"done\"", "/time\""], 1.0),
    ] {
        assert_eq!(value(&parts), Some(expected), "{parts:?} in\n{text}");
    }
    assert!(!text.contains("/users/1"), "ids are no labels");
    for gauge in ["windfall_attempts_waiting", "windfall_room_waiting", "windfall_room_inside"] {
        assert!(text.lines().any(|line| line == format!("{gauge} 0")), "{gauge} in\n{text}");
    }

    // From elsewhere, as a trusted proxy says, only with a key that may read.
    let from_elsewhere = || server.page("GET", "/metrics").header("x-forwarded-for", "203.0.113.7");
    from_elsewhere().refused(401, "unauthenticated").await;
    let (play, read) = (server.new_key(&["play"]).await, server.new_key(&["read"]).await);
    from_elsewhere().key(&play.secret).refused(403, "scope_missing").await;
    from_elsewhere().key(&read.secret).expect(200).await;
}
