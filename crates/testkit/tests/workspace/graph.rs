//! The resolved dependency graph, from `cargo metadata` or, for tests of the checks, from rows of text.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

use crate::root;

/// Everything that is built on this platform, read once. What only other platforms build is left out: it is
/// not part of what we ship, and looking at it would mean downloading it.
pub(crate) static REAL: LazyLock<Graph> = LazyLock::new(|| Graph::from_metadata(&metadata()));

#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) packages: Vec<Package>,
}

#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) licence: Option<String>,
    /// A member of this workspace.
    pub(crate) ours: bool,
    pub(crate) edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Normal and build dependencies: both decide what is shipped.
    Shipped,
    Dev,
}

#[derive(Debug)]
pub(crate) struct Edge {
    /// Index into [`Graph::packages`].
    pub(crate) to: usize,
    pub(crate) kind: Kind,
}

impl Graph {
    /// Names of all that is shipped with `name`, without itself.
    pub(crate) fn closure(&self, name: &str) -> BTreeSet<&str> {
        let start = self.packages.iter().position(|package| package.name == name);
        let mut seen = BTreeSet::new();
        let mut open: Vec<usize> = start.into_iter().collect();
        while let Some(at) = open.pop() {
            let shipped = self.packages[at].edges.iter().filter(|edge| edge.kind == Kind::Shipped);
            open.extend(shipped.map(|edge| edge.to).filter(|to| seen.insert(*to)));
        }
        seen.into_iter().map(|at| self.packages[at].name.as_str()).collect()
    }

    fn from_metadata(metadata: &Value) -> Graph {
        let members: BTreeSet<&str> =
            array(&metadata["workspace_members"]).filter_map(Value::as_str).collect();
        let index: BTreeMap<&str, usize> =
            array(&metadata["packages"]).map(|package| text(&package["id"])).zip(0..).collect();
        let mut packages: Vec<Package> = array(&metadata["packages"])
            .map(|package| Package {
                name: text(&package["name"]).to_owned(),
                version: text(&package["version"]).to_owned(),
                licence: package["license"].as_str().map(str::to_owned),
                ours: members.contains(text(&package["id"])),
                edges: Vec::new(),
            })
            .collect();
        for node in array(&metadata["resolve"]["nodes"]) {
            packages[index[text(&node["id"])]].edges = array(&node["deps"])
                .flat_map(|dep| array(&dep["dep_kinds"]).map(move |kind| (text(&dep["pkg"]), &kind["kind"])))
                .map(|(to, kind)| Edge {
                    to: index[to],
                    kind: if kind == "dev" { Kind::Dev } else { Kind::Shipped },
                })
                .collect();
        }
        Graph { packages }
    }

    /// A made-up graph. Each row is `name version licence: dependencies`, with `dev:` before a dependency that
    /// only tests have; names that start with `windfall` are ours. A dependency names a row.
    pub(crate) fn from_rows(rows: &[&str]) -> Graph {
        let split: Vec<(Vec<&str>, &str)> = rows
            .iter()
            .map(|row| {
                let (head, dependencies) = row.split_once(':').expect("a colon after the licence");
                (head.splitn(3, ' ').collect(), dependencies)
            })
            .collect();
        let at =
            |name: &str| split.iter().position(|(head, _)| head[0] == name).expect("a row for each name");
        let edge = |word: &str| match word.strip_prefix("dev:") {
            Some(name) => Edge { to: at(name), kind: Kind::Dev },
            None => Edge { to: at(word), kind: Kind::Shipped },
        };
        let packages = split.iter().map(|(head, dependencies)| Package {
            name: head[0].to_owned(),
            version: head[1].to_owned(),
            licence: head.get(2).map(|&licence| licence.to_owned()),
            ours: head[0].starts_with("windfall"),
            edges: dependencies.split_whitespace().map(edge).collect(),
        });
        Graph { packages: packages.collect() }
    }
}

/// Offline when everything is already here, as after a build; else once more with the network allowed.
fn metadata() -> Value {
    let platform = host();
    let base = ["metadata", "--format-version=1", "--locked", "--filter-platform", platform.as_str()];
    let offline = cargo(&base, &["--offline"]);
    let output =
        offline.or_else(|_| cargo(&base, &[])).unwrap_or_else(|error| panic!("cargo metadata: {error}"));
    serde_json::from_str(&output).expect("cargo metadata prints JSON")
}

fn cargo(base: &[&str], more: &[&str]) -> Result<String, String> {
    output(Command::new(env!("CARGO")).args(base).args(more).current_dir(root()))
}

fn host() -> String {
    let version = output(Command::new("rustc").arg("-vV")).expect("rustc tells its version");
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("rustc names the host").to_owned()
}

fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("cargo metadata has text here")
}

#[test]
fn the_closure_follows_what_is_shipped() {
    let graph = Graph::from_rows(&["a 1 MIT: b dev:d", "b 1 MIT: c", "c 1 MIT: a", "d 1 MIT:"]);
    assert_eq!(graph.closure("a").into_iter().collect::<Vec<_>>(), ["a", "b", "c"]);
    assert!(graph.closure("d").is_empty() && graph.closure("absent").is_empty());
}

#[test]
fn the_real_graph_is_read() {
    assert!(REAL.packages.iter().filter(|package| package.ours).count() >= 7);
    assert!(REAL.closure("windfall-domain").contains("serde"));
    assert!(REAL.closure("windfall").contains("tokio"));
}
