//! A test that cannot run on this machine says so where `make test` shows it. It never passes in silence.
//!
//! `scripts/test` names a file in `WINDFALL_SKIPS` and prints its lines at the end. There, with `CI=true`, a
//! skip is a failure unless nothing could have been done about it: see [`Reason`].

use std::env;
use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use crate::account::Account;

/// The variable that names the file of skips.
pub const SKIPS_FILE: &str = "WINDFALL_SKIPS";

/// Why something was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It could have been installed here, and was not: a failure in CI.
    Missing,
    /// Nothing here could provide it: tolerated in CI.
    Unavailable,
}

impl Reason {
    /// The reason for a missing system package: only root with apt-get could have installed it.
    #[must_use]
    pub fn for_package() -> Reason {
        let apt = on_path("apt-get").is_some();
        if apt && Account::of_process().is_some_and(Account::is_root) {
            Reason::Missing
        } else {
            Reason::Unavailable
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Missing => "missing",
            Reason::Unavailable => "unavailable",
        })
    }
}

/// Says on standard error, and in the file that `scripts/test` reads, that tests of this process are skipped.
///
/// # Panics
/// When the file is named but cannot be written: a skip that nobody sees would pass for a success.
pub fn record(reason: Reason, what: &str) {
    let line = line(reason, what, &process_name());
    eprintln!("skipped: {line}");
    if let Some(file) = env::var_os(SKIPS_FILE) {
        append(Path::new(&file), &line).expect("the file named by WINDFALL_SKIPS can be written");
    }
}

/// The first folder of `PATH` that holds `program`.
#[must_use]
pub fn on_path(program: &str) -> Option<std::path::PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).find(|folder| folder.join(program).is_file())
}

fn line(reason: Reason, what: &str, process: &str) -> String {
    format!("{reason}: {} (in {process})", what.replace('\n', " "))
}

/// One write, so that lines of test processes running at the same time do not mix.
fn append(file: &Path, line: &str) -> io::Result<()> {
    OpenOptions::new().create(true).append(true).open(file)?.write_all(format!("{line}\n").as_bytes())
}

/// The name of the test binary, without the hash that cargo adds.
fn process_name() -> String {
    let exe = env::current_exe().unwrap_or_default();
    let stem = exe.file_stem().unwrap_or_default().to_string_lossy();
    stem.rsplit_once('-').map_or(stem.as_ref(), |(name, _hash)| name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_starts_with_the_reason_and_stays_one_line() {
        assert_eq!(line(Reason::Missing, "no\nserver", "store"), "missing: no server (in store)");
        assert_eq!(line(Reason::Unavailable, "no server", "store"), "unavailable: no server (in store)");
    }

    #[test]
    fn lines_are_appended() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("skips");
        append(&file, "missing: one").unwrap();
        append(&file, "missing: two").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "missing: one\nmissing: two\n");
    }
}
