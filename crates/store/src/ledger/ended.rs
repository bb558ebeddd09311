//! A hold that is open in the database and that the ledger does not have open.
//!
//! It ended, and its row does not say so; or it was never made. If a movement tells how it ended, the row is brought in
//! line with that. If none does, it ends here as cancelled, at the position. A row from beyond the position can only be
//! in the way of the event that will have its number: it goes. Nothing is returned to a pool by any of this: counters
//! are compared with the ledger for themselves.

use domain::sale::order_of;

use super::books::hold_rows;
use super::columns::era;
use crate::failure::Result;
use crate::model::LedgerPosition;
use crate::params;
use crate::tx::Tx;
use crate::value::as_i64;

/// Movements of a pool looked through for the end of a hold.
const LOOKED_MAX: i64 = 100_000;

pub(super) async fn end(tx: &Tx<'_>, reached: LedgerPosition, made_seq: u64) -> Result<()> {
    let row = hold_rows(tx, &[made_seq]).await?.pop().flatten();
    let Some(row) = row.filter(domain::ledger::audit::HoldRow::is_open) else { return Ok(()) };
    let made = as_i64(made_seq);
    if made_seq > reached.seq {
        let of = "SELECT caller, id FROM holds WHERE made_seq = $1";
        let order = tx.one(of, params![made], |row| Ok(order_of(row.int()?, &row.text()?))).await?.flatten();
        if let Some(order) = order {
            // Nobody has paid for what never was.
            let lines = "DELETE FROM order_lines WHERE order_id = $1
                         AND EXISTS (SELECT 1 FROM orders WHERE id = $1 AND payment_id IS NULL)";
            tx.execute(lines, params![order]).await?;
            tx.execute("DELETE FROM orders WHERE id = $1 AND payment_id IS NULL", params![order]).await?;
        }
        for sql in [
            "DELETE FROM hold_extensions WHERE made_seq = $1",
            "DELETE FROM hold_lines WHERE made_seq = $1",
            "DELETE FROM holds WHERE made_seq = $1",
        ] {
            tx.execute(sql, params![made]).await?;
        }
        return Ok(());
    }
    let mut told = None;
    for (at, line) in (0_i64..).zip(&row.lines) {
        let found = tx
            .one(
                "SELECT seq, at_ms, kind, delta_taken
                 FROM (SELECT seq, at_ms, kind, delta_taken, hold FROM movements
                       WHERE pool_id = $1 AND seq > $2 ORDER BY seq LIMIT $3) m
                 WHERE hold = $2 AND kind IN ('confirmed', 'cancelled', 'expired') LIMIT 1",
                params![line.pool.0, made, LOOKED_MAX],
                |row| Ok((row.unsigned()?, row.time()?, row.text()?, row.int()?)),
            )
            .await?;
        if let Some((seq, ended, state, taken)) = found {
            tx.execute(
                "UPDATE hold_lines SET taken = $3 WHERE made_seq = $1 AND line = $2",
                params![made, at, taken],
            )
            .await?;
            told = Some((seq, ended, state));
        }
    }
    let (seq, ended, state) = told.unwrap_or((reached.seq, reached.at, "cancelled".to_owned()));
    tx.execute(
        "UPDATE holds SET state = $2, ended_seq = $3, ended = $4, era = $5 WHERE made_seq = $1",
        params![made, &state, as_i64(seq), ended, era(seq)],
    )
    .await?;
    // An order ends with its hold, here as in the projection.
    let of = "SELECT caller, id FROM holds WHERE made_seq = $1";
    let order = tx.one(of, params![made], |row| Ok(order_of(row.int()?, &row.text()?))).await?.flatten();
    if let (Some(order), "cancelled" | "expired") = (order, state.as_str()) {
        let sql = "UPDATE orders SET state = $2, changed_ms = $3 WHERE id = $1 AND state = 'unpaid'";
        tx.execute(sql, params![order, &state, ended]).await?;
    }
    Ok(())
}
