//! Prizes and units of sales that are nearly gone: one row each, from the notice until they are restocked.

use domain::activity::PoolUse;
use domain::ids::ActivityId;
use domain::webhook::EventKind;
use serde_json::{Value as Json, json};

use super::columns::{part, part_column};
use super::state::subject;
use crate::failure::Result;
use crate::model::{Fence, LowStock, LowStockSet};
use crate::steps::events::{NewEvent, tell};
use crate::steps::jobs::pass_fence;
use crate::tx::Tx;
use crate::value::as_i64;
use crate::{audit, params};

pub(crate) async fn low_stock_list(tx: &Tx<'_>, id: &ActivityId) -> Result<Vec<LowStock>> {
    tx.all(
        "SELECT prize_id, units_left, units_total, since FROM low_stock WHERE activity_id = $1 ORDER BY prize_id",
        params![*id],
        |row| {
            let (part, left) = (part(row.int()?)?, row.unsigned()?);
            Ok(LowStock { part, left, total: row.unsigned()?, since: row.time()? })
        },
    )
    .await
}

/// A notice and its line in the audit log are one; what is known already is not told again.
pub(crate) async fn low_stock_set(tx: &Tx<'_>, (fence, step): &(Fence, LowStockSet)) -> Result<bool> {
    pass_fence(tx, fence).await?;
    let (id, column) = (step.activity, part_column(step.part));
    let Some(alert) = step.alert else {
        let sql = "DELETE FROM low_stock WHERE activity_id = $1 AND prize_id = $2";
        return Ok(tx.execute(sql, params![id, column]).await? == 1);
    };
    let added = tx
        .execute(
            "INSERT INTO low_stock (activity_id, prize_id, units_left, units_total, since)
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT (activity_id, prize_id) DO NOTHING",
            params![id, column, as_i64(alert.left), as_i64(alert.total), alert.since],
        )
        .await?;
    if added == 1 {
        let mut after = json!({ "left": alert.left, "total": alert.total });
        let mut data = json!({ "activity_id": id.to_string(), "left": alert.left, "total": alert.total });
        // A sale sells one thing: there is no prize to name.
        if let PoolUse::Prize(prize) = step.part {
            after["prize"] = prize.number().into();
            data["prize_id"] = prize.number().into();
        }
        audit::write(tx, &step.signed, "activity.low_stock", &subject(id), &Json::Null, &after).await?;
        let (event, kind) = (step.signed.audit_id, EventKind::StockLow);
        let at = step.signed.at;
        tell(tx, &[NewEvent { id: event, kind, user: None, subject: id.0, data, at }]).await?;
    }
    Ok(added == 1)
}

/// Those that the ledger was last known to have open, in the order of ids.
pub(crate) async fn activities_open(tx: &Tx<'_>, (after, limit): &(i64, u32)) -> Result<Vec<ActivityId>> {
    tx.all(
        "SELECT id FROM activities WHERE id > $1 AND ledger_state = 'open' ORDER BY id LIMIT $2",
        params![*after, *limit],
        |row| row.int().map(ActivityId),
    )
    .await
}
