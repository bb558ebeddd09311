//! A line for each request, where it is wanted.

use super::raw::logged;
use crate::process::Home;

#[tokio::test]
async fn an_access_log_can_be_switched_on() {
    for (level, format) in [("error", "text"), ("info", "json")] {
        let home = Home::with(&[
            ("WINDFALL__LOG__ACCESS", "true"),
            ("WINDFALL__LOG__LEVEL", level),
            ("WINDFALL__LOG__FORMAT", format),
        ]);
        let server = home.start("serve").await;
        let answer = server.api("GET", "/users/7?secret=word").refused(400, "invalid_field").await;
        let line = logged(&server, answer.header("x-request-id")).await;
        for part in ["GET", "/api/v1/users/7", "400", "127.0.0.1", "elapsed_us"] {
            assert!(line.contains(part), "{part} in {line}");
        }
        assert!(!server.log().contains("secret"), "queries are left out");
        assert_eq!(line.matches("request_id").count(), 1, "{line}");
    }
    let home = Home::new();
    let server = home.start("serve").await;
    let answer = server.api("GET", "/time").expect(200).await;
    assert!(server.stop().await.success());
    assert!(!home.log().contains(answer.header("x-request-id")), "off unless it is asked for");
}

/// Where no line of the log can be written, everything else goes on.
#[tokio::test]
async fn a_log_that_cannot_be_written_keeps_nobody_from_an_answer() {
    let home = Home::with(&[("WINDFALL__LOG__ACCESS", "true")]);
    std::os::unix::fs::symlink("/dev/full", home.path().join("log")).unwrap();
    let server = home.start("serve").await;
    for _ in 0..20 {
        server.api("GET", "/time").expect(200).await;
    }
    let person = server.person(&[]).await;
    server.by(&person, "GET", "/me").expect(200).await;
    let metrics = server.page("GET", "/metrics").expect(200).await.text();
    let lost = metrics.lines().find_map(|line| line.strip_prefix("windfall_log_lines_lost_total "));
    assert!(lost.is_some_and(|lost| lost.parse::<u64>().unwrap() >= 20), "{lost:?}");
    assert!(server.stop().await.success());
}
