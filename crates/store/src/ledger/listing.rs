//! Pools and movements, page by page.

use domain::ledger::PoolId;
use domain::page::{Page, PageRequest};

use super::columns::{read_round, round_columns};
use crate::failure::{Fault, Result};
use crate::model::{Delta, Movement, MovementKind, NamedPool, PoolSearch};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::as_i64;

/// Lines of one event at most, so that a movement's place is one number: see `place`.
const LINES: i64 = 1 << 10;

macro_rules! pool_sql {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            round_columns!(),
            ", p.name, p.opened_seq FROM pools p JOIN pool_rounds r ON r.pool_id = p.id AND r.round = p.round ",
            $rest
        )
    };
}

pub(crate) async fn pool(tx: &Tx<'_>, pool: &PoolId) -> Result<Option<NamedPool>> {
    tx.one(pool_sql!("WHERE p.id = $1"), params![pool.0], read_named).await
}

/// The newest first. Names are compared without regard to the case of Latin letters.
pub(crate) async fn list_pools(
    tx: &Tx<'_>,
    (search, page): &(PoolSearch, PageRequest),
) -> Result<Page<NamedPool>> {
    let under = format!("{}%", escaped(&search.under));
    let anywhere = format!("%{}%", escaped(&search.text));
    let sql = pool_sql!(
        "WHERE p.opened_seq < $1 AND lower(p.name) LIKE $2 ESCAPE '\\' AND lower(p.name) LIKE $3 ESCAPE '\\'
         ORDER BY p.opened_seq DESC LIMIT $4"
    );
    let rows = tx.all(sql, params![page.before(), under, anywhere, page.fetch()], read_named).await?;
    Ok(Page::cut(rows, *page, |pool| as_i64(pool.opened_seq)))
}

/// A text as a pattern that stands for itself.
fn escaped(text: &str) -> String {
    text.to_ascii_lowercase().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

fn read_named(row: &mut Row) -> Result<NamedPool, Fault> {
    Ok(NamedPool { view: read_round(row)?, name: row.text()?, opened_seq: row.unsigned()? })
}

macro_rules! movement_sql {
    ($rest:literal) => {
        concat!(
            "SELECT seq, line, at_ms, pool_id, round, kind, delta_total, delta_available, delta_held, delta_taken,
                    owner_max, hold, note, by_id,
                    (SELECT holds.id FROM holds WHERE holds.made_seq = movements.hold) FROM movements WHERE ",
            $rest
        )
    };
}

pub(crate) async fn list_movements(
    tx: &Tx<'_>,
    (pool, page): &(Option<PoolId>, PageRequest),
) -> Result<Page<Movement>> {
    let before = page.before();
    let (seq, line) = (before / LINES, before % LINES);
    let rows = match pool {
        // An event has one line of a pool, and more only where a correction was made at it.
        Some(pool) => {
            let sql = movement_sql!(
                "pool_id = $1 AND seq <= $2 AND (seq < $2 OR line < $3) ORDER BY seq DESC, line DESC LIMIT $4"
            );
            tx.all(sql, params![pool.0, seq, line, page.fetch()], read_movement).await?
        }
        None => {
            let sql = movement_sql!("(seq, line) < ($1, $2) ORDER BY seq DESC, line DESC LIMIT $3");
            tx.all(sql, params![seq, line, page.fetch()], read_movement).await?
        }
    };
    Ok(Page::cut(rows, *page, place))
}

/// What a hold moved at each of these events, which are found by their numbers.
pub(crate) async fn list_movements_of_hold(
    tx: &Tx<'_>,
    (made, events): &(u64, Vec<u64>),
) -> Result<Vec<Movement>> {
    let mut all = Vec::new();
    for seq in events {
        let sql = movement_sql!("seq = $1 AND hold = $2 ORDER BY line");
        all.extend(tx.all(sql, params![as_i64(*seq), as_i64(*made)], read_movement).await?);
    }
    Ok(all)
}

/// A movement's place among all, as one number.
fn place(movement: &Movement) -> i64 {
    as_i64(movement.seq).saturating_mul(LINES).saturating_add(i64::from(movement.line))
}

fn read_movement(row: &mut Row) -> Result<Movement, Fault> {
    Ok(Movement {
        seq: row.unsigned()?,
        line: row.u32()?,
        at: row.time()?,
        pool: PoolId(row.int()?),
        round: row.u32()?,
        kind: row.named(MovementKind::parse)?,
        delta: Delta { total: row.int()?, available: row.int()?, held: row.int()?, taken: row.int()? },
        owner_max: row
            .opt_int()?
            .map(u32::try_from)
            .transpose()
            .map_err(|_| Fault::new("a limit too large"))?,
        hold: row.opt_int()?.map(i64::cast_unsigned),
        note: row.opt_text()?,
        by: row.int()?,
        hold_id: row.opt_text()?,
    })
}
