//! Attempts under a key at a sale that is sold out: answered at once where they are new, and never where they were made.

use serde_json::{Value, json};

use crate::backend::settled;
use crate::client::{Answer, Call};
use crate::people::{Person, fresh_external};
use crate::process::{Home, Server};
use crate::sales::fixtures::{answer, sale, token};

fn keyed(server: &Server, who: &Person, sale: &str, key: &str) -> Call {
    let body = json!({ "quantity": 1, "token": "wft_none" });
    server.by(who, "POST", &format!("/sales/{sale}/attempts")).header("idempotency-key", key).json(body)
}

/// An attempt with everything that one needs, and what came of it.
async fn made(server: &Server, who: &Person, sale: &str, key: &str) -> Value {
    let body = json!({ "quantity": 1, "token": token(server, who, sale).await });
    let path = format!("/sales/{sale}/attempts");
    let taken_in = server.by(who, "POST", &path).header("idempotency-key", key).json(body).expect(202).await;
    answer(server, who, &taken_in).await
}

/// At the edge nobody's allowance is counted.
fn is_short(answer: &Answer) -> bool {
    answer.status == 409 && answer.header("ratelimit-limit").is_empty()
}

#[tokio::test]
async fn a_new_key_takes_the_short_way_and_one_that_was_used_never_does() {
    let home = Home::new();
    let server = home.start("serve").await;
    let sale = sale(&server, json!({ "units": 1, "per_user": 1 })).await;
    let (ann, ben, carol) = (server.person(&[]).await, server.person(&[]).await, server.person(&[]).await);
    // Both have a number; one of them gets the only unit.
    let first = made(&server, &ann, &sale, "a-1").await;
    let second = made(&server, &ben, &sale, "b-1").await;
    assert_eq!(
        (&first["state"], &second["state"]),
        (&json!("ordered"), &json!("refused")),
        "{first} {second}"
    );

    let (mut short, mut last) = (0, String::new());
    while short < 20 {
        last = fresh_external();
        let new = keyed(&server, &carol, &sale, &last).refused(409, "sold_out").await;
        short += u32::from(is_short(&new));
        for (who, key, told) in [(&ann, "a-1", &first), (&ben, "b-1", &second)] {
            let again = keyed(&server, who, &sale, key).expect(200).await.json();
            assert_eq!((&again["id"], &again["state"]), (&told["id"], &told["state"]), "{again}");
        }
    }
    // A key that was told "sold out" here was never used: what it says later is its first word.
    keyed(&server, &carol, &sale, &last).refused(409, "sold_out").await;
    server.kill().await;

    // In another life of the program the order is remembered by its rows. That nothing is left is heard from the ledger first.
    let server = home.start("serve").await;
    assert_eq!(made(&server, &ben, &sale, "b-2").await["state"], "refused");
    settled(|| keyed(&server, &carol, &sale, &fresh_external()), is_short).await;
    for _ in 0..20 {
        let again = keyed(&server, &ann, &sale, "a-1").expect(200).await.json();
        assert_eq!(again["id"], first["id"], "{again}");
        keyed(&server, &carol, &sale, &fresh_external()).refused(409, "sold_out").await;
    }
}

/// One of the company's own users, and its backend that buys for them.
struct Backend<'a> {
    server: &'a Server,
    key: String,
}

impl Backend<'_> {
    fn call(&self, who: &str, path: &str, body: Value) -> Call {
        self.server.api("POST", path).key(&self.key).header("windfall-user", who).json(body)
    }

    fn attempt(&self, who: &str, sale: &str, key: &str, token: &str) -> Call {
        let body = json!({ "quantity": 1, "token": token });
        self.call(who, &format!("/sales/{sale}/attempts"), body).header("idempotency-key", key)
    }

    /// An attempt with everything that one needs, and what came of it.
    async fn made(&self, who: &str, sale: &str, key: &str) -> Value {
        let token = self.call(who, &format!("/sales/{sale}/token"), json!({})).expect(201).await;
        let taken_in = self.attempt(who, sale, key, &token.member("token")).expect(202).await;
        let path = format!("/attempts/{}", taken_in.member("id"));
        let look = || self.server.api("GET", &path).key(&self.key).header("windfall-user", who);
        settled(look, |answer| answer.json()["state"] != "queued").await.json()
    }
}

/// What a page may do, a backend may: the key and the user it names are known here after the first request.
#[tokio::test]
async fn a_backend_takes_the_short_way_for_keys_that_were_never_seen() {
    let home = Home::new();
    let server = home.start("serve").await;
    let sale = sale(&server, json!({ "units": 1, "per_user": 1 })).await;
    let backend = Backend { server: &server, key: server.new_key(&["play"]).await.secret };
    let (ann, ben, carol) = (fresh_external(), fresh_external(), fresh_external());
    let first = backend.made(&ann, &sale, "a-1").await;
    let second = backend.made(&ben, &sale, "b-1").await;
    assert_eq!((&first["state"], &second["state"]), (&json!("ordered"), &json!("refused")));

    let reader = server.new_key(&["read"]).await.secret;
    let mut short = 0;
    while short < 20 {
        let new =
            backend.attempt(&carol, &sale, &fresh_external(), "wft_none").refused(409, "sold_out").await;
        short += u32::from(is_short(&new));
        for (who, key, told) in [(&ann, "a-1", &first), (&ben, "b-1", &second)] {
            let again = backend.attempt(who, &sale, key, "wft_none").expect(200).await.json();
            assert_eq!((&again["id"], &again["state"]), (&told["id"], &told["state"]), "{again}");
        }
        // Whoever may not act for anybody learns nothing of what others bought.
        for wrong in [reader.as_str(), "wfk_nobody"] {
            let stranger = Backend { server: &server, key: wrong.to_owned() };
            let answer = stranger.attempt(&carol, &sale, &fresh_external(), "wft_none").send().await;
            assert!(matches!(answer.status, 401 | 403), "{}", answer.text());
        }
    }
}
