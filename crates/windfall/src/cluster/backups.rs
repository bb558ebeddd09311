//! A cluster's data are PostgreSQL's, and so are its backups.

use domain::Rejection;
use engine::Result;
use engine::ports::{BackupOrder, BackupStatus, Backups};

#[derive(Debug)]
pub struct BackupsElsewhere;

impl Backups for BackupsElsewhere {
    fn begin(&self, _order: BackupOrder) -> Result<BackupStatus> {
        Err(Rejection::BackupElsewhere.into())
    }

    fn status(&self) -> Option<BackupStatus> {
        None
    }

    fn has_folder(&self) -> bool {
        false
    }
}
