//! `journal.db`: the ordered, durable log of what the ledger decided. One row per block.
//!
//! Its own SQLite file, so that projection never blocks a commit: WAL, `synchronous=FULL`, and no checkpoint inside a
//! commit (a second connection does that, see [`Checkpointer`]). Blocks live in segments, tables of their own; a
//! segment is dropped whole once everything in it has been projected.
//!
//! Every commit checks the writer's term and that the block continues where the last one ended: a writer that was
//! replaced while it slept cannot add a line.

use std::path::Path;

use domain::ledger::Event;
use domain::ledger::wire::decode;
use ledger::LogClaim;
use ledger::core::Block;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

/// What stays of the write-ahead log's file when it begins anew.
const LOG_BYTES_KEPT: u64 = 64 * 1024 * 1024;

/// A segment is closed when it holds this much.
pub(super) const SEGMENT_BYTES: u64 = 64 * 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("the journal")]
    Sqlite(#[from] rusqlite::Error),
    #[error("the journal's block at {first_seq} cannot be read")]
    Block {
        first_seq: u64,
        #[source]
        source: domain::ledger::wire::WireError,
    },
    /// Another writer has taken over, or a block does not continue where the last one ended.
    #[error("fenced: the journal is at term {term}, event {last_seq}; this block is not its continuation")]
    Fenced { term: u32, last_seq: u64 },
    #[error("the journal has events from {first} on, but {wanted} is needed: it was cut too early")]
    Gap { wanted: u64, first: u64 },
}

#[derive(Debug)]
pub struct Journal {
    pub(super) connection: Connection,
    pages_max: u32,
    pub(super) segment: u64,
    pub(super) segment_bytes: u64,
}

impl Journal {
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let connection = connect(path)?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS head (one INTEGER PRIMARY KEY CHECK (one = 1), term INTEGER NOT NULL, last_seq INTEGER NOT NULL) STRICT;
             INSERT INTO head (one, term, last_seq) VALUES (1, 0, 0) ON CONFLICT DO NOTHING;
             CREATE TABLE IF NOT EXISTS segments (segment INTEGER PRIMARY KEY, first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;",
        )?;
        let last: Option<(u64, u64)> = connection
            .query_row("SELECT segment, bytes FROM segments ORDER BY segment DESC LIMIT 1", [], |row| {
                Ok((unsigned(row.get(0)?), unsigned(row.get(1)?)))
            })
            .optional()?;
        let (segment, segment_bytes) = last.unwrap_or((0, SEGMENT_BYTES));
        Ok(Self { connection, pages_max: 0, segment, segment_bytes })
    }

    /// How large the file may become, in pages of 4 KiB.
    pub fn set_pages_max(&mut self, pages: u32) -> Result<(), JournalError> {
        if pages != self.pages_max {
            self.connection.pragma_update(None, "max_page_count", pages)?;
            self.pages_max = pages;
        }
        Ok(())
    }

    /// How SQLite keeps this file: its mode, and the number of its `synchronous`, of which 2 is FULL.
    pub fn durability(&self) -> Result<(String, i64), JournalError> {
        let mode = self.connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
        let synchronous = self.connection.query_row("PRAGMA synchronous", [], |row| row.get(0))?;
        Ok((mode, synchronous))
    }

    /// Makes a block durable: on return it survives anything short of losing the disk.
    pub fn append(&mut self, block: &Block) -> Result<(), JournalError> {
        self.append_all([block])
    }

    /// Makes several blocks durable with one sync, all of them or none.
    pub fn append_all<'b>(
        &mut self,
        blocks: impl IntoIterator<Item = &'b Block>,
    ) -> Result<(), JournalError> {
        let transaction = self.connection.transaction()?;
        let mut end = (self.segment, self.segment_bytes);
        for block in blocks {
            end = write(&transaction, end, block)?;
        }
        transaction.commit()?;
        (self.segment, self.segment_bytes) = end;
        Ok(())
    }

    /// The last durable event's number, and the term of its writer.
    pub fn head(&self) -> Result<(u32, u64), JournalError> {
        head(&self.connection)
    }

    /// Events after `position`, up to about `limit` of them (whole blocks).
    pub fn read_after(&self, position: u64, limit: usize) -> Result<Vec<Event>, JournalError> {
        read_after(&self.connection, position, limit)
    }

    /// Begins a term after every other: a writer that claimed before appends nothing more. The database has everything up
    /// to `seq`, the last of it of `term`. A journal that ends before that goes on from there, and answers where it ended:
    /// what is in it is in the database too.
    pub fn claim(&mut self, term: u32, seq: u64) -> Result<LogClaim, JournalError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (before, end) = head(&transaction)?;
        let term = before.max(term) + 1;
        transaction.execute(
            "UPDATE head SET term = ?1, last_seq = ?2 WHERE one = 1",
            params![term, as_i64(end.max(seq))],
        )?;
        transaction.commit()?;
        let ended_at = (end < seq).then_some(end);
        if ended_at.is_some() {
            // The next block begins a segment of its own, since its number does not follow the last one's.
            self.segment_bytes = SEGMENT_BYTES;
        }
        Ok(LogClaim { term, ended_at })
    }

    /// Drops every segment that is wholly at or before `position`, except the one being written.
    pub fn drop_through(&mut self, position: u64) -> Result<u32, JournalError> {
        let done: Vec<i64> = {
            let mut query = self.connection.prepare_cached(
                "SELECT segment FROM segments WHERE last_seq <= ?1 AND segment < ?2 ORDER BY segment",
            )?;
            let rows = query.query_map(params![as_i64(position), as_i64(self.segment)], |row| row.get(0))?;
            rows.collect::<Result<_, _>>()?
        };
        for segment in &done {
            let transaction = self.connection.transaction()?;
            transaction.execute_batch(&format!("DROP TABLE segment_{segment}"))?;
            transaction.execute("DELETE FROM segments WHERE segment = ?1", [segment])?;
            transaction.commit()?;
        }
        Ok(u32::try_from(done.len()).unwrap_or(u32::MAX))
    }
}

