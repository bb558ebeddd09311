//! Forms, and people to write, review and run what they say.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::backend::settled;
use crate::client::{Answer, Call};
use crate::people::Person;
use crate::process::Server;

pub const HOUR_MS: i64 = 3_600_000;

pub fn now_ms() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    i64::try_from(now).unwrap()
}

/// A wheel with two prizes; its window is given in hours from now.
pub fn form(from_h: i64, until_h: i64) -> Value {
    json!({
        "name": "Spring wheel",
        "from": now_ms() + from_h * HOUR_MS,
        "until": now_ms() + until_h * HOUR_MS,
        "zone": "Asia/Shanghai",
        "entries": 100,
        "chances": { "total": 5, "day": 2 },
        "prizes": [
            { "name": "car", "odds": 10, "units": 3, "kind": "parcel" },
            { "name": "five points", "odds": 500_000, "unlimited": true, "kind": "points", "amount": 5 },
        ],
    })
}

/// Running now.
pub fn running() -> Value {
    form(-1, 1)
}

/// The people around an activity, each with a session of their own.
#[derive(Debug)]
pub struct Crew<'s> {
    pub server: &'s Server,
    pub author: Person,
    pub reviewer: Person,
}

impl<'s> Crew<'s> {
    pub async fn new(server: &'s Server) -> Self {
        let (author, reviewer) = (server.person(&["operator"]).await, server.person(&["reviewer"]).await);
        Self { server, author, reviewer }
    }

    #[allow(clippy::needless_pass_by_value)] // Reads as `json!` at the call.
    pub async fn write(&self, form: Value) -> String {
        self.server.by(&self.author, "POST", "/activities").json(form).expect(201).await.member("id")
    }

    /// A step by whoever may take it, with a reason.
    pub fn step(&self, id: &str, step: &str) -> Call {
        let who = if matches!(step, "approve" | "refuse") { &self.reviewer } else { &self.author };
        let body = json!({ "reason": "as planned" });
        self.server.by(who, "POST", &format!("/activities/{id}/{step}")).json(body)
    }

    pub fn edit(&self, id: &str, edition: u32, form: &Value) -> Call {
        let path = format!("/activities/{id}?edition={edition}");
        self.server.by(&self.author, "PUT", &path).json(form.clone())
    }

    pub fn get(&self, path: &str) -> Call {
        self.server.by(&self.reviewer, "GET", path)
    }

    /// Written, submitted and approved; answers its id.
    pub async fn publish(&self, form: Value) -> String {
        let id = self.write(form).await;
        self.step(&id, "submit").expect(200).await;
        self.step(&id, "approve").expect(200).await;
        self.carried(&id).await;
        id
    }

    /// Waits until the ledger has it: at once, unless its start is carried out in the same moment.
    pub async fn carried(&self, id: &str) -> Value {
        let look = || self.get(&format!("/activities/{id}"));
        settled(look, |answer| answer.json()["carried"] == true).await.json()
    }

    pub async fn state(&self, id: &str) -> Value {
        self.get(&format!("/activities/{id}")).expect(200).await.json()["state"].clone()
    }
}

/// Fields and codes of everything that is wrong.
pub fn problems(answer: &Answer) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let listed = answer.json()["problems"].as_array().cloned().unwrap_or_default();
    listed.iter().map(|problem| (text(&problem["field"]), text(&problem["code"]))).collect()
}
