//! A dependency that nobody uses goes: it costs time to build, and every advisory about it is one of ours.

use std::path::Path;

use crate::{assert_none, root};

/// Crates whose sources are compiled from elsewhere: `schedules` takes those of `ledger`.
const ELSEWHERE: [&str; 1] = ["schedules"];

/// Every dependency of a manifest, and whether only tests may use it.
fn dependencies(manifest: &str) -> Vec<(String, bool)> {
    let (mut found, mut section) = (Vec::new(), String::new());
    for line in manifest.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[') {
            name.trim_end_matches(']').clone_into(&mut section);
        } else if section.ends_with("dependencies")
            && let Some(name) = line.split(['.', ' ', '=']).next().filter(|name| !name.is_empty())
            && !line.starts_with('#')
        {
            found.push((name.to_owned(), section.starts_with("dev")));
        }
    }
    found
}

/// All sources under a folder, one after the other.
fn sources(folder: &Path, text: &mut String) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            sources(&entry, text);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            *text += &std::fs::read_to_string(&entry).expect("a source is UTF-8");
        }
    }
}

/// Whether a name stands in a text as a word of its own.
fn names(text: &str, name: &str) -> bool {
    let is_part =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    text.match_indices(name).any(|(at, _)| {
        !is_part(text[..at].chars().next_back()) && !is_part(text[at + name.len()..].chars().next())
    })
}

fn unused(manifest: &str, own: &str, tests: &str) -> Vec<String> {
    let is_used = |(name, only_tests): &(String, bool)| {
        let name = name.replace('-', "_");
        names(own, &name) || (*only_tests && names(tests, &name))
    };
    let unused = dependencies(manifest).into_iter().filter(|dependency| !is_used(dependency));
    unused.map(|(name, _)| name).collect()
}

#[test]
fn every_dependency_is_used() {
    let mut complaints = Vec::new();
    let mut asked_for = String::new();
    for krate in std::fs::read_dir(root().join("crates")).expect("the crates") {
        let krate = krate.expect("a crate").path();
        let Ok(manifest) = std::fs::read_to_string(krate.join("Cargo.toml")) else { continue };
        let name = krate.file_name().expect("a name").to_string_lossy().into_owned();
        asked_for += &manifest;
        if ELSEWHERE.contains(&name.as_str()) {
            continue;
        }
        let (mut own, mut tests) = (String::new(), String::new());
        sources(&krate.join("src"), &mut own);
        own += &std::fs::read_to_string(krate.join("build.rs")).unwrap_or_default();
        sources(&krate.join("tests"), &mut tests);
        sources(&krate.join("examples"), &mut tests);
        let gone = unused(&manifest, &own, &tests).into_iter();
        complaints.extend(gone.map(|dependency| format!("{name} does not use {dependency}: take it out")));
    }
    let workspace = std::fs::read_to_string(root().join("Cargo.toml")).expect("the workspace's manifest");
    let gone = dependencies(&workspace).into_iter().filter(|(name, _)| !names(&asked_for, name));
    complaints
        .extend(gone.map(|(name, _)| format!("no crate asks for {name}: take it out of the workspace")));
    assert_none(&complaints);
}

#[test]
fn what_nobody_uses_is_named() {
    let manifest = "[package]\nname = \"a\"\n[dependencies]\nserde.workspace = true\nserde-json = \"1\"\n# no\n\n[dev-dependencies]\nx = \"1\"\n";
    for (own, tests, expected) in [
        ("use serde::A; serde_json::b()", "x::y()", vec![]),
        ("use serde_json::A;", "x::y()", vec!["serde"]),
        ("use serde::A;", "serde_json::x()", vec!["serde-json"]),
        ("", "", vec!["serde", "serde-json", "x"]),
    ] {
        assert_eq!(unused(manifest, own, tests), expected, "{own}");
    }
}
