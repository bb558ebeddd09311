//! Comments over HTTP: trees, tombstones, likes, whom they are for.

use serde_json::{Value, json};

use super::fixtures::*;
use crate::activities::fixtures::{Crew, running};
use crate::process::{Home, shared};

#[tokio::test]
async fn a_conversation_is_a_tree() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let post = post(server, &ann).await;
    let path = format!("/threads/post/{post}/comments");
    let say = |who, body: Value| server.by(who, "POST", &path).json(body).expect(201);
    let root = say(&ann, json!({ "text": "First" })).await.member("id");
    let reply = say(&bob, json!({ "text": "Second", "reply_to": root })).await.json();
    for (field, expected) in [
        ("root", json!(root)),
        ("parent", json!(root)),
        ("depth", json!(2)),
        ("text", json!("Second")),
        ("on", json!("post")),
        ("subject", json!(post)),
        ("tombstone", json!(false)),
    ] {
        assert_eq!(reply[field], expected, "{field}");
    }
    assert_eq!(reply["reply_to_person"]["id"], json!(ann.id));
    let roots = server.api("GET", &path).expect(200).await.items();
    assert_eq!((roots.len(), &roots[0]["replies"]), (1, &json!(1)));
    let replies = format!("/comments/{root}/replies");
    assert_eq!(
        ids(|query| server.api("GET", &format!("{replies}{query}"))).await,
        [reply["id"].as_str().unwrap()]
    );
    let counted = || async {
        server.api("GET", &format!("/posts/{post}")).expect(200).await.json()["comments"].clone()
    };
    assert_eq!(counted().await, json!(2));
    server.by(&bob, "DELETE", &format!("/comments/{root}")).refused(404, "not_found").await;
    for _ in 0..2 {
        server.by(&ann, "DELETE", &format!("/comments/{root}")).expect(204).await;
    }
    let stone = server.api("GET", &path).expect(200).await.items().remove(0);
    assert_eq!(
        (&stone["tombstone"], &stone["text"], &stone["author"]),
        (&json!(true), &json!(""), &json!(null))
    );
    assert_eq!(counted().await, json!(1));
}

#[tokio::test]
async fn the_same_key_comments_once() {
    let (_, server) = shared().await;
    let ann = server.person(&[]).await;
    let path = format!("/threads/post/{}/comments", post(server, &ann).await);
    let send = |text: &str| {
        server.by(&ann, "POST", &path).header("idempotency-key", "k").json(json!({ "text": text }))
    };
    let first = send("a").expect(201).await.member("id");
    assert_eq!(send("a").expect(201).await.member("id"), first);
    send("b").refused(409, "idempotency_conflict").await;
}

#[tokio::test]
async fn activities_and_people_are_commented_on_too() {
    let (_, server) = shared().await;
    let (crew, ann, bob) = (Crew::new(server).await, server.person(&[]).await, server.person(&[]).await);
    let activity = crew.publish(running()).await;
    let draft = crew.write(running()).await;
    let text = || json!({ "text": "Good luck" });
    for path in
        [format!("/threads/activity/{activity}/comments"), format!("/threads/person/{}/comments", ann.id)]
    {
        server.by(&bob, "POST", &path).json(text()).expect(201).await;
        assert_eq!(server.api("GET", &path).expect(200).await.items().len(), 1);
    }
    let unpublished = format!("/threads/activity/{draft}/comments");
    server.by(&bob, "POST", &unpublished).json(text()).refused(404, "not_found").await;
    server.by(&ann, "PUT", &format!("/users/{}/block", bob.id)).expect(200).await;
    let at_ann = format!("/threads/person/{}/comments", ann.id);
    server.by(&bob, "POST", &at_ann).json(text()).refused(404, "not_found").await;
    assert!(
        server.by(&ann, "GET", &at_ann).expect(200).await.items().is_empty(),
        "what the blocked said is hidden"
    );
}

#[tokio::test]
async fn comments_are_judged_and_posts_are_locked() {
    let (_, server) = shared().await;
    let (ann, judge) = (server.person(&[]).await, server.person(&["moderator"]).await);
    let post = post(server, &ann).await;
    let path = format!("/threads/post/{post}/comments");
    let id = server.by(&ann, "POST", &path).json(json!({ "text": "a" })).expect(201).await.member("id");
    let own = server.by(&judge, "POST", &path).json(json!({ "text": "b" })).expect(201).await.member("id");
    let act = |id: &str, removed: bool| {
        let body = json!({ "removed": removed, "reason": "off topic" });
        server.by(&judge, "POST", &format!("/admin/comments/{id}/moderate")).json(body)
    };
    act(&own, true).refused(403, "own_work").await;
    act(&id, true).expect(204).await;
    assert_eq!(ids(|query| server.api("GET", &format!("{path}{query}"))).await, std::slice::from_ref(&own));
    act(&id, false).expect(204).await;
    assert_eq!(server.api("GET", &path).expect(200).await.items().len(), 2);
    let lock = json!({ "act": "lock", "reason": "enough" });
    server.by(&judge, "POST", &format!("/admin/posts/{post}/moderate")).json(lock).expect(200).await;
    server.by(&ann, "POST", &path).json(json!({ "text": "c" })).refused(409, "comments_locked").await;
}

#[tokio::test]
async fn a_list_by_likes_is_read_to_its_end_as_it_began() {
    let (home, now) = Home::with_still_clock(&[]);
    let server = home.demo().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let path = format!("/threads/post/{}/comments", post(&server, &ann).await);
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(server.by(&ann, "POST", &path).json(json!({ "text": "a" })).expect(201).await.member("id"));
    }
    let like = |who, id: &str| server.by(who, "PUT", &format!("/comments/{id}/like")).expect(200);
    assert_eq!(like(&bob, &made[0]).await.json(), json!({ "liked": true, "likes": 1 }));
    let top = |query: &str| server.by(&bob, "GET", &format!("{path}/top?limit=2{query}"));
    let first = top("").expect(200).await;
    let shown: Vec<Value> = first.items().iter().map(|item| item["id"].clone()).collect();
    assert_eq!(shown, [json!(made[0]), json!(made[2])]);
    for who in [&ann, &bob] {
        like(who, &made[1]).await;
    }
    let next = format!("&after={}", first.member("next"));
    assert_eq!(top(&next).expect(200).await.items()[0]["id"], json!(made[1]));
    home.clock_at(now + 11_000);
    assert_eq!(top("").expect(200).await.items()[0]["id"], json!(made[1]));
    home.clock_at(now + 31 * 60_000);
    top(&next).refused(410, "snapshot_expired").await;
    let unliked = server.by(&bob, "DELETE", &format!("/comments/{}/like", made[1])).expect(200).await.json();
    assert_eq!(unliked, json!({ "liked": false, "likes": 1 }));
}
