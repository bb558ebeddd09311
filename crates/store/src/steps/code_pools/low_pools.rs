//! Pools with few codes left: told once when that begins, and again only after there were enough in between.

use domain::ids::CodePoolId;
use domain::webhook::EventKind;
use serde_json::{Value as Json, json};

use super::pools::{lock, pool_sql, read, subject};
use crate::failure::Result;
use crate::model::{AuditStamp, CodePoolRow, Fence};
use crate::steps::events::{NewEvent, tell};
use crate::steps::jobs::pass_fence;
use crate::tx::Tx;
use crate::{audit, params};

/// [`CodePoolRow::is_low`] in SQL, beside what was told.
pub(super) async fn list_crossed(tx: &Tx<'_>, limit: &u32) -> Result<Vec<CodePoolRow>> {
    tx.all(
        pool_sql!(
            "WHERE (low_since IS NULL AND imported > 0 AND imported - given - retired < low_below)
                OR (low_since IS NOT NULL AND imported - given - retired >= low_below)
             ORDER BY id LIMIT $1"
        ),
        params![*limit],
        read,
    )
    .await
}

/// Those that are low now, whether or not that was told.
pub(super) async fn list_low(tx: &Tx<'_>, limit: &u32) -> Result<Vec<CodePoolRow>> {
    let sql = pool_sql!("WHERE imported > 0 AND imported - given - retired < low_below ORDER BY id LIMIT $1");
    tx.all(sql, params![*limit], read).await
}

pub(super) async fn low_set(
    tx: &Tx<'_>,
    (fence, pool, signed): &(Fence, CodePoolId, AuditStamp),
) -> Result<bool> {
    pass_fence(tx, fence).await?;
    let row = lock(tx, *pool).await?;
    if row.is_low() == row.low_since.is_some() {
        return Ok(false);
    }
    let since = row.is_low().then_some(signed.at);
    tx.execute("UPDATE code_pools SET low_since = $2 WHERE id = $1", params![*pool, since]).await?;
    if row.is_low() {
        let after = json!({ "left": row.left(), "imported": row.imported });
        audit::write(tx, signed, "code_pool.low", &subject(*pool), &Json::Null, &after).await?;
        let data = json!({
            "code_pool_id": pool.to_string(),
            "name": row.name,
            "left": row.left(),
            "imported": row.imported,
        });
        tell(tx, &[NewEvent::of(EventKind::CodePoolLow, pool.0, None, data, signed.at)]).await?;
    }
    Ok(true)
}
