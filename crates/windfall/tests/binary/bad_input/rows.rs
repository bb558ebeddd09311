//! What is sent, and how it is refused.

use serde_json::json;

use super::suite::{Row, Stage};
use super::{
    activity_rows, code_rows, community_rows, fulfilment_rows, gate_rows, grant_rows, order_rows,
    points_rows, sale_rows, shop_rows, statistics_rows, stock_rows, tree_rows, webhook_rows,
};
use crate::client::Call;
use crate::people::address;

/// Everything a route could be asked wrongly. `field` is what a form should point at.
pub fn rows(stage: &Stage) -> Vec<Row> {
    [
        bodies(stage),
        texts(stage),
        numbers(stage),
        places(stage),
        queries(stage),
        headers(stage),
        stock_rows::stock(stage),
        stock_rows::holds(stage),
        activity_rows::activities(stage),
        activity_rows::raffles(stage),
        points_rows::points(stage),
        grant_rows::grants(stage),
        shop_rows::shop(stage),
        sale_rows::sales(stage),
        gate_rows::gate(stage),
        order_rows::orders(stage),
        tree_rows::trees(stage),
        tree_rows::block_list(stage),
        fulfilment_rows::fulfilment(stage),
        code_rows::codes(stage),
        webhook_rows::webhooks(stage),
        community_rows::community(stage),
        statistics_rows::statistics(stage),
    ]
    .concat()
}

pub fn row(what: &'static str, call: Call, status: u16, code: &'static str, field: &'static str) -> Row {
    Row { what, call, status, code, field }
}

