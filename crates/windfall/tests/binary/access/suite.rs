//! Sends every cell of the table to a running server.

use std::collections::BTreeSet;

use futures::{StreamExt, stream};

use super::caller::{Actor, Caller};
use super::table::{Row, rows};
use super::{body, request};
use crate::process::{Home, Server, shared};

/// Fewer than the server has places for, however long each takes.
pub const ROWS_AT_ONCE: usize = 16;

#[tokio::test(flavor = "multi_thread")]
async fn every_endpoint_answers_every_caller_as_the_table_says() {
    let (home, server) = shared().await;
    let cells = stream::iter(rows()).map(|row| async move { wrong_cells(home, server, &row).await });
    let wrong = cells.buffer_unordered(ROWS_AT_ONCE).concat().await;
    assert!(wrong.is_empty(), "{} cells differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test]
async fn every_endpoint_of_the_api_document_has_a_row() {
    let (_, server) = shared().await;
    let document = server.api("GET", "/openapi.json").expect(200).await.json();
    let paths = document["paths"].as_object().unwrap();
    let served: BTreeSet<String> = paths
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap().keys();
            methods.map(move |method| format!("{} {path}", method.to_uppercase()))
        })
        .collect();
    let listed: Vec<String> = rows().iter().map(Row::name).collect();
    let rows: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(rows.len(), listed.len(), "an endpoint has one row");
    let without_row: Vec<_> = served.difference(&rows).collect();
    assert!(without_row.is_empty(), "say in access/table.rs who may call {without_row:?}");
    let without_endpoint: Vec<_> = rows.difference(&served).collect();
    assert!(without_endpoint.is_empty(), "no such endpoint any more: {without_endpoint:?}");
}

/// Who may call is in the document too: scope by scope for keys, and whether a session or nobody at all is enough.
#[tokio::test]
async fn the_api_document_says_who_may_call() {
    let (_, server) = shared().await;
    let document = server.api("GET", "/openapi.json").expect(200).await.json();
    let mut wrong = Vec::new();
    for row in rows() {
        let operation = &document["paths"][row.path][row.method.to_lowercase()];
        let security = operation["security"].as_array().unwrap_or_else(|| panic!("{}", row.name()));
        let scopes: BTreeSet<&str> = security.iter().filter_map(|one| one["key"][0].as_str()).collect();
        let expected: BTreeSet<&str> = row.scopes.iter().copied().collect();
        if scopes != expected {
            wrong.push(format!(
                "{}: keys with {scopes:?} in the document, {expected:?} in the table",
                row.name()
            ));
        }
        let succeeds = |who: fn(&Caller) -> bool| {
            row.cells.iter().any(|(caller, status)| who(caller) && is_let_in(*status))
        };
        // What is for staff until it is published is for both.
        let open = security.is_empty()
            || security.iter().any(|one| one.as_object().is_some_and(serde_json::Map::is_empty));
        let by_nobody = succeeds(|caller| *caller == Caller::Anonymous);
        // Payment providers sign what they post: anybody may call, and only they are heard.
        let is_signed = row.path.starts_with("/payments/");
        if by_nobody != open && security.len() < 3 && !is_signed {
            wrong.push(format!(
                "{}: open to everybody: {open} in the document, {by_nobody} in the table",
                row.name()
            ));
        }
        let by_session = security.iter().any(|one| !one["session"].is_null());
        let by_people = !by_nobody && succeeds(|caller| matches!(caller, Caller::Player | Caller::Staff(_)));
        if by_session != by_people {
            wrong.push(format!(
                "{}: people: {by_session} in the document, {by_people} in the table",
                row.name()
            ));
        }
    }
    assert!(wrong.is_empty(), "the extractor of the handler or the table is wrong:\n{}", wrong.join("\n"));
}

/// Whoever is told that something is not set up (409) was let in.
fn is_let_in(status: u16) -> bool {
    status < 400 || status == 409
}

/// One rule: no body is an empty object. Where nothing is needed it is enough, and elsewhere the answer names what is
/// missing; it is never about a media type that nobody had a reason to send.
#[tokio::test]
async fn a_request_without_a_body_is_one_with_an_empty_object() {
    let (_, server) = shared().await;
    let document = server.api("GET", "/openapi.json").expect(200).await.json();
    let admin = server.person(&["admin"]).await;
    let (mut optional, mut needed) = (0, 0);
    for row in rows() {
        let body = &document["paths"][row.path][row.method.to_lowercase()]["requestBody"];
        if body["content"]["application/json"].is_null() || row.path.starts_with("/payments") {
            continue;
        }
        let path =
            row.path.replace("{id}", "1").replace("{kind}", "x").replace("{name}", "x").replace("{n}", "1");
        let path = path.replace("{external_id}", "x").replace("{prize}", "0")
            + if row.path == "/activities/{id}" { "?edition=0" } else { "" };
        let answer = server.by(&admin, row.method, &path).send().await;
        let code = if answer.status < 400 { String::new() } else { answer.code() };
        assert!(
            !["media_type", "body_malformed"].contains(&code.as_str()),
            "{}: {}",
            row.name(),
            answer.text()
        );
        // Who has a phone proves it with a code; who has none needs nothing.
        if body["required"] == false && row.path != "/me/delete" {
            optional += 1;
            assert!(
                code != "invalid_field" || !answer.text().contains("is missing"),
                "{}: {}",
                row.name(),
                answer.text()
            );
        } else {
            needed += 1;
        }
    }
    assert!(optional > 10 && needed > 50, "{optional} {needed}");
}

async fn wrong_cells(home: &Home, server: &Server, row: &Row) -> Vec<String> {
    let mut wrong = Vec::new();
    for (caller, expected) in &row.cells {
        let keys: Vec<Vec<&str>> = match caller {
            Caller::RightKey => row.scopes.iter().map(|scope| vec![*scope]).collect(),
            _ => vec![row.other_scopes()],
        };
        for scopes in keys {
            let complaint = cell(home, server, row, *caller, &scopes, *expected).await;
            wrong.extend(complaint.map(|text| format!("{} by {caller:?} {scopes:?}: {text}", row.name())));
        }
    }
    wrong
}

/// One request; answers what is wrong about the answer.
async fn cell(
    home: &Home,
    server: &Server,
    row: &Row,
    caller: Caller,
    scopes: &[&str],
    expected: u16,
) -> Option<String> {
    let mut actor = Actor::new(server, caller, scopes).await;
    let owner = actor.owner(server).await;
    let path = request::path(server, row, &actor, &owner).await;
    let mut call = server.api(row.method, &path);
    if let Some(body) = body::body(server, row, (&actor, &owner), &path).await {
        call = call.json(body);
    }
    if let Some((kind, bytes)) = body::other(row) {
        call = call.header("content-type", kind).body(bytes);
    }
    actor.spoil(home, server).await;
    let answer = actor.sign(call).send().await;
    if answer.status != expected {
        return Some(format!("{} instead of {expected}: {}", answer.status, answer.text()));
    }
    let refusals = actor.refusals(expected);
    let named = expected < 400 || refusals.contains(&answer.code().as_str());
    (!named).then(|| format!("{expected} is called {:?}, not one of {refusals:?}", answer.code()))
}
