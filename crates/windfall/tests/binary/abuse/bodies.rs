//! Bodies that stall: they end with their request, and so do their connections.

use futures::stream::{FuturesUnordered, StreamExt as _};

use super::raw::{Raw, all_closed};
use crate::power::fixtures::made_key;
use crate::process::Home;

const AT_ONCE: usize = 40;

/// What is asked for, how much of a body is announced, and who asks.
#[tokio::test]
async fn hole_65_a_body_that_stalls_one_byte_short_ends_in_time() {
    let mut home = Home::new();
    let server = home.demo().await;
    let cookie = format!("cookie: {}\r\n", server.person(&[]).await.cookie);
    assert!(server.stop().await.success());
    home.set("WINDFALL__HTTP__REQUEST_TIMEOUT_MS", "2000");
    let server = home.demo().await;
    for (path, length, who, status) in [
        ("/api/v1/payments/webhook/callback", 16 * 1024, "", 504),
        ("/sandbox/pay/7", 16 * 1024, "", 504),
        ("/api/v1/auth/sign-in/password", 8 * 1024, "", 504),
        ("/api/v1/me/addresses", 16 * 1024, cookie.as_str(), 504),
        // More than anybody may send is refused as soon as it is known.
        ("/api/v1/payments/webhook/callback", 1024 * 1024, "", 413),
        ("/sandbox/pay/7", 1024 * 1024, "", 413),
        ("/api/v1/me/addresses", 512 * 1024, cookie.as_str(), 413),
    ] {
        let mut stalled = Vec::new();
        let mut tries = 0;
        while stalled.len() < AT_ONCE {
            tries += 1;
            assert!(tries < 100 * AT_ONCE, "{path}: no body arrives in time");
            let mut raw = Raw::connect(&server).await;
            raw.write(&format!(
                "POST {path} HTTP/1.1\r\nhost: windfall.test\r\n{who}content-type: application/json\r\n\
                 content-length: {length}\r\n\r\n"
            ))
            .await;
            // It may have had enough before all of it is written; and on a busy machine its time may be over.
            if raw.try_write(&" ".repeat(length - 1)).await || status == 413 {
                stalled.push(raw);
            }
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

/// Long bodies that stall share a room: one key fills its part of it and no more, and others still send theirs.
#[tokio::test]
async fn hole_65_long_bodies_that_stall_take_only_so_much_memory() {
    const MIB: usize = 1024 * 1024;
    let home = Home::with(&[("WINDFALL__HTTP__BODIES_MAX_BYTES", "67108864")]);
    let server = home.start("serve").await;
    let ann = server.person(&["admin"]).await;
    let (stalls, other) =
        (made_key(&server, &ann, &["inventory"]).await, made_key(&server, &ann, &["inventory"]).await);
    let begin = async |secret: &str| {
        let mut raw = Raw::connect(&server).await;
        raw.write(&format!(
            "POST /api/v1/inventory/batch HTTP/1.1\r\nhost: windfall.test\r\nauthorization: Bearer {secret}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n",
            4 * MIB
        ))
        .await;
        raw.try_write(&" ".repeat(4 * MIB - 1)).await;
        raw
    };
    // A quarter of the room is four such bodies; the others are refused, in whatever order they come.
    let mut stalled: Vec<Raw> = Vec::new();
    for _ in 0..12 {
        stalled.push(begin(&stalls.secret).await);
    }
    let mut answers: FuturesUnordered<_> = stalled.iter_mut().map(Raw::answer).collect();
    for _ in 0..8 {
        let answer = answers.next().await.unwrap().unwrap().expect("an answer");
        assert_eq!(answer.status(), 503, "{}", answer.body);
        assert!(answer.body.contains("\"overloaded\"") && answer.says("retry-after: 1"), "{}", answer.head);
    }
    drop(answers);
    let mut honest = begin(&other.secret).await;
    honest.write("x").await;
    assert_eq!(honest.answer().await.unwrap().expect("an answer").status(), 400, "it is read whole");
    drop(stalled);
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
    // What is allowed in a minute grows back with time, which does not pass here.
    let (home, _) = Home::with_still_clock(&few);
    let server = home.demo().await;
    let doors = ["POST /api/v1/payments/webhook/callback", "GET /sandbox/pay/7", "POST /sandbox/pay/7"];
    for (place, door) in doors.into_iter().enumerate() {
        let (method, path) = door.split_once(' ').unwrap();
        let ask = || server.page(method, path).header("x-forwarded-for", format!("198.51.100.{place}"));
        assert_ne!(ask().send().await.status, 429, "{door}: the first passes");
        assert_eq!(ask().send().await.status, 429, "{door}");
    }
}
