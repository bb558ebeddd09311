//! Heads that two servers might read differently, and queries that say one thing twice.

use super::raw::Raw;
use crate::process::shared;

#[tokio::test]
async fn heads_that_can_be_read_in_two_ways_are_refused() {
    let (_, server) = shared().await;
    for (head, status, code) in [
        ("GET /api/v1/time HTTP/1.1\r\nhost: a\r\n\r\n", 200, ""),
        ("GET /api/v1/time HTTP/1.0\r\n\r\n", 200, ""),
        ("GET /api/v1/time HTTP/1.1\r\n\r\n", 400, "host_wrong"),
        ("GET /api/v1/time HTTP/1.1\r\nhost: a\r\nHost: a\r\n\r\n", 400, "host_wrong"),
        ("GET /api/v1/time HTTP/1.0\r\nhost: a\r\nHost: b\r\n\r\n", 400, "host_wrong"),
        ("GET / HTTP/1.1\r\n\r\n", 400, "host_wrong"),
        ("GET /api/v1/time HTTP/1.1\r\nhost:\r\n\r\n", 400, "host_wrong"),
        ("GET /api/v1/time HTTP/1.1\r\nhost: me@a\r\n\r\n", 400, "host_wrong"),
        ("GET /api/v1/time HTTP/1.1\r\nhost: a/b\r\n\r\n", 400, "host_wrong"),
        ("POST /api/v1/sales/7/attempts HTTP/1.1\r\ncontent-length: 0\r\n\r\n", 400, "host_wrong"),
        ("GET /api/v1/time HTTP/1.1\nhost: a\n\n", 400, ""),
        ("GET /api/v1/time HTTP/1.1\r\nhost: a\nx: y\r\n\r\n", 400, ""),
        ("GET /api/v1/time HTTP/1.1\r\nhost: a\r\n\n", 400, ""),
        ("\nGET /api/v1/time HTTP/1.1\r\nhost: a\r\n\r\n", 400, ""),
        (
            "POST /api/v1/auth/codes HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            400,
            "",
        ),
        ("GET /api/v1/activities?limit=5&limit=6 HTTP/1.1\r\nhost: a\r\n\r\n", 400, "invalid_field"),
        ("GET /api/v1/sales?limit=5&lim%69t=5 HTTP/1.1\r\nhost: a\r\n\r\n", 400, "invalid_field"),
    ] {
        let mut raw = Raw::connect(server).await;
        raw.write(head).await;
        let answer = raw.answer().await.unwrap().expect("an answer");
        assert_eq!(answer.status(), status, "{head:?}: {}", answer.head);
        assert!(answer.body.contains(code), "{head:?}: {}", answer.body);
    }
}

/// A head that comes in pieces is refused as soon as it cannot be read, also where its end never comes.
#[tokio::test]
async fn a_bare_line_end_in_pieces_is_refused_at_once() {
    let (_, server) = shared().await;
    for head in ["GET /api/v1/time HTTP/1.1\r\nhost: a\n", "GET /api/v1/time HTTP/1.1\nhost: a\n\n"] {
        let mut raw = Raw::connect(server).await;
        for piece in head.split_inclusive(['\n', ' ']) {
            raw.try_write(piece).await;
            tokio::task::yield_now().await;
        }
        assert_eq!(raw.answer().await.unwrap().expect("an answer").status(), 400, "{head:?}");
        assert!(raw.is_closed().await, "{head:?}");
    }
}

/// What stands in bodies is nobody's head: lines of any kind, in one piece or in chunks, with the next request behind them.
#[tokio::test]
async fn bodies_may_have_any_line_ends_and_requests_may_follow_each_other() {
    let (_, server) = shared().await;
    let mut raw = Raw::connect(server).await;
    let body = "{\n\n\"phone\":\n\"x\"}";
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let post = "POST /api/v1/auth/codes HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n";
    let get = "GET /api/v1/time HTTP/1.1\r\nhost: a\r\n\r\n";
    raw.write(&format!(
        "{post}content-length: {}\r\n\r\n{body}{get}{post}transfer-encoding: chunked\r\n\r\n{chunked}{get}",
        body.len()
    ))
    .await;
    for status in [400, 200, 400, 200] {
        let answer = raw.answer().await.unwrap().expect("an answer");
        assert_eq!(answer.status(), status, "{}", answer.body);
    }
    raw.write("GET /api/v1/time HTTP/1.1\nhost: a\r\n\r\n").await;
    assert_eq!(
        raw.answer().await.unwrap().expect("an answer").status(),
        400,
        "and heads are still looked at"
    );
}
