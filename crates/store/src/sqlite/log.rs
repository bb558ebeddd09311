//! Keeps the write-ahead log short, and a standby up to date with it.
//!
//! A thread with connections of its own looks at the log several times a second. When nothing was written for a moment,
//! the log is moved into the file and cut to nothing; under load it is moved every few seconds, so that a page that is
//! written a hundred times moves once. The writer never does this work, and never waits longer for it than the cut takes.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::follower::{Follower, side};
use crate::failure::Fault;

/// How often the log is looked at.
const TICK: Duration = Duration::from_millis(200);
/// Under load the log is moved this often, or when it has this many bytes.
const BUSY_EVERY: Duration = Duration::from_secs(5);
const BUSY_BYTES: u64 = 64 * 1024 * 1024;
/// How often a standby that fails is told of in the log.
const COMPLAIN_EVERY: Duration = Duration::from_secs(60);

/// The log in a moment's quiet has no more than this, however long it was before. It is also what stays of the file when
/// the log begins anew.
pub const QUIET_LOG_BYTES: u64 = 4 * 1024 * 1024;

#[derive(Debug)]
pub(super) struct LogKeeper {
    stop: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<()>>>,
    standby_seq: Arc<AtomicU64>,
}

struct Keeper {
    log: PathBuf,
    checkpointer: Connection,
    follower: Option<Follower>,
    /// Held by the writer from the beginning of a transaction to its end.
    turn: Arc<Mutex<()>>,
    stop: Arc<AtomicBool>,
    /// Changes with every commit of somebody else.
    seen: i64,
    moved: Instant,
    shipped: Instant,
    complained: Option<Instant>,
    standby_seq: Arc<AtomicU64>,
}

impl LogKeeper {
    /// `turn` is held by the writer from the beginning of a transaction to its end.
    pub fn start(path: &Path, standby: Option<&Path>, turn: Arc<Mutex<()>>) -> Result<Self, Fault> {
        let trouble = |error| Fault::caused(format!("opening {}", path.display()), error);
        let checkpointer = Connection::open(path).map_err(trouble)?;
        checkpointer.busy_timeout(Duration::ZERO).map_err(trouble)?;
        checkpointer.pragma_update(None, "synchronous", "FULL").map_err(trouble)?;
        let stop = Arc::new(AtomicBool::new(false));
        let standby_seq = Arc::new(AtomicU64::new(0));
        let follower =
            standby.map(|target| Follower::new(path, target, Arc::clone(&standby_seq))).transpose()?;
        let mut keeper = Keeper {
            log: side(path, "-wal"),
            checkpointer,
            follower,
            turn,
            stop: Arc::clone(&stop),
            seen: 0,
            moved: Instant::now(),
            shipped: Instant::now(),
            complained: None,
            standby_seq: Arc::clone(&standby_seq),
        };
        let thread = thread::Builder::new()
            .name("store-log".to_owned())
            .spawn(move || keeper.run())
            .map_err(|error| Fault::caused("starting the log's thread", error))?;
        Ok(Self { stop, thread: Mutex::new(Some(thread)), standby_seq })
    }

    /// The standby has every event of the ledger up to this one in its rows.
    pub fn standby_seq(&self) -> u64 {
        self.standby_seq.load(Ordering::Acquire)
    }

    /// After the last write: what is left is shipped and moved. Waits for that; a second call does nothing.
    pub fn close(&self) {
        self.stop.store(true, Ordering::Release);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            thread.thread().unpark();
            if thread.join().is_err() {
                tracing::error!("the log's thread panicked");
            }
        }
    }
}

impl Drop for LogKeeper {
    fn drop(&mut self) {
        self.close();
    }
}

impl Keeper {
    fn run(&mut self) {
        while !self.stop.load(Ordering::Acquire) {
            self.look();
            thread::park_timeout(TICK);
        }
        self.ship();
        self.close_view();
        if let Err(error) = self.checkpoint("PRAGMA wal_checkpoint(TRUNCATE)") {
            tracing::warn!(%error, "the last checkpoint failed; the next start makes up for it");
        }
    }

    fn look(&mut self) {
        let shipped = self.ship();
        let bytes = std::fs::metadata(&self.log).map_or(0, |log| log.len());
        #[expect(clippy::cast_precision_loss, reason = "a gauge needs no more")]
        metrics::gauge!("windfall_store_log_bytes").set(bytes as f64);
        let seen = self.checkpointer.query_row("PRAGMA data_version", [], |row| row.get(0)).unwrap_or(0);
        let quiet = std::mem::replace(&mut self.seen, seen) == seen;
        if !shipped {
            self.close_view();
        }
        // A standby that fails makes nobody wait for ever: beyond this the log is moved, and the copy begins anew.
        let may_move = shipped || bytes >= BUSY_BYTES;
        if may_move && bytes > 0 && (quiet || bytes >= BUSY_BYTES || self.moved.elapsed() >= BUSY_EVERY) {
            self.moved = Instant::now();
            if let Err(error) = self.move_log() {
                tracing::warn!(%error, "a checkpoint failed; the next one makes up for it");
            }
        }
        self.close_view();
    }

    /// Moves what can be moved beside the writer. When that was all, the log is cut to nothing between two transactions,
    /// after the standby has what came meanwhile.
    fn move_log(&mut self) -> Result<(), rusqlite::Error> {
        if !self.checkpoint("PRAGMA wal_checkpoint(PASSIVE)")? {
            return Ok(());
        }
        let turn = Arc::clone(&self.turn);
        let Ok(_turn) = turn.try_lock() else { return Ok(()) };
        if self.ship() {
            self.close_view();
            let cut = self.checkpoint("PRAGMA wal_checkpoint(TRUNCATE)")?;
            if let Some(follower) = self.follower.as_mut().filter(|_| cut) {
                follower.note_cut();
            }
        }
        Ok(())
    }

    fn close_view(&self) {
        if let Some(follower) = &self.follower {
            follower.close_view();
        }
    }

    /// Whether all of the log has been moved.
    fn checkpoint(&self, sql: &str) -> Result<bool, rusqlite::Error> {
        self.checkpointer.query_row(sql, [], |row| {
            let (busy, log, moved): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(busy == 0 && log == moved)
        })
    }

    /// Whether the standby, if there is one, has everything.
    fn ship(&mut self) -> bool {
        let Some(follower) = &mut self.follower else { return true };
        let stop = Arc::clone(&self.stop);
        let shipped = follower.ship(|| !stop.load(Ordering::Acquire));
        match &shipped {
            Ok(()) => {
                if self.complained.take().is_some() {
                    tracing::info!("the standby has the whole database again");
                }
                self.shipped = Instant::now();
            }
            Err(fault) => {
                metrics::counter!("windfall_standby_failures_total", "file" => "database").increment(1);
                if self.complained.is_none_or(|at| at.elapsed() >= COMPLAIN_EVERY) {
                    tracing::error!(cause = fault.story(), "the standby does not follow the database");
                    self.complained = Some(Instant::now());
                }
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "a gauge needs no more")]
        metrics::gauge!("windfall_standby_seq", "file" => "database")
            .set(self.standby_seq.load(Ordering::Acquire) as f64);
        let lag = if shipped.is_ok() { Duration::ZERO } else { self.shipped.elapsed() };
        metrics::gauge!("windfall_standby_lag_seconds", "file" => "database").set(lag.as_secs_f64());
        shipped.is_ok()
    }
}
