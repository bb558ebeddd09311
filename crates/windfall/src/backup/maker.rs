//! Makes backups beside the running server, one at a time.
//!
//! The order is what makes a copy consistent: a view of the database is opened first, then the journal is copied from the
//! view's event on, then the view's pages. So the journal is never behind the database, and has everything that was
//! acknowledged when the backup began. A backup has another name until it was read back whole.

use std::fs::{self, DirBuilder, File};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, bail};
use domain::Rejection;
use domain::backup::find_expired;
use domain::time::Timestamp;
use embedded::journal::{JournalError, copy_journal};
use engine::Result;
use engine::ports::{BackupOrder, BackupStage, BackupStatus, Backups, Clock, MadeBackup};
use store::DatabaseCopy;

use super::manifest::{self, DATABASE, JOURNAL, KEY, Manifest};

const PREFIX: &str = "windfall-";
/// The name of a backup that is not whole yet begins so.
const UNFINISHED: &str = ".unfinished-";
/// How often the view is opened again because the journal dropped what follows it in the same moment.
const VIEWS_MAX: u32 = 10;

#[derive(Debug)]
pub struct BackupMaker {
    shared: Arc<Shared>,
}

struct Shared {
    database: PathBuf,
    journal: PathBuf,
    key_file: PathBuf,
    /// Where the job puts them.
    folder: Option<PathBuf>,
    clock: Arc<dyn Clock>,
    status: Mutex<Option<BackupStatus>>,
    stop: AtomicBool,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl BackupMaker {
    pub fn new(
        (database, journal): (PathBuf, PathBuf),
        key_file: PathBuf,
        folder: Option<PathBuf>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let newest = folder.as_deref().and_then(newest_ms).unwrap_or(0);
        tell_success(newest);
        let (status, stop) = (Mutex::new(None), AtomicBool::new(false));
        Self { shared: Arc::new(Shared { database, journal, key_file, folder, clock, status, stop }) }
    }

    /// One that is under way is given up.
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::Release);
    }
}

impl Backups for BackupMaker {
    fn begin(&self, order: BackupOrder) -> Result<BackupStatus> {
        let mut status = self.shared.status();
        if status.as_ref().is_some_and(|last| last.outcome.is_none()) {
            return Err(Rejection::Overloaded { retry_after_s: 10 }.into());
        }
        let begun = BackupStatus {
            number: status.as_ref().map_or(1, |last| last.number + 1),
            stage: BackupStage::Copying,
            done: 0,
            of: 0,
            started: self.shared.clock.now(),
            finished: None,
            outcome: None,
        };
        *status = Some(begun.clone());
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move { shared.run(order).await });
        Ok(begun)
    }

    fn status(&self) -> Option<BackupStatus> {
        self.shared.status().clone()
    }

    fn has_folder(&self) -> bool {
        self.shared.folder.is_some()
    }
}

