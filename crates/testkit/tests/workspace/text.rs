//! What no file of the project may be: unfinished, or too big for a repository.

use std::path::Path;
use std::process::Command;

use windfall_testkit::skip::{self, Reason};

use crate::{assert_none, root};

const MAX_FILE_BYTES: u64 = 1024 * 1024;
/// Generated, and kept so that a change of it is reviewed: it grows with every route.
const API_DOCUMENT: (&str, u64) = ("api/openapi.json", 4 * MAX_FILE_BYTES);
/// Written in two parts, so that this file does not contain them.
const UNFINISHED: &[&str] = &[concat!("todo", "!("), concat!("unimplemented", "!("), concat!("dbg", "!(")];

fn unfinished(file: &str, source: &str) -> Vec<String> {
    let lines = source.lines().enumerate();
    lines
        .flat_map(|(at, line)| {
            let found = UNFINISHED.iter().filter(|mark| line.contains(**mark));
            found.map(move |mark| format!("{file}:{}: `{mark}`: finish it or take it out", at + 1))
        })
        .collect()
}

fn oversize(file: &str, bytes: u64) -> Option<String> {
    let max = if file == API_DOCUMENT.0 { API_DOCUMENT.1 } else { MAX_FILE_BYTES };
    (bytes > max)
        .then(|| format!("{file} has {bytes} bytes, at most {max} may be committed: generate or download it"))
}

/// The files git knows, and new ones it would not ignore. `None` outside a checkout.
fn files(root: &Path) -> Option<Vec<String>> {
    // Nothing is run from the repository, so whose it is does not matter, as in a container that mounts it.
    let arguments =
        ["-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(arguments).current_dir(root).output().ok()?;
    let names = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(names.split_terminator('\0').map(str::to_owned).collect())
}

#[test]
fn no_file_is_unfinished_or_oversize() {
    let root = root();
    let Some(files) = files(&root) else {
        return skip::record(Reason::Unavailable, "the check of the project's files: not a git checkout");
    };
    let mut complaints = Vec::new();
    for file in &files {
        // A file that was just deleted or renamed is still listed; a link to a folder is not a file.
        let path = root.join(file);
        let Some(metadata) = path.metadata().ok().filter(std::fs::Metadata::is_file) else { continue };
        complaints.extend(oversize(file, metadata.len()));
        if path.extension().is_some_and(|extension| extension == "rs") {
            complaints.extend(unfinished(file, &std::fs::read_to_string(&path).expect("a source is UTF-8")));
        }
    }
    assert_none(&complaints);
}

#[test]
fn an_unfinished_file_is_named_with_its_line() {
    for mark in UNFINISHED {
        let found = unfinished("draw.rs", &format!("fn draw() {{\n    {mark})\n}}\n"));
        assert!(found.len() == 1 && found[0].starts_with("draw.rs:2: "), "{found:?}");
    }
    assert_none(&unfinished("draw.rs", "fn todo() {}\n"));
}

#[test]
fn an_oversize_file_is_named() {
    assert_eq!(oversize("map.bin", MAX_FILE_BYTES), None);
    assert_eq!(oversize(API_DOCUMENT.0, MAX_FILE_BYTES + 1), None);
    assert!(oversize(API_DOCUMENT.0, API_DOCUMENT.1 + 1).is_some());
    assert!(
        oversize("map.bin", MAX_FILE_BYTES + 1).is_some_and(|text| text.starts_with("map.bin has 1048577"))
    );
}
