//! A second data folder that follows this one, and `windfall promote`, which makes an installation of it.
//!
//! The server itself ships: every few moments what was committed to the database goes to the standby's database (the store
//! does that, see `store`), and blocks of the journal go to the standby's journal. What was acknowledged and not yet
//! shipped when the machine is lost is lost with it; the metrics say how much that would be.
//!
//! Two that both think they are the one: the folder is locked while it is shipped to, a promoted folder says so, and its
//! journal has a later term. A server that finds any of this stops.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use embedded::journal::{JournalError, JournalFollower};
use embedded::{DataFolder, FolderError};
use engine::operations::quarantine::quarantine_begin;
use serde_json::json;
use store::Db;
use store::model::Actor;

use crate::backup::write_private;
use crate::config::Config;
use crate::node::Node;

/// Marks a folder that follows another; `serve` refuses it.
const MARK: &str = "STANDBY";
/// Marks a folder that followed another once; nobody ships to it any more.
const PROMOTED: &str = "PROMOTED";
/// How often blocks are shipped.
const TICK: Duration = Duration::from_millis(100);
/// How often a standby that fails is told of in the log.
const COMPLAIN_EVERY: Duration = Duration::from_secs(60);

/// The folder that follows, held while this process runs.
#[derive(Debug)]
pub struct Standby {
    folder: PathBuf,
    source: PathBuf,
    journal: Mutex<Option<JournalFollower>>,
    /// Nothing when the folder could not be used at the start; shipping is tried all the same.
    _lock: Option<DataFolder>,
}

/// Why nothing was shipped.
#[derive(Debug)]
enum NotShipped {
    /// Another installation has gone on from the standby: this one must stop.
    Replaced,
    Trouble(String),
}

impl Standby {
    /// The database's file in the folder.
    pub fn database(folder: &Path) -> PathBuf {
        folder.join(DataFolder::DATABASE)
    }

    /// Takes the folder for this process. One that cannot be used is no reason not to serve; one that another has gone on
    /// from is.
    pub fn claim(folder: &Path, source: &Path) -> anyhow::Result<Self> {
        let marked = folder.join(MARK).exists();
        if folder.join(PROMOTED).exists() || (Self::database(folder).exists() && !marked) {
            bail!(
                "standby_promoted: {} is an installation of its own: it was promoted, or was never a standby. Serve that \
                 one, and name another folder as standby.folder here",
                folder.display()
            );
        }
        let lock = match DataFolder::open(folder) {
            Ok(lock) => Some(lock),
            Err(error @ FolderError::Locked { .. }) => return Err(error).context("the standby's folder"),
            Err(error) => {
                tracing::error!(%error, "the standby's folder cannot be used");
                None
            }
        };
        if lock.is_some() {
            write_private(&folder.join(MARK), json!({ "of": source }).to_string().as_bytes())?;
        }
        let (folder, source) = (folder.to_owned(), source.join("journal.db"));
        Ok(Self { folder, source, journal: Mutex::new(None), _lock: lock })
    }

    /// Ships until another installation has gone on from the standby; answers why this one must stop.
    pub async fn follow(self: &Arc<Self>, db: &Db) -> anyhow::Error {
        let (mut whole, mut complained) = (Instant::now(), None::<Instant>);
        loop {
            let (standby, projected) = (Arc::clone(self), db.standby_seq());
            let shipped = tokio::task::spawn_blocking(move || standby.ship(projected)).await;
            let lag = match shipped.unwrap_or_else(|error| Err(NotShipped::Trouble(error.to_string()))) {
                Ok(()) => {
                    if complained.take().is_some() {
                        tracing::info!("the standby has the whole journal again");
                    }
                    whole = Instant::now();
                    Duration::ZERO
                }
                Err(NotShipped::Replaced) => {
                    return anyhow::anyhow!(
                        "standby_promoted: another installation continues from {}; this one stops",
                        self.folder.display()
                    );
                }
                Err(NotShipped::Trouble(why)) => {
                    metrics::counter!("windfall_standby_failures_total", "file" => "journal").increment(1);
                    if complained.is_none_or(|at| at.elapsed() >= COMPLAIN_EVERY) {
                        tracing::error!(why, "the standby does not follow the journal");
                        complained = Some(Instant::now());
                    }
                    whole.elapsed()
                }
            };
            metrics::gauge!("windfall_standby_lag_seconds", "file" => "journal").set(lag.as_secs_f64());
            tokio::time::sleep(TICK).await;
        }
    }

