//! Which account runs a server. PostgreSQL refuses to run as root, and tests often are.

use std::process::Command;

/// Accounts to use in place of root, best first. The first comes with Debian's package.
const UNPRIVILEGED: [&str; 2] = ["postgres", "nobody"];

/// A user and its main group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

impl Account {
    /// The account of this process.
    pub(crate) fn of_process() -> Option<Account> {
        Some(Account { uid: id(&["-u"])?, gid: id(&["-g"])? })
    }

    /// An account to switch to when this process is root.
    pub(crate) fn unprivileged() -> Option<Account> {
        UNPRIVILEGED
            .iter()
            .find_map(|name| Some(Account { uid: id(&["-u", name])?, gid: id(&["-g", name])? }))
    }

    pub(crate) fn is_root(self) -> bool {
        self.uid == 0
    }
}

/// Asks `id`: the standard library does not know, and the workspace forbids the unsafe way.
fn id(arguments: &[&str]) -> Option<u32> {
    let output = Command::new("id").args(arguments).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}
