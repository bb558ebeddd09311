//! Redeem codes, asked for wrongly.

use serde_json::{Value, json};

use super::rows::row;
use super::suite::{Row, Stage};

pub fn codes(stage: &Stage) -> Vec<Row> {
    let make = |body: Value| stage.admin("POST", "/code-pools").json(body);
    let import = |kind: &str, body: &[u8]| {
        let path = format!("/code-pools/{}/codes", stage.code_pool);
        stage.admin("POST", &path).header("content-type", kind).body(body.to_vec())
    };
    let change = |body: Value| stage.admin("PATCH", &format!("/code-pools/{}", stage.code_pool)).json(body);
    let list = |text: &str| import("text/plain", text.as_bytes());
    let look = |rest: &str| stage.admin("GET", &format!("/fulfilments/{rest}"));
    let range = |below: i64| make(json!({ "name": "x", "low_below": below }));
    let large = vec![b'x'; 4 * 1024 * 1024 + 1];
    vec![
        row("a pool without a name", make(json!({})), 400, "invalid_field", "name"),
        row("a pool with a blank name", make(json!({ "name": " " })), 400, "invalid_field", "name"),
        row("a long name", make(json!({ "name": "x".repeat(81) })), 400, "invalid_field", "name"),
        row("a name that is taken", make(json!({ "name": "bad input" })), 409, "code_pool_exists", ""),
        row("a threshold below zero", range(-1), 400, "invalid_field", "low_below"),
        row("a threshold beyond all codes", range(50_000_001), 400, "invalid_field", "low_below"),
        row(
            "another threshold below zero",
            change(json!({ "low_below": -1 })),
            400,
            "invalid_field",
            "low_below",
        ),
        row("no other threshold", change(json!({})), 400, "invalid_field", "low_below"),
        row("another name for a pool", change(json!({ "name": "x" })), 400, "invalid_field", "name"),
        row(
            "another threshold for nothing",
            stage.admin("PATCH", "/code-pools/5").json(json!({ "low_below": 1 })),
            404,
            "not_found",
            "",
        ),
        row("a pool that is not there", stage.admin("GET", "/code-pools/5"), 404, "not_found", ""),
        row("a pool that is no number", stage.admin("GET", "/code-pools/x"), 404, "not_found", ""),
        row(
            "codes retired without a reason",
            stage
                .admin("POST", &format!("/code-pools/{}/retire", stage.code_pool))
                .json(json!({ "reason": " " })),
            400,
            "invalid_field",
            "reason",
        ),
        row(
            "no codes to retire",
            stage
                .admin("POST", &format!("/code-pools/{}/retire", stage.code_pool))
                .json(json!({ "codes": [], "reason": "x" })),
            400,
            "invalid_field",
            "codes",
        ),
        row(
            "too many codes to retire",
            stage
                .admin("POST", &format!("/code-pools/{}/retire", stage.code_pool))
                .json(json!({ "codes": vec!["A"; 1_001], "reason": "x" })),
            400,
            "invalid_field",
            "codes",
        ),
        row(
            "a preview for a pool that is not there",
            stage.admin("POST", "/code-pools/5/codes/preview").header("content-type", "text/plain").body("A"),
            404,
            "not_found",
            "",
        ),
        row("a search for no name", stage.admin("GET", "/code-pools?name="), 400, "invalid_field", "name"),
        row("codes as JSON", import("application/json", b"{}"), 415, "sheet_media_type", ""),
        row("codes of no type", import("", b"A"), 415, "sheet_media_type", ""),
        row("no codes", list(""), 400, "invalid_field", "lines"),
        row("a sheet without a heading", import("text/csv", b"A\nB\n"), 400, "invalid_field", "lines.1"),
        row("a sheet with two columns", import("text/csv", b"code\nA,B\n"), 422, "flawed", ""),
        row("an empty line", list("A\n\nB\n"), 422, "flawed", ""),
        row("a code that is too long", list(&"x".repeat(201)), 422, "flawed", ""),
        row("a control character", list("A\u{7}B"), 422, "flawed", ""),
        row("bad UTF-8", import("text/plain; charset=utf-8", b"A\n\xff\n"), 400, "body_malformed", ""),
        row("too large", import("text/plain", &large), 413, "body_too_large", ""),
        row(
            "codes for no pool",
            stage.admin("POST", "/code-pools/5/codes").header("content-type", "text/plain").body("A"),
            404,
            "not_found",
            "",
        ),
        row("no reason to look", look("5/code"), 400, "invalid_field", "reason"),
        row("a blank reason to look", look("5/code?reason=%20"), 400, "invalid_field", "reason"),
        row("a code that was not given", look("5/code?reason=x"), 404, "not_found", ""),
        row("a fulfilment that is no number", look("x/code?reason=x"), 404, "not_found", ""),
    ]
}