impl Shared {
    fn status(&self) -> std::sync::MutexGuard<'_, Option<BackupStatus>> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reach(&self, stage: BackupStage, done: u64, of: u64) {
        if let Some(status) = self.status().as_mut() {
            (status.stage, status.done, status.of) = (stage, done, of);
        }
    }

    async fn run(self: Arc<Self>, order: BackupOrder) {
        let made = self.make(&order).await;
        let outcome = match made {
            Ok(made) => {
                tracing::info!(folder = %made.folder.display(), bytes = made.bytes, "a backup was made");
                tell_success(self.clock.now().0);
                Ok(made)
            }
            Err(error) => {
                metrics::counter!("windfall_backup_failures_total").increment(1);
                tracing::error!(cause = format!("{error:#}"), "a backup failed");
                Err(format!("{error:#}"))
            }
        };
        if let Some(status) = self.status().as_mut() {
            status.stage = BackupStage::Finished;
            status.finished = Some(self.clock.now());
            status.outcome = Some(outcome);
        }
    }

    async fn make(self: &Arc<Self>, order: &BackupOrder) -> anyhow::Result<MadeBackup> {
        let into = order.into.clone().or_else(|| self.folder.clone()).context("no folder is set")?;
        // What was acknowledged before this moment is in it.
        let began = self.clock.now();
        let name = format!("{PREFIX}{}", compact(began));
        let unfinished = into.join(format!("{UNFINISHED}{name}"));
        make_folder(&into)?;
        remove_unfinished(&into)?;
        make_folder(&unfinished)?;
        let copying = {
            let (shared, unfinished, with_key) = (Arc::clone(self), unfinished.clone(), order.with_key);
            tokio::task::spawn_blocking(move || shared.copy(&unfinished, with_key))
        };
        let made = async {
            let term = copying.await??;
            self.reach(BackupStage::Checking, 0, 0);
            let folded = manifest::check_folds(&unfinished).await.context("the copy does not fold")?;
            let whole = (folded.schema, folded.database_seq);
            let mut manifest = Manifest::new(began.0, whole, (folded.journal_seq, term));
            let unfinished = unfinished.clone();
            tokio::task::spawn_blocking(move || -> anyhow::Result<Manifest> {
                for name in [DATABASE, JOURNAL, KEY].into_iter().filter(|name| unfinished.join(name).exists())
                {
                    File::open(unfinished.join(name))?.sync_all()?;
                    manifest.files.push(manifest::describe(&unfinished, name)?);
                }
                write_private(&unfinished.join(manifest::FILE), &serde_json::to_vec_pretty(&manifest)?)?;
                File::open(&unfinished)?.sync_all()?;
                Ok(manifest)
            })
            .await?
        };
        let manifest = match made.await {
            Ok(manifest) => manifest,
            Err(error) => {
                let _ = fs::remove_dir_all(&unfinished);
                return Err(error);
            }
        };
        let folder = into.join(name);
        fs::rename(&unfinished, &folder)?;
        File::open(&into)?.sync_all()?;
        if let Some(keep) = order.keep {
            remove_expired(&into, keep)?;
        }
        Ok(MadeBackup { folder, bytes: manifest.bytes(), last_seq: manifest.journal_seq })
    }

    /// Answers the term of the journal's last block.
    fn copy(&self, into: &Path, with_key: bool) -> anyhow::Result<u32> {
        let (view, journal) = self.open_views(&into.join(JOURNAL))?;
        view.write(&into.join(DATABASE), |done, of| {
            self.reach(BackupStage::Copying, done, of);
            !self.stop.load(Ordering::Acquire)
        })?;
        if with_key {
            let key = fs::read(&self.key_file).with_context(|| self.key_file.display().to_string())?;
            write_private(&into.join(KEY), &key)?;
        }
        Ok(journal)
    }

    fn open_views(&self, journal: &Path) -> anyhow::Result<(DatabaseCopy, u32)> {
        for _ in 0..VIEWS_MAX {
            let view = DatabaseCopy::begin(&self.database)?;
            write_private(journal, &[])?;
            match copy_journal(&self.journal, journal, view.seq) {
                Ok(copied) => return Ok((view, copied.term)),
                Err(JournalError::Gap { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        bail!("the journal was ahead of the database {VIEWS_MAX} times in a row")
    }
}

/// For this user only.
fn make_folder(path: &Path) -> anyhow::Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.with_context(|| format!("making {}", path.display()))
}

/// For this user only, and on the disk.
pub fn write_private(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = File::options();
    let mut file = file
        .create(true)
        .write(true)
        .truncate(true)
        .mode(0o600)
        .open(path)
        .with_context(|| format!("writing {}", path.display()))?;
    file.set_permissions(fs::Permissions::from_mode(0o600))?;
    file.write_all(bytes)?;
    Ok(file.sync_all()?)
}

/// What a process that died while it copied has left.
fn remove_unfinished(into: &Path) -> anyhow::Result<()> {
    for name in names(into, UNFINISHED)? {
        fs::remove_dir_all(into.join(&name)).with_context(|| format!("removing {name}"))?;
    }
    Ok(())
}

fn remove_expired(into: &Path, keep: u32) -> anyhow::Result<()> {
    let whole = names(into, PREFIX)?.into_iter().filter(|name| into.join(name).join(manifest::FILE).exists());
    for name in find_expired(whole.collect(), usize::try_from(keep).unwrap_or(usize::MAX)) {
        fs::remove_dir_all(into.join(&name)).with_context(|| format!("removing {name}"))?;
        tracing::info!(backup = name, "an old backup was removed");
    }
    Ok(())
}

/// Folders in a folder whose names begin so.
fn names(into: &Path, prefix: &str) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(into).with_context(|| into.display().to_string())? {
        let entry = entry?;
        if let Some(name) = entry.file_name().to_str().filter(|name| name.starts_with(prefix))
            && entry.file_type()?.is_dir()
        {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

/// When the newest backup in a folder was made.
fn newest_ms(folder: &Path) -> Option<i64> {
    let newest = names(folder, PREFIX).ok()?.into_iter().max()?;
    Some(Manifest::read(&folder.join(newest)).ok()?.made_ms)
}

/// 0 when there was none.
fn tell_success(at_ms: i64) {
    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    metrics::gauge!("windfall_backup_last_success_timestamp_seconds").set(at_ms as f64 / 1_000.0);
}

/// A moment that sorts as text: `20261116T131500.123Z`.
fn compact(at: Timestamp) -> String {
    let moment = jiff::Timestamp::from_millisecond(at.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    moment.strftime("%Y%m%dT%H%M%S.%3fZ").to_string()
}
