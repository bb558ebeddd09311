//! `manifest.json`: what a backup says of itself. Written last, so that a backup without one is none.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use domain::ledger::Limits;
use embedded::journal::Journal;
use serde::{Deserialize, Serialize};
use store::{Db, SqliteSettings};

pub const FILE: &str = "manifest.json";
pub const DATABASE: &str = "windfall.db";
pub const JOURNAL: &str = "journal.db";
pub const KEY: &str = "windfall.key";
/// The form of backups that this program writes and reads.
const FORMAT: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub format: u32,
    /// The program that made it.
    pub program: String,
    /// When it was begun: everything acknowledged before is in it.
    pub made_ms: i64,
    /// The last migration in the database: an older program refuses it, a newer one goes on from it.
    pub schema: i64,
    /// The last event of the ledger in the database's rows.
    pub database_seq: u64,
    /// The last event in the journal: everything acknowledged when the backup began is at or before it.
    pub journal_seq: u64,
    pub journal_term: u32,
    pub files: Vec<ManifestFile>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    pub name: String,
    pub bytes: u64,
    pub sha256: String,
}

impl Manifest {
    pub fn new(
        made_ms: i64,
        (schema, database_seq): (i64, u64),
        (journal_seq, journal_term): (u64, u32),
    ) -> Self {
        let (format, program) = (FORMAT, crate::VERSION.to_owned());
        Self { format, program, made_ms, schema, database_seq, journal_seq, journal_term, files: Vec::new() }
    }

    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join(FILE);
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("not_a_backup: {} cannot be read", path.display()))?;
        let manifest: Self =
            serde_json::from_str(&text).context("not_a_backup: the manifest is unreadable")?;
        ensure!(
            manifest.format == FORMAT,
            "backup_format: this backup has format {}, but this program reads {FORMAT}",
            manifest.format
        );
        Ok(manifest)
    }

    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    pub fn has_key(&self) -> bool {
        self.files.iter().any(|file| file.name == KEY)
    }

    /// Whether every file is what the manifest says.
    pub fn check_files(&self, folder: &Path) -> anyhow::Result<()> {
        for file in &self.files {
            let found = describe(folder, &file.name)?;
            if found != *file {
                bail!(
                    "backup_damaged: {} has {} bytes and SHA-256 {}, but the manifest says {} and {}",
                    file.name,
                    found.bytes,
                    found.sha256,
                    file.bytes,
                    file.sha256
                );
            }
        }
        Ok(())
    }
}

/// A file's size and digest.
pub fn describe(folder: &Path, name: &str) -> anyhow::Result<ManifestFile> {
    let path = folder.join(name);
    let mut file = File::open(&path).with_context(|| path.display().to_string())?;
    let (mut digest, mut bytes) = (ring::digest::Context::new(&ring::digest::SHA256), 0);
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut buffer).with_context(|| path.display().to_string())?;
        if read == 0 {
            break;
        }
        digest.update(buffer.get(..read).unwrap_or(&[]));
        bytes += read as u64;
    }
    let sha256 = domain::hex::hex(digest.finish().as_ref());
    Ok(ManifestFile { name: name.to_owned(), bytes, sha256 })
}

/// What a database and its journal come to, read whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FolderState {
    pub schema: i64,
    pub database_seq: u64,
    pub journal_seq: u64,
}

/// Reads every page and row of a copy, starts a ledger from its rows, and folds its journal on top: what does not fit
/// together is found here and not on the day it is needed. Takes as much memory as the ledger does.
pub async fn check_folds(folder: &Path) -> anyhow::Result<FolderState> {
    let database = folder.join(DATABASE);
    let checked = {
        let database = database.clone();
        tokio::task::spawn_blocking(move || store::check_copy(&database)).await??
    };
    let db = Db::open_sqlite(&SqliteSettings { readers: 1, ..SqliteSettings::at(&database) })?;
    let image = db.ledger_load().await;
    db.close().await;
    let journal = folder.join(JOURNAL);
    let folded = tokio::task::spawn_blocking(move || -> anyhow::Result<u64> {
        let mut ledger = image?.restore(Limits::default())?;
        let journal = Journal::open(&journal)?;
        ledger::log::replay(&journal, &mut ledger, |_| {})?;
        Ok(ledger.seq())
    });
    Ok(FolderState { schema: checked.schema, database_seq: checked.seq, journal_seq: folded.await?? })
}
