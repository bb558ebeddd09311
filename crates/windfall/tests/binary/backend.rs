//! A company's backend with a key for stock. It may outlive the server it speaks to.

use std::net::SocketAddr;
use std::time::Instant;

use serde_json::{Value, json};
use testkit::wait;

use crate::client::{Answer, Call};
use crate::people::{Key, fresh_external};
use crate::process::{LIMIT, Server};

#[derive(Clone, Debug)]
pub struct Backend {
    address: SocketAddr,
    pub key: Key,
}

impl Backend {
    /// With a key of its own.
    pub async fn new(server: &Server) -> Self {
        Self::with(server, server.new_key(&["inventory"]).await)
    }

    pub fn with(server: &Server, key: Key) -> Self {
        Self::at(server.address, key)
    }

    /// At a place where a server may or may not be.
    pub fn at(address: SocketAddr, key: Key) -> Self {
        Self { address, key }
    }

    fn call(&self, method: &str, path: &str) -> Call {
        Call::to(self.address, method, format!("/api/v1/inventory{path}")).key(&self.key.secret)
    }

    pub fn get(&self, path: &str) -> Call {
        self.call("GET", path)
    }

    pub fn post(&self, path: &str, body: Value) -> Call {
        self.call("POST", path).json(body)
    }

    /// Without a body.
    pub fn post_nothing(&self, path: &str) -> Call {
        self.call("POST", path)
    }

    /// A new pool of so many units; answers its name.
    pub async fn pool(&self, total: u64) -> String {
        let name = format!("store-7/{}", fresh_external());
        let open = json!({ "id": fresh_external(), "name": name, "total": total });
        self.post("/pools", open).expect(201).await;
        name
    }

    pub fn reserve(&self, id: &str, pool: &str, quantity: i64) -> Call {
        let lines = json!([{ "pool": pool, "quantity": quantity }]);
        self.post("/holds", json!({ "id": id, "lines": lines, "ttl_ms": 600_000 }))
    }

    /// `[total, available, held, taken]` as they are now.
    pub async fn counters(&self, pool: &str) -> [u64; 4] {
        let pool = self.get(&format!("/pools/{}", part(pool))).expect(200).await.json();
        ["total", "available", "held", "taken"].map(|counter| pool[counter].as_u64().unwrap())
    }

    /// Movements of a pool once there are so many, oldest first.
    pub async fn movements(&self, pool: &str, count: usize) -> Vec<Value> {
        let path = format!("/pools/{}/movements", part(pool));
        let all = settled(|| self.get(&path), |answer| answer.items().len() == count).await;
        let mut items = all.items();
        items.reverse();
        items
    }
}

/// A name as one part of an address.
pub fn part(name: &str) -> String {
    name.replace('/', "%2F")
}

/// Asks again until the answer is as it should be: rows follow the ledger by a moment.
pub async fn settled(call: impl Fn() -> Call, settled: impl Fn(&Answer) -> bool) -> Answer {
    let started = Instant::now();
    loop {
        let answer = call().send().await;
        if settled(&answer) {
            return answer;
        }
        assert!(started.elapsed() < LIMIT, "it does not settle: {}", answer.text());
        wait::pause().await;
    }
}
