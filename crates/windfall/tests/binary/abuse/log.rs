//! A line for each request, where it is wanted.

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
        let line = server.logged(answer.header("x-request-id")).await;
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

/// Somebody has the log open and does not read it: everything else goes on, and what was lost is counted and told.
#[tokio::test]
async fn a_log_that_nobody_reads_keeps_nobody_from_an_answer() {
    let home = Home::with(&[("WINDFALL__LOG__ACCESS", "true")]);
    let pipe = home.path().join("log");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // Open for writing too, so that opening waits for nobody.
    let mut reader = std::fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
    let server = home.start("serve").await;
    let person = server.person(&[]).await;
    let long = format!("/users/{}", "9".repeat(200));
    let lost = async || {
        let metrics = server.page("GET", "/metrics").expect(200).await.text();
        let line = metrics.lines().find_map(|line| line.strip_prefix("windfall_log_lines_lost_total "));
        line.map_or(0, |lost| lost.parse::<u64>().unwrap())
    };
    let mut asked = 0;
    while lost().await == 0 {
        let ask = || async { server.api("GET", &long).send().await.status };
        futures::future::join_all((0..200).map(|_| ask())).await;
        asked += 200;
        assert!(asked < 200_000, "so much is not kept");
    }
    server.by(&person, "GET", "/me").expect(200).await;
    let (seen, found) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let mut lines = std::io::BufReader::new(&mut reader);
        while !text.contains("lines of the log were lost") {
            text.clear();
            std::io::BufRead::read_line(&mut lines, &mut text).unwrap();
        }
        let _ = seen.send(text);
        let _ = std::io::copy(&mut lines, &mut std::io::sink());
    });
    server.api("GET", &long).send().await;
    tokio::time::timeout(crate::process::LIMIT, found).await.expect("the log goes on").unwrap();
    assert!(server.stop().await.success());
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
