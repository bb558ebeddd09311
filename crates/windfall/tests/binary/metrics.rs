//! `/metrics`: what happened, counted by route and by refusal; for this machine or a key that may read.

use crate::backend::settled;
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

/// Hole 75: an alert on a counter that does not exist before its first event never fires on that event.
#[tokio::test]
async fn hole_75_whatever_is_alerted_on_is_there_from_the_start() {
    // What is told of a standby is told where there is one.
    let standby = tempfile::tempdir().unwrap();
    let home = Home::with(&[("WINDFALL__STANDBY__FOLDER", standby.path().to_str().unwrap())]);
    let server = home.start("serve").await;
    server.api("GET", "/time").expect(200).await;
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |file: &str| std::fs::read_to_string(root.join(file)).unwrap();
    let rules = read("deploy/prometheus/windfall.rules.yml");
    let dashboard = read("deploy/grafana/windfall.json");
    let named: std::collections::BTreeSet<String> = [&rules, &dashboard]
        .into_iter()
        .flat_map(|text| text.split(|letter: char| !letter.is_ascii_lowercase() && letter != '_'))
        .filter(|word| word.starts_with("windfall_") || word.starts_with("process_"))
        .map(str::to_owned)
        .collect();
    assert!(named.len() > 25, "{named:?}");
    // Gauges and summaries are told within seconds of the start; nothing here was asked of any of them.
    let told = |text: &str, name: &str| {
        text.lines().any(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', '{'])))
    };
    let text = settled(
        || server.page("GET", "/metrics"),
        |answer| {
            let text = answer.text();
            let missing: Vec<&String> = named.iter().filter(|name| !told(&text, name)).collect();
            print!("{}", if missing.is_empty() { String::new() } else { format!("not yet: {missing:?}\n") });
            missing.is_empty()
        },
    )
    .await
    .text();
    // With the labels a rule asks for.
    for series in [
        "windfall_relay_messages_total{lane=\"coupons\",came=\"dead\"} 0",
        "windfall_faults_total 0",
        "windfall_journal_failures_total 0",
        "windfall_low_codes_total 0",
        "windfall_job_runs_total{job=\"backup\",outcome=\"failed\"} 0",
        "windfall_orders_total{came=\"paid\"} 0",
    ] {
        assert!(text.lines().any(|line| line == series), "{series} in\n{text}");
    }
    for name in &named {
        let base = name.trim_end_matches("_count").trim_end_matches("_sum");
        assert!(text.contains(&format!("# HELP {base} ")), "{base} has no help text");
    }
}
