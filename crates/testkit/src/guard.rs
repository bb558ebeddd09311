//! A server process and its temporary folder, which never outlive the test process, whatever ends it: the
//! end of the test, a panic, an abort, `kill -9`.
//!
//! A destructor cannot promise that, so a small shell script does (`watchdog.sh`): it starts the server and
//! reads a pipe whose other end only this process holds. When the pipe closes, it stops the server and
//! removes the folder.
//!
//! Not handled: someone who kills the watchdog itself.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

use crate::account::Account;
use crate::wait::{self, Late, PATIENCE};

const WATCHDOG: &str = include_str!("watchdog.sh");
/// How long a server may take to stop before it is killed. A multiple of the watchdog's 20 ms step.
const GRACE_MS: u64 = 5_000;
/// How much of a log an error carries.
const TAIL_LINES: usize = 25;

/// Why a server could not be run.
#[derive(Debug, thiserror::Error)]
pub enum ServerFault {
    #[error("the watchdog could not be run")]
    Watchdog(#[from] io::Error),
    #[error("the server ended with status {status}; its log ends with:\n{log}")]
    Ended { status: String, log: String },
    #[error("{late}; the server's log ends with:\n{log}")]
    Late { late: Late, log: String },
}

/// One server at a time, in one folder. Dropping it stops the server and removes the folder.
#[derive(Debug)]
pub struct Guard {
    folder: PathBuf,
    /// Who runs the server, when not we ourselves.
    account: Option<Account>,
    watchdog: Child,
    /// Our end of the pipe. `None` only while dropping.
    orders: Option<ChildStdin>,
    /// How many orders the watchdog was given.
    given: u32,
}

impl Guard {
    /// Makes the folder and its watchdog; no server runs yet. `stop_signal` (`TERM`, `INT`) is what asks this
    /// kind of server to stop. As root, folder and server belong to an unprivileged account.
    ///
    /// # Errors
    /// [`ServerFault::Watchdog`] when the folder or the shell cannot be had.
    pub fn new(name: &str, stop_signal: &str) -> Result<Guard, ServerFault> {
        let folder = tempfile::Builder::new().prefix(&format!("windfall-{name}-")).tempdir()?;
        let mut command = Command::new("sh");
        command
            .args(["-c", WATCHDOG, "watchdog"])
            .arg(folder.path())
            .arg(stop_signal)
            .arg(GRACE_MS.to_string())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", folder.path())
            // Messages in English: the fixtures look for some of them.
            .env("LC_ALL", "C")
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // A Ctrl-C in the terminal is for the tests; the watchdog then sees the pipe close.
            .process_group(0);
        let account = account_for_servers();
        if let Some(account) = account {
            chown(folder.path(), Some(account.uid), Some(account.gid))?;
            command.uid(account.uid).gid(account.gid);
        }
        let mut watchdog = command.spawn()?;
        let orders = watchdog.stdin.take();
        // From here on the folder is the watchdog's to remove.
        Ok(Guard { folder: folder.keep(), account, watchdog, orders, given: 0 })
    }

    /// Where the server keeps its data and its log.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Starts a server and returns its process id, without waiting until it can be used. One that still runs
    /// is stopped first.
    ///
    /// # Errors
    /// [`ServerFault`] when the watchdog does not answer.
    pub async fn start(&mut self, program: &Path, arguments: &[String]) -> Result<u32, ServerFault> {
        self.stop().await?;
        self.write_command(program, arguments)?;
        self.order("start").await?;
        let pid = read_number(&self.folder.join("pid"));
        pid.ok_or_else(|| ServerFault::Watchdog(io::Error::other("it names no process id")))
    }

    /// Runs a program that ends by itself, under the same protection.
    ///
    /// # Errors
    /// [`ServerFault::Ended`] unless it ends with status 0; [`ServerFault::Late`] when it takes longer than `limit`.
    pub async fn run(
        &mut self,
        program: &Path,
        arguments: &[String],
        limit: Duration,
    ) -> Result<(), ServerFault> {
        self.start(program, arguments).await?;
        let what = format!("{} to end", program.display());
        let ended = wait::until(limit, &what, || self.exited()).await;
        match ended.map_err(|late| self.late(late))?.as_str() {
            "0" => Ok(()),
            status => Err(self.ended(status)),
        }
    }

