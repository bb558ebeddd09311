//! Sends every row in both languages and looks at the database afterwards.

use serde_json::json;

use super::rows::rows;
use crate::activities::fixtures::{Crew, running};
use crate::client::{Answer, Call};
use crate::draws::campaign::raffle;
use crate::people::{Key, Person, address, fresh_external};
use crate::process::{Home, LIMIT, Server};
use crate::trees::admission;

#[derive(Clone, Debug)]
pub struct Row {
    pub what: &'static str,
    pub call: Call,
    pub status: u16,
    pub code: &'static str,
    /// Empty when no field is to blame.
    pub field: &'static str,
}

/// Who sends the rows, and what they are about.
#[derive(Debug)]
pub struct Stage {
    server: Server,
    player: Person,
    admin: Person,
    pub key: Key,
    /// A rule tree with one version.
    pub tree: String,
    pub body_max: usize,
    /// A pool of redeem codes without any, called `bad input`.
    pub code_pool: String,
    /// A running activity: three units of prize 0, prize 1 not counted.
    pub activity: String,
    /// A raffle that one can enter.
    pub raffle: String,
}

impl Stage {
    /// An idempotency key the player has used.
    pub const USED_KEY: &'static [u8] = b"used-before";

    /// A pool of ten units, three for each owner, as it stands in an address. The holds `open`, `gone` and `done` are on
    /// it: held, cancelled, confirmed.
    pub const POOL: &'static str = "here%2Ftea";

    pub fn anybody(&self, method: &str, path: &str) -> Call {
        self.server.api(method, path)
    }

    pub fn page(&self, method: &str, path: &str) -> Call {
        self.server.page(method, path)
    }

    pub fn player(&self, method: &str, path: &str) -> Call {
        self.server.by(&self.player, method, path)
    }

    pub fn admin(&self, method: &str, path: &str) -> Call {
        self.server.by(&self.admin, method, path)
    }

    pub fn by_key(&self, method: &str, path: &str) -> Call {
        self.server.api(method, path).key(&self.key.secret)
    }

    pub fn player_id(&self) -> &str {
        &self.player.id
    }

    /// An address of the player's under `/admin/users`.
    pub fn user(&self, rest: &str) -> String {
        format!("/admin/users/{}{rest}", self.player.id)
    }
}

