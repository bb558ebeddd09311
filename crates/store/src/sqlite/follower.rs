//! A second copy of the file in another folder that follows it, transaction by transaction.
//!
//! The copy begins as a whole one. From then on the bytes of the write-ahead log are appended to a log of the copy's own,
//! whole transactions only, so that the copy is a database at every moment, whoever is killed when. When the log begins
//! anew, the copy's log is moved into the copy first.
//!
//! What always holds: nothing is moved out of the log before it was shipped. [`Follower::ship`] opens a view before it
//! reads, and whoever checkpoints does so while the view is open ([`Follower::close_view`] ends it): a checkpoint never
//! passes a view, and a log begins anew only when all of it has been moved.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;

use super::copy;
use super::wal::{LogCursor, LogHeader};
use crate::failure::Fault;

/// Bytes of the log read at once; a transaction that is larger is read in one piece.
const READ_BYTES: u64 = 8 * 1024 * 1024;

#[derive(Debug)]
pub(super) struct Follower {
    log: PathBuf,
    target: PathBuf,
    reader: Connection,
    /// Nothing: the copy has to begin anew.
    at: Option<Place>,
    /// The copy has every event of the ledger up to this one in its rows.
    seq: Arc<AtomicU64>,
}

/// Where the copy is.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Nothing while the log is empty.
    turn: Option<(LogHeader, LogCursor)>,
}

impl Follower {
    /// `seq` becomes the last event of the ledger that the copy has in its rows.
    pub fn new(source: &Path, target: &Path, seq: Arc<AtomicU64>) -> Result<Self, Fault> {
        let reader = copy::reader(source)?;
        Ok(Self { log: side(source, "-wal"), target: target.to_owned(), reader, at: None, seq })
    }

    /// Takes everything that is committed now to the copy, and leaves the view open. On a fault the copy begins anew at the
    /// next call; what it has stays good until then.
    pub fn ship(&mut self, go_on: impl Fn() -> bool) -> Result<(), Fault> {
        self.close_view();
        copy::begin(&self.reader)?;
        let shipped = self.ship_in_view(go_on).and_then(|()| copy::ledger_seq(&self.reader));
        match shipped {
            Ok(seq) => {
                self.seq.fetch_max(seq, Ordering::AcqRel);
                Ok(())
            }
            Err(fault) => {
                self.at = None;
                Err(fault)
            }
        }
    }

    /// The log, all of which was shipped, was cut to nothing: the next turn has any number.
    pub fn note_cut(&mut self) {
        if let Some(place) = &mut self.at {
            place.turn = None;
        }
    }

    pub fn close_view(&self) {
        if !self.reader.is_autocommit()
            && let Err(error) = self.reader.execute_batch("ROLLBACK")
        {
            tracing::warn!(%error, "the standby's view stays open");
        }
    }