    /// Waits until `ready` gives a value.
    ///
    /// # Errors
    /// [`ServerFault::Ended`] as soon as the server ends instead, [`ServerFault::Late`] after `limit`.
    pub async fn wait_ready<T>(
        &self,
        limit: Duration,
        what: &str,
        mut ready: impl FnMut() -> Option<T>,
    ) -> Result<T, ServerFault> {
        let outcome = wait::until(limit, what, || match self.exited() {
            Some(status) => Some(Err(self.ended(&status))),
            None => ready().map(Ok),
        });
        outcome.await.map_err(|late| self.late(late))?
    }

    /// Asks the server to stop and waits until it has. Nothing happens when none runs.
    ///
    /// # Errors
    /// [`ServerFault::Late`] when it is still there after being killed.
    pub async fn stop(&mut self) -> Result<(), ServerFault> {
        self.order("stop").await
    }

    /// Kills the server, as a power cut would, and waits until it is gone.
    ///
    /// # Errors
    /// [`ServerFault::Late`] when it is still there.
    pub async fn kill(&mut self) -> Result<(), ServerFault> {
        self.order("kill").await
    }

    /// The status with which the server ended, once it has.
    #[must_use]
    pub fn exited(&self) -> Option<String> {
        Some(fs::read_to_string(self.folder.join("exited")).ok()?.trim().to_owned())
    }

    /// The last lines of the log.
    #[must_use]
    pub fn log_tail(&self) -> String {
        let log = fs::read(self.folder.join("log")).unwrap_or_default();
        tail(&String::from_utf8_lossy(&log), TAIL_LINES)
    }

    fn write_command(&self, program: &Path, arguments: &[String]) -> io::Result<()> {
        let file = self.folder.join("command");
        fs::write(&file, script(program, arguments))?;
        match self.account {
            Some(account) => chown(&file, Some(account.uid), Some(account.gid)),
            None => Ok(()),
        }
    }

    /// Gives an order and waits until it is carried out.
    async fn order(&mut self, word: &str) -> Result<(), ServerFault> {
        let orders = self.orders.as_mut().expect("the pipe is open until the guard is dropped");
        writeln!(orders, "{word}")?;
        self.given += 1;
        let (answered, given) = (self.folder.join("answered"), self.given);
        let what = format!("the watchdog to {word} the server");
        let done = wait::until(PATIENCE, &what, || (read_number(&answered)? >= given).then_some(())).await;
        done.map_err(|late| self.late(late))
    }

    fn ended(&self, status: &str) -> ServerFault {
        ServerFault::Ended { status: status.to_owned(), log: self.log_tail() }
    }

    fn late(&self, late: Late) -> ServerFault {
        ServerFault::Late { late, log: self.log_tail() }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.orders.take());
        // Neither can be acted upon here; when one fails, so does the next look at the folder.
        let _ = self.watchdog.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Whom to become; `None` to stay who we are.
fn account_for_servers() -> Option<Account> {
    Account::of_process().filter(|account| account.is_root()).and_then(|_| Account::unprivileged())
}

/// A shell script that becomes the program, so that the process id is the program's own.
fn script(program: &Path, arguments: &[String]) -> String {
    let mut line = format!("exec {}", quoted(&program.to_string_lossy()));
    for argument in arguments {
        line.push(' ');
        line.push_str(&quoted(argument));
    }
    line.push('\n');
    line
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

fn read_number(file: &Path) -> Option<u32> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_the_shell() {
        for word in ["plain", "two words", "it's", "$HOME", "a\\b", "", "*", "\"quoted\""] {
            let script = script(Path::new("printf"), &["%s".into(), word.into()]);
            let output = Command::new("sh").arg("-c").arg(&script).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), word, "script: {script}");
        }
    }

    #[test]
    fn a_tail_is_the_last_lines() {
        for (text, lines, expected) in
            [("", 2, ""), ("a", 2, "a"), ("a\nb\nc\n", 2, "b\nc"), ("a\nb", 5, "a\nb")]
        {
            assert_eq!(tail(text, lines), expected);
        }
    }
}
