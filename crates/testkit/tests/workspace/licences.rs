//! Every package in the tree has a licence that `deny.toml` allows.

use crate::assert_none;
use crate::graph::{self, Graph, Package};
use crate::policy::{self, Policy};
use crate::spdx;

fn complaints(graph: &Graph, policy: &Policy) -> Vec<String> {
    graph.packages.iter().filter_map(|package| complaint(package, policy)).collect()
}

fn complaint(package: &Package, policy: &Policy) -> Option<String> {
    let Package { name, version, .. } = package;
    let excepted = policy.exceptions.iter().filter(|exception| exception.package == *name);
    let excepted: Vec<&String> = excepted.flat_map(|exception| &exception.licences).collect();
    let allowed = |licence: &str| {
        policy.allowed_licences.iter().chain(excepted.iter().copied()).any(|allowed| allowed == licence)
    };
    let Some(licence) = &package.licence else {
        return Some(format!("{name} {version} names no licence: replace it"));
    };
    match spdx::satisfied(licence, &allowed) {
        Ok(true) => None,
        Ok(false) => Some(format!(
            "{name} {version} is under `{licence}`, which deny.toml does not allow: replace it, or add the \
             licence there with the reason"
        )),
        Err(error) => {
            Some(format!("{name} {version}: the licence `{licence}` is not an expression: {error}"))
        }
    }
}

#[test]
fn every_licence_is_allowed() {
    assert_none(&complaints(&graph::REAL, &policy::REAL));
}

#[test]
fn a_licence_that_is_not_allowed_is_named() {
    let policy =
        Policy::parse("[licenses]\nallow = ['MIT']\nexceptions = [{ crate = 'special', allow = ['ISC'] }]");
    for (row, expected) in [
        ("good 1 MIT:", None),
        ("either 1 MIT OR GPL-3.0-only:", None),
        ("special 1 ISC:", None),
        ("special 1 ISC AND MIT:", None),
        ("other 1 ISC:", Some("other 1 is under `ISC`")),
        ("both 1 MIT AND GPL-3.0-only:", Some("both 1 is under")),
        ("none 1:", Some("none 1 names no licence")),
        ("odd 1 MIT OR:", Some("odd 1: the licence `MIT OR` is not an expression")),
    ] {
        let found = complaints(&Graph::from_rows(&[row]), &policy);
        match expected {
            None => assert_none(&found),
            Some(start) => assert!(found.len() == 1 && found[0].starts_with(start), "{row}: {found:?}"),
        }
    }
}
