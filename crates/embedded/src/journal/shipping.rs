//! Blocks of one journal in another: for a backup, once; for a standby, all the time.
//!
//! A block is shipped as it is, bytes and all, and only behind the one before it. The other journal keeps the highest term
//! it has seen: once a standby was promoted, its journal has a later term than the one that is shipped, and takes no
//! block of it any more.

use std::path::Path;

use rusqlite::{OptionalExtension, params};

use super::file::{
    Journal, JournalError, JournalReader, SEGMENT_BYTES, StoredBlock, as_i64, head, store, unsigned,
};

/// Bytes of blocks read in one step, and one block more.
const STEP_BYTES: usize = 8 * 1024 * 1024;

/// A block as it lies in a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShippedBlock {
    pub first_seq: u64,
    pub last_seq: u64,
    pub at_ms: i64,
    pub bytes: Vec<u8>,
}

/// What was copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalCopy {
    /// The first event in the copy; one beyond `last_seq` when there is none.
    pub first_seq: u64,
    pub last_seq: u64,
    pub term: u32,
}

impl JournalReader {
    /// The term of the last block, and blocks with events after `position`; both of one moment.
    pub fn blocks_after(&self, position: u64) -> Result<(u32, Vec<ShippedBlock>), JournalError> {
        let _view = self.connection.unchecked_transaction()?;
        self.blocks_in_view(position)
    }

    fn blocks_in_view(&self, position: u64) -> Result<(u32, Vec<ShippedBlock>), JournalError> {
        let view = &self.connection;
        let (term, _) = head(view)?;
        let segments: Vec<(i64, u64)> = {
            let mut query = view.prepare_cached(
                "SELECT segment, first_seq FROM segments WHERE last_seq > ?1 ORDER BY segment",
            )?;
            let rows = query.query_map([as_i64(position)], |row| Ok((row.get(0)?, unsigned(row.get(1)?))))?;
            rows.collect::<Result<_, _>>()?
        };
        if let Some((_, first)) = segments.first()
            && *first > position + 1
        {
            return Err(JournalError::Gap { wanted: position + 1, first: *first });
        }
        let (mut blocks, mut bytes) = (Vec::new(), 0);
        for (segment, _) in segments {
            let mut query = view.prepare_cached(&format!(
                "SELECT first_seq, last_seq, at_ms, block FROM segment_{segment} WHERE first_seq >= \
                 (SELECT coalesce(max(first_seq), 0) FROM segment_{segment} WHERE first_seq <= ?1 + 1) \
                 AND last_seq > ?1 ORDER BY first_seq"
            ))?;
            let mut rows = query.query([as_i64(position)])?;
            while let Some(row) = rows.next()? {
                let block = ShippedBlock {
                    first_seq: unsigned(row.get(0)?),
                    last_seq: unsigned(row.get(1)?),
                    at_ms: row.get(2)?,
                    bytes: row.get(3)?,
                };
                bytes += block.bytes.len();
                blocks.push(block);
                if bytes >= STEP_BYTES {
                    return Ok((term, blocks));
                }
            }
        }
        Ok((term, blocks))
    }

    /// The event before the first one that the journal still has.
    pub fn before_first(&self) -> Result<u64, JournalError> {
        let first: Option<i64> = self
            .connection
            .query_row("SELECT first_seq FROM segments ORDER BY segment LIMIT 1", [], |row| row.get(0))
            .optional()?;
        match first {
            Some(first) => Ok(unsigned(first).saturating_sub(1)),
            None => Ok(self.head()?.1),
        }
    }
}

impl Journal {
    /// Takes blocks of another journal behind its own, all of them or none. One that was written to in a later term
    /// refuses them.
    pub fn append_shipped(&mut self, term: u32, blocks: &[ShippedBlock]) -> Result<(), JournalError> {
        let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else { return Ok(()) };
        let transaction = self.connection.transaction()?;
        let continued = transaction.execute(
            "UPDATE head SET term = ?1, last_seq = ?3 WHERE one = 1 AND last_seq = ?2 - 1 AND term <= ?1",
            params![term, as_i64(first.first_seq), as_i64(last.last_seq)],
        )?;
        if continued != 1 {
            let (term, last_seq) = head(&transaction)?;
            return Err(JournalError::Fenced { term, last_seq });
        }
        let mut end = (self.segment, self.segment_bytes);
        for ShippedBlock { first_seq, last_seq, at_ms, bytes } in blocks {
            let block = StoredBlock { first_seq: *first_seq, last_seq: *last_seq, at_ms: *at_ms, bytes };
            end = store(&transaction, end, block)?;
        }
        transaction.commit()?;
        (self.segment, self.segment_bytes) = end;
        Ok(())
    }

