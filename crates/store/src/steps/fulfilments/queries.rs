//! Looking at prizes on their way: one, some, or a queue.

use domain::fulfilment::{FulfilmentState, PrizeKind};
use domain::ids::{ActivityId, FulfilmentId};
use domain::lottery::strategy::PrizeId;
use domain::page::{Page, PageRequest};
use serde_json::{Value as Json, json};

use super::columns::{fulfilment_sql, read};
use crate::each::all_each;
use crate::failure::Result;
use crate::model::{AuditStamp, FulfilmentRow, FulfilmentSearch};
use crate::steps::activities::columns::{prize, to_unsigned};
use crate::tx::Tx;
use crate::value::Value;
use crate::{audit, params};

pub(super) async fn find(tx: &Tx<'_>, id: &FulfilmentId) -> Result<Option<FulfilmentRow>> {
    tx.one(fulfilment_sql!("WHERE id = $1"), params![*id], read).await
}

/// The line in the audit log is written before the address is seen.
pub(super) async fn audit_look(tx: &Tx<'_>, (id, signed): &(FulfilmentId, AuditStamp)) -> Result<()> {
    let (subject, seen) = (format!("fulfilment:{id}"), json!({ "seen": "address" }));
    audit::write(tx, signed, "fulfilment.look", &subject, &Json::Null, &seen).await
}

pub(super) async fn some(tx: &Tx<'_>, ids: &[FulfilmentId]) -> Result<Vec<FulfilmentRow>> {
    let keys: Vec<[Value; 1]> = ids.iter().map(|id| [(*id).into()]).collect();
    let found = all_each(tx, fulfilment_sql!("WHERE id = $1"), &keys, read).await?;
    Ok(found.into_iter().flatten().collect())
}

/// The newest first. What is not given has an index by state; nearly everything else is given, so a walk by id finds it.
pub(super) async fn list(
    tx: &Tx<'_>,
    (search, page): &(FulfilmentSearch, PageRequest),
) -> Result<Page<FulfilmentRow>> {
    let (kind, activity) = (search.kind.map(PrizeKind::name), search.activity);
    let state = search.state.map(FulfilmentState::name);
    let sql = match search.state {
        None => fulfilment_sql!(
            "WHERE id < $1 AND (CAST($3 AS TEXT) IS NULL OR kind = $3)
                   AND (CAST($4 AS BIGINT) IS NULL OR activity_id = $4) AND CAST($5 AS TEXT) IS NULL
             ORDER BY id DESC LIMIT $2"
        ),
        Some(FulfilmentState::Given) => fulfilment_sql!(
            "WHERE id < $1 AND (CAST($3 AS TEXT) IS NULL OR kind = $3)
                   AND (CAST($4 AS BIGINT) IS NULL OR activity_id = $4) AND state = $5
             ORDER BY id DESC LIMIT $2"
        ),
        Some(_) => fulfilment_sql!(
            "WHERE state <> 'given' AND state = $5 AND id < $1 AND (CAST($3 AS TEXT) IS NULL OR kind = $3)
                   AND (CAST($4 AS BIGINT) IS NULL OR activity_id = $4)
             ORDER BY id DESC LIMIT $2"
        ),
    };
    let rows = tx.all(sql, params![page.before(), page.fetch(), kind, activity, state], read).await?;
    Ok(Page::cut(rows, *page, |row| row.id.0))
}

/// What is not given has an index by state, and of that there is little.
pub(super) async fn units_back(tx: &Tx<'_>, activity: &ActivityId) -> Result<Vec<(PrizeId, u64)>> {
    tx.all(
        "SELECT prize_id, COUNT(*) FROM fulfilments
         WHERE state <> 'given' AND state IN ('voided', 'unclaimed') AND activity_id = $1 AND source = 'win'
         GROUP BY prize_id ORDER BY prize_id",
        params![*activity],
        |row| Ok((prize(row.int()?)?, to_unsigned(row.int()?)?)),
    )
    .await
}
