//! Browsers that come, and what operators are told of them.

use serde_json::Value;

use crate::backend::settled;
use crate::client::{Answer, Call};
use crate::people::Person;
use crate::process::Server;

pub const DAY_MS: i64 = 86_400_000;

/// Somebody opens the page in a browser that they had not opened it with.
pub async fn open(server: &Server) -> Answer {
    server.page("GET", "/").header("accept", "text/html").expect(200).await
}

/// A new browser that keeps its cookie, and what it sends from then on.
pub async fn browser(server: &Server) -> String {
    let cookie = open(server).await.cookie();
    assert!(cookie.contains("windfall_visitor="), "{cookie}");
    cookie
}

/// What the page asks for when it is opened.
pub fn look(server: &Server, browser: &str) -> Call {
    server.api("GET", "/site").cookie(browser)
}

/// The same by somebody who is signed in.
pub fn signed_in(server: &Server, browser: &str, person: &Person, path: &str) -> Call {
    server.api("GET", path).cookie(&format!("{browser}; {}", person.cookie))
}

/// Has what was counted written, and waits until a report says what it should.
pub async fn told(server: &Server, path: &str, is_there: impl Fn(&Value) -> bool) -> Value {
    server.console("POST", "/admin/jobs/statistics/run").expect(202).await;
    let report = || server.console("GET", path);
    settled(report, |answer| answer.status == 200 && is_there(&answer.json())).await.json()
}

/// The figures of today, once so many visitors and people are counted.
pub async fn today(server: &Server, visitors: u64, people: u64) -> Value {
    let last = |report: &Value| report["days"].as_array().unwrap().last().unwrap().clone();
    let report = told(server, "/admin/statistics/daily", |report| {
        last(report)["visitors"] == visitors && last(report)["people"] == people
    });
    last(&report.await)
}

/// Waits until everything that was counted is written, so that a report has all of it.
pub async fn written(server: &Server) {
    let runs = || server.console("GET", "/admin/jobs/statistics/runs?limit=1");
    let last = |answer: &Answer| {
        answer.items().first().filter(|run| run.get("duration_ms").is_some()).map(|run| run["id"].clone())
    };
    let before = last(&runs().expect(200).await);
    server.console("POST", "/admin/jobs/statistics/run").expect(202).await;
    settled(runs, |answer| {
        let now = last(answer);
        now.is_some() && now != before
    })
    .await;
}
