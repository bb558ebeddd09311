//! Search over HTTP: what is found, by whom, and how often somebody may ask.

use serde_json::{Value, json};

use super::fixtures::*;
use crate::activities::fixtures::{Crew, running};
use crate::people::Person;
use crate::process::{Home, Server, shared};

/// The address of a search.
fn path(query: &str, kind: &str) -> String {
    let query: String = query.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("/search?q={query}&kind={kind}")
}

async fn find(server: &Server, reader: &Person, query: &str, kind: &str) -> Vec<Value> {
    server.by(reader, "GET", &path(query, kind)).expect(200).await.items()
}

fn ids_of(found: &[Value]) -> Vec<String> {
    found.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

/// A word that nobody else wrote: numbers as ideographs.
fn own_word(id: &str) -> String {
    id.chars().map(|digit| char::from_u32('甲' as u32 + digit.to_digit(10).unwrap()).unwrap()).collect()
}

async fn publish(server: &Server, author: &Person, title: &str, body: &str) -> String {
    let body = json!({ "title": title, "body": body });
    server.by(author, "POST", "/posts").json(body).expect(201).await.member("id")
}

/// Looks until a post is in the index.
async fn found_at_last(server: &Server, reader: &Person, query: &str) -> Vec<Value> {
    eventually("the post is found", async || {
        let found = find(server, reader, query, "post").await;
        (!found.is_empty()).then_some(found)
    })
    .await
}

#[tokio::test]
async fn a_post_is_found_by_a_character_and_by_words_with_what_matched() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let word = own_word(&ann.id);
    let id =
        publish(server, &ann, &format!("{word}抽奖 <b>"), &format!("Happy **{word}**\n\nto [all](/posts)"))
            .await;
    let found = found_at_last(server, &bob, &word).await;
    assert_eq!(ids_of(&found), std::slice::from_ref(&id));
    let marked = json!([{ "text": word, "match": true }, { "text": "抽奖 <b>" }]);
    assert_eq!(found[0]["title"], marked, "a text is a text and never markup");
    let text = json!([{ "text": "Happy " }, { "text": word, "match": true }, { "text": " to all" }]);
    assert_eq!((&found[0]["kind"], &found[0]["text"]), (&json!("post"), &text));
    assert_eq!(found[0]["person"]["id"], json!(ann.id));
    for query in [format!("{word} 奖"), format!("HAPPY {word}"), format!("{word}抽奖")] {
        assert_eq!(ids_of(&find(server, &bob, &query, "post").await), std::slice::from_ref(&id), "{query}");
    }
    assert!(find(server, &bob, &format!("{word} nothing"), "post").await.is_empty());
}

#[tokio::test]
async fn what_a_reader_may_not_see_is_gone_from_search_at_once() {
    let (_, server) = shared().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    let (judge, admin) = (server.person(&["moderator"]).await, server.person(&["admin"]).await);
    let word = own_word(&ann.id);
    let (mut posts, mut people) = (Vec::new(), Vec::new());
    server.by(&ann, "PATCH", "/me").json(json!({ "name": word })).expect(200).await;
    for _ in 0..3 {
        posts.push(publish(server, &ann, &word, "x").await);
    }
    eventually("all are found", async || {
        let found = find(server, &bob, &word, "post").await;
        people = ids_of(&find(server, &bob, &word, "person").await);
        (found.len() == 3 && people.len() == 1).then_some(())
    })
    .await;
    assert_eq!(people, std::slice::from_ref(&ann.id));
    let left = async |reader: &Person| {
        let posts = find(server, reader, &word, "post").await.len();
        (posts, find(server, reader, &word, "person").await.len())
    };
    server.by(&ann, "DELETE", &format!("/posts/{}", posts[0])).expect(204).await;
    assert_eq!(left(&bob).await, (2, 1));
    let remove = json!({ "act": "remove", "reason": "as the rules say" });
    server.by(&judge, "POST", &format!("/admin/posts/{}/moderate", posts[1])).json(remove).expect(200).await;
    assert_eq!(left(&bob).await, (1, 1));
    let block = format!("/users/{}/block", ann.id);
    server.by(&bob, "PUT", &block).expect(200).await;
    assert_eq!(left(&bob).await, (0, 0));
    assert_eq!(left(&judge).await, (1, 1));
    server.by(&bob, "DELETE", &block).expect(200).await;
    let ban = format!("/admin/users/{}/ban", ann.id);
    server.by(&admin, "PUT", &ban).json(json!({ "reason": "spam" })).expect(204).await;
    assert_eq!(left(&bob).await, (0, 0));
    server.by(&admin, "DELETE", &ban).expect(204).await;
    assert_eq!(left(&bob).await, (1, 1));
    let cookie = server.sign_in(&ann.phone, &ann.password).await;
    let code = server.api("POST", "/me/codes").cookie(&cookie).json(json!({})).expect(202).await;
    let body = json!({ "code": code.member("demo_code") });
    server.api("POST", "/me/delete").cookie(&cookie).json(body).expect(204).await;
    assert_eq!(left(&bob).await, (1, 0), "what was written stays, by nobody");
    assert!(find(server, &bob, &word, "post").await[0]["person"].is_null());
}