    fn ship_in_view(&mut self, go_on: impl Fn() -> bool) -> Result<(), Fault> {
        let place = match self.at {
            Some(place) => place,
            None => {
                self.begin_anew(go_on)?;
                Place { turn: None }
            }
        };
        let trouble = |error| Fault::caused("following the write-ahead log", error);
        let mut log = match File::open(&self.log) {
            Ok(log) => log,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.at = Some(place);
                return Ok(());
            }
            Err(error) => return Err(trouble(error)),
        };
        let mut head = Vec::new();
        Read::by_ref(&mut log).take(LogHeader::BYTES).read_to_end(&mut head).map_err(trouble)?;
        let Some(header) = LogHeader::read(&head) else {
            self.at = Some(place);
            return Ok(());
        };
        let cursor = match place.turn {
            Some((known, cursor)) if known == header => {
                self.check_untouched(cursor)?;
                cursor
            }
            Some((known, _)) if header.turn != known.turn.wrapping_add(1) => {
                return Err(Fault::new("the log began anew more than once since it was read"));
            }
            Some(_) | None => {
                fold(&self.target)?;
                self.start_log(&head)?;
                header.start()
            }
        };
        let cursor = self.append(&mut log, header, cursor)?;
        self.at = Some(Place { turn: Some((header, cursor)) });
        Ok(())
    }

    /// Whether the copy is as it was left; somebody may have cleaned up in its folder.
    fn check_untouched(&self, cursor: LogCursor) -> Result<(), Fault> {
        let bytes = fs::metadata(side(&self.target, "-wal")).map_or(0, |log| log.len());
        if bytes == cursor.end && self.target.exists() {
            return Ok(());
        }
        Err(Fault::new(format!("{} was changed by somebody else", self.target.display())))
    }

    /// The copy as a whole. The old one is good until the new one takes its place, and at every moment in between.
    fn begin_anew(&self, go_on: impl Fn() -> bool) -> Result<(), Fault> {
        let next = side(&self.target, ".next");
        copy::copy_from(&self.reader, &next, |_, _| go_on())?;
        let trouble = |error| Fault::caused(format!("beginning {} anew", self.target.display()), error);
        if self.target.exists() {
            fold(&self.target)?;
        }
        // What is left of a log belongs to no database any more.
        match fs::remove_file(side(&self.target, "-wal")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(trouble(error)),
            _ => {}
        }
        fs::rename(&next, &self.target).map_err(trouble)?;
        sync_folder(&self.target).map_err(trouble)
    }

    fn start_log(&self, head: &[u8]) -> Result<(), Fault> {
        let trouble = |error| Fault::caused("beginning the standby's log", error);
        let mut log = OpenOptions::new();
        let log = log.create(true).write(true).truncate(true).mode(0o600).open(side(&self.target, "-wal"));
        let mut log = log.map_err(trouble)?;
        log.write_all(head).and_then(|()| log.sync_data()).map_err(trouble)
    }

    /// Whole transactions from `cursor` on, however many there are.
    fn append(&self, log: &mut File, header: LogHeader, mut cursor: LogCursor) -> Result<LogCursor, Fault> {
        let trouble = |error| Fault::caused("shipping the write-ahead log", error);
        let to = OpenOptions::new().write(true).open(side(&self.target, "-wal"));
        let mut to = to.map_err(trouble)?;
        let mut window = READ_BYTES;
        loop {
            let mut bytes = Vec::new();
            log.seek(SeekFrom::Start(cursor.end)).map_err(trouble)?;
            Read::by_ref(log).take(window).read_to_end(&mut bytes).map_err(trouble)?;
            let reached = header.advance(cursor, &bytes);
            let whole = usize::try_from(reached.end - cursor.end).unwrap_or(0);
            if whole > 0 {
                to.seek(SeekFrom::Start(cursor.end)).map_err(trouble)?;
                to.write_all(bytes.get(..whole).unwrap_or(&[])).map_err(trouble)?;
                to.sync_data().map_err(trouble)?;
                (cursor, window) = (reached, READ_BYTES);
            } else if bytes.len() as u64 == window {
                window *= 2;
            } else {
                return Ok(cursor);
            }
        }
    }
}

/// Moves the copy's log into the copy.
fn fold(target: &Path) -> Result<(), Fault> {
    let trouble = |error| Fault::caused(format!("moving the log into {}", target.display()), error);
    let copy = Connection::open(target).map_err(trouble)?;
    // Nobody else opens the copy, so that it needs no memory to share: a network drive will do.
    copy.pragma_update(None, "locking_mode", "EXCLUSIVE").map_err(trouble)?;
    copy.pragma_update(None, "synchronous", "FULL").map_err(trouble)?;
    let busy: i64 =
        copy.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).map_err(trouble)?;
    if busy != 0 {
        return Err(Fault::new(format!("{} is in use by another program", target.display())));
    }
    copy.close().map_err(|(_, error)| trouble(error))
}

fn sync_folder(file: &Path) -> io::Result<()> {
    file.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// A file beside another: its name with something behind it.
pub(super) fn side(file: &Path, behind: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(behind);
    name.into()
}
