//! The key file: what encryption at rest depends on, kept outside the database.
//!
//! Plain lines, newest encryption key first. `index` is the key of look-up hashes; it stays for the life of
//! the installation, since changing it would make every phone unfindable. The file is replaced whole and
//! atomically, and readable by its owner only.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use engine::ports::Random;

#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    #[error("the key file {} cannot be {doing}", path.display())]
    Io {
        path: PathBuf,
        doing: &'static str,
        #[source]
        source: io::Error,
    },
    #[error("the key file {}, line {line}: {problem}", path.display())]
    Malformed { path: PathBuf, line: usize, problem: &'static str },
    #[error("the key file {} may be read by others (mode {mode:o}); run: chmod 600 {}", path.display(), path.display())]
    Open { path: PathBuf, mode: u32 },
    /// A database is there but the key is not: making a new one would lock everybody out of their data.
    #[error("the key file {} is missing, but the database exists; put the key file back", path.display())]
    Lost { path: PathBuf },
}

#[derive(Clone, PartialEq, Eq)]
pub struct KeyFile {
    pub index: [u8; 32],
    /// (id, key), newest first; never empty.
    pub seals: Vec<(u8, [u8; 32])>,
}

impl std::fmt::Debug for KeyFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KeyFile({} keys)", self.seals.len())
    }
}

impl KeyFile {
    /// Reads the file, or makes it on the first start of an installation.
    pub fn open(path: &Path, database_exists: bool, random: &dyn Random) -> Result<Self, KeyFileError> {
        let io = |doing| move |source| KeyFileError::Io { path: path.to_owned(), doing, source };
        match fs::read_to_string(path) {
            Ok(text) => {
                let mode = fs::metadata(path).map_err(io("read"))?.permissions().mode() & 0o777;
                if mode & 0o077 != 0 {
                    return Err(KeyFileError::Open { path: path.to_owned(), mode });
                }
                Self::parse(path, &text)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && database_exists => {
                Err(KeyFileError::Lost { path: path.to_owned() })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let keys = Self { index: fresh(random), seals: vec![(1, fresh(random))] };
                keys.save(path)?;
                Ok(keys)
            }
            Err(source) => Err(io("read")(source)),
        }
    }

    /// A new encryption key in front; the old ones stay until nothing is sealed under them.
    pub fn rotate(&self, random: &dyn Random) -> Self {
        let newest = self.seals.first().map_or(0, |(id, _)| *id);
        let mut seals = self.seals.clone();
        seals.insert(0, (newest.wrapping_add(1).max(1), fresh(random)));
        // One byte names a key; far fewer are ever needed at once.
        seals.truncate(16);
        Self { index: self.index, seals }
    }

    pub fn save(&self, path: &Path) -> Result<(), KeyFileError> {
        let io = |doing| move |source| KeyFileError::Io { path: path.to_owned(), doing, source };
        let mut text =
            String::from("# Windfall's keys. Back this file up apart from the data; never share it.\n");
        text.push_str(&format!("index {}\n", BASE64.encode(self.index)));
        for (id, key) in &self.seals {
            text.push_str(&format!("seal {id} {}\n", BASE64.encode(key)));
        }
        let temporary = path.with_extension("key.new");
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(true)
            .write(true)
            .mode(0o600)
            .open(&temporary)
            .map_err(io("written"))?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(io("written"))?;
        fs::rename(&temporary, path).map_err(io("replaced"))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(io("synced"))
    }

    fn parse(path: &Path, text: &str) -> Result<Self, KeyFileError> {
        let (mut index, mut seals) = (None, Vec::new());
        for (at, line) in text.lines().enumerate() {
            let malformed =
                |problem| KeyFileError::Malformed { path: path.to_owned(), line: at + 1, problem };
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                [first, ..] if first.starts_with('#') => {}
                ["index", key] => {
                    index = Some(decode(key).ok_or_else(|| malformed("not 32 bytes of base64"))?);
                }
                ["seal", id, key] => {
                    let id = id.parse().map_err(|_| malformed("the id is not a number from 1 to 255"))?;
                    seals.push((id, decode(key).ok_or_else(|| malformed("not 32 bytes of base64"))?));
                }
                _ => return Err(malformed("neither `index KEY` nor `seal ID KEY`")),
            }
        }
        let missing = |problem| KeyFileError::Malformed { path: path.to_owned(), line: 0, problem };
        if seals.is_empty() {
            return Err(missing("there is no `seal` line"));
        }
        Ok(Self { index: index.ok_or_else(|| missing("there is no `index` line"))?, seals })
    }
}

fn fresh(random: &dyn Random) -> [u8; 32] {
    let mut key = [0; 32];
    random.fill(&mut key);
    key
}

fn decode(text: &str) -> Option<[u8; 32]> {
    BASE64.decode(text).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemRandom;

    #[test]
    fn made_once_and_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("windfall.key");
        let random = SystemRandom::default();
        let made = KeyFile::open(&path, false, &random).unwrap();
        assert_eq!(KeyFile::open(&path, true, &random).unwrap(), made);
        let rotated = made.rotate(&random);
        rotated.save(&path).unwrap();
        let read = KeyFile::open(&path, true, &random).unwrap();
        assert_eq!((read.seals.len(), read.seals[0].0, read.index), (2, 2, made.index));
    }

    #[test]
    fn refusals() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("windfall.key");
        let random = SystemRandom::default();
        assert!(matches!(KeyFile::open(&path, true, &random), Err(KeyFileError::Lost { .. })));
        for text in ["", "index AAAA", "seal 1 AAAA", "nonsense", "seal 900 x"] {
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            assert!(
                matches!(KeyFile::open(&path, true, &random), Err(KeyFileError::Malformed { .. })),
                "{text}"
            );
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(matches!(KeyFile::open(&path, true, &random), Err(KeyFileError::Open { mode: 0o644, .. })));
    }
}
