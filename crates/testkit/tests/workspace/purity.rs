//! `windfall-domain` decides; it does not do. Nothing it depends on waits, reads, writes, tells the time or
//! makes randomness, and nor does its own source: time and chance come in as values.

use std::fs;
use std::path::Path;

use crate::assert_none;
use crate::graph::{Graph, REAL};
use crate::root;

const DOMAIN: &str = "windfall-domain";
/// Crates that wait, do IO, tell the time or make randomness. A trailing `*` stands for anything.
const IMPURE: &[&str] = &[
    "async-*",
    "axum*",
    "chrono*",
    "crossbeam*",
    "deadpool*",
    "fastrand",
    "futures*",
    "getrandom",
    "hyper*",
    "jiff*",
    "libsqlite3-sys",
    "log",
    "metrics*",
    "mio",
    "moka",
    "oorandom",
    "postgres*",
    "quanta",
    "rand",
    "rand_*",
    "rdkafka*",
    "redis",
    "reqwest",
    "ring",
    "rusqlite",
    "smol",
    "socket2",
    "tempfile",
    "time",
    "tokio*",
    "tower*",
    "tracing*",
    "uuid",
    "web-time",
];
/// What the source of the domain may not name. `std::net` is fine for addresses, not for sockets.
const EFFECTS: &[&str] = &[
    "SystemTime",
    "Instant::now",
    "fs::",
    "std::fs",
    "std::env",
    "std::io",
    "std::process",
    "std::thread",
    "thread::",
    "TcpStream",
    "TcpListener",
    "UdpSocket",
    "async fn",
    "async move",
];

fn impure_dependencies(graph: &Graph) -> Vec<String> {
    let impure = |name: &&str| IMPURE.iter().any(|pattern| matches(pattern, name));
    graph
        .closure(DOMAIN)
        .into_iter()
        .filter(impure)
        .map(|name| {
            format!("{DOMAIN} depends on {name}, which is not pure: move what needs it to engine (`cargo tree -p {DOMAIN} -i {name}` tells why it is there)")
        })
        .collect()
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

fn effects(file: &str, source: &str) -> Vec<String> {
    let code = source.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    code.flat_map(|(at, line)| {
        let found = EFFECTS.iter().find(|effect| names(line, effect));
        found.map(|effect| format!("{file}:{}: `{effect}` in {DOMAIN}: take the value as an argument and leave the doing to engine", at + 1))
    })
    .collect()
}

/// Whether the line contains the word, not merely as the end of a longer one.
fn names(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries =
        fs::read_dir(folder).expect("a folder of sources").map(|entry| entry.expect("an entry").path());
    entries
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

#[test]
fn the_domain_depends_on_nothing_impure() {
    assert_none(&impure_dependencies(&REAL));
}

#[test]
fn the_domain_has_no_effects() {
    let files = sources(&root().join("crates/domain/src"));
    assert!(!files.is_empty());
    let read = |path: &std::path::PathBuf| fs::read_to_string(path).expect("a source file");
    let complaints: Vec<String> =
        files.iter().flat_map(|path| effects(&path.display().to_string(), &read(path))).collect();
    assert_none(&complaints);
}

#[test]
fn an_impure_dependency_is_named_however_deep() {
    for (deep, pure) in [
        ("tokio-util", false),
        ("futures-core", false),
        ("rand", false),
        ("rand_core", false),
        ("time", false),
        ("getrandom", false),
        ("timeless", true),
        ("typenum", true),
    ] {
        let rows = [
            "windfall-domain 1 MIT: sha2".to_owned(),
            format!("sha2 1 MIT: {deep}"),
            format!("{deep} 1 MIT:"),
        ];
        let graph = Graph::from_rows(&rows.each_ref().map(String::as_str));
        let found = impure_dependencies(&graph);
        assert_eq!(found.is_empty(), pure, "{deep}: {found:?}");
        assert!(pure || found[0].contains(deep));
    }
}

#[test]
fn an_impure_dependency_of_tests_is_fine() {
    assert_none(&impure_dependencies(&Graph::from_rows(&["windfall-domain 1 MIT: dev:rand", "rand 1 MIT:"])));
}

#[test]
fn an_effect_is_named_with_its_line() {
    for (line, pure) in [
        ("let now = SystemTime::now();", false),
        ("use std::time::SystemTime;", false),
        ("let t = Instant::now();", false),
        ("use std::fs;", false),
        ("use std::{fs, fmt}; fs::read(path)", false),
        ("std::thread::spawn(work)", false),
        ("use std::net::TcpStream;", false),
        ("pub async fn draw()", false),
        ("use std::net::IpAddr;", true),
        ("// not std::fs", true),
        ("/// Not `SystemTime`.", true),
        ("let offs::x = 1;", true),
        ("pub struct Instant(i64);", true),
    ] {
        let found = effects("draw.rs", &format!("\n{line}\n"));
        assert_eq!(found.is_empty(), pure, "{line}: {found:?}");
        assert!(pure || found[0].starts_with("draw.rs:2: "));
    }
}
