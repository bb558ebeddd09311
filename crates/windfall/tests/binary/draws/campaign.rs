//! Activities worth playing, and players for them.

use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::activities::fixtures::{HOUR_MS, now_ms};
use crate::client::Call;
use crate::people::{Key, fresh_external};
use crate::process::Server;

/// A wheel that everybody wins on while anything is left: two prizes with stock, weighed anew as they go.
pub fn generous(units: u64, chances: u64) -> Value {
    json!({
        "name": format!("generous {}", fresh_external()),
        "from": now_ms() - HOUR_MS,
        "until": now_ms() + HOUR_MS,
        "zone": "Asia/Shanghai",
        "ten": chances >= 10,
        "mode": "renormalised",
        "chances": { "total": chances },
        "prizes": [
            { "name": "tea", "odds": 600_000, "units": units },
            { "name": "cup", "odds": 400_000, "units": units, "kind": "parcel" },
        ],
    })
}

/// A raffle that takes entries for another hour.
pub fn raffle() -> Value {
    json!({
        "name": format!("raffle {}", fresh_external()),
        "from": now_ms() - HOUR_MS,
        "until": now_ms() + HOUR_MS,
        "kind": "raffle",
        "draw_at": now_ms() + HOUR_MS,
        "chances": { "total": 9 },
        "prizes": [{ "name": "a week by the sea", "units": 1 }],
    })
}

/// Players of one activity, named by a key of the company's backend. They may outlive the server.
#[derive(Clone, Debug)]
pub struct Players {
    address: SocketAddr,
    key: Key,
    pub activity: String,
}

impl Players {
    pub async fn new(server: &Server, activity: &str) -> Self {
        let key = server.new_key(&["play"]).await;
        Self { address: server.address, key, activity: activity.to_owned() }
    }

    /// The same players at another server.
    pub fn at(&self, server: &Server) -> Self {
        Self { address: server.address, ..self.clone() }
    }

    /// The same players at another activity.
    pub fn of(&self, activity: &str) -> Self {
        Self { activity: activity.to_owned(), ..self.clone() }
    }

    fn call(&self, method: &str, player: &str, path: &str) -> Call {
        let path = format!("/api/v1/play/activities/{}{path}", self.activity);
        Call::to(self.address, method, path).key(&self.key.secret).header("windfall-user", player)
    }

    pub fn get(&self, player: &str, path: &str) -> Call {
        self.call("GET", player, path)
    }

    /// What a player has beside the activity.
    pub fn me(&self, player: &str, path: &str) -> Call {
        let call = Call::to(self.address, "GET", format!("/api/v1/me{path}"));
        call.key(&self.key.secret).header("windfall-user", player)
    }

    pub fn post(&self, player: &str, path: &str, body: Value) -> Call {
        self.call("POST", player, path).json(body)
    }

    pub fn draw(&self, player: &str, id: &str, draws: u64) -> Call {
        self.post(player, "/draws", json!({ "id": id, "draws": draws }))
    }
}

/// The prizes of a ticket by name; a dash is a miss.
pub fn prizes(ticket: &Value) -> Vec<String> {
    let name = |draw: &Value| draw["prize"]["name"].as_str().unwrap_or("-").to_owned();
    ticket["draws"].as_array().unwrap().iter().map(name).collect()
}
