//! Rows brought in line with what the ledger says, at the one position both were read at.
//!
//! Everything is computed again inside the transaction: what is written is the difference between the ledger's value
//! and the row as it is now, as a delta. A round's movements keep adding up to its counters: the movement `corrected`
//! carries what they lack, which is nothing where only the counter was wrong, and its note tells the story either way.
//!
//! What cannot be known is left alone and stays a difference: a hold whose texts the journal no longer has, a pool that
//! has lost its row, a pool that the ledger has never heard of, an order whose price nobody knows.

use domain::ledger::audit::{BookRow, Difference, RoundBook, compare_hold};
use domain::ledger::{OpenHold, PoolId};
use serde_json::{Value as Json, json};

use super::books::{hold_rows, moved};
use super::columns::{command_digest, digest, era, key_bytes, read_round, round_columns};
use super::{ended, order_books, play, position};
use crate::audit;
use crate::each::once_each;
use crate::failure::Result;
use crate::model::{Actor, Correct, HoldTexts, LedgerPosition, MovementKind};
use crate::params;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::{Value, as_i64};

/// The last line a movement of one event may have.
const LINE_MAX: i64 = 1_023;
/// Differences that the line in the audit log names one by one.
const TOLD_MAX: usize = 100;
/// Characters of a movement's note.
const NOTE_MAX: usize = 500;

/// Answers false, with nothing written, when the position has moved on.
pub(crate) async fn correct(tx: &Tx<'_>, step: &Correct) -> Result<bool> {
    let reached = position::lock(tx).await?;
    if reached.seq != step.at {
        return Ok(false);
    }
    let mut notes = Notes::at(tx, reached, step).await?;
    for book in &step.rounds {
        round(tx, &mut notes, book).await?;
    }
    for (rounds, may_hold) in [(&step.let_go, false), (&step.summed, true)] {
        for (pool, round) in rounds {
            to_sums(tx, &mut notes, (*pool, *round), may_hold).await?;
        }
    }
    for (pool, round, owner, units) in &step.owners {
        owner_units(tx, (*pool, *round), *owner, *units).await?;
    }
    for (hold, texts) in &step.holds {
        hold_row(tx, hold, texts.as_ref()).await?;
    }
    for made_seq in &step.ended {
        ended::end(tx, reached, *made_seq).await?;
    }
    for made_seq in &step.orders {
        order_books::correct(tx, *made_seq).await?;
    }
    for whole in &step.plays {
        play::correct::correct(tx, whole).await?;
    }
    let (before, after) =
        (told(&step.found, |found| &found.database), told(&step.found, |found| &found.ledger));
    audit::write(tx, &step.signed, "ledger.correct", &format!("ledger:{}", step.at), &before, &after).await?;
    Ok(true)
}

/// Movements written by this correction: at the event the position is at, in the lines that are free.
struct Notes<'s> {
    reached: LedgerPosition,
    line: i64,
    by: i64,
    reason: &'s str,
}

impl<'s> Notes<'s> {
    async fn at(tx: &Tx<'_>, reached: LedgerPosition, step: &'s Correct) -> Result<Notes<'s>> {
        let sql = "SELECT MAX(line) FROM movements WHERE seq = $1";
        let last = tx.one(sql, params![as_i64(reached.seq)], Row::opt_int).await?.flatten();
        let by = match step.signed.actor {
            Actor::Person(user) => user.0,
            Actor::Key(key) => key.0,
            Actor::Console | Actor::System => 0,
        };
        Ok(Self { reached, line: last.map_or(0, |last| last + 1), by, reason: &step.signed.reason })
    }

    /// Whether there is a line left; what finds none is corrected by the next pass.
    fn full(&self) -> bool {
        self.line > LINE_MAX
    }

    async fn write(&mut self, tx: &Tx<'_>, row: (PoolId, u32), delta: [i64; 4], story: &str) -> Result<()> {
        let note: String = format!("{}: {story}", self.reason).chars().take(NOTE_MAX).collect();
        tx.execute(
            "INSERT INTO movements (seq, line, at_ms, pool_id, round, kind, delta_total, delta_available, delta_held,
                                    delta_taken, owner_max, hold, note, by_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, NULL, NULL, $11, $12)",
            params![
                as_i64(self.reached.seq),
                self.line,
                self.reached.at,
                row.0.0,
                row.1,
                MovementKind::Corrected.name(),
                delta[0],
                delta[1],
                delta[2],
                delta[3],
                note,
                self.by
            ],
        )
        .await?;
        self.line += 1;
        Ok(())
    }
}

