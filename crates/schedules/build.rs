//! Lays out the ledger's four threaded files for the tests: once as they are, and once for each planted fault with that
//! one edit. The tests compile each of these variants against the schedulable `sync`.

#[path = "planted.rs"]
mod planted;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use planted::{FAULTS, Fault};

const THREADED: [&str; 4] = ["queue", "writer", "decider", "committer"];
const SCENARIOS: [&str; 2] = ["queueing", "serving"];

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the crate is"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to write"));
    let ledger = here.join("../ledger/src");
    let tests = here.join("tests/schedules");
    println!("cargo::rerun-if-changed=planted.rs");
    for file in THREADED {
        println!("cargo::rerun-if-changed={}", ledger.join(file).with_extension("rs").display());
    }
    let mut text = variant("real", &tests, |file| ledger.join(file).with_extension("rs"));
    for fault in FAULTS {
        let edited = plant(fault, &ledger, &out);
        // A mistake may well be one that a lint would see.
        text += "#[allow(clippy::all, unused)]\n";
        text += &variant(fault.name, &tests, |file| {
            if file == fault.file { edited.clone() } else { ledger.join(file).with_extension("rs") }
        });
    }
    text += "pub const PLANTED: &[(&str, &str, fn())] = &[\n";
    for Fault { name, scenario, .. } in FAULTS {
        writeln!(text, "    ({name:?}, {scenario:?}, {name}::{scenario}),").expect("a text takes everything");
    }
    text += "];\n";
    fs::write(out.join("variants.rs"), text).expect("the build folder can be written");
}

/// A copy of one file with the fault in it.
fn plant(fault: &Fault, ledger: &Path, out: &Path) -> PathBuf {
    let Fault { name, file, edits, .. } = fault;
    let mut source = fs::read_to_string(ledger.join(file).with_extension("rs")).expect("the source is there");
    for (from, to) in *edits {
        let places = source.matches(from).count();
        assert!(places == 1, "planted.rs: {from:?} of {name} is {places} times in {file}.rs, not once");
        source = source.replace(from, to);
    }
    let path = out.join(format!("{name}.rs"));
    fs::write(&path, source).expect("the build folder can be written");
    path
}

fn variant(name: &str, tests: &Path, source: impl Fn(&str) -> PathBuf) -> String {
    let mut text = format!(
        "pub mod {name} {{\n    pub(crate) use crate::sync;\n    pub use ledger::{{clock, core, log, pace, tally}};\n"
    );
    let mut module = |name: &str, path: PathBuf| {
        writeln!(text, "    #[path = {path:?}]\n    pub mod {name};").expect("a text takes everything");
    };
    for file in THREADED {
        module(file, source(file));
    }
    for scenarios in SCENARIOS {
        module(scenarios, tests.join(scenarios).with_extension("rs"));
    }
    text + "}\n"
}
