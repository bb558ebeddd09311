//! The generic provider: callbacks are signed, idempotent, and may come in any order; refunds are told outside.

use domain::webhook::{Direction, sign};
use serde_json::{Value, json};

use super::fixtures::*;
use crate::activities::fixtures::now_ms;
use crate::backend::settled;
use crate::client::{Answer, Call};
use crate::process::{Home, Server};
use crate::webhooks::receiver::Receiver;

const SECRET: &str = "shared with the provider";

fn callback(server: &Server, secret: &str, age_s: i64, body: &Value) -> Call {
    let text = body.to_string();
    let signature = Direction::Callback.sign(secret, now_ms() / 1_000 - age_s, text.as_bytes());
    signed(server, &signature, text)
}

fn signed(server: &Server, signature: &str, text: String) -> Call {
    server
        .api("POST", "/payments/webhook/callback")
        .header("content-type", "application/json")
        .header("windfall-signature", signature)
        .body(text)
}

fn told(order: &str, reference: &str, amount_minor: i64) -> Value {
    json!({ "order": order, "reference": reference, "amount_minor": amount_minor, "currency": "CNY" })
}

#[tokio::test]
async fn callbacks_settle_orders_once_and_refunds_are_told() {
    let receiver = Receiver::start().await;
    let refunds = receiver.url();
    let home = Home::with(&[
        ("WINDFALL__PAYMENTS__PROVIDER", "webhook"),
        ("WINDFALL__PAYMENTS__PAY_URL", "https://pay.example/?o={order}&a={amount_minor}&c={currency}"),
        ("WINDFALL__PAYMENTS__REFUND_URL", &refunds),
        ("WINDFALL__PAYMENTS__SECRET", SECRET),
    ]);
    let server = home.start("serve").await;
    let (sale, ann) = (sale(&server, json!({})).await, server.person(&[]).await);
    let id = ordered(&server, &ann, &sale, 1).await;
    let pay = server.by(&ann, "POST", &format!("/orders/{id}/pay")).expect(200).await.member("url");
    assert_eq!(pay, format!("https://pay.example/?o={id}&a=990&c=CNY"));
    server.page("GET", &format!("/sandbox/pay/{id}")).refused(404, "not_found").await;

    let right = told(&id, "p-1", 990);
    let (now_s, text) = (now_ms() / 1_000, right.to_string());
    // What Windfall itself has signed is no callback, should somebody send it back.
    let as_refund = Direction::Refund.sign(SECRET, now_s, text.as_bytes());
    let as_webhook = sign(&[SECRET], now_s, text.as_bytes());
    for (call, status, code) in [
        (callback(&server, "another secret", 0, &right), 401, "signature_wrong"),
        (callback(&server, SECRET, 400, &right), 401, "signature_wrong"),
        (signed(&server, &as_refund, right.to_string()), 401, "signature_wrong"),
        (signed(&server, &as_webhook, right.to_string()), 401, "signature_wrong"),
        (server.api("POST", "/payments/webhook/callback").json(right.clone()), 401, "signature_wrong"),
        (server.api("POST", "/payments/sandbox/callback").json(right.clone()), 404, "not_found"),
        (callback(&server, SECRET, 0, &told("77", "p-0", 990)), 404, "not_found"),
        (callback(&server, SECRET, 0, &told(&id, "", 990)), 400, "invalid_field"),
        (callback(&server, SECRET, 0, &told(&id, "p-0", -1)), 400, "invalid_field"),
    ] {
        call.refused(status, code).await;
    }
    assert_eq!(state(&server, &ann, &id).await, "unpaid");
    let states = |answer: &Answer| answer.json()["state"].clone();
    for _ in 0..3 {
        let answer = callback(&server, SECRET, 0, &right).expect(200).await;
        assert_eq!(states(&answer), "used", "the same reference is the same payment");
    }
    callback(&server, SECRET, 0, &told(&id, "p-1", 991)).refused(409, "payment_conflict").await;
    assert_eq!(state(&server, &ann, &id).await, "paid");

    // A second payment, and one of the wrong amount: both go back, told outside.
    let second = callback(&server, SECRET, 0, &told(&id, "p-2", 990)).expect(200).await;
    assert_eq!(second.json()["back_why"], "paid_twice");
    let other = ordered(&server, &ann, &sale, 1).await;
    let wrong = callback(&server, SECRET, 0, &told(&other, "p-3", 1)).expect(200).await;
    assert_eq!(wrong.json()["back_why"], "amount_wrong");
    let mut heard = Vec::new();
    for seen in receiver.took(2).await {
        assert!(seen.is_refund_signed_with(SECRET), "{seen:?}");
        let refund: Value = serde_json::from_str(&seen.body).unwrap();
        heard.push((refund["reference"].clone(), refund["amount_minor"].clone()));
    }
    heard.sort_by_key(|(reference, _)| reference.to_string());
    assert_eq!(heard, [(json!("p-2"), json!(990)), (json!("p-3"), json!(1))]);
    let look = || server.by(&ann, "GET", &format!("/orders/{other}"));
    let unpaid = settled(look, |answer| answer.json()["payments"][0]["state"] == "back").await.json();
    assert_eq!(unpaid["state"], "unpaid", "the right amount is still to come");
    callback(&server, SECRET, 0, &told(&other, "p-4", 990)).expect(200).await;
    assert_eq!(state(&server, &ann, &other).await, "paid");
    assert_eq!(money(&server, &sale).await, [990 + 990 + 1 + 990, 1_980, 991, 0]);
    assert!(server.stop().await.success());
}