    /// After the last block, so that a standby of a server that was stopped lacks nothing.
    pub fn ship_last(&self, projected: u64) {
        if let Err(why) = self.ship(projected) {
            tracing::error!(?why, "the standby lacks the end of the journal");
        }
    }

    /// Everything that is durable now.
    fn ship(&self, projected: u64) -> Result<(), NotShipped> {
        if self.folder.join(PROMOTED).exists() {
            return Err(NotShipped::Replaced);
        }
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        let trouble = |error: JournalError| match error {
            JournalError::Fenced { .. } => NotShipped::Replaced,
            other => NotShipped::Trouble(format!("{:#}", anyhow::Error::new(other))),
        };
        let shipped = match journal.as_mut() {
            Some(follower) => follower.ship(projected),
            None => {
                let target = self.folder.join("journal.db");
                if !target.exists() {
                    let made = write_private(&target, &[]);
                    made.map_err(|error| NotShipped::Trouble(format!("{error:#}")))?;
                }
                let mut follower = JournalFollower::open(&self.source, &target).map_err(trouble)?;
                let shipped = follower.ship(projected);
                *journal = Some(follower);
                shipped
            }
        };
        if shipped.is_err() {
            // What a connection thinks after a failure is nothing to build on.
            *journal = None;
        }
        let seq = shipped.map_err(trouble)?;
        #[expect(clippy::cast_precision_loss, reason = "a gauge needs no more")]
        metrics::gauge!("windfall_standby_seq", "file" => "journal").set(seq as f64);
        Ok(())
    }
}

/// Refuses to serve a folder that follows another.
pub fn refuse_standby(folder: &Path) -> anyhow::Result<()> {
    ensure!(
        !folder.join(MARK).exists(),
        "standby_folder: {} is a standby of another installation; `windfall promote {0}` activates it",
        folder.display()
    );
    Ok(())
}

#[derive(Debug, Args)]
pub struct PromoteCommand {
    /// The standby folder
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Put nothing into quarantine: messages to others and redeem codes are sent at once. Those of the last moments may
    /// then be sent twice
    #[arg(long)]
    release: bool,
}

/// `config` has the standby's folder as its data folder.
pub async fn promote(config: &Config, command: &PromoteCommand) -> anyhow::Result<()> {
    let folder = &config.data.dir;
    ensure!(folder.join(MARK).exists(), "not_a_standby: {} is not a standby folder", folder.display());
    {
        let _lock =
            DataFolder::open(folder).context("the server that writes to it still runs: stop it first")?;
        let database = Standby::database(folder);
        tokio::task::spawn_blocking(move || store::check_copy(&database)).await??;
    }
    // The ledger folds the journal and begins a later term: nothing of the old writer fits behind it any more.
    let node = Node::open_marked(config, "").await?;
    let quarantined = if command.release {
        None
    } else {
        let signed = node.world.audit_stamp(Actor::Console, "a standby was promoted", "console");
        Some(quarantine_begin(&node.world, signed).await)
    };
    node.close().await;
    let quarantined = quarantined.transpose()?;
    let database = Standby::database(folder);
    let reached = tokio::task::spawn_blocking(move || store::check_copy(&database)).await??;
    write_private(&folder.join(PROMOTED), json!({ "seq": reached.seq }).to_string().as_bytes())?;
    fs::remove_file(folder.join(MARK))?;
    println!("{} is now the active installation, up to event {}.", folder.display(), reached.seq);
    println!(
        "Changes that the old one acknowledged but had not copied are missing. Never start the old one again."
    );
    if let Some(begun) = quarantined {
        println!(
            "In quarantine: {} messages to others, {} pools of redeem codes. `windfall quarantine` lists them.",
            begun.messages, begun.code_pools
        );
    }
    Ok(())
}
