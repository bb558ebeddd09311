//! Bodies that stall: they end with their request, and so do their connections.

use super::raw::{Raw, all_closed};
use crate::process::Home;

const AT_ONCE: usize = 40;

/// What is asked for, how much of a body is announced, and who asks.
#[tokio::test]
async fn hole_65_a_body_that_stalls_one_byte_short_ends_in_time() {
    let home = Home::with(&[("WINDFALL__HTTP__REQUEST_TIMEOUT_MS", "1000")]);
    let server = home.demo().await;
    let cookie = format!("cookie: {}\r\n", server.person(&[]).await.cookie);
    for (path, length, who, status) in [
        ("/api/v1/payments/webhook/callback", 16 * 1024, "", 504),
        ("/sandbox/pay/7", 16 * 1024, "", 504),
        ("/api/v1/auth/sign-in/password", 8 * 1024, "", 504),
        ("/api/v1/me/addresses", 512 * 1024, cookie.as_str(), 504),
        // More than anybody may send is refused as soon as it is known.
        ("/api/v1/payments/webhook/callback", 1024 * 1024, "", 413),
        ("/sandbox/pay/7", 1024 * 1024, "", 413),
    ] {
        let mut stalled = Vec::new();
        for _ in 0..AT_ONCE {
            let mut raw = Raw::connect(&server).await;
            raw.write(&format!(
                "POST {path} HTTP/1.1\r\nhost: windfall.test\r\n{who}content-type: application/json\r\n\
                 content-length: {length}\r\n\r\n"
            ))
            .await;
            // It may have had enough before all of it is written.
            let whole = raw.try_write(&" ".repeat(length - 1)).await;
            assert!(whole || status == 413, "{path}");
            stalled.push(raw);
        }
        for mut raw in stalled {
            let answer = raw.answer().await.unwrap().expect("an answer");
            assert_eq!(answer.status(), status, "{path}: {}", answer.body);
            assert!(answer.says("connection: close"), "{path}: {}", answer.head);
            assert!(raw.is_closed().await, "{path}");
        }
        all_closed(&server).await;
    }
    assert!(server.stop().await.success());
}

/// The sandbox's page and what providers tell are counted like everything else.
#[tokio::test]
async fn callbacks_and_the_sandbox_count_against_an_allowance() {
    let few = [
        ("WINDFALL__LIMITS__CALLBACK_IP_PER_MINUTE", "1"),
        ("WINDFALL__LIMITS__IP_PER_MINUTE", "1"),
        ("WINDFALL__HTTP__TRUSTED_PROXIES", "127.0.0.1"),
    ];
    let home = Home::with(&few);
    let server = home.demo().await;
    let doors = ["POST /api/v1/payments/webhook/callback", "GET /sandbox/pay/7", "POST /sandbox/pay/7"];
    for (place, door) in doors.into_iter().enumerate() {
        let (method, path) = door.split_once(' ').unwrap();
        // One is there after a minute: asked until two came within it.
        let mut last = 0;
        for n in 0..100 {
            let from = format!("198.51.{place}.{n}");
            let ask = || server.page(method, path).header("x-forwarded-for", &from);
            assert_ne!(ask().send().await.status, 429, "{door}: the first passes");
            last = ask().send().await.status;
            if last == 429 {
                break;
            }
        }
        assert_eq!(last, 429, "{door}");
    }
}
