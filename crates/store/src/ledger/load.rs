//! Everything a ledger needs to go on, on one consistent view of the database.
//!
//! Read in pages, so that the rows of a page are all that is there twice. What it costs is proportional to pools, the
//! owners of their current rounds, and *open* holds; of finished ones only packed fingerprints are read.

use std::collections::{BTreeSet, HashMap};

use domain::ledger::{OpenHold, PoolId, Quantity, TakenLine};

use super::columns::{read_command_digest, read_key, read_owner_id, read_round, round_columns};
use super::holds::owner_id;
use super::write::FINGERPRINT;
use super::{play, position};
use crate::failure::{Fault, Result};
use crate::model::{LedgerImage, RoundImage};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::as_i64;

/// Rows read at a time.
const PAGE_ROWS: u32 = 10_000;
/// Packed rows read at a time: each may be 64 KiB.
const PACKED_ROWS: u32 = 128;

pub(crate) async fn load(tx: &Tx<'_>) -> Result<LedgerImage> {
    let position = position::read(tx).await?;
    let holds = holds(tx).await?;
    let mut rounds = current_rounds(tx).await?;
    rounds.extend(old_rounds(tx, &rounds, &holds).await?);
    owners(tx, &mut rounds).await?;
    let activities = play::load::activities(tx).await?;
    let (halted, finished) = (play::load::halted(tx).await?, finished(tx).await?);
    Ok(LedgerImage { position, rounds, holds, halted, activities, finished })
}

/// Open holds, era by era through the index of open ones, in the order they were made.
async fn holds(tx: &Tx<'_>) -> Result<Vec<OpenHold>> {
    let mut holds = Vec::new();
    let mut era = i64::MIN;
    loop {
        let next = "SELECT MIN(era) FROM holds WHERE state = 'held' AND era > $1";
        match tx.one(next, params![era], Row::opt_int).await?.flatten() {
            None => break,
            Some(next) => era = next,
        }
        holds.extend(holds_of(tx, era).await?);
    }
    holds.sort_unstable_by_key(|(made_seq, _)| *made_seq);
    Ok(holds.into_iter().map(|(_, hold)| hold).collect())
}

/// The open holds of an era, each with the number of the event that made it. Nothing is sorted by the database: the
/// lines find their hold here.
async fn holds_of(tx: &Tx<'_>, era: i64) -> Result<Vec<(i64, OpenHold)>> {
    let mut holds = tx
        .all(
            "SELECT made_seq, hold_key, owner, body, made, due FROM holds WHERE state = 'held' AND era = $1",
            params![era],
            read_open,
        )
        .await?;
    let mut lines = tx
        .all(
            "SELECT l.made_seq, l.line, l.pool_id, l.round, l.units
             FROM holds h CROSS JOIN hold_lines l
             WHERE h.state = 'held' AND h.era = $1 AND l.made_seq = h.made_seq",
            params![era],
            |row| Ok((row.int()?, row.int()?, read_taken_line(row)?)),
        )
        .await?;
    lines.sort_unstable_by_key(|(made_seq, line, _)| (*made_seq, *line));
    let places: HashMap<i64, usize> =
        holds.iter().enumerate().map(|(at, (made_seq, _))| (*made_seq, at)).collect();
    for (made_seq, _, line) in lines {
        if let Some(at) = places.get(&made_seq) {
            holds[*at].1.lines.push(line);
        }
    }
    Ok(holds)
}

fn read_open(row: &mut Row) -> Result<(i64, OpenHold), Fault> {
    let made_seq = row.int()?;
    let hold = OpenHold {
        key: read_key(row)?,
        owner: row.opt_text()?.as_deref().map(owner_id).transpose()?,
        digest: read_command_digest(row)?,
        made_seq: made_seq.cast_unsigned(),
        made: row.time()?,
        due: row.time()?,
        lines: Vec::with_capacity(1),
    };
    Ok((made_seq, hold))
}

fn read_taken_line(row: &mut Row) -> Result<TakenLine, Fault> {
    let (pool, round) = (PoolId(row.int()?), row.u32()?);
    let quantity = Quantity::new(row.int()?).ok_or_else(|| Fault::new("a line without units"))?;
    Ok(TakenLine { pool, round, quantity })
}

