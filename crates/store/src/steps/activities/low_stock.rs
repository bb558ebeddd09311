//! Prizes that are nearly gone: one row each, from the notice until they are restocked.

use domain::ids::ActivityId;
use domain::webhook::EventKind;
use engine::Outcome;
use engine::ports::{Fence, LowStock, LowStockSet};
use serde_json::{Value as Json, json};

use super::state::subject;
use crate::ledger::{read_prize, read_unsigned, signed};
use crate::steps::events::{NewEvent, tell};
use crate::steps::jobs::pass_fence;
use crate::tx::Tx;
use crate::{audit, params};

pub(crate) async fn low_stock_list(tx: &Tx<'_>, id: &ActivityId) -> Outcome<Vec<LowStock>> {
    tx.all(
        "SELECT prize_id, units_left, units_total, since FROM low_stock WHERE activity_id = $1 ORDER BY prize_id",
        params![*id],
        |row| {
            let (prize, left) = (read_prize(row)?, read_unsigned(row)?);
            Ok(LowStock { prize, left, total: read_unsigned(row)?, since: row.time()? })
        },
    )
    .await
}

/// A notice and its line in the audit log are one; what is known already is not told again.
pub(crate) async fn low_stock_set(tx: &Tx<'_>, (fence, step): &(Fence, LowStockSet)) -> Outcome<bool> {
    pass_fence(tx, fence).await?;
    let (id, prize) = (step.activity, i64::from(step.prize.number()));
    let Some(alert) = step.alert else {
        let sql = "DELETE FROM low_stock WHERE activity_id = $1 AND prize_id = $2";
        return Ok(tx.execute(sql, params![id, prize]).await? == 1);
    };
    let added = tx
        .execute(
            "INSERT INTO low_stock (activity_id, prize_id, units_left, units_total, since)
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT (activity_id, prize_id) DO NOTHING",
            params![id, prize, signed(alert.left), signed(alert.total), alert.since],
        )
        .await?;
    if added == 1 {
        let after = json!({ "prize": prize, "left": alert.left, "total": alert.total });
        audit::write(tx, &step.signed, "activity.low_stock", &subject(id), &Json::Null, &after).await?;
        let data = json!({
            "activity_id": id.to_string(),
            "prize_id": prize,
            "left": alert.left,
            "total": alert.total,
        });
        let (event, kind) = (step.signed.audit_id, EventKind::StockLow);
        let at = step.signed.at;
        tell(tx, &[NewEvent { id: event, kind, user: None, subject: id.0, data, at }]).await?;
    }
    Ok(added == 1)
}

/// Those that the ledger was last known to have open, in the order of ids.
pub(crate) async fn activities_open(tx: &Tx<'_>, (after, limit): &(i64, u32)) -> Outcome<Vec<ActivityId>> {
    tx.all(
        "SELECT id FROM activities WHERE id > $1 AND ledger_state = 'open' ORDER BY id LIMIT $2",
        params![*after, *limit],
        |row| row.int().map(ActivityId),
    )
    .await
}
