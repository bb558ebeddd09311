//! What people see of an activity besides its figures: what happened to it, who uses a tree, what players were refused for.

use serde_json::{Value, json};

use super::fixtures::{Crew, form, running};
use crate::backend::settled;
use crate::draws::campaign::{Players, generous};
use crate::people::fresh_external;
use crate::process::shared;
use crate::sales::fixtures::teapots;
use crate::stream::Stream;
use crate::trees::admission;

fn actions(page: &Value) -> Vec<&str> {
    let items = page["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().filter_map(|line| line["action"].as_str()).collect()
}

#[tokio::test]
async fn a_timeline_says_who_did_what_and_why() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let id = crew.publish(running()).await;
    crew.step(&id, "pause").expect(200).await;
    let path = format!("/activities/{id}/timeline");
    let told = server.by(&crew.author, "GET", &path).expect(200).await.json();
    let own = ["activity.pause", "activity.approve", "activity.submit", "activity.create"];
    let seen: Vec<&str> = actions(&told).into_iter().filter(|action| own.contains(action)).collect();
    assert_eq!(seen, own, "{told}");
    let pause = &told["items"][0];
    assert_eq!((&pause["actor"]["id"], &pause["reason"]), (&json!(crew.author.id), &json!("as planned")));
    let names = format!("/admin/names?ids={},7", crew.author.id);
    let names = server.by(&crew.author, "GET", &names).expect(200).await.json();
    assert_eq!(names["items"][0]["id"], crew.author.id.as_str(), "{names}");
    assert_eq!(names["items"][1], json!({ "id": "7" }), "nobody");
    server.by(&crew.author, "GET", "/admin/names?ids=7,x").refused(400, "invalid_field").await;
    let many = vec!["7"; 401].join(",");
    server.by(&crew.author, "GET", &format!("/admin/names?ids={many}")).refused(400, "invalid_field").await;
}

#[tokio::test]
async fn what_is_closed_says_when_it_ended_and_takes_no_units() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let id = crew.publish(running()).await;
    let restock = |command: &str| {
        let body = json!({ "id": command, "delta": 2, "reason": "more" });
        server.by(&crew.author, "POST", &format!("/activities/{id}/prizes/0/restock")).json(body)
    };
    let first = restock("before").expect(200).await.json();
    let before = crew.get(&format!("/activities/{id}")).expect(200).await.json();
    assert_eq!(before["ended_ms"], Value::Null, "{before}");
    crew.step(&id, "close").expect(200).await;
    restock("after").refused(409, "ended").await;
    assert_eq!(restock("before").expect(200).await.json(), first, "what was done is answered again");
    let after = crew.get(&format!("/activities/{id}")).expect(200).await.json();
    let ended = after["ended_ms"].as_i64().unwrap();
    assert!(ended < after["until_ms"].as_i64().unwrap(), "{after}");
    let shown = server.api("GET", &format!("/play/activities/{id}")).expect(200).await.json();
    assert_eq!(shown["ended_ms"].as_i64(), Some(ended), "players see it too: {shown}");
    let list = |from: i64| crew.get(&format!("/activities?limit=200&ended_from_ms={from}")).expect(200);
    let has = |page: Value| page["items"].as_array().unwrap().iter().any(|row| row["id"] == id.as_str());
    assert!(has(list(ended).await.json()) && !has(list(ended + 1).await.json()));
}

#[tokio::test]
async fn a_draft_is_taken_back_once() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let id = crew.write(form(1, 2)).await;
    let discard = |edition: u32| {
        let path = format!("/activities/{id}/discard");
        server.by(&crew.author, "POST", &path).json(json!({ "edition": edition, "reason": "a mistake" }))
    };
    discard(2).refused(409, "edited_meanwhile").await;
    for _ in 0..2 {
        discard(1).header("idempotency-key", "k").expect(204).await;
    }
    crew.get(&format!("/activities/{id}")).refused(404, "not_found").await;
    let told = crew.get(&format!("/activities/{id}/timeline")).expect(200).await.json();
    assert_eq!(actions(&told), ["activity.discard", "activity.create"], "what happened stays");
}

#[tokio::test]
async fn a_tree_is_used_by_versions_and_lets_buyers_in() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let tree = server.by(&crew.author, "POST", "/trees").json(admission(18)).expect(201).await.member("id");
    let sale = crew.publish(teapots(json!({ "tree": tree }))).await;
    let uses = crew.get(&format!("/trees/{tree}/uses")).expect(200).await.json();
    assert_eq!(uses["items"][0]["activity"], sale.as_str(), "{uses}");
    assert_eq!((&uses["items"][0]["live"], &uses["items"][0]["tree_version"]), (&json!(true), &json!(1)));
    let (child, adult) = (server.person(&[]).await, server.person(&[]).await);
    let facts = |age: i64| json!({ "age": age });
    for (who, age) in [(&child, 12), (&adult, 30)] {
        server.console("PATCH", &format!("/admin/users/{}/facts", who.id)).json(facts(age)).expect(200).await;
    }
    let token = |who| server.by(who, "POST", &format!("/sales/{sale}/token")).json(json!({}));
    token(&child).refused(403, "not_eligible").await;
    token(&adult).expect(201).await;
}

#[tokio::test]
async fn refusals_are_counted_by_cause() {
    let (_, server) = shared().await;
    let crew = Crew::new(server).await;
    let id = crew.publish(generous(10, 1)).await;
    let (players, player) = (Players::new(server, &id).await, fresh_external());
    players.draw(&player, "first", 1).expect(201).await;
    for n in 0..2 {
        players.draw(&player, &format!("beyond-{n}"), 1).refused(409, "chances_spent").await;
    }
    let figures = || crew.get(&format!("/activities/{id}/report"));
    let minutes = settled(figures, |told| told.json()["minutes"][0]["draws"] == 1).await.json();
    assert_eq!(minutes["minutes"].as_array().unwrap().len(), 1, "{minutes}");
    let key = server.new_key(&["read"]).await;
    let live = format!("/activities/{id}/live");
    let told = Stream::open(server, Some(&key), &live, "figures").await.next().await.unwrap();
    assert_eq!(told["refusals"], json!([{ "code": "chances_spent", "count": 2 }]), "{told}");
}
