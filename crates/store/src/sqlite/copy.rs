//! A consistent copy of the file while everybody goes on, and whether a copy is whole.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use crate::failure::Fault;

/// Pages copied in one step, and the rest in between: whoever is served goes first.
const STEP_PAGES: i32 = 1_024;
const REST: Duration = Duration::from_millis(1);

/// What a copy holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyFigures {
    /// The last migration in it.
    pub schema: i64,
    /// The last event of the ledger in its rows.
    pub seq: u64,
}

/// A view of the database that was opened at one moment, to be copied.
///
/// While it is open the log of the source cannot begin anew, so it grows by what is written meanwhile.
#[derive(Debug)]
pub struct DatabaseCopy {
    reader: Connection,
    /// The last event of the ledger in its rows.
    pub seq: u64,
}

impl DatabaseCopy {
    /// Everything that was committed before now.
    pub fn begin(source: &Path) -> Result<Self, Fault> {
        let reader = reader(source)?;
        begin(&reader)?;
        let seq = ledger_seq(&reader)?;
        Ok(Self { reader, seq })
    }

    /// `progress` hears of pages done and pages in all, and says whether to go on.
    pub fn write(self, target: &Path, progress: impl FnMut(u64, u64) -> bool) -> Result<(), Fault> {
        copy_from(&self.reader, target, progress)?;
        let trouble = |error| Fault::caused("closing the copy", error);
        let copy = Connection::open(target).map_err(trouble)?;
        // One file and no other: the log is made again by whoever starts from it.
        copy.pragma_update(None, "journal_mode", "DELETE").map_err(trouble)
    }
}

/// Reads the whole copy: every page fits its neighbours, every row its table and its indexes.
pub fn check_copy(copy: &Path) -> Result<CopyFigures, Fault> {
    let trouble = |error| Fault::caused(format!("reading the copy {}", copy.display()), error);
    let sqlite = Connection::open_with_flags(copy, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(trouble)?;
    let said: Vec<String> = {
        let mut check = sqlite.prepare("PRAGMA integrity_check(10)").map_err(trouble)?;
        let rows = check.query_map([], |row| row.get(0)).map_err(trouble)?;
        rows.collect::<Result<_, _>>().map_err(trouble)?
    };
    if said != ["ok"] {
        return Err(Fault::new(format!("{} is damaged: {}", copy.display(), said.join("; "))));
    }
    let schema = sqlite.query_row("SELECT MAX(version) FROM schema_migrations", [], |row| row.get(0));
    Ok(CopyFigures { schema: schema.map_err(trouble)?, seq: ledger_seq(&sqlite)? })
}

/// The last event of the ledger that is in the rows a connection sees; 0 in a database that is being made.
pub(super) fn ledger_seq(sqlite: &Connection) -> Result<u64, Fault> {
    let trouble = |error| Fault::caused("reading the ledger's position", error);
    let made = "SELECT COUNT(*) FROM sqlite_schema WHERE name = 'ledger_position'";
    if sqlite.query_row(made, [], |row| row.get::<_, i64>(0)).map_err(trouble)? == 0 {
        return Ok(0);
    }
    let seq: i64 =
        sqlite.query_row("SELECT MAX(seq) FROM ledger_position", [], |row| row.get(0)).map_err(trouble)?;
    Ok(u64::try_from(seq).unwrap_or(0))
}

/// A connection that reads beside everybody.
pub(super) fn reader(source: &Path) -> Result<Connection, Fault> {
    let trouble = |error| Fault::caused(format!("opening {}", source.display()), error);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let reader = Connection::open_with_flags(source, flags).map_err(trouble)?;
    reader.busy_timeout(Duration::from_secs(5)).map_err(trouble)?;
    Ok(reader)
}

/// From here to `ROLLBACK` the connection sees what is committed now, and the log keeps everything that comes after.
pub(super) fn begin(reader: &Connection) -> Result<(), Fault> {
    reader
        .execute_batch("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1;")
        .map_err(|error| Fault::caused("beginning to read", error))
}

/// Copies what `reader`, which has begun, sees.
pub(super) fn copy_from(
    reader: &Connection,
    target: &Path,
    mut progress: impl FnMut(u64, u64) -> bool,
) -> Result<(), Fault> {
    let trouble = |error| Fault::caused(format!("copying to {}", target.display()), error);
    // For this user only, before SQLite would make it for everybody.
    let made = OpenOptions::new().create(true).write(true).truncate(true).mode(0o600).open(target);
    made.map_err(|error| Fault::caused(format!("making {}", target.display()), error))?;
    let mut copy = Connection::open(target).map_err(trouble)?;
    let backup = Backup::new(reader, &mut copy).map_err(trouble)?;
    loop {
        let step = backup.step(STEP_PAGES).map_err(trouble)?;
        let pages = backup.progress();
        let (all, left) = (to_unsigned(pages.pagecount), to_unsigned(pages.remaining));
        if !progress(all.saturating_sub(left), all) {
            return Err(Fault::new("the copy was given up: the program stops"));
        }
        match step {
            StepResult::Done => return Ok(()),
            _ => std::thread::sleep(REST),
        }
    }
}

fn to_unsigned(pages: i32) -> u64 {
    u64::try_from(pages).unwrap_or(0)
}
