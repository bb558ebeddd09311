//! Posts to do something with.

use serde_json::{Value, json};

use crate::client::Call;
use crate::people::Person;
use crate::process::{LIMIT, Server};

/// A post as it is sent.
pub fn written(title: &str) -> Value {
    json!({ "title": title, "body": "Some **words**." })
}

/// Somebody's new post; its id.
pub async fn post(server: &Server, author: &Person) -> String {
    server.by(author, "POST", "/posts").json(written("Snow")).expect(201).await.member("id")
}

/// The ids of a list, page by page.
pub async fn ids(ask: impl Fn(&str) -> Call) -> Vec<String> {
    let (mut ids, mut query) = (Vec::new(), "?limit=2".to_owned());
    loop {
        let page = ask(&query).expect(200).await;
        ids.extend(page.items().iter().map(|item| item["id"].as_str().unwrap().to_owned()));
        match page.json()["next"].as_str() {
            Some(next) => query = format!("?limit=2&after={next}"),
            None => return ids,
        }
    }
}

/// Looks until what surely comes is there: the relay works beside the requests.
pub async fn eventually<T>(what: &str, condition: impl AsyncFnMut() -> Option<T>) -> T {
    testkit::wait::until_async(LIMIT, what, condition).await.unwrap()
}

/// The open case about something of somebody.
pub async fn find_case(server: &Server, moderator: &Person, author: &str) -> Value {
    let mut query = "?limit=100".to_owned();
    loop {
        let page = server.by(moderator, "GET", &format!("/admin/reports{query}")).expect(200).await;
        if let Some(case) = page.items().into_iter().find(|case| case["author"]["id"] == json!(author)) {
            return case;
        }
        query = format!("?limit=100&after={}", page.json()["next"].as_str().expect("the case"));
    }
}

/// Somebody writes to another, who reports it; the id of the case.
pub async fn reported_message(server: &Server, sender: &Person, reporter: &Person, text: &str) -> String {
    let to = format!("/users/{}/messages", reporter.id);
    let n =
        server.by(sender, "POST", &to).json(json!({ "text": text })).expect(201).await.json()["n"].clone();
    let report = json!({ "on": "message", "id": sender.id, "n": n, "reason": "abuse" });
    server.by(reporter, "POST", "/reports").json(report).expect(204).await;
    let moderator = server.person(&["moderator"]).await;
    find_case(server, &moderator, &sender.id).await["id"].as_str().unwrap().to_owned()
}

/// Somebody's post that a moderator removed; the id of the decision.
pub async fn removed_post(server: &Server, author: &Person, judge: &Person) -> String {
    let path = format!("/admin/posts/{}/moderate", post(server, author).await);
    let remove = json!({ "act": "remove", "reason": "off topic" });
    server.by(judge, "POST", &path).json(remove).expect(200).await;
    let decisions = server.by(author, "GET", "/me/decisions").expect(200).await.items();
    decisions[0]["id"].as_str().unwrap().to_owned()
}

/// The same with an appeal.
pub async fn appealed_post(server: &Server) -> String {
    let (author, judge) = (server.person(&[]).await, server.person(&["moderator"]).await);
    let id = removed_post(server, &author, &judge).await;
    let appeal = server.by(&author, "POST", &format!("/me/decisions/{id}/appeal"));
    appeal.json(json!({ "text": "Why?" })).expect(204).await;
    id
}
