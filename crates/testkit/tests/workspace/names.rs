//! One public type name has one meaning in the whole workspace. Where two modules export the same name, a reader must
//! look at the imports to know which of them a line speaks of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::{assert_none, root};

/// Names that several modules may export, each with the reason.
const SHARED: &[(&str, &str)] =
    &[("PoolSearch", "the query of a request, and the query of the store that it becomes")];

const KEYWORDS: [&str; 5] = ["struct", "enum", "trait", "type", "union"];

/// The names of the types that a source exports: `pub` without a restriction, whatever macro is around them.
fn exported(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let (keyword, rest) = line.trim_start().strip_prefix("pub ")?.split_once(' ')?;
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
        (KEYWORDS.contains(&keyword) && end > 0).then(|| &rest[..end])
    })
}

/// Each name with the files that export it.
type Exports = BTreeMap<String, BTreeSet<String>>;

fn complaints(exports: &Exports, allowed: &[&str]) -> Vec<String> {
    let is_shared = |name: &str| exports.get(name).is_some_and(|files| files.len() > 1);
    let shared = exports.iter().filter(|(name, _)| is_shared(name) && !allowed.contains(&name.as_str()));
    let stale = allowed.iter().filter(|name| !is_shared(name));
    let name_files = |(name, files): (&String, &BTreeSet<String>)| {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        format!("{name} is exported by {}: name each after what it is", files.join(", "))
    };
    shared
        .map(name_files)
        .chain(stale.map(|name| format!("{name} is unique: take it off the list")))
        .collect()
}

fn walk(folder: &Path, root: &Path, exports: &mut Exports) {
    for path in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        if path.is_dir() {
            if name != "tests" {
                walk(&path, root, exports);
            }
        } else if name.ends_with(".rs") && name != "tests.rs" {
            let source = std::fs::read_to_string(&path).expect("a source is UTF-8");
            let file = path.strip_prefix(root).expect("a file of the workspace").display().to_string();
            for name in exported(&source) {
                exports.entry(name.to_owned()).or_default().insert(file.clone());
            }
        }
    }
}

#[test]
fn a_public_type_name_has_one_meaning() {
    let (root, mut exports) = (root(), Exports::new());
    for entry in std::fs::read_dir(root.join("crates")).expect("the crates") {
        walk(&entry.expect("an entry").path().join("src"), &root, &mut exports);
    }
    let allowed: Vec<&str> = SHARED.iter().map(|(name, _)| *name).collect();
    assert!(exports.contains_key("Db"), "the sources were not read");
    assert_none(&complaints(&exports, &allowed));
}

#[test]
fn a_name_with_two_meanings_is_found() {
    const HIDDEN: &str = "struct Room;\npub(crate) type Room = ();\nuse x::Room;";
    // The sources of two files, whether the name is allowed, and how many complaints there are.
    for (first, second, allowed, expected) in [
        ("pub struct Room;", "pub struct RoomPlan;", false, 0),
        ("pub struct Room;", "    pub enum Room<T> {", false, 1),
        ("pub struct Room;", "pub trait Room: Send {", true, 0),
        ("pub struct Room;", HIDDEN, false, 0),
        ("pub struct Room(u8);", "", true, 1),
    ] {
        let mut exports = Exports::new();
        for (file, source) in [("a.rs", first), ("b.rs", second)] {
            for name in exported(source) {
                exports.entry(name.to_owned()).or_default().insert(file.to_owned());
            }
        }
        let allowed: &[&str] = if allowed { &["Room"] } else { &[] };
        assert_eq!(complaints(&exports, allowed).len(), expected, "{first} {second}");
    }
}
