//! One stream for each person.

use serde_json::{Value, json};

use super::fixtures::*;
use crate::people::Person;
use crate::process::{Server, shared};
use crate::stream::Stream;

async fn follow(server: &Server, person: &Person, last: Option<&str>) -> Stream {
    let mut headers = vec![("cookie", person.cookie.clone())];
    headers.extend(last.map(|last| ("last-event-id", last.to_owned())));
    Stream::open_as(server, &headers, "/me/events", "").await
}

/// The next event of a kind, and its id.
async fn next(stream: &mut Stream, kind: &str) -> (String, Value) {
    loop {
        let (name, id, data) = stream.next_event().await.expect("an event");
        if name == kind {
            return (id, data);
        }
    }
}

#[tokio::test]
async fn what_happens_is_told_at_once_and_nothing_is_missed_in_between() {
    let (_, server) = shared().await;
    let (ann, bob, carl) = (server.person(&[]).await, server.person(&[]).await, server.person(&[]).await);
    let id = post(server, &ann).await;
    let mut stream = follow(server, &ann, None).await;
    let (name, _, first) = stream.next_event().await.unwrap();
    assert_eq!((name.as_str(), first), ("unread", json!({ "notifications": 0, "messages": 0 })));
    server.by(&bob, "PUT", &format!("/posts/{id}/like")).expect(200).await;
    let (last, told) = next(&mut stream, "notification").await;
    assert_eq!((&told["kind"], &told["people"][0]["id"]), (&json!("like"), &json!(bob.id)));
    assert_eq!(last, told["id"].as_str().unwrap());
    assert_eq!(next(&mut stream, "unread").await.1["notifications"], json!(1));
    drop(stream);
    // Meanwhile.
    server.by(&carl, "PUT", &format!("/users/{}/follow", ann.id)).expect(200).await;
    server
        .by(&carl, "POST", &format!("/users/{}/messages", ann.id))
        .json(json!({ "text": "Hi" }))
        .expect(201)
        .await;
    let mut stream = follow(server, &ann, Some(&last)).await;
    let mut kinds = vec![];
    while kinds.len() < 2 {
        kinds.push(next(&mut stream, "notification").await.1["kind"].as_str().unwrap().to_owned());
    }
    kinds.sort();
    assert_eq!(kinds, ["follow", "message"], "what came meanwhile, and nothing twice");
    loop {
        let unread = next(&mut stream, "unread").await.1;
        if unread == json!({ "notifications": 3, "messages": 1 }) {
            break;
        }
    }
}

#[tokio::test]
async fn a_ban_ends_the_stream() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let id = post(server, &ann).await;
    let mut stream = follow(server, &ann, None).await;
    next(&mut stream, "unread").await;
    server.by(&bob, "PUT", &format!("/posts/{id}/like")).expect(200).await;
    next(&mut stream, "unread").await;
    server.ban(&ann.id).await;
    server.by(&bob, "PUT", &format!("/users/{}/follow", ann.id)).refused(404, "not_found").await;
    assert!(stream.next_event().await.is_none(), "within one look");
}