fn bodies(stage: &Stage) -> Vec<Row> {
    let add = |body: &[u8]| {
        stage.player("POST", "/me/addresses").header("content-type", "application/json").body(body.to_vec())
    };
    let deep = format!("{{\"parameters\":{}1{}}}", "[".repeat(200), "]".repeat(200));
    let job = |body: String| {
        stage.admin("PATCH", "/admin/jobs/sweep_links").header("content-type", "application/json").body(body)
    };
    let facts = stage.admin("PATCH", &stage.user("/facts")).header("content-type", "application/json");
    vec![
        row("no body", add(b""), 400, "invalid_field", "recipient"),
        row("not JSON", add(b"recipient=x"), 400, "body_malformed", ""),
        row("cut off", add(br#"{"recipient":"#), 400, "body_malformed", ""),
        row(
            "more after the end",
            add(&[address("x").to_string().as_bytes(), b" {}"].concat()),
            400,
            "body_malformed",
            "",
        ),
        row("bad UTF-8", add(b"{\"recipient\":\"\xff\xfe\"}"), 400, "body_malformed", ""),
        row("half a surrogate pair", add(br#"{"recipient":"\ud800"}"#), 400, "body_malformed", ""),
        row("a list", add(b"[1,2]"), 400, "body_malformed", ""),
        row("null", add(b"null"), 400, "body_malformed", ""),
        row("nested too deep", job(deep), 400, "body_malformed", ""),
        row("wrong type", add(br#"{"recipient":7}"#), 400, "invalid_field", "recipient"),
        row("unknown field", add(br#"{"recipient":"a","user_id":"1"}"#), 400, "invalid_field", "user_id"),
        row("missing field", add(br#"{"recipient":"a"}"#), 400, "invalid_field", "phone"),
        row("duplicate key", add(br#"{"recipient":"a","recipient":"b"}"#), 400, "invalid_field", "recipient"),
        row("duplicate fact", facts.body(r#"{"vip":true,"vip":false}"#), 400, "invalid_field", "vip"),
        row("oversize", add(&vec![b' '; stage.body_max + 1]), 413, "body_too_large", ""),
        row(
            "a form",
            stage
                .player("PATCH", "/me")
                .header("content-type", "application/x-www-form-urlencoded")
                .body("name=x"),
            415,
            "media_type",
            "",
        ),
        row("no content type", stage.player("PATCH", "/me").body(r#"{"name":"x"}"#), 415, "media_type", ""),
    ]
}

fn texts(stage: &Stage) -> Vec<Row> {
    let name = |name: &str| stage.player("PATCH", "/me").json(json!({ "name": name }));
    let avatar = |avatar: &str| stage.player("PATCH", "/me").json(json!({ "avatar": avatar }));
    let street = |street: &str| stage.player("POST", "/me/addresses").json(address(street));
    let code = |phone: &str, purpose: &str| {
        stage.anybody("POST", "/auth/codes").json(json!({ "phone": phone, "purpose": purpose }))
    };
    let reconcile = |body: serde_json::Value| stage.admin("POST", "/admin/ledger/reconcile").json(body);
    let quarantine = |body: serde_json::Value| stage.admin("POST", "/admin/quarantine/messages").json(body);
    let release = |id: &str, body: serde_json::Value| {
        stage.admin("POST", &format!("/admin/quarantine/code-pools/{id}/release")).json(body)
    };
    let sign_in = |code: &str| {
        stage.anybody("POST", "/auth/sign-in/code").json(json!({ "phone": "13900000000", "code": code }))
    };
    vec![
        row("10,000-character name", name(&"x".repeat(10_000)), 400, "invalid_field", "name"),
        row("empty name", name("  "), 400, "invalid_field", "name"),
        row("control character", name("a\u{7}b"), 400, "invalid_field", "name"),
        row("zero byte", name("a\0b"), 400, "invalid_field", "name"),
        row("text turned around", name("a\u{202e}b"), 400, "invalid_field", "name"),
        row("line break in an address", street("a\nb"), 400, "invalid_field", "street"),
        row("script as a picture", avatar("javascript:alert(1)"), 400, "invalid_field", "avatar"),
        row("other site's picture", avatar("//evil.example/x.png"), 400, "invalid_field", "avatar"),
        row("not a phone", code("phone", "sign_in"), 400, "invalid_field", "phone"),
        row("unknown purpose", code("13900000000", "lottery"), 400, "invalid_field", "purpose"),
        row(
            "purpose of signed-in people",
            code("13900000000", "confirm_phone"),
            400,
            "invalid_field",
            "purpose",
        ),
        row(
            "a correction without a reason",
            reconcile(json!({ "fix": true })),
            400,
            "invalid_field",
            "reason",
        ),
        row(
            "a blank reason",
            reconcile(json!({ "fix": true, "reason": " " })),
            400,
            "invalid_field",
            "reason",
        ),
        row(
            "a reason without end",
            reconcile(json!({ "fix": true, "reason": "x".repeat(10_000) })),
            400,
            "invalid_field",
            "reason",
        ),
        row("half a correction", reconcile(json!({ "fix": "yes" })), 400, "invalid_field", "fix"),
        row("an audit of a part", reconcile(json!({ "pool": "1" })), 400, "invalid_field", "pool"),
        row(
            "messages released without a reason",
            quarantine(json!({ "act": "release", "lane": "coupons", "reason": "" })),
            400,
            "invalid_field",
            "reason",
        ),
        row(
            "a message without a number",
            quarantine(
                json!({ "act": "release", "lane": "coupons", "message": "the first", "reason": "why not" }),
            ),
            400,
            "invalid_field",
            "message",
        ),
        row(
            "messages that are neither sent nor given up",
            quarantine(json!({ "act": "keep", "lane": "coupons", "reason": "why not" })),
            400,
            "invalid_field",
            "act",
        ),
        row(
            "codes skipped backwards",
            release("1", json!({ "skip": -1, "reason": "looked at" })),
            400,
            "invalid_field",
            "skip",
        ),
        row("a pool that is none", release("1", json!({ "reason": "looked at" })), 404, "not_found", ""),
        row("five digits", sign_in("12345"), 400, "invalid_field", "code"),
        row("digits of another script", sign_in("１２３４５６"), 400, "invalid_field", "code"),
        row(
            "weak password",
            stage
                .player("POST", "/me/password")
                .json(json!({ "old_password": "x", "new_password": "aaaaaaaa" })),
            400,
            "password_weak",
            "",
        ),
        row(
            "not a link",
            stage.anybody("POST", "/auth/links/redeem").json(json!({ "token": "wfl_1" })),
            401,
            "link_spent",
            "",
        ),
    ]
}

fn numbers(stage: &Stage) -> Vec<Row> {
    let ban = |until: &str| {
        let body = format!(r#"{{"reason":"x","until_ms":{until}}}"#);
        stage.admin("PUT", &stage.user("/ban")).header("content-type", "application/json").body(body)
    };
    let facts = |body: serde_json::Value| stage.admin("PATCH", &stage.user("/facts")).json(body);
    let many: serde_json::Map<_, _> = (0..65).map(|n| (format!("f{n}"), json!(n))).collect();
    let overlap = |hours: i64| {
        stage
            .admin("POST", &format!("/admin/keys/{}/rotate", stage.key.id))
            .json(json!({ "overlap_hours": hours }))
    };
    let make_key =
        |scopes: &[&str]| stage.admin("POST", "/admin/keys").json(json!({ "name": "k", "scopes": scopes }));
    let job = |body: serde_json::Value| stage.admin("PATCH", "/admin/jobs/sweep_links").json(body);
    vec![
        row("a ban that is over", ban("1"), 400, "invalid_field", "until_ms"),
        row("a number past 64 bits", ban("9223372036854775808"), 400, "invalid_field", "until_ms"),
        row("a number past everything", ban("1e999"), 400, "body_malformed", ""),
        row("a fraction", ban("1.5"), 400, "invalid_field", "until_ms"),
        row("a fact that is a fraction", facts(json!({ "x": 1.5 })), 400, "invalid_field", "x"),
        row("a fact that is an object", facts(json!({ "x": {} })), 400, "invalid_field", "x"),
        row("a fact's bad name", facts(json!({ "Bad Name": 1 })), 400, "invalid_field", "Bad Name"),
        row("a fact of Windfall's own", facts(json!({ "level": 9 })), 409, "fact_reserved", ""),
        row(
            "a label that is no list",
            facts(json!({ "risk_labels": "bot" })),
            400,
            "invalid_field",
            "risk_labels",
        ),
        row("a blank label", facts(json!({ "risk_labels": [" "] })), 400, "invalid_field", "risk_labels"),
        row("too many facts", facts(many.into()), 409, "facts_full", ""),
        row("overlap below zero", overlap(-1), 400, "invalid_field", "overlap_hours"),
        row("overlap past the limit", overlap(721), 400, "invalid_field", "overlap_hours"),
        row("overlap past everything", overlap(i64::MAX), 400, "invalid_field", "overlap_hours"),
        row("a key without scopes", make_key(&[]), 400, "invalid_field", "scopes"),
        row("an unknown scope", make_key(&["root"]), 400, "invalid_field", "scopes"),
        row(
            "an unknown role",
            stage.admin("POST", &stage.user("/roles")).json(json!({ "roles": ["king"], "reason": "x" })),
            400,
            "invalid_field",
            "roles",
        ),
        row(
            "roles without a reason",
            stage.admin("POST", &stage.user("/roles")).json(json!({ "roles": [], "reason": "" })),
            400,
            "invalid_field",
            "reason",
        ),
        row("not a schedule", job(json!({ "schedule": "when I feel like it" })), 400, "schedule_invalid", ""),
        row(
            "parameters that are a list",
            job(json!({ "parameters": [] })),
            400,
            "invalid_field",
            "parameters",
        ),
    ]
}

fn places(stage: &Stage) -> Vec<Row> {
    vec![
        row("an id that is no number", stage.anybody("GET", "/users/abc"), 404, "not_found", ""),
        row("an id past 64 bits", stage.anybody("GET", "/users/99999999999999999999"), 404, "not_found", ""),
        row("an id below zero", stage.anybody("GET", "/users/-1"), 404, "not_found", ""),
        row("an id of nobody", stage.anybody("GET", "/users/1"), 404, "not_found", ""),
        row("bad UTF-8 in the address", stage.admin("GET", "/admin/jobs/%ff"), 400, "invalid_field", "name"),
        row("an unknown job", stage.admin("GET", "/admin/jobs/lottery"), 404, "not_found", ""),
        row("an address that is not there", stage.player("DELETE", "/me/addresses/1"), 404, "not_found", ""),
        row("an unknown route", stage.anybody("GET", "/nothing/here"), 404, "not_found", ""),
        row("an unknown page", stage.page("GET", "/nothing"), 404, "not_found", ""),
        row("a wrong method", stage.player("DELETE", "/me"), 405, "method_not_allowed", ""),
        row("a wrong method on a page", stage.page("POST", "/healthz"), 405, "method_not_allowed", ""),
    ]
}

fn queries(stage: &Stage) -> Vec<Row> {
    let users = |query: &str| stage.admin("GET", &format!("/admin/users?{query}"));
    vec![
        row("a bad cursor", users("after=zzz"), 400, "cursor_invalid", ""),
        row("a cursor of another kind", users("after=AAAAAAAAAAAA"), 400, "cursor_invalid", ""),
        row("no rows", users("limit=0"), 400, "invalid_field", "limit"),
        row("too many rows", users("limit=201"), 400, "invalid_field", "limit"),
        row("fewer than no rows", users("limit=-1"), 400, "invalid_field", "limit"),
        row("rows in words", users("limit=ten"), 400, "invalid_field", "limit"),
        row("an unknown role", users("role=king"), 400, "invalid_field", "role"),
        row("neither true nor false", users("banned=maybe"), 400, "invalid_field", "banned"),
        row("not a phone", users("phone=1"), 400, "invalid_field", "phone"),
        row(
            "an unknown state",
            stage.admin("GET", "/admin/approvals?state=asleep"),
            400,
            "invalid_field",
            "state",
        ),
        row(
            "an actor that is no id",
            stage.admin("GET", "/admin/audit?actor=me"),
            400,
            "invalid_field",
            "actor",
        ),
    ]
}

fn headers(stage: &Stage) -> Vec<Row> {
    let with_key = |keys: &[&[u8]]| {
        let call = stage.player("POST", "/me/addresses").json(address("x"));
        keys.iter().fold(call, |call, key| call.header("idempotency-key", key))
    };
    let as_key = |value: &str| stage.anybody("GET", "/me").header("authorization", value);
    let acting = |user: &[u8]| stage.by_key("GET", "/me").header("windfall-user", user);
    let long = "k".repeat(201);
    vec![
        row("an empty Idempotency-Key", with_key(&[b""]), 400, "invalid_field", "Idempotency-Key"),
        row("one with a space", with_key(&[b"a b"]), 400, "invalid_field", "Idempotency-Key"),
        row("one too long", with_key(&[long.as_bytes()]), 400, "invalid_field", "Idempotency-Key"),
        row("one not in ASCII", with_key(&["键".as_bytes()]), 400, "invalid_field", "Idempotency-Key"),
        row("two of them", with_key(&[b"a", b"b"]), 400, "invalid_field", "Idempotency-Key"),
        row("one used for another body", with_key(&[Stage::USED_KEY]), 409, "idempotency_conflict", ""),
        row("Authorization of another kind", as_key("Basic YTpi"), 401, "unauthenticated", ""),
        row("Authorization without a key", as_key("Bearer"), 401, "unauthenticated", ""),
        row("not one of our keys", as_key("Bearer wfk_zz"), 401, "unauthenticated", ""),
        row(
            "a key nobody made",
            as_key(&format!("Bearer wfk_{}", "0".repeat(64))),
            401,
            "unauthenticated",
            "",
        ),
        row(
            "a cookie that is none",
            stage.anybody("GET", "/me").cookie("windfall_session=x; ="),
            401,
            "unauthenticated",
            "",
        ),
        row("a key for nobody", stage.by_key("GET", "/me"), 400, "acting_user_missing", ""),
        row("a key for an empty name", acting(b""), 400, "invalid_field", "user"),
        row("a key for a name too long", acting(&[b'u'; 129]), 400, "invalid_field", "user"),
        row("a key for bytes that are no text", acting(b"\xff\xff"), 400, "invalid_field", "user"),
        row(
            "headers too large",
            stage.anybody("GET", "/time").header("x-filler", vec![b'x'; 20_000]),
            431,
            "head_too_large",
            "",
        ),
    ]
}