#[tokio::test]
async fn every_bad_request_is_refused_by_name_and_changes_nothing() {
    // No job runs beside the test, so that whatever changes was changed by a request.
    let home = Home::with(&[
        ("WINDFALL__JOBS__ENABLED", "false"),
        ("WINDFALL__HTTP__BODY_LIMIT_BYTES", "16384"),
        ("WINDFALL__HTTP__HEADER_LIMIT_BYTES", "16384"),
    ]);
    let server = home.demo().await;
    let activity = Crew::new(&server).await.publish(running()).await;
    let raffle = Crew::new(&server).await.publish(raffle()).await;
    let stage = Stage {
        activity,
        raffle,
        player: server.person(&[]).await,
        admin: server.person(&["admin"]).await,
        key: server.new_key(&["play"]).await,
        tree: server.console("POST", "/trees").json(admission(18)).expect(201).await.member("id"),
        body_max: 16_384,
        code_pool: server
            .console("POST", "/code-pools")
            .json(json!({ "name": "bad input" }))
            .expect(201)
            .await
            .member("id"),
        server,
    };
    let first = stage.player("POST", "/me/addresses").json(address("first"));
    first.header("idempotency-key", Stage::USED_KEY).expect(201).await;
    stage.by_key("GET", "/me").header("windfall-user", fresh_external()).expect(200).await;
    stage.admin("PATCH", &stage.user("/facts")).json(json!({ "vip": true })).expect(200).await;

    stock(&home, &stage).await;

    // When a key was last used is written once a minute; here it never falls due.
    home.database().execute("UPDATE api_keys SET last_used = ?1", [i64::MAX / 4]).unwrap();
    let before = everything(&home);
    let mut wrong = Vec::new();
    for row in rows(&stage) {
        wrong.extend(complaint(&row).await.map(|text| format!("{}: {text}", row.what)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let after = everything(&home);
    for (table, rows) in &before {
        let now = after.iter().find(|(name, _)| name == table).map(|(_, rows)| rows);
        assert_eq!(now, Some(rows), "{table} has changed");
    }
    assert_eq!(stage.player("GET", "/me/addresses").expect(200).await.items().len(), 1);
}

/// The pool and the holds that rows speak of, all of it in the database.
async fn stock(home: &Home, stage: &Stage) {
    let open = json!({ "id": "opened", "name": "here/tea", "total": 12, "owner_max": 3 });
    stage.admin("POST", "/inventory/pools").json(open).expect(201).await;
    for (id, end) in [("open", None), ("gone", Some("cancel")), ("done", Some("confirm"))] {
        let lines = json!([{ "pool": "here/tea", "quantity": 1 }]);
        let body = json!({ "id": id, "lines": lines, "ttl_ms": 600_000 });
        stage.admin("POST", "/inventory/holds").json(body).expect(201).await;
        if let Some(end) = end {
            stage.admin("POST", &format!("/inventory/holds/{id}/{end}")).json(json!({})).expect(200).await;
        }
    }
    let database = home.database();
    testkit::wait::until(LIMIT, "the holds to be in the database", || {
        let sql = "SELECT count(*) FROM holds WHERE ended_seq IS NOT NULL AND id IN ('gone', 'done')";
        let ended: i64 = database.query_row(sql, [], |row| row.get(0)).unwrap();
        (ended == 2).then_some(())
    })
    .await
    .unwrap();
}

async fn complaint(row: &Row) -> Option<String> {
    let en = row.call.clone().header("accept-language", "en").send().await;
    let zh = row.call.clone().header("accept-language", "zh-CN,zh;q=0.9").send().await;
    let found = flaw(row, &en, "en").or_else(|| flaw(row, &zh, "zh-CN"));
    found.or_else(|| {
        let title = |answer: &Answer| answer.member("title");
        let chinese = title(&zh).chars().any(|sign| ('\u{4e00}'..='\u{9fff}').contains(&sign));
        (!chinese || title(&en) == title(&zh)).then(|| format!("not in Chinese: {}", title(&zh)))
    })
}

/// What is wrong about a refusal.
fn flaw(row: &Row, answer: &Answer, language: &str) -> Option<String> {
    let Ok(body) = serde_json::from_slice::<serde_json::Value>(&answer.body) else {
        return Some(format!("{} with {:?}", answer.status, answer.text()));
    };
    let got = json!({
        "status": answer.status,
        "kind": answer.header("content-type"),
        "language": answer.header("content-language"),
        "body": [&body["status"], &body["code"], body["field"].as_str().unwrap_or("")],
        "request_id": body["request_id"],
    });
    let expected = json!({
        "status": row.status,
        "kind": "application/problem+json",
        "language": language,
        "body": [row.status, row.code, row.field],
        "request_id": answer.header("x-request-id"),
    });
    let told = body["request_id"].as_str().is_some_and(|id| !id.is_empty());
    (got != expected || !told).then(|| format!("{got}\n  instead of {expected}\n  {body}"))
}

/// Every row of every table, as text; but not the node's lease, which is renewed all the time.
fn everything(home: &Home) -> Vec<(String, Vec<String>)> {
    let database = home.database();
    let mut names = database
        .prepare(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('nodes') ORDER BY name",
        )
        .unwrap();
    let names: Vec<String> = names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert!(names.iter().any(|name| name == "users"), "{names:?}");
    let rows = |name: &String| {
        let mut all = database.prepare(&format!("SELECT * FROM {name}")).unwrap();
        let columns = all.column_count();
        let text = all.query_map([], |row| {
            (0..columns).map(|at| Ok(format!("{:?}", row.get_ref(at)?))).collect::<Result<Vec<_>, _>>()
        });
        text.unwrap().map(|row| row.unwrap().join(" ")).collect()
    };
    names.iter().map(|name| (name.clone(), rows(name))).collect()
}