/// Reads beside the writer, on a connection of its own: neither waits for the other.
#[derive(Debug)]
pub struct JournalReader {
    pub(super) connection: Connection,
}

impl JournalReader {
    /// The journal must have been opened once before: a reader makes nothing.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let connection = connect(path)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(Self { connection })
    }

    pub fn head(&self) -> Result<(u32, u64), JournalError> {
        head(&self.connection)
    }

    pub fn read_after(&self, position: u64, limit: usize) -> Result<Vec<Event>, JournalError> {
        read_after(&self.connection, position, limit)
    }
}

/// Moves the write-ahead log into the file, away from the writer: inside a commit it would cost tens of milliseconds.
#[derive(Debug)]
pub struct Checkpointer {
    connection: Connection,
}

impl Checkpointer {
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        Ok(Self { connection: connect(path)? })
    }

    /// Never waits for the writer, and never makes it wait. Answers how many pages are still only in the log.
    pub fn run(&self) -> Result<i64, JournalError> {
        let (log, moved): (i64, i64) =
            self.connection
                .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| Ok((row.get(1)?, row.get(2)?)))?;
        Ok(log - moved)
    }
}

fn connect(path: &Path) -> Result<Connection, JournalError> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    connection.pragma_update(None, "journal_size_limit", as_i64(LOG_BYTES_KEPT))?;
    Ok(connection)
}

/// Writes one block behind the last, `segment` being written and so large; answers the same for the block after.
fn write(transaction: &Connection, end: (u64, u64), block: &Block) -> Result<(u64, u64), JournalError> {
    let continued = transaction
        .prepare_cached("UPDATE head SET last_seq = ?3 WHERE one = 1 AND last_seq = ?2 - 1 AND term = ?1")?
        .execute(params![block.term, as_i64(block.first_seq), as_i64(block.last_seq)])?;
    if continued != 1 {
        let (term, last_seq) = head(transaction)?;
        return Err(JournalError::Fenced { term, last_seq });
    }
    let Block { first_seq, last_seq, at, ref bytes, .. } = *block;
    store(transaction, end, StoredBlock { first_seq, last_seq, at_ms: at.0, bytes })
}

