//! Reads blocks, and checks that each continues the one before it.

use domain::ledger::wire::decode;
use domain::ledger::{BlockDigest, Event};
use ledger::LogError;
use ledger::log::LogReader;
use tokio_postgres::Row;

use super::connection::{LogConnection, failed};
use super::kept::LoggedPlace;
use super::tables::{BEGUN_SEGMENTS, READ_HEAD, read_blocks, read_place};
use crate::shard::ShardNumber;

/// Blocks asked for at once.
const BLOCKS_STEP: i64 = 64;

/// The head as it is now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub term: u32,
    pub last_seq: u64,
    pub digest: BlockDigest,
}

/// A segment with blocks in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BegunSegment {
    pub segment: u64,
    pub first_seq: u64,
}

#[derive(Debug)]
pub(super) struct PostgresLogReader {
    connection: LogConnection,
    shard: ShardNumber,
}

impl PostgresLogReader {
    pub fn new(connection: LogConnection, shard: ShardNumber) -> Self {
        Self { connection, shard }
    }
}

impl LogReader for PostgresLogReader {
    fn head(&self) -> Result<(u32, u64), LogError> {
        let head = read_head(&self.connection, self.shard)?;
        Ok((head.term, head.last_seq))
    }

    fn read_after(&self, position: u64, limit: usize) -> Result<Vec<Event>, LogError> {
        read_after(&self.connection, self.shard, position, limit)
    }

    fn digest_at(&self, seq: u64) -> Result<Option<BlockDigest>, LogError> {
        Ok(match place_of(&self.connection, self.shard, seq)? {
            LoggedPlace::Block { digest, .. } => Some(digest),
            LoggedPlace::Beyond | LoggedPlace::Dropped => None,
        })
    }
}

pub(super) fn read_head(connection: &LogConnection, shard: ShardNumber) -> Result<Head, LogError> {
    let shard = i16::from(shard.get());
    let row = connection.run(move |client| async move { client.query_one(READ_HEAD, &[&shard]).await })?;
    head(&row)
}

/// Of a row that begins with term, last number and digest.
pub(super) fn head(row: &Row) -> Result<Head, LogError> {
    Ok(Head { term: term(row, 0)?, last_seq: unsigned(row, 1)?, digest: digest(row, 2)? })
}

/// In order; the last one is being written.
pub(super) fn begun_segments(
    connection: &LogConnection,
    shard: ShardNumber,
) -> Result<Vec<BegunSegment>, LogError> {
    let shard = i16::from(shard.get());
    let rows = connection.run(move |client| async move { client.query(BEGUN_SEGMENTS, &[&shard]).await })?;
    rows.iter()
        .map(|row| Ok(BegunSegment { segment: unsigned(row, 0)?, first_seq: unsigned(row, 1)? }))
        .collect()
}

/// What the log has under a number.
pub(super) fn place_of(
    connection: &LogConnection,
    shard: ShardNumber,
    seq: u64,
) -> Result<LoggedPlace, LogError> {
    if read_head(connection, shard)?.last_seq < seq {
        return Ok(LoggedPlace::Beyond);
    }
    let segments = begun_segments(connection, shard)?;
    let Some(holds) = segments.iter().rfind(|begun| begun.first_seq <= seq) else {
        return Ok(LoggedPlace::Dropped);
    };
    let (sql, at) = (read_place(shard, holds.segment), as_i64(seq));
    let row = connection.run(move |client| async move { client.query_one(&sql, &[&at]).await })?;
    Ok(LoggedPlace::Block { term: term(&row, 0)?, digest: digest(&row, 1)? })
}

pub(super) fn read_after(
    connection: &LogConnection,
    shard: ShardNumber,
    position: u64,
    limit: usize,
) -> Result<Vec<Event>, LogError> {
    let segments = begun_segments(connection, shard)?;
    if let Some(first) = segments.first()
        && first.first_seq > position + 1
    {
        return Err(LogError::Gap { wanted: position + 1, first: first.first_seq });
    }
    let mut reading = Reading { position, before: None, events: Vec::new() };
    for (at, begun) in segments.iter().enumerate() {
        let ends_before = segments.get(at + 1).is_some_and(|next| next.first_seq <= position + 1);
        while !ends_before && reading.events.len() < limit {
            let (sql, next) = (read_blocks(shard, begun.segment), as_i64(reading.next()));
            let rows = connection
                .run(move |client| async move { client.query(&sql, &[&next, &BLOCKS_STEP]).await })?;
            let fresh = rows.iter().try_fold(0, |fresh, row| Ok(fresh + usize::from(reading.take(row)?)))?;
            if fresh == 0 {
                break;
            }
        }
    }
    Ok(reading.events)
}

/// Events as they are read, block after block.
struct Reading {
    position: u64,
    /// The last block: where it ends, and its digest.
    before: Option<(u64, BlockDigest)>,
    events: Vec<Event>,
}

impl Reading {
    fn next(&self) -> u64 {
        self.before.map_or(self.position, |(last_seq, _)| last_seq) + 1
    }

    /// Takes a block in; answers whether it brought anything.
    fn take(&mut self, row: &Row) -> Result<bool, LogError> {
        let (first_seq, last_seq) = (unsigned(row, 0)?, unsigned(row, 1)?);
        if last_seq < self.next() {
            return Ok(false);
        }
        let (digest_before, digest) = (digest(row, 3)?, digest(row, 4)?);
        let bytes: &[u8] = row.try_get(5).map_err(failed)?;
        let continues = self.before.is_none_or(|before| before == (first_seq - 1, digest_before));
        if !continues || digest_before.next(term(row, 2)?, first_seq, last_seq, bytes) != digest {
            return Err(LogError::Failed(
                format!("the block at {first_seq} does not continue the one before it").into(),
            ));
        }
        let events = decode(bytes).map_err(|source| LogError::Block { first_seq, source })?;
        self.events.extend(events.into_iter().filter(|event| event.seq > self.position));
        self.before = Some((last_seq, digest));
        Ok(true)
    }
}

/// PostgreSQL's integers are signed; event numbers start at one and never get near the end.
pub(super) fn as_i64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(row: &Row, at: usize) -> Result<u64, LogError> {
    u64::try_from(row.try_get::<_, i64>(at).map_err(failed)?).map_err(failed)
}

fn term(row: &Row, at: usize) -> Result<u32, LogError> {
    u32::try_from(row.try_get::<_, i64>(at).map_err(failed)?).map_err(failed)
}

fn digest(row: &Row, at: usize) -> Result<BlockDigest, LogError> {
    let bytes: &[u8] = row.try_get(at).map_err(failed)?;
    Ok(BlockDigest(bytes.try_into().map_err(failed)?))
}
