//! The arrow of dependencies: domain ← store ← ledger ← engine ← { embedded, cluster, server } ← bench ← windfall.
//! The crates in the braces do not see each other. Tests of any crate may use testkit.

use crate::assert_none;
use crate::graph::{Graph, Kind, REAL};

const TESTKIT: &str = "windfall-testkit";
/// Which of our crates may see which.
const MAY_SEE: &[(&str, &[&str])] = &[
    ("windfall-domain", &[]),
    ("windfall-store", &["windfall-domain"]),
    ("windfall-ledger", &["windfall-domain", "windfall-store"]),
    ("windfall-engine", &["windfall-domain", "windfall-store", "windfall-ledger"]),
    ("windfall-embedded", &["windfall-domain", "windfall-store", "windfall-ledger", "windfall-engine"]),
    ("windfall-cluster", &["windfall-domain", "windfall-store", "windfall-ledger", "windfall-engine"]),
    ("windfall-server", &["windfall-domain", "windfall-store", "windfall-ledger", "windfall-engine"]),
    (TESTKIT, &["windfall-domain", "windfall-store", "windfall-ledger", "windfall-engine"]),
    ("windfall-schedules", &["windfall-domain", "windfall-ledger"]),
    (
        "windfall-bench",
        &[
            "windfall-domain",
            "windfall-store",
            "windfall-ledger",
            "windfall-engine",
            "windfall-embedded",
            "windfall-cluster",
            "windfall-server",
        ],
    ),
    (
        "windfall",
        &[
            "windfall-domain",
            "windfall-store",
            "windfall-ledger",
            "windfall-engine",
            "windfall-embedded",
            "windfall-cluster",
            "windfall-server",
            "windfall-bench",
        ],
    ),
];

fn complaints(graph: &Graph) -> Vec<String> {
    let mut complaints = Vec::new();
    for package in graph.packages.iter().filter(|package| package.ours) {
        let name = package.name.as_str();
        let Some((_, may_see)) = MAY_SEE.iter().find(|(row, _)| *row == name) else {
            complaints
                .push(format!("{name} has no row: say in MAY_SEE (direction.rs) what it may depend on"));
            continue;
        };
        for edge in &package.edges {
            let to = &graph.packages[edge.to];
            let in_tests = edge.kind == Kind::Dev && to.name == TESTKIT;
            if to.ours && !in_tests && !may_see.contains(&to.name.as_str()) {
                complaints.push(format!(
                    "{name} must not depend on {}: put what both need into engine or domain, or join them in windfall",
                    to.name
                ));
            }
        }
    }
    complaints
}

#[test]
fn our_crates_depend_in_one_direction() {
    assert_none(&complaints(&REAL));
}

#[test]
fn a_wrong_direction_is_named() {
    for (rows, expected) in [
        (
            vec!["windfall-domain 1 MIT: windfall-engine", "windfall-engine 1 MIT:"],
            "windfall-domain must not",
        ),
        (vec!["windfall-store 1 MIT: windfall-engine", "windfall-engine 1 MIT:"], "windfall-store must not"),
        (vec!["windfall-store 1 MIT: windfall-server", "windfall-server 1 MIT:"], "windfall-store must not"),
        (
            vec!["windfall-server 1 MIT: dev:windfall-embedded", "windfall-embedded 1 MIT:"],
            "windfall-server must not",
        ),
        (
            vec!["windfall-cluster 1 MIT: windfall-embedded", "windfall-embedded 1 MIT:"],
            "windfall-cluster must not",
        ),
        (
            vec!["windfall-store 1 MIT: windfall-testkit", "windfall-testkit 1 MIT:"],
            "windfall-store must not",
        ),
        (
            vec!["windfall-testkit 1 MIT: windfall-server", "windfall-server 1 MIT:"],
            "windfall-testkit must not",
        ),
        (vec!["windfall-bench 1 MIT: windfall", "windfall 1 MIT:"], "windfall-bench must not"),
        (vec!["windfall-new 1 MIT:"], "windfall-new has no row"),
    ] {
        let found = complaints(&Graph::from_rows(&rows));
        assert!(found.len() == 1 && found[0].starts_with(expected), "{rows:?}: {found:?}");
    }
}

#[test]
fn the_right_direction_passes() {
    assert_none(&complaints(&Graph::from_rows(&[
        "windfall 1 MIT: windfall-bench windfall-server windfall-store dev:windfall-testkit",
        "windfall-bench 1 MIT: windfall-server windfall-store windfall-engine windfall-domain",
        "windfall-server 1 MIT: windfall-engine windfall-domain axum",
        "windfall-engine 1 MIT: windfall-store windfall-domain",
        "windfall-store 1 MIT: windfall-domain dev:windfall-testkit",
        "windfall-domain 1 MIT:",
        "windfall-testkit 1 MIT: windfall-domain",
        "axum 1 MIT:",
    ])));
}