async fn current_rounds(tx: &Tx<'_>) -> Result<Vec<RoundImage>> {
    let mut rounds = Vec::new();
    let mut after = i64::MIN;
    loop {
        let page = tx
            .all(
                concat!(
                    "SELECT ",
                    round_columns!(),
                    " FROM pools p JOIN pool_rounds r ON r.pool_id = p.id AND r.round = p.round
                      WHERE p.id > $1 ORDER BY p.id LIMIT $2"
                ),
                params![after, PAGE_ROWS],
                |row| Ok(RoundImage { view: read_round(row)?, current: true, owners: Vec::new() }),
            )
            .await?;
        let Some(last) = page.last() else { return Ok(rounds) };
        after = last.view.pool.0;
        rounds.extend(page);
    }
}

/// Rounds that are over and still have open holds.
async fn old_rounds(tx: &Tx<'_>, current: &[RoundImage], holds: &[OpenHold]) -> Result<Vec<RoundImage>> {
    let current: HashMap<PoolId, u32> =
        current.iter().map(|round| (round.view.pool, round.view.round)).collect();
    let named = holds.iter().flat_map(|hold| &hold.lines).map(|line| (line.pool, line.round));
    let old: BTreeSet<(PoolId, u32)> =
        named.filter(|(pool, round)| current.get(pool) != Some(round)).collect();
    let mut rounds = Vec::with_capacity(old.len());
    for (pool, round) in old {
        let sql =
            concat!("SELECT ", round_columns!(), " FROM pool_rounds r WHERE r.pool_id = $1 AND r.round = $2");
        let view = tx.one(sql, params![pool.0, round], read_round).await?;
        rounds.extend(view.map(|view| RoundImage { view, current: false, owners: Vec::new() }));
    }
    Ok(rounds)
}

/// Owners in the order of their key, skipping over the rounds that nobody asks for.
async fn owners(tx: &Tx<'_>, rounds: &mut [RoundImage]) -> Result<()> {
    let places: HashMap<(i64, u32), usize> =
        rounds.iter().enumerate().map(|(at, round)| ((round.view.pool.0, round.view.round), at)).collect();
    let mut after = (i64::MIN, 0_u32, i64::MIN);
    loop {
        let rows = tx
            .all(
                "SELECT pool_id, round, owner_id, units FROM pool_owners
                 WHERE (pool_id, round, owner_id) > ($1, $2, $3)
                 ORDER BY pool_id, round, owner_id LIMIT $4",
                params![after.0, after.1, after.2, PAGE_ROWS],
                |row| Ok(((row.int()?, row.u32()?), read_owner_id(row)?, row.u32()?)),
            )
            .await?;
        let Some((last, owner, _)) = rows.last() else { return Ok(()) };
        let skips = !places.contains_key(last);
        after = (last.0, last.1, if skips { i64::MAX } else { owner.get().cast_signed() });
        for (place, owner, units) in rows {
            if let Some(at) = places.get(&place) {
                rounds[*at].owners.push((owner, units));
            }
        }
    }
}

async fn finished(tx: &Tx<'_>) -> Result<Vec<u64>> {
    let mut fingerprints = Vec::new();
    let mut after = 0;
    loop {
        let rows = tx
            .all(
                "SELECT last_seq, fingerprints FROM finished_ids WHERE last_seq > $1 ORDER BY last_seq LIMIT $2",
                params![as_i64(after), PACKED_ROWS],
                |row| Ok((row.unsigned()?, row.bytes()?)),
            )
            .await?;
        let Some((last, _)) = rows.last() else { return Ok(fingerprints) };
        after = *last;
        for (_, packed) in rows {
            let (whole, rest) = packed.as_chunks::<FINGERPRINT>();
            if !rest.is_empty() {
                return Err(Fault::new("packed fingerprints that are not whole").into());
            }
            fingerprints.extend(whole.iter().map(|bytes| u64::from_be_bytes(*bytes)));
        }
    }
}
