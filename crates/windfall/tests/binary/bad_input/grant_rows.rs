//! The same for grants by rule: rules that say nothing, behaviours that nobody did.

use serde_json::{Value, json};

use super::rows::row;
use super::suite::{Row, Stage};

pub fn grants(stage: &Stage) -> Vec<Row> {
    let rule = |change: Value| {
        let mut rule = json!({
            "name": "x", "behaviour": "check_in", "gives": "points", "amount": 5, "period": "day"
        });
        rule.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        stage.admin("POST", "/grant-rules").json(rule)
    };
    let field = |what, change: Value, field| row(what, rule(change), 400, "invalid_field", field);
    let tell = |all: Value| stage.admin("POST", "/behaviours").json(json!({ "behaviours": all }));
    let one = json!({ "kind": "check_in", "id": "a", "user_id": stage.player_id() });
    let many: Vec<Value> = (0..101).map(|_| one.clone()).collect();
    let back = |id: &str, body: Value| stage.admin("POST", &format!("/grants/{id}/reverse")).json(body);
    let why = json!({ "reason": "x" });
    vec![
        field("a rule with a blank name", json!({ "name": " " }), "name"),
        field("a behaviour that is no name", json!({ "behaviour": "Check In" }), "behaviour"),
        field("a gift of nothing known", json!({ "gives": "love" }), "gives"),
        field("chances of no activity", json!({ "gives": "chances" }), "activity"),
        field("points of an activity", json!({ "activity": "5" }), "activity"),
        field("an activity that is no number", json!({ "gives": "chances", "activity": "x" }), "activity"),
        field("points that expire somehow", json!({ "expiry": "soon" }), "expiry"),
        field("no points", json!({ "amount": 0 }), "amount"),
        field("half a point", json!({ "amount": 1.5 }), "amount"),
        field("a period of no kind", json!({ "period": "week" }), "period"),
        field("a place without a time", json!({ "zone": "Mars/Olympus" }), "zone"),
        field("never", json!({ "times": 0 }), "times"),
        field("a cap of nothing", json!({ "cap_total": 0 }), "cap_total"),
        field("a cap below one grant", json!({ "amount": 5, "cap_total": 4 }), "cap_total"),
        field("a cap of one's own below one grant", json!({ "amount": 5, "cap_user": 4 }), "cap_user"),
        field("an end before the beginning", json!({ "from": 5, "until": 5 }), "until"),
        field("a moment in words", json!({ "from": "soon" }), "from"),
        field("a word of one's own", json!({ "reward": 1 }), "reward"),
        row("a campaign that is not there", rule(json!({ "campaign": "5" })), 404, "not_found", ""),
        row(
            "chances of an activity that is not there",
            rule(json!({ "gives": "chances", "activity": "5" })),
            404,
            "not_found",
            "",
        ),
        row("a rule that is not there", stage.admin("GET", "/grant-rules/5"), 404, "not_found", ""),
        row("a rule that is no number", stage.admin("GET", "/grant-rules/x"), 404, "not_found", ""),
        row(
            "a change to no rule",
            stage.admin("PATCH", "/grant-rules/5").json(json!({ "edition": 1 })),
            404,
            "not_found",
            "",
        ),
        row(
            "a change on top of nothing",
            stage.admin("PATCH", "/grant-rules/5").json(json!({ "on": false })),
            400,
            "invalid_field",
            "edition",
        ),
        row(
            "rules of no behaviour",
            stage.admin("GET", "/grant-rules?behaviour=Check"),
            400,
            "invalid_field",
            "behaviour",
        ),
        row("no behaviours", tell(json!([])), 400, "invalid_field", "behaviours"),
        row("too many behaviours", tell(Value::Array(many)), 400, "invalid_field", "behaviours"),
        row(
            "a behaviour without an id",
            tell(json!([{ "kind": "check_in", "user_id": "5" }])),
            400,
            "invalid_field",
            "behaviours[0].id",
        ),
        row("nothing to undo", stage.admin("POST", "/behaviours/check_in/never/undo"), 404, "not_found", ""),
        row("a grant that is not there", back("5", why.clone()), 404, "not_found", ""),
        row("a grant that is no number", back("x", why), 404, "not_found", ""),
        row("no reason to take it back", back("5", json!({})), 400, "invalid_field", "reason"),
        row("grants of no number", stage.admin("GET", "/grants?user=x"), 400, "invalid_field", "user"),
        row("grants of no rule", stage.admin("GET", "/grants?rule=x"), 400, "invalid_field", "rule"),
        row("grants from nowhere", stage.player("GET", "/me/grants?after=x"), 400, "cursor_invalid", ""),
    ]
}
