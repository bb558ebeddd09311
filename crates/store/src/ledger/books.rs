//! What the auditor asks: rows by their keys on one view with its position, rows in the database's own order, and what
//! movements add up to. Every answer is bounded.

use std::collections::HashMap;

use domain::ledger::audit::{HoldRow, Owners, RoundBook};
use domain::ledger::{Key, PoolId};

use super::columns::{read_command_digest, read_key, read_owner_id, read_round, round_columns};
use super::holds::{LINES_SQL, owner_id, read_line};
use super::position;
use crate::each::all_each;
use crate::failure::{Fault, Result};
use crate::model::{
    Books, MovedRound, OpenPlace, RoundLookup, SLICE_MAX, SLICE_MOVEMENTS_MAX, SLICE_OWNERS_MAX,
};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::{Value, as_i64};

/// More owners than the ledger would ever be asked for at once: what is beyond differs anyway.
const OWNERS_MAX: usize = 2 * SLICE_OWNERS_MAX;

macro_rules! book_sql {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            round_columns!(),
            ", CAST(CASE WHEN p.round = r.round THEN 1 ELSE 0 END AS BIGINT)
              FROM pool_rounds r LEFT JOIN pools p ON p.id = r.pool_id WHERE ",
            $rest
        )
    };
}

pub(crate) async fn rounds(tx: &Tx<'_>, asked: &[RoundLookup]) -> Result<Books<Vec<Option<RoundBook>>>> {
    let position = position::read(tx).await?.seq;
    let keys: Vec<[Value; 2]> = asked.iter().map(|asked| [asked.pool.0.into(), asked.round.into()]).collect();
    let found = all_each(tx, book_sql!("r.pool_id = $1 AND r.round = $2"), &keys, read_book).await?;
    let mut rows: Vec<Option<RoundBook>> = found.into_iter().map(|mut rows| rows.pop()).collect();
    let with: Vec<usize> = (0..asked.len()).filter(|at| asked[*at].owners && rows[*at].is_some()).collect();
    let keys: Vec<[Value; 3]> = with
        .iter()
        .map(|at| [asked[*at].pool.0.into(), asked[*at].round.into(), limit(OWNERS_MAX)])
        .collect();
    let owners = all_each(
        tx,
        "SELECT owner_id, units FROM pool_owners WHERE pool_id = $1 AND round = $2 ORDER BY owner_id LIMIT $3",
        &keys,
        |row| Ok((read_owner_id(row)?, row.u32()?)),
    )
    .await?;
    for (at, owners) in with.into_iter().zip(owners) {
        if let Some(book) = &mut rows[at] {
            book.owner_count = owners.len();
            book.owners = Some(owners.into_iter().collect());
        }
    }
    Ok(Books { position, rows })
}

fn read_book(row: &mut Row) -> Result<RoundBook, Fault> {
    Ok(RoundBook { view: read_round(row)?, current: row.flag()?, owner_count: 0, owners: None })
}

pub(crate) async fn owners(
    tx: &Tx<'_>,
    ((pool, round), (from, to)): &((PoolId, u32), (i64, i64)),
) -> Result<Books<Owners>> {
    let position = position::read(tx).await?.seq;
    let rows = tx
        .all(
            "SELECT owner_id, units FROM pool_owners
             WHERE pool_id = $1 AND round = $2 AND owner_id BETWEEN $3 AND $4 ORDER BY owner_id LIMIT $5",
            params![pool.0, *round, *from, *to, limit(10 * OWNERS_MAX)],
            |row| Ok((read_owner_id(row)?, row.u32()?)),
        )
        .await?;
    Ok(Books { position, rows: rows.into_iter().collect() })
}

pub(crate) async fn holds(tx: &Tx<'_>, made: &[u64]) -> Result<Books<Vec<Option<HoldRow>>>> {
    let position = position::read(tx).await?.seq;
    Ok(Books { position, rows: hold_rows(tx, made).await? })
}

pub(super) async fn hold_rows(tx: &Tx<'_>, made: &[u64]) -> Result<Vec<Option<HoldRow>>> {
    let keys: Vec<[Value; 1]> = made.iter().map(|made| [as_i64(*made).into()]).collect();
    let found = all_each(
        tx,
        "SELECT hold_key, id, owner, body, made, due, state FROM holds WHERE made_seq = $1",
        &keys,
        read_hold,
    )
    .await?;
    let lines = all_each(tx, LINES_SQL, &keys, read_line).await?;
    let rows = made.iter().zip(found).zip(lines).map(|((made_seq, mut rows), lines)| {
        let (made_seq, row) = (*made_seq, rows.pop()?);
        Some(HoldRow { made_seq, lines, ..row })
    });
    Ok(rows.collect())
}

