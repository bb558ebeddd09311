//! The modules of a crate depend on each other without cycles, so that each can be read after those it uses. The engine has
//! an order of its own (`features.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::{assert_none, root};

/// Modules that are one piece in several files, with the reason.
type Piece = (&'static [&'static str], &'static str);

/// The crates that are judged.
const CRATES: [(&str, &[Piece]); 5] = [
    (
        "store",
        &[
            (&["postgres", "sqlite", "tx"], "a transaction is one of two databases', and each makes its own"),
            (&["db", "migrate"], "a database is migrated when it is opened"),
        ],
    ),
    ("ledger", &[]),
    ("embedded", &[]),
    ("cluster", &[]),
    ("bench", &[]),
];

/// Each module with those it names.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// The source without comments and without its tests.
fn without_tests(source: &str) -> String {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The modules at the root of the crate that a source names.
fn named(code: &str) -> impl Iterator<Item = &str> {
    code.split("crate::").skip(1).flat_map(|rest| {
        let group = rest.strip_prefix('{').map(|rest| rest.split('}').next().unwrap_or_default());
        let names = group.unwrap_or(rest).split(',').take(if group.is_some() { usize::MAX } else { 1 });
        names.map(|name| {
            let name = name.trim();
            let end = name.find(|letter: char| !(letter.is_ascii_lowercase() || letter == '_'));
            &name[..end.unwrap_or(name.len())]
        })
    })
}

/// What is left when modules that use nothing more are taken away, again and again: those in a cycle, and those that use them.
fn in_cycles(mut uses: Uses) -> Vec<String> {
    loop {
        let done: Vec<String> =
            uses.iter().filter(|(_, used)| used.is_empty()).map(|(module, _)| module.clone()).collect();
        if done.is_empty() {
            return uses.into_keys().collect();
        }
        for module in done {
            uses.remove(&module);
            for used in uses.values_mut() {
                used.remove(&module);
            }
        }
    }
}

/// Modules that are one piece count as the first of them.
fn join_pieces(uses: Uses, pieces: &[Piece]) -> Uses {
    let piece = |module: &str| {
        let of = pieces.iter().find(|(modules, _)| modules.contains(&module));
        of.map_or(module, |(modules, _)| modules[0]).to_owned()
    };
    let mut joined = Uses::new();
    for (module, used) in uses {
        let module = piece(&module);
        let used: Vec<String> = used.iter().map(|used| piece(used)).filter(|used| *used != module).collect();
        joined.entry(module).or_default().extend(used);
    }
    joined
}

fn walk(folder: &Path, module: Option<&str>, uses: &mut Uses) {
    for path in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        let module = module.unwrap_or(name);
        if name == "tests" || module == "lib" {
            continue;
        }
        if path.is_dir() {
            walk(&path, Some(module), uses);
        } else {
            let source = std::fs::read_to_string(&path).expect("a source is UTF-8");
            let used = uses.entry(module.to_owned()).or_default();
            used.extend(named(&without_tests(&source)).filter(|name| *name != module).map(str::to_owned));
        }
    }
}

#[test]
fn modules_depend_without_cycles() {
    let mut found = Vec::new();
    for (name, pieces) in CRATES {
        let mut uses = Uses::new();
        walk(&root().join("crates").join(name).join("src"), None, &mut uses);
        let known: BTreeSet<String> = uses.keys().cloned().collect();
        uses.values_mut().for_each(|used| used.retain(|module| known.contains(module)));
        assert!(!uses.is_empty(), "the sources of {name} were not read");
        let cycle = in_cycles(join_pieces(uses, pieces));
        if !cycle.is_empty() {
            found.push(format!(
                "{name}: {} use each other in a circle, or use modules that do",
                cycle.join(", ")
            ));
        }
    }
    assert_none(&found);
}

#[test]
fn a_cycle_is_found() {
    let uses = |pairs: &[(&str, &str)]| -> Uses {
        pairs
            .iter()
            .map(|(module, code)| ((*module).to_owned(), named(code).map(str::to_owned).collect()))
            .collect()
    };
    let straight = uses(&[
        ("a", "use crate::b::X; use crate::{c, d::Y};"),
        ("b", "crate::d::z()"),
        ("c", ""),
        ("d", ""),
    ]);
    assert_eq!(in_cycles(straight), Vec::<String>::new());
    let round =
        uses(&[("a", "use crate::b;"), ("b", "use crate::c;"), ("c", "use crate::{a, d};"), ("d", "")]);
    assert_eq!(in_cycles(round.clone()), ["a", "b", "c"]);
    assert_eq!(in_cycles(join_pieces(round, &[(&["a", "b", "c"], "one piece")])), Vec::<String>::new());
    assert_eq!(without_tests("use crate::a; // crate::b\n#[cfg(test)]\nuse crate::c;"), "use crate::a; ");
}
