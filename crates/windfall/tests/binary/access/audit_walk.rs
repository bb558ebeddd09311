//! Every administrative request leaves a line in the audit log under its own request id: what was made is told as it is, what
//! was removed as it was, and what was changed as both.

use futures::{StreamExt, stream};

use super::caller::{Actor, Caller};
use super::suite::ROWS_AT_ONCE;
use super::table::Row;
use super::{administrative, body, request};
use crate::process::{Server, shared};

/// Requests that leave none, each with why.
const EXEMPT: &[(&str, &str)] = &[
    ("POST /activities/simulate", "changes nothing"),
    ("POST /code-pools/{id}/codes/preview", "changes nothing"),
    ("POST /code-pools/{id}/retire", "the row's pool is empty; what is retired has a line codes.retire"),
    ("POST /admin/words/try", "changes nothing"),
    ("POST /trees/dry-run", "changes nothing"),
    ("POST /trees/{id}/dry-run", "changes nothing"),
    (
        "POST /admin/ledger/reconcile",
        "the row's look finds nothing; what is corrected has a line ledger.correct",
    ),
    ("PATCH /admin/jobs/{name}", "the row changes nothing of the job: what is so already leaves no line"),
    ("POST /outbox/dead-letters/redrive", "the row's lane has none; each letter has a line of its own"),
    ("POST /admin/quarantine/messages", "the row's lane has none; what is decided has a line quarantine.*"),
    (
        "POST /admin/quarantine/code-pools/{id}/release",
        "the row's pool may be out already; one that is not has a line",
    ),
    (
        "POST /webhooks/{id}/deliveries/{delivery}/replay",
        "the receiver that it needs belongs to the test of the access table",
    ),
    ("POST /webhooks/{id}/replay", "the row's window is empty; what is replayed has a line"),
    ("POST /inventory/batch", "each command in it as by itself; the row cancels a hold"),
    ("POST /inventory/holds", "a hold is the ledger's own record, with its caller"),
    ("POST /inventory/holds/{id}/confirm", "a hold is the ledger's own record, with its caller"),
    ("POST /inventory/holds/{id}/cancel", "a hold is the ledger's own record, with its caller"),
    ("POST /inventory/holds/{id}/extend", "a hold is the ledger's own record, with its caller"),
];

#[tokio::test(flavor = "multi_thread")]
async fn every_administrative_request_is_audited() {
    let (_, server) = shared().await;
    let rows = administrative();
    for (exempt, why) in EXEMPT {
        assert!(rows.iter().any(|row| row.name() == *exempt), "no such request any more: {exempt} ({why})");
    }
    let judged = rows
        .into_iter()
        .filter(|row| !EXEMPT.iter().any(|(exempt, _)| row.name() == *exempt))
        .map(|row| async move { unaudited(server, &row).await.map(|why| format!("{}: {why}", row.name())) });
    let complaints: Vec<Option<String>> = stream::iter(judged).buffer_unordered(ROWS_AT_ONCE).collect().await;
    let wrong: Vec<String> = complaints.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} requests leave no good line:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is wrong with the line of a request, if anything is.
async fn unaudited(server: &Server, row: &Row) -> Option<String> {
    let may = |role| row.cells.iter().any(|(who, status)| *who == Caller::Staff(role) && *status < 300);
    let role = if may("admin") { "admin" } else { "operator" };
    let actor = Actor::new(server, Caller::Staff(role), &[]).await;
    let owner = actor.owner(server).await;
    let path = request::path(server, row, &actor, &owner).await;
    let mut call = server.api(row.method, &path);
    if let Some(body) = body::body(server, row, (&actor, &owner), &path).await {
        call = call.json(body);
    }
    if let Some((kind, bytes)) = body::other(row) {
        call = call.header("content-type", kind).body(bytes);
    }
    // What is undone has to be there first.
    match row.name().as_str() {
        "DELETE /admin/users/{id}/ban" => {
            server.console("PUT", &path).json(serde_json::json!({ "reason": "fraud" })).expect(204).await;
        }
        "POST /webhooks/{id}/on" => {
            server.console("POST", &path.replace("/on", "/off")).expect(200).await;
        }
        _ => {}
    }
    let answer = actor.sign(call).send().await;
    if answer.status >= 300 {
        return Some(format!("{}: {}", answer.status, answer.text()));
    }
    let id = answer.header("x-request-id").to_owned();
    let me = actor.person.as_ref()?.id.clone();
    let log = server.console("GET", &format!("/admin/audit?actor={me}&limit=100")).expect(200).await;
    let lines = log.items();
    let Some(line) = lines.iter().find(|line| line["request_id"] == id.as_str()) else {
        return Some("no line".to_owned());
    };
    let told = |side: &str| line.get(side).is_some_and(|value| !value.is_null());
    let needs: &[&str] = match act(row, answer.status) {
        Act::Create => &["after"],
        Act::Remove => &["before"],
        Act::Change => &["before", "after"],
    };
    let silent: Vec<_> = needs.iter().filter(|side| !told(side)).collect();
    (!silent.is_empty()).then(|| format!("{} says nothing of {silent:?}", line["action"]))
}

/// What a line has to tell follows from what was done.
enum Act {
    Create,
    Remove,
    Change,
}

fn act(row: &Row, status: u16) -> Act {
    let name = row.name();
    match (row.method, status) {
        ("DELETE", _) => Act::Remove,
        // Made anew, or asked of a second person, which is a request that was not there.
        (_, 201 | 202) => Act::Create,
        _ if CREATES.iter().any(|(path, _)| *path == name) => Act::Create,
        _ => Act::Change,
    }
}

/// Requests that answer 200 or 204 and still make something that was not there, each with what.
const CREATES: &[(&str, &str)] = &[
    ("POST /behaviours", "what somebody did"),
    ("POST /activities/{id}/block-list", "entries of the list"),
    ("PUT /admin/users/{id}/ban", "a ban of somebody who had none"),
];
