//! Hole 74: a diff that leaves out what it points to is approved unseen.

use serde_json::{Value, json};

use super::fixtures::{Crew, running};
use crate::codes::{import, pool};
use crate::people::fresh_external;
use crate::process::{Server, shared};
use crate::trees::admission;

async fn tree(server: &Server, adult: i64) -> String {
    let operator = server.person(&["operator"]).await;
    server.by(&operator, "POST", "/trees").json(admission(adult)).expect(201).await.member("id")
}

async fn next_version(server: &Server, tree: &str, adult: i64) {
    let operator = server.person(&["operator"]).await;
    let mut next = admission(adult);
    next["version"] = json!(1);
    server.by(&operator, "PUT", &format!("/trees/{tree}")).json(next).expect(200).await;
}

async fn diff(crew: &Crew<'_>, id: &str, number: u32) -> Value {
    crew.get(&format!("/activities/{id}/versions/{number}/diff")).expect(200).await.json()
}

fn change(diff: &Value, field: &str) -> Option<Value> {
    let changes = diff["changes"].as_array().unwrap();
    changes.iter().find(|change| change["field"] == field).cloned()
}

#[tokio::test]
async fn hole_74_another_version_of_the_same_tree_is_a_change() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let tree = tree(server, 18).await;
    let mut form = running();
    form["tree"] = json!(tree);
    let id = crew.publish(form.clone()).await;
    next_version(server, &tree, 21).await;
    form["description"] = json!("other words");
    crew.edit(&id, 0, &form).expect(200).await;
    let before = diff(&crew, &id, 2).await;
    assert_eq!(change(&before, "tree_version").unwrap()["after"], "2", "before it is submitted: {before}");
    crew.step(&id, "submit").expect(200).await;
    let shown = diff(&crew, &id, 2).await;
    let told = change(&shown, "tree_version").unwrap();
    assert_eq!((&told["before"], &told["after"]), (&json!("1"), &json!("2")), "{shown}");
    assert_eq!((&shown["tree_before"]["version"], &shown["tree"]["version"]), (&json!(1), &json!(2)));
    assert_eq!(shown["names"][format!("tree.{tree}")], shown["tree"]["name"]);
    // Fixed at submission: a third version is not what is approved.
    assert_eq!(shown["tree"]["newest"], 2);
}

#[tokio::test]
async fn hole_74_a_first_version_says_everything_and_what_it_can_cost() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let (pool, x) = (pool(server).await, fresh_external());
    import(server, &pool, &format!("{x}-1\n{x}-2\n")).await;
    let mut form = running();
    let at = form["from"].as_i64().unwrap() + 60_000;
    form["prizes"] = json!([{
        "name": "Tea", "odds": 1_000_000, "units": 30, "cost_minor": 250, "kind": "code", "pool": pool,
        "release": [{ "at": at, "units": 10 }, { "at": at + 60_000, "units": 20 }],
    }]);
    let id = crew.write(form).await;
    let shown = diff(&crew, &id, 1).await;
    assert!(shown.get("before").is_none(), "{shown}");
    let release = change(&shown, "prizes.0.release").unwrap()["after"].as_str().unwrap().to_owned();
    assert!(release.starts_with("10 from ") && release.contains(", 20 from "), "{release}");
    assert_eq!(shown["names"]["prizes.0"], "Tea");
    assert_eq!(shown["worst_case"], json!({ "cost_minor": 7_500, "bound": "units" }));
    let short = &shown["codes"][0];
    assert_eq!(
        (&short["left"], &short["promised"], &short["more"]),
        (&json!(2), &json!(0), &json!(30)),
        "{shown}"
    );
    assert_eq!(short["name"], "Tea");
}