    /// Lets go of everything and goes on behind an event, as a journal of this term. One of a later term stays as it is.
    pub fn begin_behind(&mut self, term: u32, seq: u64) -> Result<(), JournalError> {
        let (own_term, last_seq) = self.head()?;
        if own_term > term {
            return Err(JournalError::Fenced { term: own_term, last_seq });
        }
        let segments: Vec<i64> = {
            let mut query = self.connection.prepare("SELECT segment FROM segments ORDER BY segment")?;
            let rows = query.query_map([], |row| row.get(0))?;
            rows.collect::<Result<_, _>>()?
        };
        let transaction = self.connection.transaction()?;
        for segment in segments {
            transaction.execute_batch(&format!("DROP TABLE segment_{segment}"))?;
        }
        transaction.execute("DELETE FROM segments", [])?;
        let sql = "UPDATE head SET term = ?1, last_seq = ?2 WHERE one = 1";
        transaction.execute(sql, params![term, as_i64(seq)])?;
        transaction.commit()?;
        // The next block begins a segment of its own.
        (self.segment, self.segment_bytes) = (self.segment, SEGMENT_BYTES);
        Ok(())
    }
}

/// Copies what comes after `position`, up to what is durable now, into a new journal.
pub fn copy_journal(source: &Path, target: &Path, position: u64) -> Result<JournalCopy, JournalError> {
    let reader = JournalReader::open(source)?;
    // One view from the first block to the last: what is projected meanwhile is not dropped from under it.
    let _view = reader.connection.unchecked_transaction()?;
    let (term, end) = head(&reader.connection)?;
    let mut copy = Journal::open(target)?;
    let (mut at, mut first) = (position, None);
    while at < end {
        let (_, blocks) = reader.blocks_in_view(at)?;
        let (Some(earliest), Some(latest)) = (blocks.first(), blocks.last()) else { break };
        if first.is_none() {
            copy.begin_behind(term, earliest.first_seq - 1)?;
            first = Some(earliest.first_seq);
        }
        copy.append_shipped(term, &blocks)?;
        at = latest.last_seq;
    }
    if first.is_none() {
        copy.begin_behind(term, end)?;
    }
    Ok(JournalCopy { first_seq: first.unwrap_or(end + 1), last_seq: at.max(end), term })
}

/// Follows one journal with another.
#[derive(Debug)]
pub struct JournalFollower {
    reader: JournalReader,
    target: Journal,
}

impl JournalFollower {
    pub fn open(source: &Path, target: &Path) -> Result<Self, JournalError> {
        Ok(Self { reader: JournalReader::open(source)?, target: Journal::open(target)? })
    }

    /// Takes over everything that is durable now; answers the last event. `projected` is in the rows of the standby's
    /// database, so that its journal need not keep it.
    pub fn ship(&mut self, projected: u64) -> Result<u64, JournalError> {
        loop {
            let (own_term, at) = self.target.head()?;
            let (term, end) = self.reader.head()?;
            if own_term > term {
                return Err(JournalError::Fenced { term: own_term, last_seq: at });
            }
            let behind = at > end || at < self.reader.before_first()?;
            if behind {
                // Another history, or blocks that are gone: everything before is in the database, and so in its copy.
                self.target.begin_behind(term, self.reader.before_first()?)?;
                continue;
            }
            let (term, blocks) = match self.reader.blocks_after(at) {
                // Dropped between two looks.
                Err(JournalError::Gap { .. }) => continue,
                read => read?,
            };
            if blocks.is_empty() {
                self.target.drop_through(projected)?;
                return Ok(at);
            }
            self.target.append_shipped(term, &blocks)?;
        }
    }
}
