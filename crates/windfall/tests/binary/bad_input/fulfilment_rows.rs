//! Prizes on their way and dead letters, asked for wrongly.

use serde_json::json;

use super::rows::row;
use super::suite::{Row, Stage};
use crate::people::address;

pub fn fulfilment(stage: &Stage) -> Vec<Row> {
    let claim = |id: &str| stage.player("POST", &format!("/me/wins/{id}/claim"));
    let act = |step: &str| stage.admin("POST", &format!("/fulfilments/7/{step}"));
    let because = json!({ "reason": "as planned" });
    vec![
        row("a win in words", claim("tea").json(json!({})), 404, "not_found", ""),
        row("a win that is not there", claim("7").json(json!({})), 404, "not_found", ""),
        row(
            "an entry in words",
            claim("7").json(json!({ "address_id": "home" })),
            400,
            "invalid_field",
            "address_id",
        ),
        row(
            "two addresses",
            claim("7").json(json!({ "address_id": "1", "address": address("x") })),
            400,
            "invalid_field",
            "address",
        ),
        row(
            "an address without a street",
            claim("7").json(json!({ "address": address("") })),
            400,
            "invalid_field",
            "street",
        ),
        row(
            "a word that is not known",
            claim("7").json(json!({ "adress": 1 })),
            400,
            "invalid_field",
            "adress",
        ),
        row(
            "a state that is not",
            stage.admin("GET", "/fulfilments?state=lost"),
            400,
            "invalid_field",
            "state",
        ),
        row("a kind that is not", stage.admin("GET", "/fulfilments?kind=car"), 400, "invalid_field", "kind"),
        row(
            "a file of a state that is not",
            stage.admin("GET", "/fulfilments.csv?state=lost"),
            400,
            "invalid_field",
            "state",
        ),
        row(
            "an activity in words",
            stage.admin("GET", "/fulfilments?activity=x"),
            400,
            "invalid_field",
            "activity",
        ),
        row("a prize that is not there", stage.admin("GET", "/fulfilments/7"), 404, "not_found", ""),
        row("no reason", act("release").json(json!({ "reason": " " })), 400, "invalid_field", "reason"),
        row("nothing to release", act("release").json(because.clone()), 404, "not_found", ""),
        row("nothing to redrive", act("redrive").json(because.clone()), 404, "not_found", ""),
        row("nothing to void", act("void").json(because.clone()), 404, "not_found", ""),
        row(
            "nobody carries it",
            act("ship").json(json!({ "carrier": "", "tracking": "1" })),
            400,
            "invalid_field",
            "carrier",
        ),
        row(
            "an outcome that is not",
            act("report").json(json!({ "outcome": "lost" })),
            400,
            "invalid_field",
            "outcome",
        ),
        row("a letter that is not there", stage.admin("GET", "/outbox/dead-letters/7"), 404, "not_found", ""),
        row(
            "nothing to put back",
            stage.admin("POST", "/outbox/dead-letters/7/redrive").json(because),
            404,
            "not_found",
            "",
        ),
        row(
            "too many to put back",
            stage
                .admin("POST", "/outbox/dead-letters/redrive")
                .json(json!({ "lane": "points", "limit": 1_001, "reason": "x" })),
            400,
            "invalid_field",
            "limit",
        ),
    ]
}
