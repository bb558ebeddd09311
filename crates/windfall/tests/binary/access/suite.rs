//! Sends every cell of the table to a running server.

use std::collections::BTreeSet;

use tokio::task::JoinSet;

use super::caller::{Actor, Caller};
use super::table::{Row, rows};
use super::{body, request};
use crate::process::{Home, Server, shared};

#[tokio::test(flavor = "multi_thread")]
async fn every_endpoint_answers_every_caller_as_the_table_says() {
    let (home, server) = shared().await;
    let mut tasks: JoinSet<Vec<String>> =
        rows().into_iter().map(|row| async move { wrong_cells(home, server, &row).await }).collect();
    let mut wrong = Vec::new();
    while let Some(row) = tasks.join_next().await {
        wrong.extend(row.unwrap());
    }
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
