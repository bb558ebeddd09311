//! The tables of the log and the statements on them.
//!
//! ```text
//! heads      shard, term, holder, address, last_seq, digest, lease, format   one row per shard
//! segments   shard, segment, first_seq                                  first_seq is null until the first block
//! blocks_S_N first_seq, last_seq, term, digest_before, digest, bytes    a table per segment
//! ```

use crate::shard::ShardNumber;

/// The format of events that this program writes, and the highest that it can fold.
pub(super) const FORMAT: i32 = 1;

/// Two nodes that start at once make the tables one after the other.
pub(super) const MAKE_TABLES: &str = "
BEGIN;
SELECT pg_advisory_xact_lock(hashtextextended('windfall_log', 0));
CREATE SCHEMA IF NOT EXISTS windfall_log;
CREATE TABLE IF NOT EXISTS windfall_log.heads (
    shard    SMALLINT PRIMARY KEY,
    term     BIGINT NOT NULL,
    holder   TEXT   NOT NULL,
    address  TEXT   NOT NULL,
    last_seq BIGINT NOT NULL,
    digest   BYTEA  NOT NULL CHECK (length(digest) = 32),
    lease    BIGINT NOT NULL,
    format   INTEGER NOT NULL
) WITH (fillfactor = 20);
CREATE TABLE IF NOT EXISTS windfall_log.segments (
    shard     SMALLINT NOT NULL,
    segment   BIGINT   NOT NULL,
    first_seq BIGINT,
    PRIMARY KEY (shard, segment)
);
COMMIT;";

pub(super) const MAKE_HEAD: &str = "
INSERT INTO windfall_log.heads (shard, term, holder, address, last_seq, digest, lease, format)
VALUES ($1, 0, '', '', 0, $2, 0, $3) ON CONFLICT DO NOTHING";

pub(super) const READ_HEAD: &str =
    "SELECT term, last_seq, digest, format FROM windfall_log.heads WHERE shard = $1";

/// `$2` the holder, `$3` the highest format known. A holder may always claim again. A first claim (`$4`) finds the shard free,
/// or replaces whoever leads (`$5`), or the leader that lapsed at term `$6` and lease `$7`.
/// `$8` is where the holder is reached.
pub(super) const CLAIM: &str = "
UPDATE windfall_log.heads SET term = term + 1, holder = $2, address = $8, lease = lease + 1
WHERE shard = $1 AND format <= $3
    AND (holder = $2 OR $4 AND ($5 OR holder = '' OR term = $6 AND lease = $7))
RETURNING term, last_seq, digest, (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT";

/// Answers the server's time in milliseconds, or nothing if somebody else holds the shard.
pub(super) const RENEW: &str = "
UPDATE windfall_log.heads SET lease = lease + 1 WHERE shard = $1 AND holder = $2
RETURNING (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT";

/// Whoever looks next may claim at once.
pub(super) const HAND_OVER: &str = "UPDATE windfall_log.heads SET lease = lease + 1, holder = '', address = '' WHERE shard = $1 AND holder = $2";

pub(super) const LOOK: &str =
    "SELECT term, lease, holder = '', address FROM windfall_log.heads WHERE shard = $1";

pub(super) const BEGUN_SEGMENTS: &str = "
SELECT segment, first_seq FROM windfall_log.segments
WHERE shard = $1 AND first_seq IS NOT NULL ORDER BY segment";

/// The statement that commits blocks into a segment: the fence. It inserts as many rows as there are blocks, or none.
///
/// `$1` shard, `$2` term, `$3` last number and `$4` digest as the leader believes them; `$5` and `$6` the number and digest
/// afterwards; `$7` to `$11` the columns of the blocks. The first commit into a segment says so in the same statement.
pub fn commit_statement(shard: ShardNumber, segment: u64, begins: bool) -> String {
    let (table, begun) =
        (blocks_table(shard, segment), if begins { begin_segment(segment) } else { String::new() });
    format!(
        "WITH head AS (
    UPDATE windfall_log.heads SET last_seq = $5, digest = $6
    WHERE shard = $1 AND term = $2 AND last_seq = $3 AND digest = $4
    RETURNING term
){begun}
INSERT INTO {table} (first_seq, last_seq, term, digest_before, digest, bytes)
SELECT block.first_seq, block.last_seq, head.term, block.digest_before, block.digest, block.bytes
FROM head, unnest($7::BIGINT[], $8::BIGINT[], $9::BYTEA[], $10::BYTEA[], $11::BYTEA[])
    AS block (first_seq, last_seq, digest_before, digest, bytes)"
    )
}

fn begin_segment(segment: u64) -> String {
    format!(
        ", begun AS (
    UPDATE windfall_log.segments SET first_seq = $3 + 1 FROM head
    WHERE segments.shard = $1 AND segments.segment = {segment}
)"
    )
}

/// Makes a segment, if it is not there. Its blocks are never compressed and never change: no vacuum has anything to do.
pub(super) fn make_segment(shard: ShardNumber, segment: u64) -> String {
    let (table, shard) = (blocks_table(shard, segment), shard.get());
    format!(
        "BEGIN;
SELECT pg_advisory_xact_lock(hashtextextended('{table}', 0));
CREATE TABLE IF NOT EXISTS {table} (
    first_seq     BIGINT PRIMARY KEY,
    last_seq      BIGINT NOT NULL,
    term          BIGINT NOT NULL,
    digest_before BYTEA  NOT NULL,
    digest        BYTEA  NOT NULL,
    bytes         BYTEA  NOT NULL
) WITH (autovacuum_enabled = off, toast.autovacuum_enabled = off);
ALTER TABLE {table} ALTER COLUMN bytes SET STORAGE EXTERNAL;
INSERT INTO windfall_log.segments (shard, segment) VALUES ({shard}, {segment}) ON CONFLICT DO NOTHING;
COMMIT;"
    )
}

/// Drops a segment, unless somebody reads it for too long.
pub(super) fn drop_segment(shard: ShardNumber, segment: u64, lock_timeout_ms: u32) -> String {
    let (table, shard) = (blocks_table(shard, segment), shard.get());
    format!(
        "BEGIN;
SET LOCAL lock_timeout = {lock_timeout_ms};
DROP TABLE IF EXISTS {table};
DELETE FROM windfall_log.segments WHERE shard = {shard} AND segment = {segment};
COMMIT;"
    )
}

/// From the block that holds the event `$1` on, so many blocks as `$2` says.
pub(super) fn read_blocks(shard: ShardNumber, segment: u64) -> String {
    let table = blocks_table(shard, segment);
    format!(
        "SELECT first_seq, last_seq, term, digest_before, digest, bytes FROM {table} WHERE first_seq >= \
         (SELECT coalesce(max(first_seq), 0) FROM {table} WHERE first_seq <= $1) ORDER BY first_seq LIMIT $2"
    )
}

/// Term and digest of the block that holds the event `$1`.
pub(super) fn read_place(shard: ShardNumber, segment: u64) -> String {
    let table = blocks_table(shard, segment);
    format!(
        "SELECT term, digest FROM {table} WHERE first_seq = \
         (SELECT max(first_seq) FROM {table} WHERE first_seq <= $1) AND last_seq >= $1"
    )
}

/// What a segment takes on disk, in bytes.
pub(super) fn segment_size(shard: ShardNumber, segment: u64) -> String {
    format!("SELECT pg_table_size('{}')", blocks_table(shard, segment))
}

fn blocks_table(shard: ShardNumber, segment: u64) -> String {
    format!("windfall_log.blocks_{}_{segment}", shard.get())
}
