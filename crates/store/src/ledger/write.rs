//! A sheet's rows as statements. Every counter changes by a delta; the database has the last word.

use std::num::NonZeroU64;

use domain::ledger::{HoldState, PoolId, PoolState};

use super::columns::{RowState, command_digest, digest, era, key_bytes};
use super::sheet::{HoldChange, NewHold, RoundChange, Sheet};
use super::{expired, orders, play};
use crate::each::{count_each, once_each};
use crate::failure::{Fault, Result};
use crate::params;
use crate::tx::Tx;
use crate::value::{Value, as_i64};

/// Fingerprints of small batches share a row up to this size, so that quiet times do not leave a row each.
const PACKED_BYTES: usize = 4_096;
/// Bytes of a fingerprint.
pub(super) const FINGERPRINT: usize = 8;

pub(super) async fn sheet(tx: &Tx<'_>, sheet: &Sheet<'_>, last_seq: u64) -> Result<()> {
    pools(tx, sheet).await?;
    owners(tx, sheet).await?;
    holds_made(tx, sheet).await?;
    holds_changed(tx, sheet).await?;
    expired::tell_expired(tx, sheet).await?;
    orders::write(tx, sheet).await?;
    movements(tx, sheet).await?;
    commands(tx, sheet).await?;
    play::write::sheet(tx, &sheet.play).await?;
    finished(tx, &sheet.finished, last_seq).await
}

/// A round that is opened starts from nothing, so its first row is its deltas too.
async fn pools(tx: &Tx<'_>, sheet: &Sheet<'_>) -> Result<()> {
    let columns = |((pool, round), change): (&(PoolId, u32), &RoundChange)| -> [Value; 8] {
        let RoundChange { opened, state, owner_max, delta } = change;
        [
            pool.0.into(),
            (*round).into(),
            state.or(opened.then_some(PoolState::Open)).map(PoolState::name).into(),
            (*owner_max).into(),
            delta.total.into(),
            delta.available.into(),
            delta.held.into(),
            delta.taken.into(),
        ]
    };
    let rounds =
        |opened: bool| sheet.rounds.iter().filter(move |(_, change)| change.opened == opened).map(columns);
    once_each(
        tx,
        "INSERT INTO pool_rounds (pool_id, round, state, owner_max, total, available, held, taken)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        rounds(true),
    )
    .await?;
    once_each(
        tx,
        "UPDATE pool_rounds SET state = COALESCE($3, state), owner_max = COALESCE($4, owner_max),
                total = total + $5, available = available + $6, held = held + $7, taken = taken + $8
         WHERE pool_id = $1 AND round = $2",
        rounds(false),
    )
    .await?;
    let current = sheet.current.iter().map(|(pool, (round, name, seq))| -> [Value; 4] {
        [pool.0.into(), (*round).into(), (*name).into(), as_i64(*seq).into()]
    });
    once_each(
        tx,
        "INSERT INTO pools (id, round, name, opened_seq) VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO UPDATE SET round = excluded.round, name = excluded.name",
        current,
    )
    .await
}

/// Those who gain, those who have nothing left, and those who lose a part. In the order of the key: neighbours share
/// pages.
async fn owners(tx: &Tx<'_>, sheet: &Sheet<'_>) -> Result<()> {
    let mut changed: Vec<(&(PoolId, u32, NonZeroU64), i64)> =
        sheet.owners.iter().map(|(owner, delta)| (owner, *delta)).filter(|(_, delta)| *delta != 0).collect();
    changed.sort_unstable_by_key(|((pool, round, owner), _)| (*pool, *round, owner.get().cast_signed()));
    let columns = |((pool, round, owner), delta): &(&(PoolId, u32, NonZeroU64), i64)| -> [Value; 4] {
        [pool.0.into(), (*round).into(), digest(owner.get()), (*delta).into()]
    };
    let gain = changed.iter().filter(|(_, delta)| *delta > 0).map(columns);
    once_each(
        tx,
        "INSERT INTO pool_owners (pool_id, round, owner_id, units) VALUES ($1, $2, $3, $4)
         ON CONFLICT (pool_id, round, owner_id) DO UPDATE SET units = pool_owners.units + excluded.units",
        gain,
    )
    .await?;
    let lose = changed.iter().filter(|(_, delta)| *delta < 0).map(columns);
    let gone = count_each(
        tx,
        "DELETE FROM pool_owners WHERE pool_id = $1 AND round = $2 AND owner_id = $3 AND units + $4 = 0",
        lose.clone(),
    )
    .await?;
    let part = lose.zip(gone).filter(|(_, gone)| *gone == 0).map(|(row, _)| row);
    once_each(
        tx,
        "UPDATE pool_owners SET units = units + $4 WHERE pool_id = $1 AND round = $2 AND owner_id = $3",
        part,
    )
    .await
}

