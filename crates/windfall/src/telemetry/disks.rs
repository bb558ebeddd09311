//! The disks of this installation's folders, as the list of what needs an operator asks for them.

use std::path::PathBuf;

use domain::attention::DiskFact;
use engine::ports::Disks;

use crate::config::Config;

/// Folders by name: their disks may fill up.
#[derive(Clone, Debug)]
pub struct FolderDisks(Vec<(&'static str, PathBuf)>);

impl FolderDisks {
    pub fn of(config: &Config) -> Self {
        let named = [
            ("data", Some(&config.data.dir)),
            ("backup", config.backup.folder.as_ref()),
            ("standby", config.standby.folder.as_ref()),
        ];
        Self(named.into_iter().filter_map(|(name, path)| Some((name, path?.clone()))).collect())
    }
}

impl Disks for FolderDisks {
    fn list(&self) -> Vec<DiskFact> {
        let look = |(name, folder): &(&'static str, PathBuf)| {
            let disk = rustix::fs::statvfs(folder).ok()?;
            let bytes = |blocks: u64| blocks.saturating_mul(disk.f_frsize);
            let (free_bytes, total_bytes) = (bytes(disk.f_bavail), bytes(disk.f_blocks));
            Some(DiskFact { folder: (*name).to_owned(), free_bytes, total_bytes })
        };
        self.0.iter().filter_map(look).collect()
    }
}
