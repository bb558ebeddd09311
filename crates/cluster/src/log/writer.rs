//! Claims the log and commits to it, on one connection: what it believes of the head is what its last statement made it.

use std::sync::Arc;

use domain::ledger::{BlockDigest, Event};
use ledger::log::{LogReader, LogWriter};
use ledger::{Block, LogClaim, LogError};
use tokio_postgres::Statement;

use super::connection::{LogConnection, failed};
use super::kept::KeptPosition;
use super::postgres_log::LogShared;
use super::reader::{as_i64, begun_segments, head, place_of, read_after, read_head};
use super::settings::Candidacy;
use super::tables::{CLAIM, FORMAT, READ_HEAD, commit_statement, make_segment, segment_size};

#[derive(Debug)]
pub(super) struct PostgresLogWriter {
    connection: LogConnection,
    shared: Arc<LogShared>,
    /// What this writer believes since its claim. Gone after a failure: then nothing is known.
    leading: Option<Leading>,
}

#[derive(Debug)]
struct Leading {
    term: u32,
    last_seq: u64,
    digest: BlockDigest,
    /// Being written; zero before the first.
    segment: u64,
    segment_bytes: u64,
    /// The commit statement into that segment.
    prepared: Option<(u64, Statement)>,
}

/// The columns of the blocks of one commit.
#[derive(Debug, Default)]
struct Columns {
    first_seq: Vec<i64>,
    last_seq: Vec<i64>,
    digest_before: Vec<Vec<u8>>,
    digest: Vec<Vec<u8>>,
    bytes: Vec<Vec<u8>>,
}

impl PostgresLogWriter {
    pub fn new(connection: LogConnection, shared: Arc<LogShared>) -> Self {
        Self { connection, shared, leading: None }
    }

