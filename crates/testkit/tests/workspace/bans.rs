//! Crates that `deny.toml` forbids, and those of which there may be only one version.

use crate::assert_none;
use crate::graph::{self, Graph};
use crate::policy::{self, Ban, Policy};

fn complaints(graph: &Graph, policy: &Policy) -> Vec<String> {
    policy.bans.iter().flat_map(|ban| breaches(graph, ban)).collect()
}

fn breaches(graph: &Graph, ban: &Ban) -> Vec<String> {
    let Ban { package: banned, reason, .. } = ban;
    let present: Vec<usize> =
        (0..graph.packages.len()).filter(|&at| graph.packages[at].name == *banned).collect();
    if ban.only_multiple_versions {
        let versions: Vec<&str> = present.iter().map(|&at| graph.packages[at].version.as_str()).collect();
        return match versions.len() {
            0 | 1 => Vec::new(),
            _ => vec![format!(
                "{banned} is there as {}: make one of them go ({reason})",
                versions.join(" and ")
            )],
        };
    }
    let mut complaints = Vec::new();
    for at in present {
        let dependents =
            graph.packages.iter().filter(|package| package.edges.iter().any(|edge| edge.to == at));
        let mut dependents: Vec<&str> = dependents.map(|package| package.name.as_str()).collect();
        dependents.retain(|name| !ban.wrappers.iter().any(|wrapper| wrapper == name));
        if !dependents.is_empty() || ban.wrappers.is_empty() {
            complaints
                .push(format!("{banned} is forbidden, and {} uses it: {reason}", dependents.join(", ")));
        }
    }
    complaints
}

#[test]
fn nothing_forbidden_is_in_the_tree() {
    assert_none(&complaints(&graph::REAL, &policy::REAL));
}

#[test]
fn a_forbidden_crate_is_named_with_its_user_and_the_reason() {
    let policy = Policy::parse(
        "[bans]\ndeny = ['plain', { crate = 'bad', reason = 'use good' },
         { crate = 'wrapped', wrappers = ['friend'], reason = 'only friend' },
         { crate = 'single', deny-multiple-versions = true, reason = 'links C' }]",
    );
    for (rows, expected) in [
        (vec!["good 1 MIT:"], None),
        (
            vec!["user 1 MIT: plain", "plain 1 MIT:"],
            Some("plain is forbidden, and user uses it: see deny.toml"),
        ),
        (vec!["user 1 MIT: bad", "bad 1 MIT:"], Some("bad is forbidden, and user uses it: use good")),
        (vec!["user 1 MIT: dev:bad", "bad 1 MIT:"], Some("bad is forbidden")),
        (vec!["friend 1 MIT: wrapped", "wrapped 1 MIT:"], None),
        (
            vec!["friend 1 MIT: wrapped", "user 1 MIT: wrapped", "wrapped 1 MIT:"],
            Some("wrapped is forbidden, and user uses it: only friend"),
        ),
        (vec!["single 1 MIT:"], None),
        (
            vec!["single 1 MIT:", "single 2 MIT:"],
            Some("single is there as 1 and 2: make one of them go (links C)"),
        ),
    ] {
        let found = complaints(&Graph::from_rows(&rows), &policy);
        match expected {
            None => assert_none(&found),
            Some(start) => assert!(found.len() == 1 && found[0].starts_with(start), "{rows:?}: {found:?}"),
        }
    }
}
