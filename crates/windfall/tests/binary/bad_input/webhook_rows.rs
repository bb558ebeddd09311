//! Webhooks, asked for wrongly.

use serde_json::{Value, json};

use super::rows::row;
use super::suite::{Row, Stage};

pub fn webhooks(stage: &Stage) -> Vec<Row> {
    let make = |body: Value| stage.admin("POST", "/webhooks").json(body);
    let given = |url: &str, kinds: Value| make(json!({ "name": "shop", "url": url, "kinds": kinds }));
    let of_none = |method: &str, rest: &str| stage.admin(method, &format!("/webhooks/7{rest}"));
    let (site, all) = ("https://example.com/hook", json!(["*"]));
    vec![
        row("a webhook without anything", make(json!({})), 400, "invalid_field", "name"),
        row(
            "a webhook without a name",
            make(json!({ "name": " ", "url": site, "kinds": all })),
            400,
            "invalid_field",
            "name",
        ),
        row(
            "a long name",
            make(json!({ "name": "x".repeat(500), "url": site, "kinds": all })),
            400,
            "invalid_field",
            "name",
        ),
        row("a webhook to nowhere", given("", all.clone()), 400, "invalid_field", "url"),
        row("a webhook by mail", given("mailto:ann@example.com", all.clone()), 400, "invalid_field", "url"),
        row(
            "an endless address",
            given(&format!("{site}/{}", "x".repeat(9_000)), all.clone()),
            400,
            "invalid_field",
            "url",
        ),
        row("no kinds", given(site, json!([])), 400, "invalid_field", "kinds"),
        row("a kind that is not", given(site, json!(["win.lost"])), 400, "invalid_field", "kinds"),
        row("kinds in a word", given(site, json!("win.made")), 400, "invalid_field", "kinds"),
        row(
            "a chat that is not known",
            make(json!({ "name": "ops", "url": site, "kinds": ["attention.raised"], "format": "irc" })),
            400,
            "invalid_field",
            "format",
        ),
        row(
            "a chat that hears of players",
            make(json!({ "name": "ops", "url": site, "kinds": ["win.made"], "format": "slack" })),
            400,
            "invalid_field",
            "kinds",
        ),
        row(
            "a secret of their own",
            make(json!({ "name": "shop", "url": site, "kinds": all, "secret": "x" })),
            400,
            "invalid_field",
            "secret",
        ),
        row("a webhook that is not there", of_none("GET", ""), 404, "not_found", ""),
        row("a webhook in words", stage.admin("GET", "/webhooks/shop"), 404, "not_found", ""),
        row("nothing to change", of_none("PATCH", "").json(json!({ "name": "x" })), 404, "not_found", ""),
        row("nothing to remove", of_none("DELETE", ""), 404, "not_found", ""),
        row("nothing to switch on", of_none("POST", "/on"), 404, "not_found", ""),
        row("nothing to switch off", of_none("POST", "/off"), 404, "not_found", ""),
        row("nothing to test", of_none("POST", "/test"), 404, "not_found", ""),
        row("nothing to rotate", of_none("POST", "/rotate").json(json!({})), 404, "not_found", ""),
        row(
            "an overlap backwards",
            of_none("POST", "/rotate").json(json!({ "overlap_hours": -1 })),
            400,
            "invalid_field",
            "overlap_hours",
        ),
        row("deliveries of nothing", of_none("GET", "/deliveries"), 404, "not_found", ""),
        row("deliveries after a word", of_none("GET", "/deliveries?after=x"), 400, "cursor_invalid", ""),
        row("no delivery to replay", of_none("POST", "/deliveries/7/replay"), 404, "not_found", ""),
        row(
            "a span backwards",
            of_none("POST", "/replay").json(json!({ "from_ms": 2, "until_ms": 1 })),
            400,
            "invalid_field",
            "until_ms",
        ),
        row(
            "nothing to replay",
            of_none("POST", "/replay").json(json!({ "from_ms": 1, "until_ms": 2 })),
            404,
            "not_found",
            "",
        ),
    ]
}
