//! No test depends on how fast the machine is: time comes from a clock that the test moves, or what is looked at waits for
//! the test. Waits end after one shared patience; a time of a test's own is listed here with why no machine is too slow.

use std::path::Path;

use crate::{assert_none, root};

/// What a time of one's own begins with, in Rust and in the journeys.
const MARKS: &[&str] =
    &["Duration::from_", "::sleep(", "TIMEOUT_MS\"", "WAIT_MS\"", "setTimeout(", "waitForTimeout("];
/// Of a journey's own wait: what follows is a number.
const WAIT_OPTION: &str = "timeout: ";

/// A file, what its line has, and why that does not depend on the machine.
const EXEMPT: &[(&str, &str, &str)] = &[
    ("crates/testkit/src/wait.rs", "const PATIENCE", "the shared patience"),
    ("crates/testkit/src/wait.rs", "POLL", "between two looks"),
    ("web/journeys/patience.mjs", "PAUSE_MS", "between two looks"),
    ("web/src/play/buy/room.test.ts", "(resolve))", "one turn of the loop and no time"),
    ("crates/windfall/tests/binary/process.rs", "FOREVER_MS", "longer than any test"),
    (
        "crates/windfall/tests/binary/process.rs",
        "WEBHOOKS",
        "the longest there is; what is late is sent again",
    ),
    ("crates/embedded/tests/ledger/queue.rs", "3_600", "an hour that is not waited for"),
    ("crates/schedules/tests/schedules/sync.rs", "", "the time of a model, in which nobody waits"),
    (
        "crates/windfall/tests/binary/hole_68.rs",
        "ROWS_WAIT_MS",
        "the rows do not come before the test lets them",
    ),
    (
        "crates/windfall/tests/binary/hole_61.rs",
        "from_micros(900)",
        "hangs up somewhere; both outcomes are judged",
    ),
    ("crates/windfall/tests/binary/draws/streams.rs", "REQUEST_M", "whoever is too slow for it asks again"),
    (
        "crates/windfall/tests/binary/abuse/bodies.rs",
        "REQUEST_TIMEOUT_MS",
        "a body that is late is sent again",
    ),
    ("crates/windfall/tests/binary/tls.rs", "HEADER_TIMEOUT_MS", "whoever is too slow for it connects again"),
    (
        "web/journeys/console/secondFactor.mjs",
        "waitForTimeout(500)",
        "what is read meanwhile may come or not",
    ),
    ("crates/windfall/tests/binary/abuse/connections.rs", "WRITE_TIMEOUT_MS", "the peer takes nothing, ever"),
    (
        "crates/windfall/tests/binary/life.rs",
        "HEADER_TIMEOUT_MS",
        "the peers are silent for ever; others ask again",
    ),
    (
        "crates/windfall/tests/binary/life.rs",
        "BUSY_TIMEOUT_MS",
        "the test keeps the pen; no wait is long enough",
    ),
    (
        "crates/windfall/tests/binary/webhooks/delivering.rs",
        "TIMEOUT_MS",
        "the receiver hangs for ever; tries are not counted",
    ),
];

/// Lines with a time of their own.
fn times(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = source.lines().enumerate().map(|(at, line)| (at + 1, line));
    let is_a_number = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    lines.filter(move |(_, line)| {
        MARKS.iter().any(|mark| line.contains(mark)) || line.split(WAIT_OPTION).skip(1).any(is_a_number)
    })
}

fn complaints<'s>(sources: &[(&'s str, &'s str)], exempt: &[(&str, &str, &str)]) -> Vec<String> {
    let is_exempt = |file: &str, line: &str| {
        exempt.iter().position(|(known, text, _)| *known == file && line.contains(text))
    };
    let (mut complaints, mut used) = (Vec::new(), vec![false; exempt.len()]);
    for (file, source) in sources {
        for (at, line) in times(source) {
            match is_exempt(file, line) {
                Some(known) => used[known] = true,
                None => complaints.push(format!(
                    "{file}:{at}: `{}`: wait with the shared patience or move a clock",
                    line.trim()
                )),
            }
        }
    }
    let idle = exempt.iter().zip(used).filter(|(_, used)| !used);
    complaints.extend(idle.map(|((file, text, _), _)| format!("{file} has no time with {text:?} any more")));
    complaints
}

/// Tests of the crates, their harness and the journeys. Pictures are taken by hand, and this file lists what it forbids.
fn is_test(file: &str) -> bool {
    let of_a_crate = file.starts_with("crates/")
        && file.ends_with(".rs")
        && (file.contains("/tests/") || file.starts_with("crates/testkit/src/"))
        && !file.ends_with("/hurry.rs");
    let of_the_pages = file.starts_with("web/")
        && (file.ends_with(".test.ts") || (file.ends_with(".mjs") && file.contains("/journeys/")));
    of_a_crate || (of_the_pages && !file.ends_with("screenshots.mjs"))
}

fn walk(root: &Path, folder: &str, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(root.join(folder)).expect("a folder").map(|entry| entry.expect("an entry"))
    {
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            if !name.ends_with("node_modules") && !name.ends_with("/dist") {
                walk(root, &name, found);
            }
        } else if is_test(&name) {
            let source = std::fs::read_to_string(entry.path()).expect("a source is UTF-8");
            found.push((name, source));
        }
    }
}

#[test]
fn no_test_has_a_time_of_its_own() {
    let mut found = Vec::new();
    for folder in ["crates", "web"] {
        walk(&root(), folder, &mut found);
    }
    let sources: Vec<(&str, &str)> = found.iter().map(|(file, source)| (&**file, &**source)).collect();
    assert!(sources.len() > 300, "{} tests were read", sources.len());
    assert_none(&complaints(&sources, EXEMPT));
}

#[test]
fn a_time_is_named_with_its_line() {
    let exempt = [("a.rs", "known", "why")];
    for mark in MARKS.iter().chain([&WAIT_OPTION]) {
        let line = format!("fn wait() {{\n    {mark}1)\n}}\n");
        let found = complaints(&[("b.rs", &line)], &[]);
        assert!(found.len() == 1 && found[0].starts_with("b.rs:2: "), "{found:?}");
        let known = format!("{mark}1 known)");
        assert_none(&complaints(&[("a.rs", &known)], &exempt));
    }
    assert_eq!(
        complaints(&[("a.rs", "fn wait() {}")], &exempt),
        ["a.rs has no time with \"known\" any more"]
    );
}
