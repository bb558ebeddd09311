//! Sales that run, their forms and pictures, and people who buy.

use serde_json::{Value, json};

use crate::activities::fixtures::{Crew, HOUR_MS, now_ms};
use crate::backend::settled;
use crate::client::{Answer, Call};
use crate::people::{Person, fresh_external};
use crate::process::Server;

/// A sale of parcels, ten of them at 9.90, two for each person; its window is given in hours from now.
#[allow(clippy::needless_pass_by_value)] // Reads as `json!` at the call.
pub fn form(from_h: i64, until_h: i64, change: Value) -> Value {
    let mut sale =
        json!({ "price_minor": 990, "currency": "CNY", "units": 10, "per_user": 2, "name": "teapot" });
    sale.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    json!({
        "name": format!("Teapots {}", fresh_external()),
        "kind": "sale",
        "from": now_ms() + from_h * HOUR_MS,
        "until": now_ms() + until_h * HOUR_MS,
        "sale": sale,
    })
}

/// One that runs; answers its id.
pub async fn sale(server: &Server, change: Value) -> String {
    Crew::new(server).await.publish(form(-1, 1, change)).await
}

/// The right to one attempt.
pub async fn token(server: &Server, who: &Person, sale: &str) -> String {
    server.by(who, "POST", &format!("/sales/{sale}/token")).json(json!({})).expect(201).await.member("token")
}

pub async fn attempt(server: &Server, who: &Person, sale: &str, quantity: i64) -> Call {
    let body = json!({ "quantity": quantity, "token": token(server, who, sale).await });
    server.by(who, "POST", &format!("/sales/{sale}/attempts")).json(body)
}

/// What came of an attempt that was taken in.
pub async fn answer(server: &Server, who: &Person, taken_in: &Answer) -> Value {
    let path = format!("/attempts/{}?wait_ms=25000", taken_in.member("id"));
    let decided = |answer: &Answer| answer.status == 200 && answer.json()["state"] != "queued";
    settled(|| server.by(who, "GET", &path), decided).await.json()
}

/// An order, unpaid.
pub async fn ordered(server: &Server, who: &Person, sale: &str, quantity: i64) -> String {
    let taken_in = attempt(server, who, sale, quantity).await.expect(202).await;
    let came = answer(server, who, &taken_in).await;
    assert_eq!((&came["state"], &came["order"]), (&json!("ordered"), &came["id"]), "{came}");
    came["order"].as_str().unwrap().to_owned()
}

/// The name of the refusal that an attempt ended with.
pub async fn refused(server: &Server, who: &Person, sale: &str, quantity: i64) -> String {
    let taken_in = attempt(server, who, sale, quantity).await.expect(202).await;
    let came = answer(server, who, &taken_in).await;
    assert_eq!((&came["state"], &came["code"]), (&json!("refused"), &json!("-1")), "{came}");
    came["problem"]["code"].as_str().unwrap().to_owned()
}

pub async fn order(server: &Server, who: &Person, id: &str) -> Value {
    server.by(who, "GET", &format!("/orders/{id}")).expect(200).await.json()
}

pub async fn state(server: &Server, who: &Person, id: &str) -> Value {
    order(server, who, id).await["state"].clone()
}

/// Waits until an order has come to a state.
pub async fn comes_to(server: &Server, who: &Person, id: &str, state: &str) -> Value {
    let look = || server.by(who, "GET", &format!("/orders/{id}"));
    settled(look, |answer| answer.json()["state"] == state).await.json()
}

/// Presses a button of the sandbox.
pub fn press(server: &Server, order: &str, button: &str) -> Call {
    server
        .page("POST", &format!("/sandbox/pay/{order}"))
        .header("content-type", "application/x-www-form-urlencoded")
        .body(format!("press={button}"))
}

pub async fn cancel(server: &Server, who: &Person, order: &str) -> Value {
    server.by(who, "POST", &format!("/orders/{order}/cancel")).expect(200).await.json()
}

/// `[free, held, taken]` of a sale, from the ledger's rows.
pub async fn units(server: &Server, sale: &str) -> [u64; 3] {
    let report = server.console("GET", &format!("/admin/orders?sale={sale}&limit=200")).expect(200).await;
    let count = |states: &[&str]| -> u64 {
        let items = report.items();
        let of = items.iter().filter(|order| states.iter().any(|state| order["state"] == *state));
        of.flat_map(|order| order["lines"].as_array().cloned().unwrap())
            .filter(|line| line["sale"] == sale)
            .map(|line| line["quantity"].as_u64().unwrap())
            .sum()
    };
    [count(&["cancelled", "expired"]), count(&["unpaid"]), count(&["paid", "fulfilled"])]
}

/// Money of a sale that came, that was paid for orders, that went back, and that is about to.
pub async fn money(server: &Server, sale: &str) -> [u64; 4] {
    let orders =
        server.console("GET", &format!("/admin/orders?sale={sale}&limit=200")).expect(200).await.items();
    let mut sums = [0; 4];
    for order in &orders {
        if order["state"] == "paid" || order["state"] == "fulfilled" {
            sums[1] += order["total_minor"].as_u64().unwrap();
        }
        for payment in order["payments"].as_array().unwrap() {
            let minor = payment["amount_minor"].as_u64().unwrap();
            sums[0] += minor;
            match payment["state"].as_str().unwrap() {
                "back" => sums[2] += minor,
                "back_due" => sums[3] += minor,
                _ => {}
            }
        }
    }
    sums
}

/// Five teapots, two each, running now.
#[allow(clippy::needless_pass_by_value)] // Reads as `json!` at the call.
pub fn teapots(change: Value) -> Value {
    let mut form = json!({
        "name": "Noon sale",
        "from": now_ms() - HOUR_MS,
        "until": now_ms() + HOUR_MS,
        "zone": "Asia/Shanghai",
        "kind": "sale",
        "sale": { "name": "Clay teapot", "price_minor": 9_900, "currency": "CNY", "units": 5, "per_user": 2 },
    });
    for (name, value) in change.as_object().unwrap() {
        match name.strip_prefix("sale.") {
            Some(name) => form["sale"][name] = value.clone(),
            None => form[name] = value.clone(),
        }
    }
    form
}

/// One that starts in an hour.
pub fn coming() -> Value {
    teapots(json!({ "from": now_ms() + HOUR_MS, "until": now_ms() + 2 * HOUR_MS }))
}

pub async fn published(server: &Server, form: Value) -> String {
    Crew::new(server).await.publish(form).await
}

/// Two pixels as a PNG.
const PIXELS: [u8; 72] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00,
    0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x7b, 0x40, 0xe8, 0xdd, 0x00,
    0x00, 0x00, 0x0f, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x10, 0x68, 0x70, 0xf8, 0xa0, 0xa0, 0x00,
    0x00, 0x07, 0x17, 0x02, 0x01, 0x9a, 0x37, 0x42, 0x91, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44,
    0xae, 0x42, 0x60, 0x82,
];

/// A picture that nobody has uploaded: whatever follows its end is none of its pixels.
pub fn fresh_picture() -> Vec<u8> {
    [&PIXELS[..], fresh_external().as_bytes()].concat()
}

pub async fn uploaded(server: &Server) -> String {
    let call = server.console("POST", "/pictures").header("content-type", "image/png");
    call.body(fresh_picture()).expect(201).await.member("id")
}
