//! The data folder belongs to one process.
//!
//! The lock is the operating system's, on a file inside the folder: it goes with the process, however that
//! ends, so a start after `kill -9` is an ordinary start.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Somebody else is at work here.
    #[error("data_folder_locked: {} is in use by another Windfall process ({holder})", folder.display())]
    Locked { folder: PathBuf, holder: String },
    #[error("the data folder {} cannot be used", folder.display())]
    Unusable {
        folder: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// A locked data folder; unlocked when dropped.
#[derive(Debug)]
pub struct DataFolder {
    path: PathBuf,
    _lock: File,
}

impl DataFolder {
    /// The name of the database's file in the folder.
    pub const DATABASE: &'static str = "windfall.db";

    /// Makes the folder if needed (for this user only) and takes the lock.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        let unusable = |source| FolderError::Unusable { folder: path.to_owned(), source };
        if !path.exists() {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(unusable)?;
        }
        let mut lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .mode(0o600)
            .open(path.join("windfall.lock"))
            .map_err(unusable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = lock.read_to_string(&mut holder);
                return Err(FolderError::Locked {
                    folder: path.to_owned(),
                    holder: holder.trim().to_owned(),
                });
            }
            Err(TryLockError::Error(source)) => return Err(unusable(source)),
        }
        let written = lock
            .set_len(0)
            .and_then(|()| lock.rewind())
            .and_then(|()| writeln!(lock, "process {}", std::process::id()));
        written.map_err(unusable)?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn database(&self) -> PathBuf {
        self.path.join(Self::DATABASE)
    }

    /// The ledger's journal.
    pub fn journal(&self) -> PathBuf {
        self.path.join("journal.db")
    }

    /// Whether something was ever stored here.
    pub fn in_use(&self) -> bool {
        fs::metadata(self.database()).is_ok_and(|file| file.len() > 0)
    }

    /// Makes the files of the database and the journal for this user only, before SQLite would make them for everybody; their
    /// side files follow their mode.
    pub fn reserve_database(&self) -> Result<(), FolderError> {
        for file in [self.database(), self.journal()] {
            let made = OpenOptions::new().create(true).append(true).mode(0o600).open(file);
            made.map_err(|source| FolderError::Unusable { folder: self.path.clone(), source })?;
        }
        Ok(())
    }

    /// Where the command line reaches the running server.
    pub fn socket(path: &Path) -> PathBuf {
        path.join("admin.sock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_process_is_refused_by_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("data");
        let first = DataFolder::open(&path).unwrap();
        let error = DataFolder::open(&path).unwrap_err().to_string();
        assert!(error.starts_with("data_folder_locked: "), "{error}");
        assert!(error.contains(&format!("process {}", std::process::id())), "{error}");
        drop(first);
        DataFolder::open(&path).unwrap();
    }

    #[test]
    fn a_file_in_the_way_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("data");
        fs::write(&path, "").unwrap();
        assert!(matches!(DataFolder::open(&path), Err(FolderError::Unusable { .. })));
    }
}
