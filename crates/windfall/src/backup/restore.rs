//! `windfall restore`: an installation from a backup, in a folder of its own.
//!
//! The live installation may have gone on after the backup was made. What would then leave this one a second time,
//! messages to others and redeem codes, waits in quarantine until somebody has looked (`windfall quarantine`).

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::Args;
use embedded::DataFolder;
use engine::operations::quarantine::quarantine_begin;
use store::model::Actor;

use super::manifest::{DATABASE, JOURNAL, KEY, Manifest, check_folds};
use super::write_private;
use crate::config::Config;
use crate::node::Node;

#[derive(Debug, Args)]
pub struct RestoreCommand {
    /// The backup: a folder with a manifest.json
    #[arg(value_name = "BACKUP")]
    backup: PathBuf,
    /// The new data folder; it must not exist, or be empty
    #[arg(long, value_name = "DIR")]
    pub into: PathBuf,
    /// Its key file, if it is neither in the backup nor at the configured path
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

/// `config` has the new folder as its data folder.
pub async fn run(config: &Config, command: &RestoreCommand) -> anyhow::Result<()> {
    let RestoreCommand { backup, into, key } = command;
    let manifest = Manifest::read(backup)?;
    let is_empty = match fs::read_dir(into) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    };
    ensure!(is_empty, "folder_not_empty: {} is not empty; restore into a new folder", into.display());
    manifest.check_files(backup)?;
    let key_path = config.data.key_path();
    ensure!(
        key.is_some() || manifest.has_key() || key_path.exists(),
        "key_file_missing: the key file is not in this backup and not at {}; name it with --key",
        key_path.display()
    );
    copy(backup, &manifest, into, key.as_deref().map(|key| (key, key_path.as_path())))?;
    let restored = finish(config, &manifest).await;
    if restored.is_err() {
        // Nobody starts from half an installation.
        let _ = fs::remove_dir_all(into);
    }
    restored
}

fn copy(backup: &Path, manifest: &Manifest, into: &Path, key: Option<(&Path, &Path)>) -> anyhow::Result<()> {
    // Makes the folder for this user only.
    let folder = DataFolder::open(into)?;
    folder.reserve_database()?;
    for name in [DATABASE, JOURNAL] {
        fs::copy(backup.join(name), into.join(name)).with_context(|| format!("copying {name}"))?;
        fs::File::open(into.join(name))?.sync_all()?;
    }
    match key {
        Some((from, to)) => write_private(to, &fs::read(from).with_context(|| from.display().to_string())?),
        None if manifest.has_key() => write_private(&into.join(KEY), &fs::read(backup.join(KEY))?),
        None => Ok(()),
    }
}

async fn finish(config: &Config, manifest: &Manifest) -> anyhow::Result<()> {
    let folded = check_folds(&config.data.dir).await.context("backup_damaged")?;
    ensure!(
        folded.journal_seq == manifest.journal_seq,
        "backup_damaged: it ends at event {}, but the manifest says {}",
        folded.journal_seq,
        manifest.journal_seq
    );
    // The ledger begins a term of its own here, and what the journal had beyond the database is projected.
    let node = Node::open(config, "").await?;
    let signed = node.world.audit_stamp(Actor::Console, "restored from a backup", "console");
    let begun = quarantine_begin(&node.world, signed).await;
    node.close().await;
    let begun = begun?;
    println!("{} is restored, up to event {}.", config.data.dir.display(), manifest.journal_seq);
    let moment = jiff::Timestamp::from_millisecond(manifest.made_ms)?;
    println!("Changes acknowledged after {moment} may be missing.");
    println!(
        "In quarantine: {} messages to others, {} pools of redeem codes. `windfall quarantine` lists them; nothing \
         of it leaves before you say so.",
        begun.messages, begun.code_pools
    );
    Ok(())
}
