//! Who may take part, who is sent where, and who is kept from winning: all of it from what the server knows.

use serde_json::{Value, json};

use super::campaign::{Players, generous, prizes};
use crate::activities::fixtures::Crew;
use crate::people::fresh_external;
use crate::process::{Server, shared};

async fn fact(server: &Server, who: &str, facts: Value) {
    let path = format!("/external-users/{who}/facts?create_user=true");
    server.console("PATCH", &path).json(facts).expect(200).await;
}

async fn tree(server: &Server, tree: Value) -> String {
    server.console("POST", "/trees").json(tree).expect(201).await.member("id")
}

/// One question, two leaves.
fn vip(purpose: &str, yes: Value, no: Value) -> Value {
    let (mut yes, mut no) = (yes, no);
    (yes["id"], no["id"]) = (json!(2), json!(3));
    let ask = json!({ "id": 1, "fact": "vip", "type": "flag",
        "edges": [{ "when": "=", "value": true, "to": 2 }], "otherwise": 3 });
    json!({ "name": "VIPs", "purpose": purpose, "root": 1, "nodes": [ask, yes, no] })
}

#[tokio::test]
async fn a_tree_lets_in_whom_the_servers_facts_allow() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let tree = tree(server, vip("admission", json!({ "leaf": "allow" }), json!({ "leaf": "deny" }))).await;
    let mut form = generous(9, 9);
    form["tree"] = json!(tree);
    let players = Players::new(server, &crew.publish(form).await).await;
    let ann = fresh_external();
    players.draw(&ann, "one", 1).refused(403, "not_eligible").await;
    // It sends nobody anywhere, whatever it would answer.
    let key = server.new_key(&["play"]).await;
    let sent = server.api("POST", &format!("/play/trees/{tree}/draws")).key(&key.secret);
    sent.header("windfall-user", &ann).json(json!({ "id": "one" })).refused(404, "not_found").await;
    let claimed = json!({ "id": "one", "facts": { "vip": true } });
    players.post(&ann, "/draws", claimed).refused(400, "invalid_field").await;
    fact(server, &ann, json!({ "vip": true })).await;
    players.draw(&ann, "one", 1).expect(201).await;
    fact(server, &ann, json!({ "vip": false })).await;
    players.draw(&ann, "two", 1).refused(403, "not_eligible").await;
    assert_eq!(players.get(&ann, "/me").expect(200).await.json()["drawn"], 1);
}

#[tokio::test]
async fn a_tree_sends_people_to_activities_and_the_same_click_stays_where_it_was() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let (gold, tin) = (crew.publish(generous(9, 9)).await, crew.publish(generous(9, 9)).await);
    let leaf = |activity: &str| json!({ "leaf": "activity", "activity": activity });
    let tree = tree(server, vip("routing", leaf(&gold), leaf(&tin))).await;
    let key = server.new_key(&["play"]).await;
    let (ann, path) = (fresh_external(), format!("/play/trees/{tree}/draws"));
    let draw = |id: &str| {
        server.api("POST", &path).key(&key.secret).header("windfall-user", &ann).json(json!({ "id": id }))
    };
    let first = draw("one").expect(201).await.json();
    assert_eq!(first["activity"], json!(tin));
    fact(server, &ann, json!({ "vip": true })).await;
    let again = draw("one").expect(200).await.json();
    assert_eq!((&again["activity"], &again["draws"]), (&first["activity"], &first["draws"]));
    assert_eq!(draw("two").expect(201).await.json()["activity"], json!(gold));
    server
        .api("POST", "/play/trees/12/draws")
        .key(&key.secret)
        .header("windfall-user", &ann)
        .json(json!({ "id": "x" }))
        .refused(404, "not_found")
        .await;
}

/// Hole 51: the block list's consolation takes stock like anything else, and ends with it.
#[tokio::test]
async fn hole_51_whoever_is_on_the_block_list_gets_the_consolation_while_it_lasts() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let mut form = generous(9, 9);
    form["prizes"].as_array_mut().unwrap().push(json!({ "name": "card", "id": 5, "units": 2 }));
    form["consolation"] = json!(5);
    let activity = crew.publish(form).await;
    let players = Players::new(server, &activity).await;
    let ann = fresh_external();
    assert_ne!(prizes(&players.draw(&ann, "one", 1).expect(201).await.json()), ["card"]);
    let body = json!({ "external_ids": [ann], "reason": "scripted" });
    server.console("POST", &format!("/activities/{activity}/block-list")).json(body).expect(200).await;
    for (id, expected, why) in [("two", "card", "won"), ("three", "card", "won"), ("four", "-", "miss")] {
        let drawn = players.draw(&ann, id, 1).expect(201).await.json();
        assert_eq!(prizes(&drawn), [expected], "{id}");
        // Nothing in it says that they are on the list.
        assert_eq!(drawn["draws"][0]["why"], json!(why), "{id}");
    }
    assert_eq!(prizes(&players.draw(&fresh_external(), "one", 1).expect(201).await.json()).len(), 1);
}
