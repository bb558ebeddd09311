//! Hole 66: "Two doors compare the same hold with different clocks: told `expired`, then `held`, then `cancelled`." Here every
//! door looks at the same clock and at the hold's own end, and whoever tells that it is over writes that down first.

use serde_json::{Value, json};

use crate::activities::fixtures::now_ms;
use crate::backend::{Backend, part};
use crate::client::Answer;
use crate::process::{Home, Server};
use crate::sales::fixtures::{ordered, sale};

const HOLDS: usize = 40;
const TTL_MS: i64 = 600_000;
/// Expiry is carried out by buckets of so many milliseconds: until one is over, nobody but the doors ends a hold.
const BUCKET_MS: i64 = 64;

/// What a door says of a hold: its state, or why not.
fn word(answer: &Answer) -> String {
    match answer.status {
        200 | 201 => answer.json()["state"].as_str().unwrap().to_owned(),
        _ => answer.code(),
    }
}

/// Each door, in an order that begins with another one for each hold.
async fn at_every_door(backend: &Backend, pool: &str, at: usize) -> Vec<String> {
    let (id, mut words) = (format!("hold-{at}"), Vec::new());
    for door in 0..5 {
        let call = match (door + at) % 5 {
            0 => backend.post(&format!("/holds/{id}/confirm"), json!({})),
            1 => backend.post(&format!("/holds/{id}/extend"), json!({ "until_ms": now_ms() + 10 * TTL_MS })),
            2 => backend.post_nothing(&format!("/holds/{id}/cancel")),
            3 => backend.get(&format!("/holds/{id}")),
            _ => backend.reserve(&id, pool, 1),
        };
        words.push(word(&call.send().await));
    }
    words
}

#[tokio::test]
async fn hole_66_a_hold_that_is_over_is_over_at_every_door_and_after_a_restart() {
    let home = Home::with_clock(&[]);
    let begun = now_ms() / BUCKET_MS * BUCKET_MS;
    home.clock_at(begun);
    let server = home.start("serve").await;
    let backend = Backend::new(&server).await;
    let pool = backend.pool(100).await;
    for at in 0..HOLDS {
        let made = backend.reserve(&format!("hold-{at}"), &pool, 1).expect(201).await.json();
        assert_eq!((&made["state"], &made["due_ms"]), (&json!("held"), &json!(begun + TTL_MS)));
    }
    home.clock_at(begun + TTL_MS - 1);
    assert_eq!(word(&backend.get("/holds/hold-0").send().await), "held", "the last moment");

    // Its due time, to the millisecond.
    home.clock_at(begun + TTL_MS);
    for at in 0..HOLDS {
        assert_eq!(at_every_door(&backend, &pool, at).await, ["expired"; 5], "hold {at}");
    }
    assert_eq!(backend.counters(&pool).await, [100, 100, 0, 0]);

    // Started again with a clock that is a little behind.
    server.kill().await;
    home.clock_at(begun + TTL_MS - 2_000);
    let server = home.start("serve").await;
    let backend = Backend::with(&server, backend.key.clone());
    for at in 0..HOLDS {
        assert_eq!(at_every_door(&backend, &pool, at).await, ["expired"; 5], "hold {at} after a restart");
    }
    assert_eq!(backend.counters(&pool).await, [100, 100, 0, 0]);
    let path = format!("/pools/{}/movements?limit=200", part(&pool));
    let moved = crate::backend::settled(|| backend.get(&path), |answer| count(answer, "expired") == HOLDS);
    assert_eq!(count(&moved.await, "cancelled"), 0);
    assert!(server.stop().await.success());
}

fn count(answer: &Answer, kind: &str) -> usize {
    answer.items().iter().filter(|item| item["kind"] == kind).count()
}

#[tokio::test]
async fn hole_66_an_order_whose_time_is_over_is_not_cancelled() {
    let home = Home::with_clock(&[]);
    let begun = now_ms() / BUCKET_MS * BUCKET_MS;
    home.clock_at(begun);
    let server = home.start("serve").await;
    let who = server.person(&[]).await;
    for policy in ["at_order", "at_payment"] {
        let sale = sale(&server, json!({ "policy": policy })).await;
        let id = ordered(&server, &who, &sale, 1).await;
        let look = async |server: &Server| -> Value {
            server.by(&who, "GET", &format!("/orders/{id}")).expect(200).await.json()
        };
        let order = look(&server).await;
        assert_eq!(order["state"], "unpaid", "{policy}");
        home.clock_at(order["due_ms"].as_i64().unwrap());
        assert_eq!(look(&server).await["state"], "expired", "{policy}");
        let cancel = server.by(&who, "POST", &format!("/orders/{id}/cancel"));
        cancel.refused(409, "order_step_illegal").await;
        assert_eq!(look(&server).await["state"], "expired", "{policy}");
    }
    assert!(server.stop().await.success());
}
