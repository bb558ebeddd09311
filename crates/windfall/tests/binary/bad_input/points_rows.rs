//! The same for points: amounts that are none, rows that are not there, people who may not.

use serde_json::{Value, json};

use super::rows::row;
use super::suite::{Row, Stage};

pub fn points(stage: &Stage) -> Vec<Row> {
    let adjust = |body: Value| stage.admin("POST", &stage.user("/points")).json(body);
    let points = |points: i64| adjust(json!({ "points": points, "reason": "an apology" }));
    let reverse = |rest: &str, body: Value| stage.admin("POST", &stage.user(rest)).json(body);
    let why = json!({ "reason": "by mistake" });
    let nobody = |rest: &str| format!("/admin/users/7{rest}");
    vec![
        row("no points", points(0), 400, "invalid_field", "points"),
        row("too many points", points(1_000_000_001), 400, "invalid_field", "points"),
        row("too few points", points(-1_000_000_001), 400, "invalid_field", "points"),
        row("the fewest there are", points(i64::MIN), 400, "invalid_field", "points"),
        row("more than there are", points(-1), 409, "points_short", ""),
        row(
            "points in words",
            adjust(json!({ "points": "5", "reason": "x" })),
            400,
            "invalid_field",
            "points",
        ),
        row("half a point", adjust(json!({ "points": 1.5, "reason": "x" })), 400, "invalid_field", "points"),
        row("no reason", adjust(json!({ "points": 5 })), 400, "invalid_field", "reason"),
        row("an empty reason", adjust(json!({ "points": 5, "reason": " " })), 400, "invalid_field", "reason"),
        row(
            "an expiry of one's own",
            adjust(json!({ "points": 5, "reason": "x", "expires_ms": 1 })),
            400,
            "invalid_field",
            "expires_ms",
        ),
        row(
            "points for nobody",
            stage.admin("POST", &nobody("/points")).json(json!({ "points": 5, "reason": "x" })),
            404,
            "not_found",
            "",
        ),
        row(
            "many points for nobody",
            stage.admin("POST", &nobody("/points")).json(json!({ "points": 50_000, "reason": "x" })),
            404,
            "not_found",
            "",
        ),
        row("nobody's points", stage.admin("GET", &nobody("/points")), 404, "not_found", ""),
        row("nobody's statement", stage.admin("GET", &nobody("/points/statement")), 404, "not_found", ""),
        row("a row that is not there", reverse("/points/1/reverse", why.clone()), 404, "not_found", ""),
        row("a row in words", reverse("/points/one/reverse", why.clone()), 404, "not_found", ""),
        row("a row below zero", reverse("/points/-1/reverse", why), 404, "not_found", ""),
        row(
            "a reversal without a reason",
            reverse("/points/1/reverse", json!({})),
            400,
            "invalid_field",
            "reason",
        ),
        row(
            "a statement from nowhere",
            stage.player("GET", "/me/points/statement?after=x"),
            400,
            "cursor_invalid",
            "",
        ),
    ]
}