/// A round's counters and settings become the ledger's, by deltas.
async fn round(tx: &Tx<'_>, notes: &mut Notes<'_>, book: &RoundBook) -> Result<()> {
    let view = &book.view;
    let current = tx.one("SELECT round FROM pools WHERE id = $1", params![view.pool.0], Row::int).await?;
    let (Some(current), false) = (current, notes.full()) else { return Ok(()) };
    let wanted = [view.total, view.available, view.held, view.taken].map(as_i64);
    let sql =
        concat!("SELECT ", round_columns!(), " FROM pool_rounds r WHERE r.pool_id = $1 AND r.round = $2");
    let row = tx.one(sql, params![view.pool.0, view.round], read_round).await?;
    let counted = row.map_or([0; 4], |row| [row.total, row.available, row.held, row.taken].map(as_i64));
    let key = (view.pool, view.round);
    match row {
        None => {
            tx.execute(
                "INSERT INTO pool_rounds (pool_id, round, state, owner_max, total, available, held, taken)
                 VALUES ($1, $2, $3, $4, 0, 0, 0, 0)",
                params![view.pool.0, view.round, view.state.name(), view.owner_max],
            )
            .await?;
        }
        Some(row) if row.state != view.state || row.owner_max != view.owner_max => {
            tx.execute(
                "UPDATE pool_rounds SET state = $3, owner_max = $4 WHERE pool_id = $1 AND round = $2",
                params![view.pool.0, view.round, view.state.name(), view.owner_max],
            )
            .await?;
        }
        Some(_) => {}
    }
    add(tx, key, less(wanted, counted)).await?;
    if book.current && current != i64::from(view.round) {
        tx.execute(
            "UPDATE pools SET round = round + $2 WHERE id = $1",
            params![view.pool.0, i64::from(view.round) - current],
        )
        .await?;
    }
    let sums = moved(tx, view.pool).await?.by_round;
    let lacking = less(wanted, sums.get(&view.round).copied().unwrap_or([0; 4]));
    notes.write(tx, key, lacking, &story(counted, wanted)).await
}

/// A round that cannot be held against the ledger: its movements are the journal's own story of it. Nothing may be held
/// in a round that the ledger has let go of.
async fn to_sums(
    tx: &Tx<'_>,
    notes: &mut Notes<'_>,
    (pool, round): (PoolId, u32),
    may_hold: bool,
) -> Result<()> {
    let sql =
        concat!("SELECT ", round_columns!(), " FROM pool_rounds r WHERE r.pool_id = $1 AND r.round = $2");
    let row = tx.one(sql, params![pool.0, round], read_round).await?;
    let sums = moved(tx, pool).await?.by_round.get(&round).copied();
    let (Some(row), Some(wanted), false) = (row, sums, notes.full()) else { return Ok(()) };
    let [total, available, held, taken] = wanted;
    let sound = total == available + held + taken && available >= 0 && held >= 0 && taken >= 0;
    if !sound || (held > 0 && !may_hold) {
        return Ok(());
    }
    let counted = [row.total, row.available, row.held, row.taken].map(as_i64);
    add(tx, (pool, round), less(wanted, counted)).await?;
    notes.write(tx, (pool, round), [0; 4], &story(counted, wanted)).await
}

async fn add(tx: &Tx<'_>, (pool, round): (PoolId, u32), delta: [i64; 4]) -> Result<()> {
    once_each(
        tx,
        "UPDATE pool_rounds SET total = total + $3, available = available + $4, held = held + $5, taken = taken + $6
         WHERE pool_id = $1 AND round = $2",
        vec![[
            pool.0.into(),
            round.into(),
            delta[0].into(),
            delta[1].into(),
            delta[2].into(),
            delta[3].into(),
        ]],
    )
    .await
}

