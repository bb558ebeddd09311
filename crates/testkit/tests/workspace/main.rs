//! Checks over the workspace itself: who may depend on whom, what may enter the dependency tree, and what no
//! source file may contain.
//!
//! Every check is a function from data to a list of complaints, each naming the culprit and what to do. One
//! test runs it on the real workspace; others run it on made-up rows, to show that it can fail.

mod alerts;
mod bans;
mod direction;
mod features;
mod graph;
mod holes;
mod hurry;
mod licences;
mod modules;
mod names;
mod node;
mod policy;
mod purity;
mod spdx;
mod text;
mod unused;

/// Fails with every complaint at once.
#[track_caller]
fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n  {}\n", complaints.join("\n  "));
}

/// The root of the workspace.
fn root() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}
