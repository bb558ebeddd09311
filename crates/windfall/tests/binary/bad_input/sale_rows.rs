//! The same for sales: forms of what cannot be sold, steps without what they need, pictures that are none.

use serde_json::{Value, json};

use super::rows::row;
use super::suite::{Row, Stage};
use crate::sales::fixtures::teapots;

pub fn sales(stage: &Stage) -> Vec<Row> {
    let write = |change: Value| stage.admin("POST", "/activities").json(teapots(change));
    let flawed = |what, change: Value| row(what, write(change), 422, "flawed", "");
    let restock = |id: &str, body: Value| stage.admin("POST", &format!("/sales/{id}/restock")).json(body);
    let extend = |id: &str, body: Value| stage.admin("POST", &format!("/sales/{id}/extend")).json(body);
    let wheel = stage.activity.as_str();
    let picture = |kind: &str, bytes: &[u8]| {
        stage.admin("POST", "/pictures").header("content-type", kind).body(bytes.to_vec())
    };
    vec![
        flawed("a sale of nothing", json!({ "sale": null })),
        flawed("a gift", json!({ "sale.price_minor": 0 })),
        flawed("no units", json!({ "sale.units": 0 })),
        flawed("a currency in words", json!({ "sale.currency": "yuan" })),
        flawed("codes of no pool", json!({ "sale.item": "code" })),
        flawed("a pool for a parcel", json!({ "sale.pool": "5" })),
        flawed("a hold without an end", json!({ "sale.hold_s": 9_999_999 })),
        flawed("a picture that would run", json!({ "sale.pictures": ["javascript:alert(1)"] })),
        flawed("nine pictures", json!({ "sale.pictures": vec!["🫖"; 9] })),
        flawed("a room that lets nobody in", json!({ "sale.gate": { "room": { "per_second": 0 } } })),
        flawed("prizes of a sale", json!({ "prizes": [{ "name": "x", "units": 1 }] })),
        flawed("a sale of a wheel", json!({ "kind": "instant" })),
        row(
            "a price below zero",
            write(json!({ "sale.price_minor": -1 })),
            400,
            "invalid_field",
            "sale.price_minor",
        ),
        row(
            "a policy of one's own",
            write(json!({ "sale.policy": "later" })),
            400,
            "invalid_field",
            "sale.policy",
        ),
        row(
            "a field of one's own",
            write(json!({ "sale.discount": 5 })),
            400,
            "invalid_field",
            "sale.discount",
        ),
        row("no sale", stage.anybody("GET", "/sales/7"), 404, "not_found", ""),
        row("a wheel is no sale", stage.anybody("GET", &format!("/sales/{wheel}")), 404, "not_found", ""),
        row("a sale in words", stage.anybody("GET", "/sales/tea"), 404, "not_found", ""),
        row("no sale to follow", stage.anybody("GET", "/sales/7/live"), 404, "not_found", ""),
        row("units of no sale", stage.admin("GET", "/sales/7/units"), 404, "not_found", ""),
        row("units of a wheel", stage.admin("GET", &format!("/sales/{wheel}/units")), 404, "not_found", ""),
        row("a report of no sale", stage.admin("GET", "/sales/7/report"), 404, "not_found", ""),
        row(
            "a report from noon on",
            stage.admin("GET", "/sales/7/report?from_ms=noon"),
            400,
            "invalid_field",
            "from_ms",
        ),
        row("figures of no sale", stage.admin("GET", "/sales/7/report/live"), 404, "not_found", ""),
        row("a cursor of one's own", stage.anybody("GET", "/sales?after=x"), 400, "cursor_invalid", ""),
        row(
            "a restock of no sale",
            restock("7", json!({ "id": "a", "delta": 1, "reason": "x" })),
            404,
            "not_found",
            "",
        ),
        row(
            "a restock of a wheel",
            restock(wheel, json!({ "id": "a", "delta": 1, "reason": "x" })),
            404,
            "not_found",
            "",
        ),
        row(
            "a restock without a number",
            restock("7", json!({ "id": "a", "reason": "x" })),
            400,
            "invalid_field",
            "delta",
        ),
        row(
            "a later end of no sale",
            extend("7", json!({ "until": 5, "reason": "x" })),
            404,
            "not_found",
            "",
        ),
        row(
            "a later end of a wheel",
            extend(wheel, json!({ "until": 5, "reason": "x" })),
            404,
            "not_found",
            "",
        ),
        row("a later end of no time", extend("7", json!({ "reason": "x" })), 400, "invalid_field", "until"),
        row("a picture in words", picture("text/plain", b"tea"), 415, "picture_media_type", ""),
        row("a picture that is none", picture("image/png", b"tea"), 422, "picture_unreadable", ""),
        row(
            "a picture of no width",
            stage.anybody("GET", "/pictures/7?width=-1"),
            400,
            "invalid_field",
            "width",
        ),
        row("no picture", stage.anybody("GET", "/pictures/7"), 404, "not_found", ""),
        row("a reminder of nothing", stage.player("PUT", "/activities/7/reminder"), 404, "not_found", ""),
        row("no reminder of nothing", stage.player("DELETE", "/activities/7/reminder"), 404, "not_found", ""),
        row(
            "a reminder of what runs",
            stage.player("PUT", &format!("/activities/{wheel}/reminder")),
            409,
            "reminder_late",
            "",
        ),
        row(
            "a reminder with a body",
            stage.player("PUT", &format!("/activities/{wheel}/reminder")).json(json!({ "when": 5 })),
            400,
            "invalid_field",
            "when",
        ),
    ]
}
