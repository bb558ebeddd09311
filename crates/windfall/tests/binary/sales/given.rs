//! Forms of sales, and pictures.

use serde_json::{Value, json};

use crate::activities::given::{Crew, HOUR_MS, now_ms};
use crate::people::fresh_external;
use crate::process::Server;

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
