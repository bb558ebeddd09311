//! Finding a hold, or whatever an id stands for.

use std::collections::HashMap;
use std::num::NonZeroU64;

use domain::ledger::{Effect, HoldState, HoldView, Key, LineView, Lines, Owner, PoolId, Stored, Text};
use domain::page::{Page, PageRequest};
use domain::sale::order_of;
use domain::time::Timestamp;

use super::columns::{
    RowState, digest, era, key_bytes, read_command_digest, read_key, read_round, round_columns,
};
use super::sheet::HoldChange;
use super::{play, position};
use crate::each::all_each;
use crate::failure::{Fault, Result};
use crate::model::{HOLDS_LOOKED_MAX, HoldLookUp, HoldSearch, IdLookUp, LifeChange, LifeStep, StoredHold};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::{Value, as_i64};

pub(crate) async fn find_hold(tx: &Tx<'_>, key: &Key) -> Result<HoldLookUp> {
    let reached = position::read(tx).await?;
    Ok(HoldLookUp { position: reached.seq, hold: stored(tx, *key).await? })
}

/// A hold, an id that was spent, or a command to a pool.
pub(crate) async fn find_id(tx: &Tx<'_>, key: &Key) -> Result<IdLookUp> {
    let position = position::read(tx).await?.seq;
    let stored = match stored(tx, *key).await? {
        Some(hold) if hold.spent => Some(Stored::Spent),
        Some(hold) => Some(Stored::Hold { view: hold.view, digest: hold.digest }),
        None => match pool_command(tx, *key).await? {
            Some(stored) => Some(stored),
            None => play::find::stored(tx, *key).await?,
        },
    };
    Ok(IdLookUp { position, stored })
}

/// What happened to a hold, in order.
pub(crate) async fn life(tx: &Tx<'_>, key: &Key) -> Result<Vec<LifeStep>> {
    let Some(hold) = stored(tx, *key).await? else { return Ok(Vec::new()) };
    let extensions = tx
        .all(
            "SELECT seq, at_ms, due_before, due FROM hold_extensions WHERE made_seq = $1 ORDER BY seq",
            params![as_i64(hold.made_seq)],
            |row| Ok((row.unsigned()?, row.time()?, row.time()?, row.time()?)),
        )
        .await?;
    let first_due = extensions.first().map_or(hold.view.due, |(_, _, due_before, _)| *due_before);
    let mut steps = Vec::with_capacity(extensions.len() + 2);
    if !hold.spent {
        let what = LifeChange::Reserved { due: first_due };
        steps.push(LifeStep { seq: hold.made_seq, at: hold.view.made, what });
    }
    let extended = |(seq, at, _, due)| LifeStep { seq, at, what: LifeChange::Extended { due } };
    steps.extend(extensions.into_iter().map(extended));
    if let Some((seq, at)) = hold.ended {
        let what = match hold.view.state {
            _ if hold.spent => LifeChange::Spent,
            HoldState::Confirmed => LifeChange::Confirmed,
            HoldState::Cancelled => LifeChange::Cancelled,
            HoldState::Expired => LifeChange::Expired,
            HoldState::Held => return Err(Fault::new("an open hold with an end").into()),
        };
        steps.push(LifeStep { seq, at, what });
    }
    Ok(steps)
}

/// Open holds with their lines, for the projection: each by the event that made it. What is not found, or is not the
/// hold that the journal means, is not in what comes back. Two statements and not a join, which SQLite would prepare
/// anew each time it runs.
pub(super) async fn open_by_making<'e>(
    tx: &Tx<'_>,
    made: &[(Key, u64)],
) -> Result<HashMap<Key, HoldChange<'e>>> {
    let numbers: Vec<[Value; 1]> = made.iter().map(|(_, seq)| [as_i64(*seq).into()]).collect();
    let found = all_each(
        tx,
        "SELECT hold_key, due, owner, caller, id FROM holds WHERE made_seq = $1 AND ended_seq IS NULL",
        &numbers,
        |row| Ok((read_key(row)?, row.time()?, row.opt_text()?, order_of(row.int()?, &row.text()?))),
    )
    .await?;
    let lines = all_each(tx, LINES_SQL, &numbers, read_line).await?;
    let mut holds = HashMap::with_capacity(made.len());
    for (((key, made_seq), rows), lines) in made.iter().zip(found).zip(lines) {
        let Some((_, due, owner, order)) = rows.into_iter().find(|(of, ..)| of == key) else { continue };
        let (made_seq, owner) = (*made_seq, owner.as_deref().map(owner_id).transpose()?);
        let (new, extended, end) = (None, false, None);
        holds.insert(*key, HoldChange { made_seq, new, owner, order, due, extended, lines, end });
    }
    Ok(holds)
}

/// The `CAST` keeps SQLite from preparing it anew for each value: with a bare parameter it looks at the value to see
/// what the `ORDER BY` needs.
pub(super) const LINES_SQL: &str =
    "SELECT pool_id, round, units, taken FROM hold_lines WHERE made_seq = CAST($1 AS BIGINT) ORDER BY line";

pub(super) fn owner_id(text: &str) -> Result<NonZeroU64, Fault> {
    let text = Text::new(text).ok_or_else(|| Fault::new("an owner that no caller could have named"))?;
    Ok(Owner::new(text).id)
}