/// An owner that nobody could have named counts as none: the difference is shown, not a fault.
fn read_hold(row: &mut Row) -> Result<HoldRow, Fault> {
    Ok(HoldRow {
        made_seq: 0,
        key: read_key(row)?,
        id: row.text()?,
        owner: row.opt_text()?.and_then(|text| owner_id(&text).ok()),
        digest: read_command_digest(row)?,
        made: row.time()?,
        due: row.time()?,
        state: row.text()?,
        lines: Vec::new(),
    })
}

/// Rounds with the sums of their movements; the page ends behind the pool that used up what may be added up.
pub(crate) async fn rounds_after(tx: &Tx<'_>, (pool, round): &(PoolId, u32)) -> Result<Vec<MovedRound>> {
    let mut books = tx
        .all(
            book_sql!("(r.pool_id, r.round) > ($1, $2) ORDER BY r.pool_id, r.round LIMIT $3"),
            params![pool.0, *round, limit(SLICE_MAX)],
            read_book,
        )
        .await?;
    let mut rounds = Vec::with_capacity(books.len());
    let mut used = 0;
    while let Some(pool) = books.first().map(|book| book.view.pool)
        && used < u64::from(SLICE_MOVEMENTS_MAX)
    {
        let rest = books.split_off(books.partition_point(|book| book.view.pool == pool));
        let sums = moved(tx, pool).await?;
        used += sums.rows;
        let moved = |round| *sums.by_round.get(&round).unwrap_or(&[0; 4]);
        rounds.extend(books.iter().map(|book| MovedRound {
            view: book.view,
            current: book.current,
            moved: moved(book.view.round),
        }));
        books = rest;
    }
    Ok(rounds)
}

/// Rounds by their keys, with the sums of their movements.
pub(crate) async fn rounds_moved(
    tx: &Tx<'_>,
    asked: &[(PoolId, u32)],
) -> Result<Books<Vec<Option<MovedRound>>>> {
    let position = position::read(tx).await?.seq;
    let mut pools: HashMap<PoolId, Moved> = HashMap::new();
    let mut rows = Vec::with_capacity(asked.len());
    for (pool, round) in asked {
        let sql = book_sql!("r.pool_id = $1 AND r.round = $2");
        let Some(book) = tx.one(sql, params![pool.0, *round], read_book).await? else {
            rows.push(None);
            continue;
        };
        if !pools.contains_key(pool) {
            pools.insert(*pool, moved(tx, *pool).await?);
        }
        let sums = pools.get(pool).and_then(|sums| sums.by_round.get(round));
        let moved = sums.copied().unwrap_or([0; 4]);
        rows.push(Some(MovedRound { view: book.view, current: book.current, moved }));
    }
    Ok(Books { position, rows })
}

/// What the movements of a pool add up to, round by round: total, available, held, taken.
pub(super) struct Moved {
    rows: u64,
    pub by_round: HashMap<u32, [i64; 4]>,
}

pub(super) async fn moved(tx: &Tx<'_>, pool: PoolId) -> Result<Moved> {
    let sums = tx
        .all(
            "SELECT round, COUNT(*), CAST(SUM(delta_total) AS BIGINT), CAST(SUM(delta_available) AS BIGINT),
                    CAST(SUM(delta_held) AS BIGINT), CAST(SUM(delta_taken) AS BIGINT)
             FROM movements WHERE pool_id = $1 GROUP BY round",
            params![pool.0],
            |row| Ok((row.u32()?, row.unsigned()?, [row.int()?, row.int()?, row.int()?, row.int()?])),
        )
        .await?;
    let rows = sums.iter().map(|(_, rows, _)| *rows).sum();
    let by_round = sums.into_iter().map(|(round, _, sums)| (round, sums)).collect();
    Ok(Moved { rows, by_round })
}

pub(crate) async fn open_after(tx: &Tx<'_>, after: &OpenPlace) -> Result<Vec<(OpenPlace, Key)>> {
    tx.all(
        "SELECT era, fingerprint, made_seq, hold_key FROM holds
         WHERE state = 'held' AND (era, fingerprint, made_seq) > ($1, $2, $3)
         ORDER BY era, fingerprint, made_seq LIMIT $4",
        params![after.era, after.fingerprint, after.made_seq, limit(SLICE_MAX)],
        |row| {
            let place = OpenPlace { era: row.int()?, fingerprint: row.int()?, made_seq: row.int()? };
            Ok((place, read_key(row)?))
        },
    )
    .await
}

fn limit(rows: usize) -> Value {
    Value::Int(i64::try_from(rows).unwrap_or(i64::MAX))
}