/// A hold that the batch made and ended is written as it ended.
async fn holds_made(tx: &Tx<'_>, sheet: &Sheet<'_>) -> Result<()> {
    let columns = |(hold, new): (&HoldChange<'_>, &NewHold<'_>)| -> [Value; 13] {
        let [state, ended_seq, ended, era] = end_columns(hold);
        [
            as_i64(hold.made_seq).into(),
            key_bytes(new.key),
            digest(new.key.fingerprint()),
            new.id.into(),
            new.caller.into(),
            new.owner.into(),
            command_digest(new.digest),
            new.made.into(),
            hold.due.into(),
            state,
            ended_seq,
            ended,
            era,
        ]
    };
    let made = || sheet.holds.iter().filter_map(|hold| hold.new.as_ref().map(|new| (hold, new)));
    once_each(
        tx,
        "INSERT INTO holds (made_seq, hold_key, fingerprint, id, caller, owner, body, made, due,
                            state, ended_seq, ended, era)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        made().map(columns),
    )
    .await?;
    let lines = made().flat_map(|(hold, _)| {
        (0_i64..).zip(&hold.lines).map(|(at, line)| -> [Value; 6] {
            let (pool, round) = (line.pool.0.into(), line.round.into());
            [as_i64(hold.made_seq).into(), at.into(), pool, round, line.units.into(), line.taken.into()]
        })
    });
    once_each(
        tx,
        "INSERT INTO hold_lines (made_seq, line, pool_id, round, units, taken) VALUES ($1, $2, $3, $4, $5, $6)",
        lines,
    )
    .await?;
    let extensions = sheet.extensions.iter().map(|extension| -> [Value; 5] {
        let (made, seq) = (as_i64(extension.made_seq).into(), as_i64(extension.seq).into());
        [made, seq, extension.at.into(), extension.due_before.into(), extension.due.into()]
    });
    once_each(
        tx,
        "INSERT INTO hold_extensions (made_seq, seq, at_ms, due_before, due) VALUES ($1, $2, $3, $4, $5)",
        extensions,
    )
    .await
}

/// Holds from before the batch. A hold ends once: a row that has ended is not touched. (Asking for the state instead
/// would let PostgreSQL walk through the index of open holds whenever it believes that there are none.)
async fn holds_changed(tx: &Tx<'_>, sheet: &Sheet<'_>) -> Result<()> {
    let earlier = || sheet.holds.iter().filter(|hold| hold.new.is_none());
    let extended = earlier()
        .filter(|hold| hold.extended)
        .map(|hold| -> [Value; 2] { [as_i64(hold.made_seq).into(), hold.due.into()] });
    once_each(tx, "UPDATE holds SET due = $2 WHERE made_seq = $1 AND ended_seq IS NULL", extended).await?;
    let ended = earlier().filter(|hold| hold.end.is_some()).map(|hold| -> [Value; 5] {
        let [state, ended_seq, ended, era] = end_columns(hold);
        [as_i64(hold.made_seq).into(), state, ended_seq, ended, era]
    });
    once_each(
        tx,
        "UPDATE holds SET state = $2, ended_seq = $3, ended = $4, era = $5
         WHERE made_seq = $1 AND ended_seq IS NULL",
        ended,
    )
    .await?;
    let taken = earlier().flat_map(|hold| {
        (0_i64..)
            .zip(&hold.lines)
            .filter(|(_, line)| line.taken > 0)
            .map(|(at, line)| -> [Value; 3] { [as_i64(hold.made_seq).into(), at.into(), line.taken.into()] })
    });
    once_each(tx, "UPDATE hold_lines SET taken = taken + $3 WHERE made_seq = $1 AND line = $2", taken).await
}

