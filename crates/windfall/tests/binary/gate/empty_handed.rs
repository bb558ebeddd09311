//! A crowd that brings nothing, or something forged, in front of the real server: it costs no disk write.

use rusqlite::Connection;
use serde_json::{Value, json};
use testkit::wait;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::fixtures::selling;
use crate::activities::fixtures::Crew;
use crate::backend::settled;
use crate::people::fresh_external;
use crate::process::{Home, LIMIT, Server};
use crate::sale_crowd::wire::{Ask, Whereabouts, Wire};
use crate::sales::fixtures::coming;

const BATCHES: usize = 20;
const OF_BATCH: usize = 500;
/// Connections that stay open.
const WIRES: usize = 10;
/// A server renews a few leases while it runs, whoever asks for what. A batch beside which it did is sent again; if the
/// crowd itself cost a write, no batch would ever be without one.
const AGAIN_MAX: usize = 20;

/// What one of them sends, and what they hear.
#[derive(Clone)]
struct Try {
    secret: String,
    path: String,
    who: String,
    body: Value,
    status: u16,
    code: &'static str,
}

impl Try {
    async fn goes(self, server: Whereabouts, times: usize) {
        let mut wire = Wire::new(server, self.secret);
        let headers = [("windfall-user", &*self.who)];
        for _ in 0..times {
            let ask =
                Ask { method: "POST", path: &self.path, headers: &headers, body: self.body.to_string() };
            let heard = wire.ask_surely(&ask).await;
            assert_eq!((heard.status, heard.code()), (self.status, self.code), "{heard:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_without_a_token_cost_no_disk_write() {
    let home = Home::new();
    let server = home.start("serve").await;
    let crew = Crew::new(&server).await;
    let (sale, later) = (crew.publish(selling(10, &json!({}))).await, crew.publish(coming()).await);
    let (secret, ann, ben) = (server.new_key(&["play"]).await.secret, fresh_external(), fresh_external());
    let (_told, address) = watch::channel(Some(server.address));
    let tokens = format!("/sales/{sale}/token");
    let token = async |who: &str| {
        let call = server.api("POST", &tokens).key(&secret).header("windfall-user", who);
        call.expect(201).await.member("token")
    };
    token(&ann).await;
    let theirs = token(&ben).await;
    let attempts = format!("/sales/{sale}/attempts");
    let attempt = |token: Value, status, code| Try {
        secret: secret.clone(),
        path: attempts.clone(),
        who: ann.clone(),
        body: json!({ "token": token }),
        status,
        code,
    };
    let nobody = attempt(json!(theirs), 401, "unauthenticated");
    let early = attempt(Value::Null, 409, "not_started");
    let crowd = [
        attempt(Value::Null, 403, "token_needed"),
        attempt(json!(theirs), 403, "token_wrong"),
        attempt(json!("wft_none"), 403, "token_wrong"),
        Try { secret: "wfk_nobody".to_owned(), ..nobody },
        Try { path: format!("/sales/{later}/token"), body: json!({}), ..early },
    ];
    still(&server).await;

    let files = ["windfall.db", "journal.db"].map(|name| Connection::open(home.data().join(name)).unwrap());
    // Rises with every commit of anybody else.
    let commits = || {
        files
            .each_ref()
            .map(|file| file.query_row("PRAGMA data_version", [], |row| row.get::<_, i64>(0)).unwrap())
    };
    let [_, journal] = commits();
    let (mut done, mut again) = (0, 0);
    while done < BATCHES {
        let [before, _] = commits();
        let one = |one: &Try| one.clone().goes(address.clone(), OF_BATCH / WIRES);
        let going: JoinSet<()> = crowd.iter().cycle().take(WIRES).map(one).collect();
        going.join_all().await;
        let [after, now] = commits();
        assert_eq!(now, journal, "the journal was written");
        if after == before {
            done += 1;
        } else {
            again += 1;
        }
        assert!(again <= AGAIN_MAX, "the database was written beside {again} of {} batches", done + again);
    }

    // With a token in hand a commit is seen: what was looked at tells.
    attempt(json!(token(&ann).await), 202, "").goes(address.clone(), 1).await;
    wait::until(LIMIT, "the order to be written", || (commits()[1] != journal).then_some(())).await.unwrap();
}

/// No job runs any more, and everything that was told has been written.
async fn still(server: &Server) {
    for job in server.console("GET", "/admin/jobs").expect(200).await.json()["items"].as_array().unwrap() {
        let path = format!("/admin/jobs/{}", job["name"].as_str().unwrap());
        server.console("PATCH", &path).json(json!({ "paused": true })).expect(200).await;
    }
    let look = || server.console("GET", "/admin/jobs");
    settled(look, |answer| {
        answer.json()["items"].as_array().unwrap().iter().all(|job| job.get("holder").is_none())
    })
    .await;
    settled(|| server.console("GET", "/admin/ledger"), |answer| answer.json()["lag"] == 0).await;
}
