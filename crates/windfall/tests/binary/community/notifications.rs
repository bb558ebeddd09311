//! What people hear of, over HTTP.

use serde_json::{Value, json};

use super::fixtures::*;
use crate::people::Person;
use crate::process::{Server, shared};

async fn heard(server: &Server, person: &Person) -> Vec<Value> {
    server.by(person, "GET", "/me/notifications").expect(200).await.items()
}

#[tokio::test]
async fn a_like_and_a_comment_are_heard_grouped_and_read() {
    let (_, server) = shared().await;
    let (ann, bob, carl) = (server.person(&[]).await, server.person(&[]).await, server.person(&[]).await);
    let id = post(server, &ann).await;
    for fan in [&bob, &carl] {
        server.by(fan, "PUT", &format!("/posts/{id}/like")).expect(200).await;
    }
    let comments = format!("/threads/post/{id}/comments");
    server.by(&bob, "POST", &comments).json(json!({ "text": "How nice" })).expect(201).await;
    let found = eventually("both are heard", async || {
        let found = heard(server, &ann).await;
        (found.len() == 2 && found.iter().all(|one| one["times"] != 0)).then_some(found)
    })
    .await;
    let comment = found.iter().find(|one| one["kind"] == "comment").unwrap();
    assert_eq!((&comment["text"], &comment["on"]), (&json!("How nice"), &json!("post")));
    eventually("the second like joins the first", async || {
        let found = heard(server, &ann).await;
        let like = found.iter().find(|one| one["kind"] == "like")?.clone();
        (like["people_count"] == 2 && like["people"].as_array()?.len() == 2).then_some(())
    })
    .await;
    let unread = server.by(&ann, "GET", "/me/unread").expect(200).await.json();
    assert_eq!(unread, json!({ "notifications": 2, "messages": 0 }));
    let newest = heard(server, &ann).await[0]["id"].clone();
    for _ in 0..2 {
        let read = server.by(&ann, "POST", "/me/notifications/read").json(json!({ "until": newest }));
        assert_eq!(read.expect(200).await.json()["notifications"], json!(0));
    }
    assert!(heard(server, &bob).await.is_empty(), "nobody hears of themselves");
}

#[tokio::test]
async fn who_is_named_is_linked_and_hears_of_it() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let name = format!("bob{}", bob.id);
    server.by(&bob, "PATCH", "/me").json(json!({ "name": name })).expect(200).await;
    post(server, &bob).await;
    let written = json!({ "title": "Thanks", "body": format!("Thanks @{name} and @nobody{}!", bob.id) });
    let made = server.by(&ann, "POST", "/posts").json(written).expect(201).await;
    let html = made.member("html");
    assert!(html.contains(&format!("<a href=\"/members/{}\">@{name}</a>", bob.id)), "{html}");
    assert!(html.contains(&format!("@nobody{}!", bob.id)) && html.matches("<a ").count() == 1, "{html}");
    let comments = format!("/threads/post/{}/comments", made.member("id"));
    let said =
        server.by(&ann, "POST", &comments).json(json!({ "text": format!("@{name}?") })).expect(201).await;
    assert_eq!(said.json()["mentions"], json!([{ "name": name, "id": bob.id }]));
    eventually("both are heard", async || {
        let found = heard(server, &bob).await;
        (found.len() == 2 && found.iter().all(|one| one["kind"] == "mention")).then_some(())
    })
    .await;
}

#[tokio::test]
async fn what_is_switched_off_or_muted_is_not_heard() {
    let (_, server) = shared().await;
    let (ann, bob, carl) = (server.person(&[]).await, server.person(&[]).await, server.person(&[]).await);
    let id = post(server, &ann).await;
    let off = json!({ "off": ["like"] });
    let settings = server.by(&ann, "PUT", "/me/notification-settings").json(off).expect(200).await.json();
    assert_eq!((&settings["off"], &settings["mutes"]), (&json!(["like"]), &json!([])));
    server.by(&ann, "PUT", &format!("/me/mutes/person/{}", bob.id)).expect(204).await;
    for one in [&bob, &carl] {
        server.by(one, "PUT", &format!("/posts/{id}/like")).expect(200).await;
        server.by(one, "PUT", &format!("/users/{}/follow", ann.id)).expect(200).await;
    }
    let found = eventually("carl is heard", async || {
        let found = heard(server, &ann).await;
        (!found.is_empty()).then_some(found)
    })
    .await;
    let people = found[0]["people"].as_array().unwrap();
    assert_eq!((found.len(), &found[0]["kind"]), (1, &json!("follow")));
    assert_eq!((people.len(), &people[0]["id"]), (1, &json!(carl.id)));
    let settings = server.by(&ann, "GET", "/me/notification-settings").expect(200).await.json();
    assert_eq!(settings["mutes"], json!([{ "on": "person", "id": bob.id }]));
}
