//! `docs/holes.md` counts itself: each row is there once and has a state, the sentence on top says how many of each there
//! are, and every test that it names exists.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::{assert_none, root};

const PAGE: &str = "docs/holes.md";
/// The states, as a row begins with them, and the words of the sentence.
const STATES: [(&str, &str); 4] = [
    ("**Closed for ", "closed for what exists"),
    ("**Closed**", "closed"),
    ("**Rule shown**", "with their rule shown"),
    ("Open", "open"),
];

/// One row: its number, and what stands in its last column.
#[derive(Debug)]
struct Hole {
    number: u32,
    state: String,
}

fn holes(page: &str) -> Vec<Hole> {
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| ")?.splitn(3, " | ");
        let number = cells.next()?.parse().ok()?;
        cells.next()?;
        Some(Hole { number, state: cells.next()?.trim_end_matches(" |").to_owned() })
    };
    page.lines().filter_map(row).collect()
}

/// The sentence that is true.
fn sentence(holes: &[Hole]) -> Result<String, String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for hole in holes {
        let state = STATES.iter().find(|(begins, _)| hole.state.starts_with(begins));
        let (_, words) = state.ok_or_else(|| format!("hole {} has no state: {}", hole.number, hole.state))?;
        *counts.entry(words).or_default() += 1;
    }
    let of = |words: &str| counts.get(words).copied().unwrap_or(0);
    let parts: Vec<String> = ["closed", "closed for what exists", "with their rule shown", "open"]
        .iter()
        .filter(|words| of(words) > 0)
        .map(|words| format!("{} {words}", of(words)))
        .collect();
    Ok(format!("**Now: {}.**", parts.join(", ")))
}

fn complaints(page: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let holes = holes(page);
    let mut complaints = Vec::new();
    let mut seen = BTreeSet::new();
    let twice = holes.iter().filter(|hole| !seen.insert(hole.number));
    complaints.extend(twice.map(|hole| format!("hole {} is there twice", hole.number)));
    match sentence(&holes) {
        Ok(sentence) if page.contains(&sentence) => {}
        Ok(sentence) => complaints.push(format!("the sentence on top should be: {sentence}")),
        Err(why) => complaints.push(why),
    }
    for hole in &holes {
        let named: BTreeSet<&str> = hole.state.split('`').skip(1).step_by(2).filter_map(test_name).collect();
        // Tests of the pages are named by their file.
        let files = hole.state.split('`').skip(1).step_by(2).filter(|text| text.contains(".test."));
        let files: Vec<&str> = files.collect();
        let missing = files.iter().filter(|file| !exists(file));
        complaints.extend(missing.map(|file| format!("hole {}: there is no file {file}", hole.number)));
        if hole.state.starts_with("**Closed") && named.is_empty() && files.is_empty() {
            complaints.push(format!("hole {} is closed by no test", hole.number));
        }
        let missing = named.into_iter().filter(|name| !exists(name));
        complaints.extend(missing.map(|name| format!("hole {}: there is no test {name}", hole.number)));
    }
    complaints
}

/// The function's name in `module::a_name_of_a_test`; nothing for files, settings and single words.
fn test_name(text: &str) -> Option<&str> {
    let name = text.rsplit("::").next()?;
    let plain =
        name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_');
    (plain && name.matches('_').count() >= 3).then_some(name)
}

/// Everything that is a function in the workspace's sources, and what the pages' tests are called.
fn functions(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            functions(&entry, names);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&entry).expect("a source is UTF-8");
            for part in text.split("fn ").skip(1) {
                let name = part.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').next();
                names.extend(name.map(str::to_owned));
            }
        }
    }
}

/// Tests that run on both databases are named after them in reports.
fn is_there(names: &BTreeSet<String>, name: &str) -> bool {
    let plain = ["_on_sqlite", "_on_postgres"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    names.contains(name) || names.contains(plain) || (name.contains('/') && root().join(name).is_file())
}

#[test]
fn the_page_of_holes_counts_itself_and_names_tests_that_exist() {
    let mut names = BTreeSet::new();
    functions(&root().join("crates"), &mut names);
    let page = std::fs::read_to_string(root().join(PAGE)).expect("the page of holes");
    assert!(holes(&page).len() >= 63, "rows are read: {:?}", holes(&page));
    assert_none(&complaints(&page, |name| is_there(&names, name)));
}

#[test]
fn what_is_wrong_about_the_page_is_named() {
    let row = |number: u32, state: &str| format!("| {number} | it breaks | {state} |\n");
    let exists = |name: &str| name == "hole_01_it_holds";
    let closed = "**Closed** by `hole_01_it_holds`.";
    for (page, expected) in [
        (format!("**Now: 1 closed, 1 open.**\n{}{}", row(1, closed), row(2, "Open: later.")), vec![]),
        (
            format!("**Now: 2 closed.**\n{}{}", row(1, closed), row(2, "Open: later.")),
            vec!["the sentence on top should be: **Now: 1 closed, 1 open.**"],
        ),
        (format!("**Now: 2 closed.**\n{}{}", row(2, closed), row(2, closed)), vec!["hole 2 is there twice"]),
        (
            format!("**Now: 1 closed.**\n{}", row(1, "**Closed** by `hole_01_it_is_said`.")),
            vec!["hole 1: there is no test hole_01_it_is_said"],
        ),
        (
            format!("**Now: 1 closed.**\n{}", row(1, "**Closed** by trust.")),
            vec!["hole 1 is closed by no test"],
        ),
        (row(1, "Maybe."), vec!["hole 1 has no state: Maybe."]),
    ] {
        assert_eq!(complaints(&page, exists), expected, "{page}");
    }
}
