//! Rule trees and block lists that are asked wrongly. What is wrong within a tree has rows of its own in `trees.rs`.

use serde_json::{Value, json};

use super::rows::row;
use super::suite::{Row, Stage};
use crate::trees::admission;

pub fn trees(stage: &Stage) -> Vec<Row> {
    let make = |change: &dyn Fn(&mut Value)| {
        let mut tree = admission(18);
        change(&mut tree);
        stage.admin("POST", "/trees").json(tree)
    };
    let put = |id: &str, version: Value| {
        let mut tree = admission(21);
        tree["version"] = version;
        stage.admin("PUT", &format!("/trees/{id}")).json(tree)
    };
    let run = |body: Value| stage.admin("POST", &format!("/trees/{}/dry-run", stage.tree)).json(body);
    let draft = |body: Value| stage.admin("POST", "/trees/dry-run").json(body);
    let list = |query: &str| stage.admin("GET", &format!("/trees?{query}"));
    let many: serde_json::Map<_, _> = (0..65).map(|n| (format!("f{n}"), json!(n))).collect();
    vec![
        row("a tree without nodes", make(&|tree| tree["nodes"] = json!([])), 422, "flawed", ""),
        row("a tree without a name", make(&|tree| tree["name"] = json!("")), 422, "flawed", ""),
        row("an unknown field", make(&|tree| tree["version"] = json!(1)), 400, "invalid_field", "version"),
        row(
            "a node's own field",
            make(&|tree| tree["nodes"][0]["go"] = json!(1)),
            400,
            "invalid_field",
            "nodes[0].go",
        ),
        row("an id below zero", make(&|tree| tree["root"] = json!(-1)), 400, "invalid_field", "root"),
        row(
            "a value that is a fraction",
            make(&|tree| tree["nodes"][0]["edges"][0]["value"] = json!(1.5)),
            400,
            "invalid_field",
            "nodes[0].edges[0].value",
        ),
        row(
            "a value that is a list",
            make(&|tree| tree["nodes"][0]["edges"][0]["value"] = json!([1])),
            400,
            "invalid_field",
            "nodes[0].edges[0].value",
        ),
        row(
            "no version to stand on",
            stage.admin("PUT", "/trees/1").json(admission(18)),
            400,
            "invalid_field",
            "version",
        ),
        row("a tree that is not there", put("1", json!(1)), 404, "not_found", ""),
        row("a tree that is no number", put("x", json!(1)), 404, "not_found", ""),
        row("an old version", put(&stage.tree, json!(0)), 409, "version_stale", ""),
        row("a version to come", put(&stage.tree, json!(2)), 409, "version_stale", ""),
        row("a version that is no number", put(&stage.tree, json!("1")), 400, "invalid_field", "version"),
        row(
            "a dry run of nothing",
            stage.admin("POST", "/trees/1/dry-run").json(json!({})),
            404,
            "not_found",
            "",
        ),
        row(
            "a fact's bad name",
            run(json!({ "facts": { "Bad Name": 1 } })),
            400,
            "invalid_field",
            "Bad Name",
        ),
        row(
            "a fact that is an object",
            run(json!({ "facts": { "x": {} } })),
            400,
            "invalid_field",
            "facts.x",
        ),
        row("too many facts", run(json!({ "facts": many })), 409, "facts_full", ""),
        row("a user that is no id", run(json!({ "user_id": "me" })), 400, "invalid_field", "user_id"),
        row("a draft that is none", draft(json!({ "tree": 5 })), 400, "invalid_field", "tree"),
        row("no draft", draft(json!({ "facts": {} })), 400, "invalid_field", "tree"),
        row("an unknown purpose", list("purpose=fun"), 400, "invalid_field", "purpose"),
        row("a search for nothing", list("name="), 400, "invalid_field", "name"),
        row("a bad cursor", list("after=zzz"), 400, "cursor_invalid", ""),
    ]
}

pub fn block_list(stage: &Stage) -> Vec<Row> {
    let list = format!("/activities/{}/block-list", stage.activity);
    let import = |body: Value| stage.admin("POST", &list).json(body);
    let csv = |text: &str| import(json!({ "csv": text, "reason": "x" }));
    vec![
        row("nobody to block", import(json!({ "reason": "x" })), 400, "invalid_field", "users"),
        row("a sheet with a heading alone", csv("user_id\n"), 400, "invalid_field", "users"),
        row("a sheet without a heading", csv("5\n6\n"), 400, "invalid_field", "csv"),
        row("a sheet with lines of two", csv("user_id\n5,6\n"), 422, "flawed", ""),
        row("no reason", import(json!({ "users": ["5"] })), 400, "invalid_field", "reason"),
        row(
            "a blank reason",
            import(json!({ "users": ["5"], "reason": " " })),
            400,
            "invalid_field",
            "reason",
        ),
        row(
            "an id that is a number",
            import(json!({ "users": [5], "reason": "x" })),
            400,
            "invalid_field",
            "users[0]",
        ),
        row(
            "an activity that is no number",
            stage.admin("POST", "/activities/x/block-list").json(json!({ "users": ["5"], "reason": "x" })),
            404,
            "not_found",
            "",
        ),
        row("an activity below zero", stage.admin("GET", "/activities/-1/block-list"), 404, "not_found", ""),
        row("nobody on the list", stage.admin("DELETE", &format!("{list}/1")), 404, "not_found", ""),
    ]
}