/// `CROSS JOIN` keeps SQLite from starting with the holds.
macro_rules! hold_sql {
    ($state:literal) => {
        concat!(
            "WITH RECURSIVE back(era) AS
                (SELECT CAST($3 AS BIGINT) UNION ALL SELECT era - 1 FROM back WHERE era > $4)
             SELECT h.made_seq, h.hold_key, h.id, h.caller, h.owner, h.body, h.made, h.due, h.state, h.ended_seq,
                    h.ended
             FROM back CROSS JOIN holds h
             WHERE ",
            $state,
            " AND h.era = back.era AND h.fingerprint = $1 AND h.hold_key = $2 LIMIT 1"
        )
    };
}

async fn stored(tx: &Tx<'_>, key: Key) -> Result<Option<StoredHold>> {
    let (fingerprint, bytes) = (digest(key.fingerprint()), key_bytes(key));
    // Era by era, the newest first; open holds are in few of them.
    let newest = era(position::read(tx).await?.seq);
    let oldest = "SELECT MIN(era) FROM holds WHERE state = 'held'";
    let oldest = tx.one(oldest, params![], Row::opt_int).await?.flatten().unwrap_or(newest);
    let open = hold_sql!("h.state = 'held'");
    let mut found =
        tx.one(open, &[fingerprint.clone(), bytes.clone(), newest.into(), oldest.into()], read_hold).await?;
    if found.is_none() {
        let ended = hold_sql!("h.state <> 'held'");
        found = tx.one(ended, &[fingerprint, bytes, newest.into(), 0_i64.into()], read_hold).await?;
    }
    let Some(mut hold) = found else { return Ok(None) };
    hold.view.lines = tx.all(LINES_SQL, params![as_i64(hold.made_seq)], read_line).await?.into();
    Ok(Some(hold))
}

/// The newest first. A page looks through so many holds at most: with few that fit it is short, and says where to go on.
pub(crate) async fn list(
    tx: &Tx<'_>,
    (search, page): &(HoldSearch, PageRequest),
) -> Result<Page<StoredHold>> {
    let state = search.state.map(HoldState::name);
    let sql = "SELECT h.made_seq, h.hold_key, h.id, h.caller, h.owner, h.body, h.made, h.due, h.state, h.ended_seq, h.ended
               FROM (SELECT * FROM holds WHERE made_seq < $1 ORDER BY made_seq DESC LIMIT $2) h
               WHERE (CAST($3 AS TEXT) IS NULL OR h.state = $3)
                 AND (CAST($4 AS TEXT) IS NULL OR h.owner = $4)
                 AND EXISTS (SELECT 1 FROM hold_lines l JOIN pools p ON p.id = l.pool_id
                             WHERE l.made_seq = h.made_seq AND p.name LIKE $5
                               AND (CAST($6 AS BIGINT) IS NULL OR l.pool_id = $6))
               ORDER BY h.made_seq DESC LIMIT $7";
    let under = format!("{}%", search.under);
    let pool = search.pool.map(|pool| pool.0);
    let params =
        params![page.before(), HOLDS_LOOKED_MAX, state, search.owner.as_ref(), under, pool, page.fetch()];
    let rows = tx.all(sql, params, read_hold).await?;
    let mut found = Page::cut(rows, *page, |hold| as_i64(hold.made_seq));
    for hold in &mut found.items {
        hold.view.lines = tx.all(LINES_SQL, params![as_i64(hold.made_seq)], read_line).await?.into();
    }
    if found.next.is_none() {
        let sql = "SELECT MIN(made_seq), COUNT(*) FROM
                       (SELECT made_seq FROM holds WHERE made_seq < $1 ORDER BY made_seq DESC LIMIT $2) h";
        let looked = tx
            .one(sql, params![page.before(), HOLDS_LOOKED_MAX], |row| Ok((row.opt_int()?, row.int()?)))
            .await?;
        if let Some((Some(last), HOLDS_LOOKED_MAX)) = looked {
            found.next = Some(last);
        }
    }
    Ok(found)
}

fn read_hold(row: &mut Row) -> Result<StoredHold, Fault> {
    let (made_seq, key) = (row.unsigned()?, read_key(row)?);
    let (id, caller, owner, digest) = (row.text()?, row.int()?, row.opt_text()?, read_command_digest(row)?);
    let (made, due, state) = (row.time()?, row.time()?, row.named(RowState::parse)?);
    let ended_seq = row.opt_int()?.map(i64::cast_unsigned);
    let ended: Option<(u64, Timestamp)> = ended_seq.zip(row.opt_time()?);
    let (state, spent) = match state {
        RowState::Hold(state) => (state, false),
        RowState::Spent => (HoldState::Cancelled, true),
    };
    let view = HoldView { key, state, made, due, lines: Lines::default() };
    Ok(StoredHold { view, id, caller, owner, digest, spent, made_seq, ended })
}

pub(super) fn read_line(row: &mut Row) -> Result<LineView, Fault> {
    Ok(LineView { pool: PoolId(row.int()?), round: row.u32()?, units: row.u32()?, taken: row.u32()? })
}

async fn pool_command(tx: &Tx<'_>, key: Key) -> Result<Option<Stored>> {
    tx.one(
        concat!(
            "SELECT c.body, ",
            round_columns!(),
            " FROM pool_commands c JOIN pools p ON p.id = c.pool_id
              JOIN pool_rounds r ON r.pool_id = p.id AND r.round = p.round
              WHERE c.fingerprint = $1 AND c.command_key = $2"
        ),
        &[digest(key.fingerprint()), key_bytes(key)],
        |row| {
            Ok(Stored::Directive {
                digest: read_command_digest(row)?,
                outcome: Effect::Pool(read_round(row)?),
            })
        },
    )
    .await
}
