//! The command: asks the running server, or does it itself where none runs, and shows how far it is.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;
use http::Method;
use serde_json::{Value, json};

use super::manifest::{Manifest, check_folds};
use crate::config::Config;
use crate::console::ConsoleClient;
use crate::progress::ProgressPrinter;

/// How often it is asked how far it is.
const POLL: Duration = Duration::from_millis(200);

#[derive(Debug, Args)]
pub struct BackupCommand {
    /// The folder in which to create the backup (backup.folder)
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Include the key file; anybody with the backup can then read phones, addresses and codes
    #[arg(long)]
    with_key: bool,
    /// Make no backup, but verify this one, file by file and event by event
    #[arg(long, value_name = "BACKUP", conflicts_with_all = ["into", "with_key"])]
    check: Option<PathBuf>,
}

pub async fn run(config: &Config, command: &BackupCommand) -> anyhow::Result<()> {
    if let Some(backup) = &command.check {
        return check(backup).await;
    }
    let into = match (&command.into, &config.backup.folder) {
        (Some(into), _) | (None, Some(into)) => std::path::absolute(into)?,
        (None, None) => bail!("backup_folder_missing: name a folder with --into, or set backup.folder"),
    };
    let console = ConsoleClient::open_existing(config).await?;
    let made = make(&console, &into, command.with_key).await;
    console.close().await;
    let made = made?;
    let text = |name: &str| made.get(name).and_then(Value::as_str).unwrap_or("").to_owned();
    println!("{}", text("folder"));
    let bytes = made.get("bytes").and_then(Value::as_u64).unwrap_or(0);
    eprintln!("{bytes} bytes, up to event {}; verified.", text("last_seq"));
    if command.with_key {
        eprintln!("THE KEY FILE IS INCLUDED: anybody with this backup can read phones, addresses and codes.");
    } else {
        eprintln!(
            "The key file ({}) is NOT in it. Without that file a restored installation does not start: \
             keep a copy of it elsewhere.",
            config.data.key_path().display()
        );
    }
    Ok(())
}

async fn make(console: &ConsoleClient, into: &Path, with_key: bool) -> anyhow::Result<Value> {
    let body = json!({ "into": into, "with_key": with_key });
    let begun = console.ask(Method::POST, "/admin/backups", Some(body)).await?;
    let mut progress: Option<ProgressPrinter> = None;
    loop {
        let seen = console.ask(Method::GET, "/admin/backups", None).await?;
        let last = seen.get("last").context("the server does not know the backup: was it restarted?")?;
        if last.get("number") != begun.get("number") {
            bail!("another backup was started in the meantime");
        }
        let number = |name: &str| last.get(name).and_then(Value::as_u64).unwrap_or(0);
        if number("pages") > 0 {
            let bar = progress.get_or_insert_with(|| ProgressPrinter::new(number("pages"), "pages"));
            bar.reached(number("pages_done"));
        }
        if last.get("stage") == Some(&json!("finished")) {
            if let Some(bar) = &progress {
                bar.done();
            }
            return match last.get("failed").and_then(Value::as_str) {
                Some(why) => bail!("backup_failed: {why}"),
                None => Ok(last.clone()),
            };
        }
        tokio::time::sleep(POLL).await;
    }
}

/// On a copy of its own, so that what is kept is not touched.
async fn check(backup: &Path) -> anyhow::Result<()> {
    let manifest = Manifest::read(backup)?;
    manifest.check_files(backup)?;
    let aside = tempfile::Builder::new().prefix("windfall-check-").tempdir()?;
    for file in &manifest.files {
        std::fs::copy(backup.join(&file.name), aside.path().join(&file.name))?;
    }
    let folded = check_folds(aside.path()).await?;
    anyhow::ensure!(
        folded.journal_seq == manifest.journal_seq,
        "backup_damaged: it ends at event {}, but the manifest says {}",
        folded.journal_seq,
        manifest.journal_seq
    );
    println!("{} is complete, up to event {}", backup.display(), folded.journal_seq);
    Ok(())
}
