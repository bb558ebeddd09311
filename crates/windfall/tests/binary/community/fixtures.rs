//! Posts to do something with.

use serde_json::{Value, json};

use crate::client::Call;
use crate::people::Person;
use crate::process::Server;

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
