//! A stop in the middle of requests that follow each other on open connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use testkit::wait;
use tokio::task::JoinSet;

use super::raw::Raw;
use crate::backend::{Backend, part};
use crate::people::fresh_external;
use crate::process::{Home, LIMIT};

const CLIENTS: usize = 12;
/// Pools that are opened before the stop.
const BEFORE: usize = 60;

/// What one client heard.
#[derive(Debug, Default)]
struct Heard {
    made: Vec<String>,
    /// Written, and the connection was closed without a word.
    unanswered: Option<String>,
    /// The last answer said that it was the last.
    told: bool,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_written_request_is_answered_or_untouched() {
    let home = Home::new();
    let server = home.start("serve").await;
    let backend = Backend::new(&server).await;
    let made = Arc::new(AtomicUsize::new(0));
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        let (mut raw, secret) = (Raw::connect(&server).await, backend.key.secret.clone());
        let made = Arc::clone(&made);
        clients.spawn(async move {
            let mut heard = Heard::default();
            loop {
                let name = format!("stop/{}", fresh_external());
                let body = json!({ "id": fresh_external(), "name": name, "total": 1 }).to_string();
                let sent = raw
                    .try_write(&format!(
                        "POST /api/v1/inventory/pools HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {secret}\r\n\
                         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                        body.len()
                    ))
                    .await;
                // Neither reset nor cut off in the middle, ever.
                let answer = if sent { raw.answer().await.expect("a clean end") } else { None };
                let Some(answer) = answer else {
                    heard.unanswered = Some(name);
                    return heard;
                };
                assert_eq!(answer.status(), 201, "{}", answer.body);
                heard.made.push(name);
                made.fetch_add(1, Ordering::Relaxed);
                if answer.says("connection: close") {
                    heard.told = true;
                    assert!(raw.is_closed().await);
                    return heard;
                }
            }
        });
    }
    let enough = || (made.load(Ordering::Relaxed) >= BEFORE).then_some(());
    wait::until(LIMIT, "enough pools", enough).await.unwrap();
    server.signal("TERM");
    let heard: Vec<Heard> = clients.join_all().await;
    assert_eq!(server.ended().await.code(), Some(0), "{}", home.log());
    assert!(
        heard.iter().any(|heard| heard.told),
        "clients are told that an answer is the last one: {heard:?}"
    );

    let server = home.start("serve").await;
    let backend = Backend::with(&server, backend.key);
    for name in heard.iter().flat_map(|heard| &heard.made) {
        backend.get(&format!("/pools/{}", part(name))).expect(200).await;
    }
    for name in heard.iter().filter_map(|heard| heard.unanswered.as_ref()) {
        backend.get(&format!("/pools/{}", part(name))).expect(404).await;
    }
}

/// Whether something was asked on it before or never: nobody waits for what may never come.
#[tokio::test]
async fn a_connection_that_nobody_uses_is_closed_cleanly() {
    let home = Home::new();
    let server = home.start("serve").await;
    let (mut idle, mut unused) = (Raw::connect(&server).await, Raw::connect(&server).await);
    assert_eq!(idle.get("/healthz").await.status(), 200);
    server.signal("TERM");
    for raw in [&mut idle, &mut unused] {
        assert!(matches!(raw.answer().await, Ok(None)), "closed, not reset");
    }
    assert_eq!(server.ended().await.code(), Some(0));
    assert!(!home.log().contains("the drain time is over"), "{}", home.log());
}
