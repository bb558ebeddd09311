//! Copies of everything, made while the program runs.

use std::path::PathBuf;

use domain::time::Timestamp;

use crate::failure::Result;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupOrder {
    /// The folder that gets a folder for this backup; nothing: the one of the settings.
    pub into: Option<PathBuf>,
    /// Whether the key file comes along. Whoever has such a backup can read phones, addresses and codes.
    pub with_key: bool,
    /// So many of the newest stay, this one among them; nothing: all of them.
    pub keep: Option<u32>,
}

domain::names! {
    /// What a backup is at.
    pub enum BackupStage {
        Copying = "copying",
        /// Reading it back: every page, every row, and whether the journal goes on from the database.
        Checking = "checking",
        Finished = "finished",
    }
}

/// A backup that is whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeBackup {
    pub folder: PathBuf,
    pub bytes: u64,
    /// The last event of the ledger in it.
    pub last_seq: u64,
}

/// How far a backup is, or how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupStatus {
    /// Counts the backups of this process.
    pub number: u64,
    pub stage: BackupStage,
    /// Pages of the database copied, and pages in all.
    pub done: u64,
    pub of: u64,
    pub started: Timestamp,
    pub finished: Option<Timestamp>,
    /// Nothing while it is under way.
    pub outcome: Option<Result<MadeBackup, String>>,
}

pub trait Backups: Send + Sync {
    /// Begins one, and answers at once. One at a time: beside another the answer is `overloaded`.
    fn begin(&self, order: BackupOrder) -> Result<BackupStatus>;
    /// The last one of this process.
    fn status(&self) -> Option<BackupStatus>;
    /// Whether the settings name a folder for backups.
    fn has_folder(&self) -> bool;
}