async fn owner_units(tx: &Tx<'_>, (pool, round): (PoolId, u32), owner: u64, units: u32) -> Result<()> {
    let key = || [Value::Int(pool.0), round.into(), digest(owner)];
    let sql = "SELECT units FROM pool_owners WHERE pool_id = $1 AND round = $2 AND owner_id = $3";
    let counted = tx.one(sql, &key(), Row::int).await?;
    let [pool, round, owner] = key();
    let (sql, delta) = match (counted, units) {
        (None, 0) => return Ok(()),
        (Some(_), 0) => {
            let sql = "DELETE FROM pool_owners WHERE pool_id = $1 AND round = $2 AND owner_id = $3";
            return once_each(tx, sql, vec![[pool, round, owner]]).await;
        }
        (None, units) => (
            "INSERT INTO pool_owners (pool_id, round, owner_id, units) VALUES ($1, $2, $3, $4)",
            i64::from(units),
        ),
        (Some(counted), units) => (
            "UPDATE pool_owners SET units = units + $4 WHERE pool_id = $1 AND round = $2 AND owner_id = $3",
            i64::from(units) - counted,
        ),
    };
    once_each(tx, sql, vec![[pool, round, owner, delta.into()]]).await
}

/// An open hold's rows are projected again.
async fn hold_row(tx: &Tx<'_>, hold: &OpenHold, texts: Option<&HoldTexts>) -> Result<()> {
    let made_seq = as_i64(hold.made_seq);
    let row = hold_rows(tx, &[hold.made_seq]).await?.pop().flatten();
    if row.as_ref().is_some_and(|row| compare_hold(Some(hold), Some(row)).is_empty()) {
        return Ok(());
    }
    let columns: [Value; 7] = [
        made_seq.into(),
        key_bytes(hold.key),
        digest(hold.key.fingerprint()),
        command_digest(hold.digest),
        hold.made.into(),
        hold.due.into(),
        era(hold.made_seq).into(),
    ];
    if row.is_some() {
        once_each(
            tx,
            "UPDATE holds SET hold_key = $2, fingerprint = $3, body = $4, made = $5, due = $6, era = $7,
                    state = 'held', ended_seq = NULL, ended = NULL WHERE made_seq = $1",
            vec![columns],
        )
        .await?;
        if let Some(texts) = texts {
            tx.execute(
                "UPDATE holds SET id = $2, caller = $3, owner = $4 WHERE made_seq = $1",
                params![made_seq, &texts.id, texts.caller, texts.owner.as_ref()],
            )
            .await?;
        }
    } else {
        let Some(texts) = texts else { return Ok(()) };
        let [made_seq, key, fingerprint, body, made, due, era] = columns;
        let texts = [(&texts.id).into(), texts.caller.into(), texts.owner.as_ref().into()];
        let [id, caller, owner] = texts;
        once_each(
            tx,
            "INSERT INTO holds (made_seq, hold_key, fingerprint, body, made, due, era, id, caller, owner, state)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'held')",
            vec![[made_seq, key, fingerprint, body, made, due, era, id, caller, owner]],
        )
        .await?;
    }
    tx.execute("DELETE FROM hold_lines WHERE made_seq = $1", params![made_seq]).await?;
    let lines = (0_i64..).zip(&hold.lines).map(|(at, line)| -> [Value; 5] {
        let units = line.quantity.units();
        [made_seq.into(), at.into(), line.pool.0.into(), line.round.into(), units.into()]
    });
    once_each(
        tx,
        "INSERT INTO hold_lines (made_seq, line, pool_id, round, units) VALUES ($1, $2, $3, $4, $5)",
        lines,
    )
    .await
}

fn less(wanted: [i64; 4], counted: [i64; 4]) -> [i64; 4] {
    std::array::from_fn(|at| wanted[at] - counted[at])
}

fn story(counted: [i64; 4], wanted: [i64; 4]) -> String {
    let names = ["total", "available", "held", "taken"];
    let changed = names.iter().zip(counted).zip(wanted).filter(|((_, before), after)| before != after);
    let changed: Vec<String> =
        changed.map(|((name, before), after)| format!("{name} {before} → {after}")).collect();
    if changed.is_empty() { "counters were right".to_owned() } else { changed.join(", ") }
}

/// One side of what was found, for the audit log.
fn told(found: &[Difference], side: fn(&Difference) -> &Option<String>) -> Json {
    let row = |row: &BookRow| row.to_string();
    let some = found.iter().take(TOLD_MAX);
    let rows: Vec<Json> = some
        .map(|found| json!({ "what": found.what.name(), "row": row(&found.row), "value": side(found) }))
        .collect();
    json!({ "count": found.len(), "rows": rows })
}
