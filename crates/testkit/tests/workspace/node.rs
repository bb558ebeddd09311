//! Where Node is missing or too old: the scripts bring one or say so, and in CI that is a failure.
//!
//! The scripts run on the real checkout with a PATH of this test's own; nothing is fetched.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use windfall_testkit::skip;

use crate::root;

/// What the scripts use besides Node and Python.
const TOOLS: [&str; 12] =
    ["bash", "sh", "env", "dirname", "sed", "sort", "head", "realpath", "id", "tr", "cat", "cut"];

/// A folder with these tools and no other.
fn machine() -> tempfile::TempDir {
    let machine = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(machine.path().join("bin")).expect("a folder");
    for tool in TOOLS {
        let folder = skip::on_path(tool).expect("a tool that every machine has");
        symlink(folder.join(tool), machine.path().join("bin").join(tool)).expect("a link");
    }
    machine
}

/// A program that says this version, and an npm beside it.
fn put_node(folder: &Path, version: &str) {
    std::fs::create_dir_all(folder).expect("a folder");
    for name in ["node", "npm"] {
        let program = folder.join(name);
        std::fs::write(&program, format!("#!/bin/sh\necho {version}\n")).expect("a program");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program");
    }
}

fn run(machine: &Path, script: &str, arguments: &[&str], ci: bool) -> Output {
    let mut command = Command::new(root().join("scripts").join(script));
    command.args(arguments).env_clear().env("PATH", machine.join("bin")).env("HOME", machine);
    command.env("CARGO_TARGET_DIR", machine.join("target"));
    if ci {
        command.env("CI", "true");
    }
    command.output().expect("a script")
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

#[test]
fn without_any_way_to_node_ci_fails_and_a_person_is_told() {
    let machine = machine();
    for step in ["build", "check", "test"] {
        let ran = run(machine.path(), "web", &[step], true);
        assert!(!ran.status.success(), "{step}: {}", said(&ran));
        assert!(said(&ran).contains("there is no Node here"), "{step}: {}", said(&ran));
        let ran = run(machine.path(), "web", &[step], false);
        assert!(ran.status.success(), "{step}: {}", said(&ran));
        assert!(said(&ran).contains("The pages need Node"), "{step}: {}", said(&ran));
    }
}

#[test]
fn a_node_that_is_too_old_is_passed_over_for_one_that_was_brought() {
    let machine = machine();
    let (on_path, own) = (machine.path().join("bin"), machine.path().join("target/node/bin"));
    put_node(&on_path, "v18.19.0");
    let ran = run(machine.path(), "node", &[], false);
    assert!(!ran.status.success(), "{}", said(&ran));
    put_node(&own, "v22.0.0");
    let ran = run(machine.path(), "node", &[], false);
    assert_eq!(said(&ran).trim(), own.canonicalize().expect("a folder").to_str().expect("a path"));
    put_node(&on_path, "v20.19.0");
    let ran = run(machine.path(), "node", &[], false);
    assert_eq!(said(&ran).trim(), on_path.to_str().expect("a path"));
}