#[tokio::test]
async fn an_activity_is_found_by_readers_of_both_languages() {
    let home = Home::with(&[("WINDFALL__COMMUNITY__PUBLIC", "false")]);
    let server = home.demo().await;
    let activity = Crew::new(&server).await.publish(running()).await;
    let name = server.api("GET", &format!("/play/activities/{activity}")).expect(200).await.member("name");
    eventually("the activity is found", async || {
        let found = server.api("GET", &path(&name, "activity")).expect(200).await.items();
        ids_of(&found).contains(&activity).then_some(())
    })
    .await;
    for kind in ["post", "person"] {
        server.api("GET", &path("x", kind)).refused(401, "unauthenticated").await;
    }
    server.api("GET", &path("x", "item")).expect(200).await;
}

#[tokio::test]
async fn pages_of_a_search_go_on() {
    let (_, server) = shared().await;
    let ann = server.person(&[]).await;
    let word = own_word(&ann.id);
    let mut posts = Vec::new();
    for _ in 0..5 {
        posts.push(publish(server, &ann, &word, "x").await);
    }
    posts.reverse();
    eventually("all are found", async || {
        (find(server, &ann, &word, "post").await.len() == posts.len()).then_some(())
    })
    .await;
    let search = path(&word, "post");
    let page = |query: &str| server.by(&ann, "GET", &format!("{search}&{}", query.trim_start_matches('?')));
    assert_eq!(ids(page).await, posts);
}

#[tokio::test]
async fn whoever_searches_too_often_waits() {
    let (home, now) = Home::with_still_clock(&[("WINDFALL__LIMITS__SEARCH_PER_MINUTE", "2")]);
    let server = home.demo().await;
    let (ann, bob) = (server.person(&[]).await, server.person(&[]).await);
    for _ in 0..2 {
        assert!(find(&server, &ann, "x", "post").await.is_empty());
    }
    server.by(&ann, "GET", &path("x", "post")).refused(429, "rate_limited").await;
    server.by(&ann, "GET", "/posts").expect(200).await;
    assert!(find(&server, &bob, "x", "item").await.is_empty(), "others have their own");
    home.clock_at(now + 30_000);
    assert!(find(&server, &ann, "x", "post").await.is_empty());
    server.api("GET", &path("x", "post")).expect(200).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_published_is_found_after_a_kill() {
    const POSTS: usize = 20;
    let home = Home::new();
    let server = home.demo().await;
    let ann = server.person(&[]).await;
    let word = own_word(&ann.id);
    for _ in 0..POSTS {
        publish(&server, &ann, &word, "x").await;
    }
    server.kill().await;
    let server = home.demo().await;
    eventually("all are found", async || {
        (find(&server, &ann, &word, "post").await.len() == POSTS).then_some(())
    })
    .await;
}
