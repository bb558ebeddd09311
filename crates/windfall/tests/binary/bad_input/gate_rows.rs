//! The same for the gate of a sale: tokens for nothing, answers to no question.

use serde_json::{Value, json};

use super::rows::row;
use super::suite::{Row, Stage};

pub fn gate(stage: &Stage) -> Vec<Row> {
    let ask = |what: &str, body: Value| stage.player("POST", &format!("/sales/5/{what}")).json(body);
    let wheel = |what: &str| stage.player("POST", &format!("/sales/{}/{what}", stage.activity));
    vec![
        row("a picture for no sale", stage.player("POST", "/sales/5/captcha"), 404, "not_found", ""),
        row("a picture with a wish", ask("captcha", json!({ "easy": true })), 400, "invalid_field", "easy"),
        row("a picture for a wheel", wheel("captcha"), 404, "not_found", ""),
        row("a token for no sale", ask("token", json!({})), 404, "not_found", ""),
        row("a token for a wheel", wheel("token"), 404, "not_found", ""),
        row("a token for a number", ask("token", json!({ "captcha": 5 })), 400, "invalid_field", "captcha"),
        row(
            "an answer to no question",
            ask("token", json!({ "captcha": { "answer": "a" } })),
            400,
            "invalid_field",
            "captcha.challenge",
        ),
        row(
            "a question without an answer",
            ask("token", json!({ "captcha": { "challenge": "a" } })),
            400,
            "invalid_field",
            "captcha.answer",
        ),
        row("a place before nothing", ask("room", json!({})), 404, "not_found", ""),
        row("a place that is a number", ask("room", json!({ "place": 5 })), 400, "invalid_field", "place"),
        row("a place at a wheel", wheel("room"), 404, "not_found", ""),
        row("looking at no line", stage.player("GET", "/sales/5/room"), 404, "not_found", ""),
        row("following no line", stage.player("GET", "/sales/5/room/live"), 404, "not_found", ""),
        row("a sale that is no number", stage.player("GET", "/sales/x/room"), 404, "not_found", ""),
    ]
}
