//! The tables of terms, one for each kind. SQLite and PostgreSQL look for words in ways of their own, so these texts are for
//! one of them.

use domain::search::IndexedKind;

use crate::failure::Result;
use crate::params;
use crate::row::Row;
use crate::tx::{Dialect, Tx};

/// A statement with the kind's table between the parts.
macro_rules! terms_sql {
    ($kind:expr, $first:literal, $($part:literal),+) => {
        match $kind {
            IndexedKind::Post => concat!($first, $("search_post", $part),+),
            IndexedKind::Person => concat!($first, $("search_person", $part),+),
            IndexedKind::Activity => concat!($first, $("search_activity", $part),+),
            IndexedKind::Sale => concat!($first, $("search_sale", $part),+),
            IndexedKind::Offer => concat!($first, $("search_offer", $part),+),
        }
    };
}

/// Entries that PostgreSQL looks through one by one before it asks its index, which has to read all entries with a word before
/// the newest of them is known. A word that is so rare that these are not enough is in few entries.
const WALKED: i64 = 200;

pub(super) async fn write(tx: &Tx<'_>, kind: IndexedKind, id: i64, terms: &str) -> Result<()> {
    let sql = match tx.dialect() {
        Dialect::Sqlite => terms_sql!(kind, "INSERT OR REPLACE INTO ", " (rowid, terms) VALUES ($1, $2)"),
        Dialect::Postgres => terms_sql!(
            kind,
            "INSERT INTO ",
            " (id, terms) VALUES ($1, array_to_tsvector(string_to_array($2, ' ')))
              ON CONFLICT (id) DO UPDATE SET terms = excluded.terms"
        ),
    };
    tx.execute(sql, params![id, terms]).await.map(drop)
}

pub(super) async fn remove(tx: &Tx<'_>, kind: IndexedKind, id: i64) -> Result<()> {
    let sql = match tx.dialect() {
        Dialect::Sqlite => terms_sql!(kind, "DELETE FROM ", " WHERE rowid = $1"),
        Dialect::Postgres => terms_sql!(kind, "DELETE FROM ", " WHERE id = $1"),
    };
    tx.execute(sql, params![id]).await.map(drop)
}

/// The newest entries below an id that have what is asked for.
pub(super) async fn find(
    tx: &Tx<'_>,
    kind: IndexedKind,
    asked: &str,
    below: i64,
    limit: usize,
) -> Result<Vec<i64>> {
    let fetch = i64::try_from(limit).unwrap_or(i64::MAX);
    match tx.dialect() {
        Dialect::Sqlite => {
            let sql = terms_sql!(
                kind,
                "SELECT rowid FROM ",
                " WHERE ",
                " MATCH $1 AND rowid < $2 ORDER BY rowid DESC LIMIT $3"
            );
            tx.all(sql, params![asked, below, fetch], Row::int).await
        }
        Dialect::Postgres => find_postgres(tx, kind, asked, below, fetch).await,
    }
}

async fn find_postgres(
    tx: &Tx<'_>,
    kind: IndexedKind,
    asked: &str,
    below: i64,
    fetch: i64,
) -> Result<Vec<i64>> {
    let newest = terms_sql!(
        kind,
        "SELECT id, CAST(CASE WHEN terms @@ CAST(CAST($1 AS TEXT) AS tsquery) THEN 1 ELSE 0 END AS BIGINT)
         FROM (SELECT id, terms FROM ",
        " WHERE id < $2 ORDER BY id DESC LIMIT $3) newest ORDER BY id DESC"
    );
    let walked = tx.all(newest, params![asked, below, WALKED], |row| Ok((row.int()?, row.flag()?))).await?;
    let fetched = usize::try_from(fetch).unwrap_or(usize::MAX);
    let mut found: Vec<i64> =
        walked.iter().filter(|(_, has)| *has).map(|(id, _)| *id).take(fetched).collect();
    let floor = match walked.last() {
        Some((floor, _)) if walked.len() as i64 == WALKED && found.len() < fetched => *floor,
        _ => return Ok(found),
    };
    let indexed = terms_sql!(
        kind,
        "WITH found AS MATERIALIZED (SELECT id FROM ",
        " WHERE terms @@ CAST(CAST($1 AS TEXT) AS tsquery))
         SELECT id FROM found WHERE id < $2 ORDER BY id DESC LIMIT $3"
    );
    let rest = fetch - i64::try_from(found.len()).unwrap_or(fetch);
    found.extend(tx.all(indexed, params![asked, floor, rest], Row::int).await?);
    Ok(found)
}
