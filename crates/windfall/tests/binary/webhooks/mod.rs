//! Webhooks against a receiver on this machine: what arrives, what is tried again, and what nobody else notices.

mod delivering;
mod keeping;
mod kill;
mod kinds;
pub mod receiver;

use serde_json::{Value, json};

use crate::backend::settled;
use crate::people::fresh_external;
use crate::process::Server;
use receiver::Receiver;

pub fn given(url: &str, kinds: &[&str]) -> Value {
    json!({ "name": fresh_external(), "url": url, "kinds": kinds })
}

/// A subscription, and its secret.
pub async fn subscribe(server: &Server, url: &str, kinds: &[&str]) -> (String, String) {
    let made = server.console("POST", "/webhooks").json(given(url, kinds)).expect(201).await;
    (made.member("id"), made.member("secret"))
}

/// Asks for a test; answers the id of the delivery.
pub async fn ping(server: &Server, hook: &str) -> String {
    server.console("POST", &format!("/webhooks/{hook}/test")).expect(202).await.member("delivery_id")
}

/// The attempts of a delivery, the newest first, once the newest came to this.
pub async fn attempts(server: &Server, hook: &str, delivery: &str, came: &str) -> Vec<Value> {
    let path = format!("/webhooks/{hook}/deliveries?delivery={delivery}");
    let newest = |items: &[Value]| items.first().is_some_and(|item| item["came"] == came);
    settled(|| server.console("GET", &path), |answer| newest(&answer.items())).await.items()
}

/// A path about a webhook with real ids in it. Each endpoint has its own, so that none is off when another needs it.
pub async fn path(server: &Server, method: &str, path: &str) -> String {
    let name = format!("{method} {path}").chars().take(40).collect::<String>().replace(['{', '}', '/'], " ");
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let there = server.console("GET", "/webhooks").expect(200).await.items();
    let mine = there.iter().find(|hook| method != "DELETE" && hook["name"] == name.as_str());
    let hook = match mine {
        Some(hook) => hook["id"].as_str().unwrap().to_owned(),
        None => {
            let body =
                json!({ "name": name, "url": Receiver::start().await.url(), "kinds": ["webhook.test"] });
            server.console("POST", "/webhooks").json(body).expect(201).await.member("id")
        }
    };
    let path = path.replace("{id}", &hook);
    if !path.contains("{delivery}") {
        return path;
    }
    let delivery = ping(server, &hook).await;
    attempts(server, &hook, &delivery, "done").await;
    path.replace("{delivery}", &delivery)
}
