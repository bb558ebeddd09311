//! What `deny.toml` says, as far as these checks use it. `cargo deny` reads the same file.

use std::sync::LazyLock;

use toml::{Table, Value};

use crate::root;

pub(crate) static REAL: LazyLock<Policy> = LazyLock::new(|| {
    let file = root().join("deny.toml");
    Policy::parse(&std::fs::read_to_string(file).expect("deny.toml is at the root"))
});

#[derive(Debug, Default)]
pub(crate) struct Policy {
    pub(crate) allowed_licences: Vec<String>,
    pub(crate) exceptions: Vec<Exception>,
    pub(crate) bans: Vec<Ban>,
}

/// Licences that one crate may have beyond the others.
#[derive(Debug)]
pub(crate) struct Exception {
    pub(crate) package: String,
    pub(crate) licences: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Ban {
    pub(crate) package: String,
    pub(crate) reason: String,
    /// Only these may depend on it.
    pub(crate) wrappers: Vec<String>,
    /// Not the crate but a second version of it is banned.
    pub(crate) only_multiple_versions: bool,
}

impl Policy {
    pub(crate) fn parse(text: &str) -> Policy {
        let policy: Table = text.parse().expect("deny.toml is TOML");
        let section = |name: &str| policy.get(name).and_then(Value::as_table).cloned().unwrap_or_default();
        let (licences, bans) = (section("licenses"), section("bans"));
        Policy {
            allowed_licences: strings(licences.get("allow")),
            exceptions: array(licences.get("exceptions")).map(exception).collect(),
            bans: array(bans.get("deny")).map(ban).collect(),
        }
    }
}

fn exception(entry: &Value) -> Exception {
    Exception { package: package(entry), licences: strings(entry.get("allow")) }
}

fn ban(entry: &Value) -> Ban {
    Ban {
        package: package(entry),
        reason: entry.get("reason").and_then(Value::as_str).unwrap_or("see deny.toml").to_owned(),
        wrappers: strings(entry.get("wrappers")),
        only_multiple_versions: entry.get("deny-multiple-versions").and_then(Value::as_bool) == Some(true),
    }
}

/// An entry is a name or a table with one.
fn package(entry: &Value) -> String {
    let name = entry.as_str().or_else(|| entry.get("crate").or_else(|| entry.get("name"))?.as_str());
    name.expect("an entry of deny.toml names a crate").to_owned()
}

fn array(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

fn strings(value: Option<&Value>) -> Vec<String> {
    array(value).filter_map(Value::as_str).map(str::to_owned).collect()
}

#[test]
fn the_real_policy_is_read() {
    assert!(REAL.allowed_licences.iter().any(|licence| licence == "Apache-2.0"));
    for package in [
        "dotenv",
        "backoff",
        "instant",
        "fxhash",
        "async-std",
        "rustls-pemfile",
        "captcha-rs",
        "rhai",
        "openssl",
        "sqlx",
        "chrono",
        "libsqlite3-sys",
    ] {
        assert!(REAL.bans.iter().any(|ban| ban.package == package), "{package}");
    }
}
