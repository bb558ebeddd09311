//! Codes by webhook: the company's gateway gets a message it can tell to be ours.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::people::fresh_phone;
use crate::process::{Home, LIMIT};

const SECRET: &str = "a secret of the two of us";

type Message = (HeaderMap, Bytes);

/// A gateway on this machine; it turns the first message away and takes the next.
async fn gateway() -> (String, mpsc::UnboundedReceiver<Message>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let first = Arc::new(AtomicBool::new(true));
    let take = async move |headers: HeaderMap, body: Bytes| {
        if first.swap(false, Ordering::SeqCst) {
            return StatusCode::SERVICE_UNAVAILABLE;
        }
        sender.send((headers, body)).unwrap();
        StatusCode::NO_CONTENT
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/codes", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/codes", post(take))).await });
    (url, receiver)
}

#[tokio::test]
async fn a_code_reaches_the_gateway_signed() {
    let (url, mut messages) = gateway().await;
    let home = Home::with(&[
        ("WINDFALL__CODE__SENDER", "webhook"),
        ("WINDFALL__CODE__WEBHOOK_URL", &url),
        ("WINDFALL__CODE__WEBHOOK_SECRET", SECRET),
        // Nobody is there: a code that went by a proxy of the environment would not arrive.
        ("HTTP_PROXY", "http://127.0.0.1:9"),
        ("http_proxy", "http://127.0.0.1:9"),
        ("HTTPS_PROXY", "http://127.0.0.1:9"),
        ("ALL_PROXY", "http://127.0.0.1:9"),
    ]);
    let server = home.start("serve").await;
    let phone = fresh_phone();
    let ask = json!({ "phone": phone, "purpose": "sign_in" });
    server.api("POST", "/auth/codes").json(ask).expect(202).await;
    let (headers, body) = tokio::time::timeout(LIMIT, messages.recv()).await.unwrap().unwrap();

    let message: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((&message["phone"], &message["purpose"]), (&json!(format!("+86{phone}")), &json!("sign_in")));
    let signature = headers["windfall-signature"].to_str().unwrap();
    let (time, hex) = signature.strip_prefix("t=").and_then(|rest| rest.split_once(",v1=")).unwrap();
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, SECRET.as_bytes());
    let signed = [format!("{time}.").as_bytes(), &body[..]].concat();
    let expected: String =
        ring::hmac::sign(&key, &signed).as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, expected);

    let give = json!({ "phone": phone, "code": message["code"] });
    server.api("POST", "/auth/sign-in/code").json(give).expect(200).await;
    let log = server.log();
    assert!(!log.contains(message["code"].as_str().unwrap()), "the code is not in the log:\n{log}");
    assert!(!log.contains(SECRET) && !log.contains(&phone), "{log}");
}
