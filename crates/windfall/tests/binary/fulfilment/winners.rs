//! The list of winners: masked for everybody once it is published, whole for those who give the prizes, and files of both.

use serde_json::{Value, json};

use super::fixtures::*;
use crate::activities::fixtures::Crew;
use crate::backend::settled;
use crate::people::{Person, fresh_external};
use crate::process::{Server, shared};

/// People who each won the same thing in one activity, in this order.
async fn winners(server: &Server, names: &[&str]) -> (String, Vec<Person>) {
    let activity = Crew::new(server).await.publish(sure(&json!({ "kind": "parcel" }))).await;
    let mut people = Vec::new();
    for (n, name) in names.iter().enumerate() {
        let person = server.person(&[]).await;
        server.by(&person, "PATCH", "/me").json(json!({ "name": name })).expect(200).await;
        let draw = server.by(&person, "POST", &format!("/play/activities/{activity}/draws"));
        draw.json(json!({ "id": fresh_external() })).expect(201).await;
        people.push(person);
        let list = || server.console("GET", &format!("/activities/{activity}/winners"));
        settled(list, |answer| answer.items().len() == n + 1).await;
    }
    (activity, people)
}

fn names(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["name"].as_str().unwrap()).collect()
}

fn lines(text: &str) -> Vec<Vec<&str>> {
    text.trim_start_matches('\u{feff}').lines().map(|line| line.split(',').collect()).collect()
}

#[tokio::test]
async fn the_list_is_for_everybody_once_an_operator_says_so() {
    let (_, server) = shared().await;
    let (activity, _) = winners(server, &["小明", "John", "Ann"]).await;
    let path = format!("/activities/{activity}/winners");
    let player = server.person(&[]).await;
    server.api("GET", &path).refused(401, "unauthenticated").await;
    server.by(&player, "GET", &path).refused(403, "forbidden").await;
    let operator = server.person(&["operator"]).await;
    let publish = || server.by(&operator, "POST", &format!("{path}/publish"));
    server.by(&player, "POST", &format!("{path}/publish")).refused(403, "forbidden").await;
    let since = publish().json(json!({ "reason": "as announced" })).expect(200).await.json();
    assert_eq!(publish().expect(200).await.json(), since, "the first word counts");
    let log = server.console("GET", &format!("/admin/audit?subject=activity:{activity}")).expect(200).await;
    let told = log.items().iter().filter(|line| line["action"] == "activity.winners_publish").count();
    assert_eq!(told, 1);

    let first = server.api("GET", &format!("{path}?limit=2")).expect(200).await;
    assert_eq!(names(&first.items()), ["小**", "J***"]);
    let one = &first.items()[0];
    assert_eq!((&one["prize_name"], &one["round"]), (&json!("sure thing"), &json!(1)));
    assert!(one.get("user").is_none() && one.get("id").is_none(), "{one}");
    let rest = server.api("GET", &format!("{path}?limit=2&after={}", first.member("next"))).expect(200).await;
    assert_eq!((names(&rest.items()), rest.json().get("next")), (vec!["A***"], None));
    let table = server.api("GET", &format!("{path}?format=csv")).expect(200).await.text();
    assert_eq!(lines(&table)[0], ["name", "round", "prize", "prize_name", "fallback_points", "time"]);
    assert_eq!(lines(&table)[1..].iter().map(|line| line[0]).collect::<Vec<_>>(), ["小**", "J***", "A***"]);
}

#[tokio::test]
async fn what_was_voided_is_on_the_whole_list_only() {
    let (_, server) = shared().await;
    let (activity, people) = winners(server, &["小明", "John"]).await;
    let whole = server.console("GET", &format!("/admin/activities/{activity}/winners"));
    let table = whole.clone().expect(200).await.text();
    let rows = lines(&table);
    assert_eq!(rows[0][..4], ["win", "user", "external_id", "name"]);
    let [first, second] = [&rows[1], &rows[2]];
    assert_eq!((first[1], first[3], first[7], first[8]), (&*people[0].id, "小明", "parcel", "claimable"));
    assert_eq!((second[1], second[3]), (&*people[1].id, "John"));
    void(server, first[0]).await;
    let table = whole.expect(200).await.text();
    assert_eq!(lines(&table)[1][8], "voided");
    let list =
        |query: &str| server.console("GET", &format!("/activities/{activity}/winners{query}")).expect(200);
    assert_eq!(names(&list("").await.items()), ["J***"]);
    // Whoever asks for one gets one, and hears that there are no more.
    let page = list("?limit=1").await;
    assert_eq!((names(&page.items()), page.json().get("next")), (vec!["J***"], None));
    let shown = || server.api("GET", &format!("/play/activities/{activity}/winners"));
    let one =
        settled(shown, |answer| answer.json()["items"].as_array().is_some_and(|all| all.len() == 1)).await;
    assert_eq!(one.json()["items"][0]["name"], "J***");
    let prizes = |query: &str| {
        let path = format!("/fulfilments.csv?activity={activity}{query}");
        async move { server.console("GET", &path).expect(200).await.text() }
    };
    for (query, count) in [("", 2), ("&state=voided", 1), ("&state=to_ship", 0), ("&kind=parcel", 2)] {
        let table = prizes(query).await;
        assert_eq!(lines(&table).len() - 1, count, "{query}: {table}");
    }
    let table = prizes("&state=voided").await;
    let row = &lines(&table)[1];
    assert_eq!((row[0], row[2], row[7], row[9]), (first[0], &*people[0].id, "parcel", "voided"));
}