/// A block as a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredBlock<'b> {
    pub first_seq: u64,
    pub last_seq: u64,
    pub at_ms: i64,
    pub bytes: &'b [u8],
}

/// Adds the row of a block that has passed the head.
pub(super) fn store(
    transaction: &Connection,
    (segment, segment_bytes): (u64, u64),
    block: StoredBlock<'_>,
) -> Result<(u64, u64), JournalError> {
    let fresh = segment_bytes >= SEGMENT_BYTES;
    let segment = if fresh { segment + 1 } else { segment };
    let bytes = block.bytes.len() as u64;
    if fresh {
        transaction.execute_batch(&format!(
            "CREATE TABLE segment_{segment} (first_seq INTEGER PRIMARY KEY, last_seq INTEGER NOT NULL, at_ms INTEGER NOT NULL, block BLOB NOT NULL) STRICT"
        ))?;
        transaction.execute(
            "INSERT INTO segments (segment, first_seq, last_seq, bytes) VALUES (?1, ?2, ?3, ?4)",
            params![as_i64(segment), as_i64(block.first_seq), as_i64(block.last_seq), as_i64(bytes)],
        )?;
    } else {
        transaction
            .prepare_cached("UPDATE segments SET last_seq = ?2, bytes = bytes + ?3 WHERE segment = ?1")?
            .execute(params![as_i64(segment), as_i64(block.last_seq), as_i64(bytes)])?;
    }
    transaction
        .prepare_cached(&format!(
            "INSERT INTO segment_{segment} (first_seq, last_seq, at_ms, block) VALUES (?1, ?2, ?3, ?4)"
        ))?
        .execute(params![as_i64(block.first_seq), as_i64(block.last_seq), block.at_ms, block.bytes])?;
    Ok((segment, if fresh { bytes } else { segment_bytes + bytes }))
}

pub(super) fn head(connection: &Connection) -> Result<(u32, u64), JournalError> {
    let found = connection.query_row("SELECT term, last_seq FROM head WHERE one = 1", [], |row| {
        Ok((row.get(0)?, unsigned(row.get(1)?)))
    })?;
    Ok(found)
}

fn read_after(connection: &Connection, position: u64, limit: usize) -> Result<Vec<Event>, JournalError> {
    let segments: Vec<(i64, u64)> = {
        let mut query = connection
            .prepare_cached("SELECT segment, first_seq FROM segments WHERE last_seq > ?1 ORDER BY segment")?;
        let rows = query.query_map([as_i64(position)], |row| Ok((row.get(0)?, unsigned(row.get(1)?))))?;
        rows.collect::<Result<_, _>>()?
    };
    if let Some((_, first)) = segments.first()
        && *first > position + 1
    {
        return Err(JournalError::Gap { wanted: position + 1, first: *first });
    }
    let mut events = Vec::new();
    for (segment, _) in segments {
        // From the block that holds the next event on: found by its key, never by looking through the blocks before it.
        let mut query = connection.prepare_cached(&format!(
            "SELECT first_seq, block FROM segment_{segment} WHERE first_seq >= \
             (SELECT coalesce(max(first_seq), 0) FROM segment_{segment} WHERE first_seq <= ?1 + 1) ORDER BY first_seq"
        ))?;
        let mut rows = query.query([as_i64(position)])?;
        while let Some(row) = rows.next()? {
            let first_seq = unsigned(row.get(0)?);
            let block = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
            let decoded = decode(block).map_err(|source| JournalError::Block { first_seq, source })?;
            events.extend(decoded.into_iter().filter(|event| event.seq > position));
            if events.len() >= limit {
                return Ok(events);
            }
        }
    }
    Ok(events)
}

/// SQLite's integers are signed; event numbers start at one and never get near the end.
pub(super) fn as_i64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