/// State, the two columns that are null while the hold is open, and the era.
fn end_columns(hold: &HoldChange<'_>) -> [Value; 4] {
    let state = hold.end.map_or(RowState::Hold(HoldState::Held), |end| end.state);
    [
        state.name().into(),
        hold.end.map(|end| as_i64(end.seq)).into(),
        hold.end.map(|end| end.at).into(),
        era(hold.end.map_or(hold.made_seq, |end| end.seq)).into(),
    ]
}

async fn movements(tx: &Tx<'_>, sheet: &Sheet<'_>) -> Result<()> {
    let rows = sheet.movements.iter().map(|movement| -> [Value; 14] {
        [
            as_i64(movement.seq).into(),
            movement.line.into(),
            movement.at.into(),
            movement.pool.0.into(),
            movement.round.into(),
            movement.kind.name().into(),
            movement.delta.total.into(),
            movement.delta.available.into(),
            movement.delta.held.into(),
            movement.delta.taken.into(),
            movement.owner_max.into(),
            movement.hold.map(as_i64).into(),
            movement.note.into(),
            movement.by.into(),
        ]
    });
    once_each(
        tx,
        "INSERT INTO movements (seq, line, at_ms, pool_id, round, kind,
                                delta_total, delta_available, delta_held, delta_taken, owner_max, hold, note, by_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        rows,
    )
    .await
}

async fn commands(tx: &Tx<'_>, sheet: &Sheet<'_>) -> Result<()> {
    let rows = sheet.commands.iter().map(|command| -> [Value; 5] {
        let (key, fingerprint) = (key_bytes(command.key), digest(command.key.fingerprint()));
        [as_i64(command.seq).into(), key, fingerprint, command_digest(command.digest), command.pool.0.into()]
    });
    once_each(
        tx,
        "INSERT INTO pool_commands (seq, command_key, fingerprint, body, pool_id) VALUES ($1, $2, $3, $4, $5)",
        rows,
    )
    .await
}

async fn finished(tx: &Tx<'_>, fingerprints: &[u64], last_seq: u64) -> Result<()> {
    if fingerprints.is_empty() {
        return Ok(());
    }
    let packed: Vec<u8> = fingerprints.iter().flat_map(|fingerprint| fingerprint.to_be_bytes()).collect();
    let room = i64::try_from(PACKED_BYTES.saturating_sub(packed.len())).unwrap_or(0);
    let last = tx
        .one(
            "SELECT last_seq, fingerprints FROM finished_ids
             WHERE last_seq = (SELECT MAX(last_seq) FROM finished_ids) AND CAST(length(fingerprints) AS BIGINT) <= $1",
            params![room],
            |row| Ok((row.int()?, row.bytes()?)),
        )
        .await?;
    let touched = match last {
        None => {
            let sql = "INSERT INTO finished_ids (last_seq, fingerprints) VALUES ($1, $2)";
            tx.execute(sql, params![as_i64(last_seq), packed]).await?
        }
        Some((before, mut bytes)) => {
            bytes.extend(packed);
            let sql = "UPDATE finished_ids SET last_seq = $2, fingerprints = $3 WHERE last_seq = $1";
            tx.execute(sql, params![before, as_i64(last_seq), bytes]).await?
        }
    };
    if touched == 1 { Ok(()) } else { Err(Fault::new("the finished ids were not written").into()) }
}
