//! Features of the engine depend on each other in one direction. What all of them share (the world they are handed, ports,
//! the relay, the registry of jobs) is the frame around them and is not judged.

use std::collections::BTreeSet;
use std::path::Path;

use crate::{assert_none, root};

const SOURCES: &str = "crates/engine/src";
/// Each may use those before it.
const ORDER: [&str; 16] = [
    "people",
    "access",
    "inventory",
    "activity_cache",
    "trees",
    "fulfilment",
    "draws",
    "activities",
    "points",
    "webhooks",
    "community",
    "sales",
    "shop",
    "search",
    "statistics",
    "operations",
];
/// What is around the features.
const FRAME: [&str; 10] =
    ["caller", "caught_up", "jobs", "lib", "ports", "recent", "relay", "settings", "single_flight", "world"];

fn place(feature: &str) -> Option<usize> {
    ORDER.iter().position(|known| *known == feature)
}

/// The modules at the root of the crate that a source names.
fn named(text: &str) -> BTreeSet<&str> {
    let names = text.split("crate::").skip(1).flat_map(|rest| {
        let end = rest.find(|letter: char| !(letter.is_ascii_lowercase() || letter == '_'));
        let one = &rest[..end.unwrap_or(rest.len())];
        // `use crate::{a, b};`
        let group = rest.strip_prefix('{').and_then(|rest| rest.split('}').next()).unwrap_or_default();
        std::iter::once(one).chain(group.split(',').map(str::trim))
    });
    names.filter(|name| !name.is_empty()).collect()
}

fn complaints(feature: &str, file: &str, text: &str) -> Vec<String> {
    let Some(own) = place(feature) else {
        let known = FRAME.contains(&feature);
        let what = format!("{file}: {feature} is neither a feature nor part of the frame (features.rs)");
        return if known { Vec::new() } else { vec![what] };
    };
    let later = named(text).into_iter().filter(|name| place(name).is_some_and(|other| other > own));
    later.map(|name| format!("{file}: {feature} must not use {name}, which comes after it")).collect()
}

fn walk(folder: &Path, feature: Option<&str>, found: &mut Vec<String>) {
    for path in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        let feature = feature.unwrap_or(name);
        if path.is_dir() {
            walk(&path, Some(feature), found);
        } else {
            let text = std::fs::read_to_string(&path).expect("a source is UTF-8");
            found.extend(complaints(feature, &path.display().to_string(), &text));
        }
    }
}

#[test]
fn features_depend_in_one_direction() {
    let mut found = Vec::new();
    walk(&root().join(SOURCES), None, &mut found);
    assert_none(&found);
}

#[test]
fn a_wrong_direction_is_found() {
    for (feature, text, expected) in [
        ("draws", "use crate::fulfilment::things;", 0),
        ("fulfilment", "use crate::draws::mine;", 1),
        ("people", "use crate::{sales, world};", 1),
        ("people", "let x = crate::shop::buy(crate::sales::y());", 2),
        ("world", "use crate::sales::gate::SaleGate;", 0),
        ("karaoke", "", 1),
    ] {
        assert_eq!(complaints(feature, "a file", text).len(), expected, "{feature}: {text}");
    }
}

/// A handler calls flows; steps of the store are theirs.
#[test]
fn the_server_calls_no_step_of_the_store() {
    let mut found = Vec::new();
    calls_of_steps(&root().join("crates/server/src"), &mut found);
    assert_none(&found);
}

fn calls_of_steps(folder: &Path, found: &mut Vec<String>) {
    for path in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            calls_of_steps(&path, found);
        } else {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let lines = text.lines().filter(|line| line.contains("world.db"));
            found.extend(lines.map(|line| format!("{}: {}", path.display(), line.trim())));
        }
    }
}
