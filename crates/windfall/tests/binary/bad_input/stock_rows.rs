//! The same for stock: pools and holds that cannot be meant, or cannot be had.

use serde_json::json;

use super::rows::row;
use super::suite::{Row, Stage};

pub fn stock(stage: &Stage) -> Vec<Row> {
    let open = |name: &str, total: &str, more: &str| {
        let body = format!(r#"{{"id":"never","name":"{name}","total":{total}{more}}}"#);
        stage.admin("POST", "/inventory/pools").header("content-type", "application/json").body(body)
    };
    let change = |what: &str, body: serde_json::Value| {
        stage.admin("POST", &format!("/inventory/pools/{}/{what}", Stage::POOL)).json(body)
    };
    let restock =
        |quantity: i64| change("restock", json!({ "id": "r", "quantity": quantity, "reason": "x" }));
    let adjust =
        |delta: i64, reason: &str| change("adjust", json!({ "id": "r", "delta": delta, "reason": reason }));
    let nowhere =
        stage.admin("POST", "/inventory/pools/nowhere/close").json(json!({ "id": "r", "reason": "x" }));
    let long = "x".repeat(191);
    vec![
        row("a pool without a name", open("", "1", ""), 400, "invalid_field", "name"),
        row("a part without a name", open("a//b", "1", ""), 400, "invalid_field", "name"),
        row("a name too long", open(&long, "1", ""), 400, "invalid_field", "name"),
        row("fewer than none", open("a", "-1", ""), 400, "invalid_field", "total"),
        row("half a unit", open("a", "0.5", ""), 400, "invalid_field", "total"),
        row("not a number", open("a", "\"nan\"", ""), 400, "invalid_field", "total"),
        row("more than there can be", open("a", "1125899906842625", ""), 400, "invalid_field", "total"),
        row("a limit below none", open("a", "1", r#","owner_max":-1"#), 400, "invalid_field", "owner_max"),
        row("a restock of nothing", restock(0), 400, "invalid_field", "quantity"),
        row("a restock of less", restock(-50), 400, "invalid_field", "quantity"),
        row("a restock past the limit", restock(1_000_000_001), 400, "invalid_field", "quantity"),
        row("an adjustment by nothing", adjust(0, "x"), 400, "invalid_field", "delta"),
        row("an adjustment without a reason", adjust(1, " "), 400, "invalid_field", "reason"),
        row("a reason too long", adjust(1, &"x".repeat(501)), 400, "invalid_field", "reason"),
        row("more taken away than is free", adjust(-11, "x"), 409, "not_free", ""),
        row("past the largest total", adjust(1 << 50, "x"), 409, "total_too_large", ""),
        row("a pool that is not there", nowhere, 404, "pool_unknown", ""),
        row(
            "a name no pool can have",
            stage.admin("GET", "/inventory/pools/a%2F%2Fb"),
            404,
            "pool_unknown",
            "",
        ),
        row("a pool that is there already", open("here/tea", "10", ""), 409, "round_stale", ""),
        row(
            "a round that is not the next",
            change("reopen", json!({ "id": "r", "round": 3, "total": 1, "owner_max": 0 })),
            409,
            "round_stale",
            "",
        ),
        row(
            "a search too long",
            stage.admin("GET", &format!("/inventory/pools?q={}", "x".repeat(201))),
            400,
            "invalid_field",
            "q",
        ),
        row(
            "holds of no such state",
            stage.admin("GET", "/inventory/holds?state=open"),
            400,
            "invalid_field",
            "state",
        ),
    ]
}

pub fn holds(stage: &Stage) -> Vec<Row> {
    let reserve = |body: serde_json::Value| stage.admin("POST", "/inventory/holds").json(body);
    let lines = |pool: &str, quantity: i64| json!([{ "pool": pool, "quantity": quantity }]);
    let hold = |lines: serde_json::Value, ttl_ms: i64| {
        reserve(json!({ "id": "never", "lines": lines, "ttl_ms": ttl_ms }))
    };
    let owned = |owner: &str, quantity: i64| {
        reserve(
            json!({ "id": "never", "lines": lines("here/tea", quantity), "owner": owner, "ttl_ms": 1000 }),
        )
    };
    let to = |id: &str, what: &str| stage.admin("POST", &format!("/inventory/holds/{id}/{what}"));
    let batch = |commands: serde_json::Value| {
        stage.admin("POST", "/inventory/batch").json(json!({ "commands": commands }))
    };
    let many: Vec<_> = (0..1_001).map(|n| json!({ "do": "cancel", "id": n.to_string() })).collect();
    vec![
        row("no lines", hold(json!([]), 1_000), 400, "invalid_field", "lines"),
        row(
            "too many lines",
            hold(vec![lines("here/tea", 1)[0].clone(); 101].into(), 1_000),
            400,
            "invalid_field",
            "lines",
        ),
        row(
            "a line of nothing",
            hold(lines("here/tea", 0), 1_000),
            400,
            "invalid_field",
            "lines[0].quantity",
        ),
        row("a line of less", hold(lines("here/tea", -50), 1_000), 400, "invalid_field", "lines[0].quantity"),
        row("a line of no pool", hold(lines("", 1), 1_000), 400, "invalid_field", "lines[0].pool"),
        row("a line of an unknown pool", hold(lines("nowhere", 1), 1_000), 404, "pool_unknown", ""),
        row("held for no time", hold(lines("here/tea", 1), 0), 400, "invalid_field", "ttl_ms"),
        row("held for ever", hold(lines("here/tea", 1), i64::MAX), 400, "invalid_field", "ttl_ms"),
        row("more than there is", hold(lines("here/tea", 11), 1_000), 409, "sold_out", ""),
        row("an owner without a name", owned("", 1), 400, "invalid_field", "owner"),
        row("more than an owner may have", owned("ann", 4), 409, "limit_reached", ""),
        row(
            "an id too long",
            reserve(json!({ "id": "x".repeat(65), "lines": lines("here/tea", 1), "ttl_ms": 1000 })),
            400,
            "invalid_field",
            "id",
        ),
        row("confirming nothing known", to("nothing", "confirm").json(json!({})), 404, "hold_unknown", ""),
        row(
            "extending nothing known",
            to("nothing", "extend").json(json!({ "until_ms": 1 })),
            404,
            "hold_unknown",
            "",
        ),
        row(
            "a hold that is not there",
            stage.admin("GET", "/inventory/holds/nothing"),
            404,
            "hold_unknown",
            "",
        ),
        row(
            "another body for a hold",
            reserve(json!({ "id": "open", "lines": lines("here/tea", 2), "ttl_ms": 600_000 })),
            409,
            "conflict",
            "",
        ),
        row(
            "extending past the cap",
            to("open", "extend").json(json!({ "until_ms": i64::MAX })),
            409,
            "extend_too_far",
            "",
        ),
        row(
            "confirming more than is held",
            to("open", "confirm").json(json!({ "lines": lines("here/tea", 2) })),
            409,
            "not_held",
            "",
        ),
        row(
            "confirming what was cancelled",
            to("gone", "confirm").json(json!({})),
            409,
            "already_cancelled",
            "",
        ),
        row("cancelling what was confirmed", to("done", "cancel"), 409, "already_confirmed", ""),
        row(
            "cancelling with the body of another step",
            to("open", "cancel").json(json!({ "until_ms": 1 })),
            400,
            "invalid_field",
            "until_ms",
        ),
        row("an empty batch", batch(json!([])), 400, "invalid_field", "commands"),
        row("a batch too long", batch(many.into()), 400, "invalid_field", "commands"),
        row("a batch that is no list", batch(json!(7)), 400, "invalid_field", "commands"),
    ]
}