    /// A lead that was given up, or whose time cannot be, is not gone on with.
    fn check_lead(&self) -> Result<(), LogError> {
        match &self.shared.settings.lead {
            Some(lead) if lead.is_over() => {
                Err(LogError::Failed("this node's lead of the shard is over".into()))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Whether the log still has every position that is kept elsewhere.
    fn check_kept(&self, rows: KeptPosition) -> Result<(), LogError> {
        let kept = (self.shared.settings.kept)().map_err(|why| LogError::Failed(why.into()))?;
        for position in std::iter::once(rows).chain(kept) {
            position.check(place_of(&self.connection, self.shared.settings.shard, position.seq)?)?;
        }
        Ok(())
    }

    /// Nobody gave the claim: the format is too new, or somebody else leads.
    fn refuse_claim(&self) -> Result<LogClaim, LogError> {
        let shard = i16::from(self.shared.settings.shard.get());
        let row =
            self.connection.run(move |client| async move { client.query_one(READ_HEAD, &[&shard]).await })?;
        let format: i32 = row.try_get(3).map_err(failed)?;
        if format > FORMAT {
            let [format, known] = [format, FORMAT].map(|format| u32::try_from(format).unwrap_or(0));
            return Err(LogError::Format { format, known });
        }
        let head = head(&row)?;
        Err(LogError::Fenced { term: head.term, last_seq: head.last_seq })
    }

    /// The segment being written, and its size.
    fn last_segment(&self) -> Result<(u64, u64), LogError> {
        let shard = self.shared.settings.shard;
        let Some(last) = begun_segments(&self.connection, shard)?.pop() else { return Ok((0, u64::MAX)) };
        let sql = segment_size(shard, last.segment);
        let row = self.connection.run(move |client| async move { client.query_one(&sql, &[]).await })?;
        let bytes: i64 = row.try_get(0).map_err(failed)?;
        Ok((last.segment, u64::try_from(bytes).unwrap_or(0)))
    }

    /// The statement that commits into a segment. It is prepared once, but for the first commit of all into it.
    fn statement(&self, leading: &mut Leading, segment: u64, begins: bool) -> Result<Statement, LogError> {
        if let Some((prepared, statement)) = &leading.prepared
            && *prepared == segment
            && !begins
        {
            return Ok(statement.clone());
        }
        if begins {
            // Usually there already: segments are made ahead.
            let make = make_segment(self.shared.settings.shard, segment);
            self.connection.run(move |client| async move { client.batch_execute(&make).await })?;
        }
        let sql = commit_statement(self.shared.settings.shard, segment, begins);
        let statement = self.connection.run(move |client| async move { client.prepare(&sql).await })?;
        leading.prepared = (!begins).then(|| (segment, statement.clone()));
        Ok(statement)
    }

    fn commit(&self, leading: &mut Leading, blocks: &[&Block]) -> Result<(), LogError> {
        let Some(last) = blocks.last() else { return Ok(()) };
        let begins = leading.segment_bytes >= self.shared.settings.segment_bytes;
        let segment = leading.segment + u64::from(begins);
        let statement = self.statement(leading, segment, begins)?;
        let (columns, digest) = columns(leading, blocks)?;
        let expected = blocks.len() as u64;
        let (shard, term) = (i16::from(self.shared.settings.shard.get()), i64::from(leading.term));
        let (before, digest_before) = (as_i64(leading.last_seq), leading.digest.0.to_vec());
        let (after, digest_after) = (as_i64(last.last_seq), digest.0.to_vec());
        let inserted = self.connection.run_beyond_doubt(move |client| async move {
            let Columns { first_seq, last_seq, digest_before: links, digest: digests, bytes } = columns;
            client
                .execute(
                    &statement,
                    &[
                        &shard,
                        &term,
                        &before,
                        &digest_before,
                        &after,
                        &digest_after,
                        &first_seq,
                        &last_seq,
                        &links,
                        &digests,
                        &bytes,
                    ],
                )
                .await
        })?;
        if inserted != expected {
            let head = read_head(&self.connection, self.shared.settings.shard)?;
            return Err(LogError::Fenced { term: head.term, last_seq: head.last_seq });
        }
        let bytes: u64 = blocks.iter().map(|block| block.bytes.len() as u64).sum();
        leading.segment_bytes = if begins { bytes } else { leading.segment_bytes + bytes };
        (leading.segment, leading.last_seq, leading.digest) = (segment, last.last_seq, digest);
        Ok(())
    }
}

/// Chains the blocks behind the last one; answers their columns and the digest of the last of them.
fn columns(leading: &Leading, blocks: &[&Block]) -> Result<(Columns, BlockDigest), LogError> {
    let (mut columns, mut digest, mut last_seq) = (Columns::default(), leading.digest, leading.last_seq);
    for block in blocks {
        if block.first_seq != last_seq + 1 || block.term != leading.term {
            return Err(LogError::Fenced { term: leading.term, last_seq });
        }
        columns.digest_before.push(digest.0.to_vec());
        digest = digest.next(block.term, block.first_seq, block.last_seq, &block.bytes);
        columns.digest.push(digest.0.to_vec());
        columns.first_seq.push(as_i64(block.first_seq));
        columns.last_seq.push(as_i64(block.last_seq));
        columns.bytes.push(block.bytes.clone());
        last_seq = block.last_seq;
    }
    Ok((columns, digest))
}

impl LogReader for PostgresLogWriter {
    fn head(&self) -> Result<(u32, u64), LogError> {
        let head = read_head(&self.connection, self.shared.settings.shard)?;
        Ok((head.term, head.last_seq))
    }

    fn read_after(&self, position: u64, limit: usize) -> Result<Vec<Event>, LogError> {
        read_after(&self.connection, self.shared.settings.shard, position, limit)
    }
}

impl LogWriter for PostgresLogWriter {
    /// A log that ends before the rows was rewound; it never goes on behind them.
    fn claim(&mut self, term: u32, seq: u64) -> Result<LogClaim, LogError> {
        self.leading = None;
        self.check_lead()?;
        self.check_kept(KeptPosition { keeper: "the database", seq, term, digest: None })?;
        let settings = &self.shared.settings;
        let (shard, holder) = (i16::from(settings.shard.get()), self.shared.holder.clone());
        let address = settings.address.clone();
        let first = !self.shared.has_claimed();
        let (unopposed, lapsed) = match settings.candidacy {
            Candidacy::Unopposed => (true, (-1, -1)),
            Candidacy::Lapsed { term, lease } => (false, (i64::from(term), as_i64(lease))),
        };
        let sent_ms = settings.lead.as_ref().map(|lead| lead.own_ms());
        let row = self.connection.run_beyond_doubt(move |client| async move {
            let lapsed: (i64, i64) = lapsed;
            client
                .query_opt(
                    CLAIM,
                    &[&shard, &holder, &FORMAT, &first, &unopposed, &lapsed.0, &lapsed.1, &address],
                )
                .await
        })?;
        let Some(row) = row else { return self.refuse_claim() };
        self.shared.set_claimed();
        let head = head(&row)?;
        if let Some((lead, sent_ms)) = self.shared.settings.lead.as_ref().zip(sent_ms) {
            lead.renew(sent_ms, row.try_get(3).map_err(failed)?).map_err(failed)?;
        }
        let (segment, segment_bytes) = self.last_segment()?;
        let (last_seq, digest) = (head.last_seq, head.digest);
        self.leading =
            Some(Leading { term: head.term, last_seq, digest, segment, segment_bytes, prepared: None });
        Ok(LogClaim { term: head.term, ended_at: None })
    }

    /// After a failure this writer is of no use: what the head is now is not known.
    fn append(&mut self, blocks: &[&Block]) -> Result<(), LogError> {
        let unclaimed = || LogError::Failed("this writer has not claimed the log since it failed".into());
        let mut leading = self.leading.take().ok_or_else(unclaimed)?;
        self.check_lead()?;
        self.commit(&mut leading, blocks)?;
        self.leading = Some(leading);
        Ok(())
    }

    /// Only notes how far: they are dropped when the log is tended, away from the writer.
    fn drop_through(&mut self, position: u64) -> Result<u32, LogError> {
        self.shared.note_projected(position);
        Ok(0)
    }
}
